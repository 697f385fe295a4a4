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
        // Looking at a clock costs a good part of a cheap iteration.
        const BETWEEN_LOOKS: u32 = 8;
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
}
