//! What a decision may cost: iterations or time, and a flag that ends it early.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A flag that asks running work to end soon.
#[derive(Debug, Default)]
pub struct Stop(AtomicBool);

impl Stop {
    /// A flag that is not set.
    pub const fn new() -> Self {
        Self(AtomicBool::new(false))
    }

    /// Asks to stop.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether stopping was asked for.
    #[inline]
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A clock: the time since some fixed moment. The search has none of its own, since not every system has one.
pub type Clock = fn() -> Duration;

/// A budget of iterations or time that is being spent, until it is used up or somebody asks to stop.
#[derive(Clone, Copy, Debug)]
pub struct Meter<'a> {
    stop: &'a Stop,
    iterations: Option<u32>,
    /// A budget of time: the clock, when it began, and how long it is.
    time: Option<(Clock, Duration, Duration)>,
    /// Iterations after which one thread makes a pause.
    pause: u32,
}

/// Reading the clock costs about as much as a cheap iteration.
const BETWEEN_LOOKS: u32 = 8;

impl<'a> Meter<'a> {
    /// No limit until somebody asks to stop.
    pub const fn unlimited(stop: &'a Stop) -> Self {
        Self {
            stop,
            iterations: None,
            time: None,
            pause: u32::MAX,
        }
    }

    /// This many iterations, at least one.
    pub const fn iterations(count: u32, stop: &'a Stop) -> Self {
        Self {
            iterations: Some(count),
            ..Self::unlimited(stop)
        }
    }

    /// This time from now on, by this clock. If the clock counts the time of a thread, only that thread may search.
    pub fn time(budget: Duration, clock: Clock, stop: &'a Stop) -> Self {
        Self {
            time: Some((clock, clock(), budget)),
            ..Self::unlimited(stop)
        }
    }

    /// The same budget with a pause once there are at least this many iterations. A search that goes on from the same
    /// root with what is left of the budget is the same as one without the pause.
    pub const fn with_pause(self, iterations: u32) -> Self {
        Self {
            pause: iterations,
            ..self
        }
    }

    /// Whether several threads may search: the budget is one of time, without a pause.
    pub(super) const fn is_time_of_threads(&self) -> bool {
        self.time.is_some() && self.pause == u32::MAX
    }

    /// Whether another iteration may follow after this many, of which `last` came since the last question; the first
    /// one always may.
    #[inline]
    pub(super) fn allows(&self, done: u32, last: u32) -> bool {
        done == 0
            || done < self.pause
                && self.iterations_left(done) > 0
                && (done % BETWEEN_LOOKS >= last || self.has_time())
    }

    /// The number of iterations of the budget, if it counts them.
    pub(super) fn all(&self) -> Option<u32> {
        self.iterations.map(|count| count.max(1))
    }

    /// How many iterations the budget allows after this many; the first one always, and the maximum if it does not count them.
    #[inline]
    pub(super) fn iterations_left(&self, done: u32) -> u32 {
        (self.all()).map_or(u32::MAX, |count| count.saturating_sub(done))
    }

    /// The time spent and that which is left; `None` if the budget is not one of time.
    fn spent_and_left(&self) -> Option<[Duration; 2]> {
        self.time.map(|(clock, start, budget)| {
            let spent = clock().saturating_sub(start);
            [spent, budget.saturating_sub(spent)]
        })
    }

    /// Whether the time is not over and nobody has asked to stop.
    #[inline]
    pub fn has_time(&self) -> bool {
        let is_left = |[_, left]: [Duration; 2]| !left.is_zero();
        !self.stop.is_set() && self.spent_and_left().is_none_or(is_left)
    }

    /// Estimates how many iterations are left after this many.
    pub(super) fn left(&self, done: u32) -> u32 {
        let Some(time) = self.spent_and_left() else {
            return self.iterations_left(done);
        };
        let [spent, left] = time.map(|time| time.as_secs_f64());
        (left / spent * f64::from(done)).ceil() as u32
    }

    /// Whether there is time for work of about this cost.
    pub(super) fn has(&self, cost: Duration) -> bool {
        (self.spent_and_left()).is_none_or(|[_, left]| left >= cost)
    }
}
