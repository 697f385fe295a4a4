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
