//! How long a search may go on.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What a search may spend on one decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// This many iterations: the same result on any machine.
    Iterations(u32),
    /// This much time.
    Time(Duration),
}

impl Budget {
    /// What is left after so much time.
    #[must_use]
    pub fn less(self, spent: Duration) -> Self {
        match self {
            Self::Iterations(_) => self,
            Self::Time(time) => Self::Time(time.saturating_sub(spent)),
        }
    }
}

/// A flag that asks everything that is under way to end soon.
#[derive(Debug, Default)]
pub struct Stop(AtomicBool);

impl Stop {
    /// A flag that is not set.
    #[must_use]
    pub const fn new() -> Self {
        Self(AtomicBool::new(false))
    }

    /// Asks to stop.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether stopping was asked for.
    #[must_use]
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A budget being spent.
pub(super) struct Meter<'a> {
    budget: Budget,
    start: Instant,
    stop: &'a Stop,
}

/// Looking at a clock costs a good part of a cheap iteration.
const BETWEEN_LOOKS: u32 = 8;

impl<'a> Meter<'a> {
    pub(super) fn new(budget: Budget, stop: &'a Stop) -> Self {
        Self {
            budget,
            start: Instant::now(),
            stop,
        }
    }

    /// Whether another iteration may follow after this many; the first always may.
    #[inline]
    pub(super) fn allows(&self, done: u32) -> bool {
        if done == 0 {
            return true;
        }
        let looks = done.is_multiple_of(BETWEEN_LOOKS);
        if looks && self.stop.is_set() {
            return false;
        }
        match self.budget {
            Budget::Iterations(count) => done < count,
            Budget::Time(time) => !looks || self.start.elapsed() < time,
        }
    }

    /// How many iterations are left after this many, as far as can be told.
    pub(super) fn left(&self, done: u32) -> u32 {
        match self.budget {
            Budget::Iterations(count) => count - done,
            Budget::Time(time) => {
                let spent = self.start.elapsed().as_secs_f64();
                let left = (time.as_secs_f64() - spent).max(0.0);
                (left / spent * f64::from(done)).ceil() as u32
            }
        }
    }

    /// Does something that takes about so long, if there is the time.
    pub(super) fn pay(&self, cost: Duration, work: impl FnOnce()) {
        if let Budget::Time(time) = self.budget
            && time.saturating_sub(self.start.elapsed()) < cost
        {
            return;
        }
        work();
    }
}
