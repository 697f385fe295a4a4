//! The workers that a collector has heard of.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::message::WorkerStatus;

/// The time after which a silent worker is left out; each worker sends its status every 2 s.
const SILENCE: Duration = Duration::from_secs(15);

/// The latest status of each worker, by its name, and when it arrived.
pub type Roster = BTreeMap<String, (WorkerStatus, Instant)>;

/// Removes the workers that have been silent for too long.
pub(super) fn prune(roster: &mut Roster, now: Instant) {
    roster.retain(|_, (_, heard)| now.saturating_duration_since(*heard) < SILENCE);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silent_workers_are_left_out() {
        let status = |worker: &str, games| WorkerStatus {
            worker: worker.to_owned(),
            threads: 4,
            games,
            failures: 0,
            seconds: 1.0,
        };
        let start = Instant::now();
        let later = start + SILENCE / 2;
        let mut roster = Roster::new();
        roster.insert("a".to_owned(), (status("a", 1), start));
        roster.insert("b".to_owned(), (status("b", 3), later));
        prune(&mut roster, later);
        assert_eq!(roster.len(), 2);
        prune(&mut roster, start + SILENCE);
        let left: Vec<_> = roster.into_values().collect();
        assert_eq!(left, [(status("b", 3), later)]);
    }
}
