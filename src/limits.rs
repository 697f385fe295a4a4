//! Limits that the system may set for the program: of threads, of memory and of the size of files.

use std::num::NonZeroUsize;
use std::sync::mpsc;
#[cfg(unix)]
use std::sync::{Arc, atomic::AtomicBool};
use std::thread;

use rayon::ThreadPoolBuilder;

/// The address space in which every subcommand can say what it lacks, in megabytes.
#[cfg(unix)]
const MIN_MEGABYTES: u64 = 32;

/// Checks the limit of memory, makes a file that grows too large an error of the write, and starts as many threads for
/// statistics as there may be.
pub(super) fn prepare() -> anyhow::Result<()> {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit};
        check_space(getrlimit(Resource::As).current)?;
        // Without a handler, the signal ends the process without a word.
        let told = Arc::new(AtomicBool::new(false));
        let handled = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, told);
        handled.map_err(|error| anyhow::anyhow!("cannot listen for signals: {error}"))?;
    }
    let wanted = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    // They are started now: later, other threads may have taken their places.
    let pool = match startable(wanted) {
        all if all == wanted => ThreadPoolBuilder::new(),
        // One place is left to the thread that waits for Ctrl-C.
        few @ 2.. => ThreadPoolBuilder::new().num_threads(few - 1),
        _ => ThreadPoolBuilder::new().num_threads(1).use_current_thread(),
    };
    let started = pool.build_global();
    started.map_err(|error| anyhow::anyhow!("cannot start a thread: {error}"))
}

/// Checks the limit of memory in bytes, if there is one. Where memory ends later, the process is aborted.
#[cfg(unix)]
fn check_space(limit: Option<u64>) -> anyhow::Result<()> {
    match limit.map(|bytes| bytes >> 20) {
        Some(space) if space < MIN_MEGABYTES => anyhow::bail!(
            "the address space is limited to {space} MB (ulimit -v); expected at least {MIN_MEGABYTES} MB"
        ),
        _ => Ok(()),
    }
}

/// How many of so many threads can be started at the same time.
fn startable(wanted: usize) -> usize {
    thread::scope(|scope| {
        let mut ends = Vec::new();
        for _ in 0..wanted {
            let (end, waits) = mpsc::channel::<()>();
            let started = thread::Builder::new().spawn_scoped(scope, move || waits.recv());
            if started.is_err() {
                break;
            }
            ends.push(end);
        }
        ends.len()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_small_address_space_is_said() {
        let said = check_space(Some(20_000 << 10)).map_err(|error| error.to_string());
        let expected = "the address space is limited to 19 MB (ulimit -v); expected at least 32 MB";
        assert_eq!(said, Err(expected.to_owned()));
        assert!(check_space(None).is_ok() && check_space(Some(32 << 20)).is_ok());
    }

    #[test]
    fn threads_that_are_free_can_be_started() {
        assert_eq!([startable(0), startable(3)], [0, 3]);
    }
}
