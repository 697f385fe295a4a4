//! The clocks that budgets of time count.

use std::time::Duration;

use crate::util::clock::Instant;

/// A point in time on one of the clocks.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Moment {
    /// On the clock of the wall.
    Wall(Instant),
    /// Processor time of this thread so far.
    Processor(Duration),
}

impl Moment {
    pub(super) fn wall() -> Self {
        Self::Wall(Instant::now())
    }

    /// On the clock of this thread's processor time; on systems that do not measure it, that of the wall.
    pub(super) fn processor() -> Self {
        processor_time().map_or_else(Self::wall, Self::Processor)
    }

    /// The time that has passed on its clock. For processor time, the thread must be the same.
    pub(crate) fn elapsed(self) -> Duration {
        match self {
            Self::Wall(start) => start.elapsed(),
            Self::Processor(start) => processor_time().unwrap_or(start).saturating_sub(start),
        }
    }
}

#[cfg(all(unix, feature = "bots"))]
fn processor_time() -> Option<Duration> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).ok()
}

#[cfg(not(all(unix, feature = "bots")))]
const fn processor_time() -> Option<Duration> {
    None
}

#[cfg(all(test, unix, feature = "bots"))]
mod tests {
    use super::*;

    #[test]
    fn processor_time_does_not_pass_while_a_thread_sleeps() {
        let (processor, wall) = (Moment::processor(), Moment::wall());
        std::thread::sleep(Duration::from_millis(30));
        assert!(wall.elapsed() >= Duration::from_millis(30));
        assert!(processor.elapsed() < Duration::from_millis(15));
        while processor.elapsed() < Duration::from_millis(5) {
            std::hint::black_box(0);
        }
        assert!(wall.elapsed() >= Duration::from_millis(35));
    }
}
