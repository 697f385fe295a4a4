//! The collector of a fleet. Only one is active at a time.

use std::collections::{BTreeMap, HashSet};
use std::thread;
use std::time::{Duration, Instant};

use super::lease::{Lease, LeaseAnswer, LeaseClaim, LeaseStep};
use super::link::{CollectorLink, FleetError, START};
use super::message::WorkerStatus;
use patchwork_engine::record::Entry;
use patchwork_engine::search::Stop;
use patchwork_engine::util::InputError;
use patchwork_tournament::{GamePlayer, Results, TournamentError, WatchGame, pairs_given_up};

/// How a collector works.
#[derive(Clone, Debug)]
pub struct CollectOptions {
    /// The unique name of this collector.
    pub name: String,
    /// Maximum number of pairs in the queue at once; `None` for 20,000, and for 512 if a sequential test may leave
    /// most of them unplayed.
    pub window: Option<usize>,
    /// Time after which a task that is neither acknowledged nor renewed is delivered again.
    pub wait: Duration,
    /// Time between two comparisons of the queue with what is missing.
    pub audit: Duration,
    /// Time after which the lease of a collector that does not renew it may be taken; it pauses after half of it.
    pub lease: Duration,
}

/// The default of [`CollectOptions::lease`].
pub const LEASE: Duration = Duration::from_secs(8);

/// Longest sleep after which a request to stop is looked for.
const MAX_SLEEP: Duration = Duration::from_millis(100);

/// An event while collecting.
#[derive(Clone, Copy, Debug)]
pub enum CollectEvent<'a> {
    /// A game newly counts and is stored.
    Game(&'a Entry),
    /// A sentence for people.
    Note(&'a str),
    /// The workers that were heard of recently.
    Workers(&'a Roster),
}

/// The sentence for a service that is asked again.
pub(super) fn trying_again(error: &FleetError) -> String {
    format!("the server failed: {error}; trying again")
}

/// What a collector has done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CollectSummary {
    /// Whether everything has been played.
    pub complete: bool,
    /// Number of games that were stored.
    pub stored: u64,
    /// Number of games that arrived again with the same record.
    pub doubles: u64,
    /// Number of games that arrived again with a different record, which was dropped.
    pub different: u64,
    /// Number of messages that were not understood or belong to another plan.
    pub garbage: u64,
    /// Number of games that were refused.
    pub refused: u64,
    /// Number of tasks that were published again.
    pub again: u64,
    /// The names of the pairs that are no longer played, with the reasons.
    pub quarantined: BTreeMap<String, String>,
}

/// The collector of a fleet, which plays one plan after another. Until it is dropped, no other collector can
/// be active.
pub struct Collector<'a, L: CollectorLink> {
    pub(super) link: &'a L,
    pub(super) options: &'a CollectOptions,
    claim: LeaseClaim,
    /// From when the claim counts its times.
    epoch: Instant,
    pub(super) workers: Roster,
    /// Workers with other versions of play that have been reported.
    pub(super) incompatible: HashSet<String>,
    /// The hashes of earlier plans.
    pub(super) earlier: HashSet<String>,
}

impl<'a, L: CollectorLink> Collector<'a, L> {
    /// Becomes the collector of a fleet, or returns when `stop` is set. A service that does not answer is asked again
    /// for some time, which `note` is told: a server on a busy disk may take longer to create a stream than a request
    /// waits.
    pub fn claim(
        link: &'a L,
        options: &'a CollectOptions,
        stop: &Stop,
        mut note: impl FnMut(&str),
    ) -> Result<Self, TournamentError> {
        let mut collector = Self {
            link,
            options,
            claim: LeaseClaim::new(options.name.clone(), options.lease, START),
            epoch: Instant::now(),
            workers: Roster::new(),
            incompatible: HashSet::new(),
            earlier: HashSet::new(),
        };
        collector.keep_active(stop, &mut note)?;
        Ok(collector)
    }

