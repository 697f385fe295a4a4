//! The workers that a collector has heard of.

use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, Instant};

use super::message::WorkerStatus;

/// The time after which a silent worker is left out; each worker sends its status every 2 s.
const SILENCE: Duration = Duration::from_secs(15);

/// The latest statuses of workers.
#[derive(Default)]
pub(super) struct Roster {
    known: BTreeMap<String, WorkerStatus>,
    heard: HashMap<String, Instant>,
}

impl Roster {
    /// Records a worker's status at this time.
    pub(super) fn hear(&mut self, status: WorkerStatus, now: Instant) {
        self.heard.insert(status.worker.clone(), now);
        self.known.insert(status.worker.clone(), status);
    }

    /// Removes the workers that have been silent for too long.
    pub(super) fn prune(&mut self, now: Instant) {
        self.heard
            .retain(|_, heard| now.saturating_duration_since(*heard) < SILENCE);
        let heard = &self.heard;
        self.known.retain(|worker, _| heard.contains_key(worker));
    }

    /// The latest status of each worker.
    pub(super) const fn known(&self) -> &BTreeMap<String, WorkerStatus> {
        &self.known
    }
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
        let (mut roster, start) = (Roster::default(), Instant::now());
        roster.hear(status("a", 1), start);
        roster.hear(status("b", 2), start);
        roster.hear(status("b", 3), start + SILENCE / 2);
        roster.prune(start + SILENCE / 2);
        assert_eq!(roster.known().len(), 2);
        roster.prune(start + SILENCE);
        assert_eq!(
            roster.known().values().collect::<Vec<_>>(),
            [&status("b", 3)]
        );
    }
}
