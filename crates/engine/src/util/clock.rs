//! Time that only runs forward: the system's, or, where there is none (WebAssembly), that of a clock which the host
//! hands in.

use std::sync::LazyLock;
use std::time::Duration;

#[cfg(unix)]
use rustix::time::{ClockId, clock_gettime};

#[cfg(not(target_family = "wasm"))]
pub use std::time::Instant;

#[cfg(target_family = "wasm")]
pub use handed_in::{Instant, hand_in};

/// The time since some fixed moment.
pub fn wall_time() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

/// The process did not run (Ctrl-Z, a debugger, a machine that is paused) if this time passes between two looks at a clock that
/// is looked at many times a second.
pub const ABSENCE: Duration = Duration::from_secs(1);

/// A limit of wall time. It stands still while this process does not run, if it is looked at many times a second.
#[derive(Clone, Copy, Debug)]
pub struct Timer {
    start: Duration,
    looked: Duration,
    limit: Duration,
}

impl Timer {
    /// A limit that begins now.
    pub fn new(limit: Duration) -> Self {
        let now = wall_time();
        Self {
            start: now,
            looked: now,
            limit,
        }
    }

    /// The time that counts since it began.
    pub fn elapsed(&mut self) -> Duration {
        self.elapsed_at(wall_time())
    }

    fn elapsed_at(&mut self, now: Duration) -> Duration {
        let gap = now.saturating_sub(self.looked);
        if gap >= ABSENCE {
            self.start += gap;
        }
        self.looked = now;
        now.saturating_sub(self.start)
    }

    /// The time that is left; zero when it is over.
    pub fn left(&mut self) -> Duration {
        self.limit.saturating_sub(self.elapsed())
    }

    /// Does not count a time that has passed.
    pub fn exclude(&mut self, time: Duration) {
        self.start += time;
    }

    /// Leaves this time at most.
    pub fn shorten(&mut self, left: Duration) {
        self.limit = self.limit.min(self.elapsed() + left);
    }
}

/// The processor time of this thread; on systems that do not measure it, as [`wall_time`].
pub fn processor_time() -> Duration {
    #[cfg(unix)]
    if let Ok(time) = clock_gettime(ClockId::ThreadCPUTime).try_into() {
        return time;
    }
    wall_time()
}

#[cfg(target_family = "wasm")]
mod handed_in {
    use std::ops::Add;
    use std::sync::OnceLock;
    use std::time::Duration;

    static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

    /// Hands in the clock: a function that gives the time since some fixed moment. The first one stays.
    pub fn hand_in(clock: fn() -> Duration) {
        CLOCK.get_or_init(|| clock);
    }

    /// A moment, as [`std::time::Instant`].
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Instant(Duration);

    impl Instant {
        /// This moment. Time stands still until a clock is handed in.
        pub fn now() -> Self {
            Self(CLOCK.get().map_or(Duration::ZERO, |clock| clock()))
        }

        /// The time since then.
        pub fn elapsed(&self) -> Duration {
            Self::now().0.saturating_sub(self.0)
        }

        /// This moment plus a time; `None` if it is too far ahead.
        pub fn checked_add(&self, time: Duration) -> Option<Self> {
            self.0.checked_add(time).map(Self)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Self;

        fn add(self, time: Duration) -> Self {
            Self(self.0.saturating_add(time))
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_timer_stands_still_while_the_process_does_not_run() {
        let mut timer = Timer::new(Duration::from_secs(5));
        let (start, at) = (timer.start, Duration::from_millis);
        let mut elapsed = |millis| timer.elapsed_at(start + at(millis));
        assert_eq!([elapsed(900), elapsed(1800)], [at(900), at(1800)]);
        assert_eq!([elapsed(7800), elapsed(8000)], [at(1800), at(2000)]);
        timer.exclude(at(500));
        assert_eq!(timer.elapsed_at(start + at(8100)), at(1600));
    }

    #[test]
    fn processor_time_does_not_pass_while_a_thread_sleeps() {
        let (processor, wall) = (processor_time(), wall_time());
        std::thread::sleep(Duration::from_millis(30));
        assert!(wall_time() - wall >= Duration::from_millis(30));
        assert!(processor_time() - processor < Duration::from_millis(15));
        while processor_time() - processor < Duration::from_millis(5) {
            std::hint::black_box(0);
        }
        assert!(wall_time() - wall >= Duration::from_millis(35));
    }
}