    /// Number of threads of the workers heard of recently.
    pub fn threads(&self) -> usize {
        let workers = self.workers.values();
        workers.map(|(status, _)| status.threads as usize).sum()
    }

    /// Whether this is the active collector.
    pub(super) fn is_active(&self) -> bool {
        self.claim.is_active(self.epoch.elapsed())
    }

    /// Renews the lease when that is due, and waits until this is the active collector, or `stop` is set. `note` is
    /// told once when the service fails, and when the collector has to wait.
    pub(super) fn keep_active(
        &mut self,
        stop: &Stop,
        note: &mut dyn FnMut(&str),
    ) -> Result<(), TournamentError> {
        let (mut has_failed, mut has_waited) = (false, false);
        loop {
            let sent = self.epoch.elapsed();
            let answer = match self.claim.step(sent) {
                LeaseStep::Collect(_) => return Ok(()),
                LeaseStep::Wait(_) if stop.is_set() => return Ok(()),
                LeaseStep::Wait(until) => {
                    let why = self.claim.why_it_waits();
                    if let Some(why) = why.filter(|_| !std::mem::replace(&mut has_waited, true)) {
                        note(&why);
                    }
                    thread::sleep((until - sent).min(MAX_SLEEP));
                    continue;
                }
                LeaseStep::Prepare => {
                    let prepared = self.link.prepare(self.options.wait);
                    prepared.map(|()| LeaseAnswer::Prepared)
                }
                LeaseStep::Read => self.link.lease().map(|(revision, bytes)| {
                    let lease = (revision > 0).then(|| Lease::decode(&bytes));
                    LeaseAnswer::Read(revision, lease)
                }),
                LeaseStep::Take(revision) => {
                    let lease = self.claim.lease(false).encode();
                    let taken = self.link.replace_lease(revision, &lease);
                    taken.map(LeaseAnswer::Taken)
                }
            };
            let answer = answer.unwrap_or_else(|error| {
                if !std::mem::replace(&mut has_failed, true) && !self.is_active() {
                    note(&trying_again(&error));
                }
                LeaseAnswer::Failed(error)
            });
            let answered = self.claim.answer(sent, self.epoch.elapsed(), answer);
            answered.map_err(InputError::new)?;
        }
    }
}

impl<L: CollectorLink> Drop for Collector<'_, L> {
    fn drop(&mut self) {
        if let Some(revision) = self.claim.owned(self.epoch.elapsed()) {
            // If it cannot be released, the next collector waits until it expires.
            let lease = self.claim.lease(true).encode();
            let _ = self.link.replace_lease(revision, &lease);
        }
    }
}

/// Plays the games of one plan after another on a fleet, in place of threads.
pub struct FleetPlayer<'c, 'a, L: CollectorLink, W> {
    collector: &'c mut Collector<'a, L>,
    notes: W,
}

impl<'c, 'a, L: CollectorLink, W: FnMut(CollectEvent<'_>)> FleetPlayer<'c, 'a, L, W> {
    /// A player that uses the fleet of this collector and passes what it says to `notes`.
    pub const fn new(collector: &'c mut Collector<'a, L>, notes: W) -> Self {
        Self { collector, notes }
    }
}

impl<L: CollectorLink, W: FnMut(CollectEvent<'_>)> GamePlayer for FleetPlayer<'_, '_, L, W> {
    fn play(
        &mut self,
        results: &mut Results,
        stop: &Stop,
        watch: &mut WatchGame<'_>,
    ) -> Result<(), TournamentError> {
        let notes = &mut self.notes;
        let collected = self
            .collector
            .collect(results, stop, |event, results| match event {
                CollectEvent::Game(entry) => watch(entry, results),
                event => notes(event),
            });
        let given_up = collected?.quarantined;
        match given_up.is_empty() {
            true => Ok(()),
            false => Err(pairs_given_up(&given_up).into()),
        }
    }
}

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
