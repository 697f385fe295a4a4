//! The collector of a fleet. Only one is active at a time.

use std::collections::{BTreeMap, HashSet};
use std::thread;
use std::time::{Duration, Instant};

use patchwork_engine::record::Entry;
use patchwork_engine::search::Stop;
use serde::{Deserialize, Serialize};

use super::link::{CollectorLink, LinkError, RETRY, Revision};
use super::message::{MessageError, WorkerStatus};
use super::roster::Roster;
use crate::tournament::store::StoreError;

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
    /// Time for which a collector that does not renew its lease is considered alive.
    pub lease: Duration,
}

/// The default of [`CollectOptions::lease`].
pub const LEASE: Duration = Duration::from_secs(8);

/// Time for which a service that does not answer is asked again at the start.
const START: Duration = Duration::from_secs(30);

/// Why a collector ended.
#[derive(Debug, thiserror::Error)]
pub enum CollectError {
    /// Another collector is active.
    #[error("another collector is active ({0}); only one can be active at a time")]
    Busy(String),
    /// A game could not be stored.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The plan cannot be sent.
    #[error("the plan cannot be sent to workers: {0}")]
    Plan(#[from] MessageError),
    /// The service refuses or does not answer from the start.
    #[error(transparent)]
    Link(#[from] LinkError),
}

/// An event while collecting.
#[derive(Clone, Copy, Debug)]
pub enum CollectEvent<'a> {
    /// A game newly counts and is stored.
    Game(&'a Entry),
    /// A sentence for people.
    Note(&'a str),
    /// The latest status of each worker that was heard of recently.
    Workers(&'a BTreeMap<String, WorkerStatus>),
}

/// The sentence for a service that is asked again.
pub(super) fn trying_again(error: &LinkError) -> String {
    format!("the server failed: {error}; trying again")
}

/// What a collector has done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Collected {
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

/// The collector's claim to be the only one.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Lease {
    owner: String,
    released: bool,
}

/// The collector of a fleet, which plays one plan after another. Until it is dropped, no other collector can
/// be active.
pub struct Collector<'a, L: CollectorLink> {
    pub(super) link: &'a L,
    pub(super) options: &'a CollectOptions,
    revision: Revision,
    renewed: Instant,
    pub(super) workers: Roster,
    /// Workers with other versions of play that have been reported.
    pub(super) strangers: HashSet<String>,
    /// The hashes of earlier plans.
    pub(super) earlier: HashSet<String>,
}

impl<'a, L: CollectorLink> Collector<'a, L> {
    /// Becomes the collector of a fleet. A service that does not answer is asked again for some time, which `note`
    /// is told: a server on a busy disk may take longer to create a stream than a request waits.
    ///
    /// # Errors
    /// When another collector is active, or the service refuses or does not answer for this time.
    pub fn claim(
        link: &'a L,
        options: &'a CollectOptions,
        stop: &Stop,
        mut note: impl FnMut(&str),
    ) -> Result<Self, CollectError> {
        let mut collector = Self {
            link,
            options,
            revision: 0,
            renewed: Instant::now(),
            workers: Roster::default(),
            strangers: HashSet::new(),
            earlier: HashSet::new(),
        };
        let start = Instant::now();
        let mut told = false;
        loop {
            let prepared = link.prepare(options.wait).map_err(CollectError::from);
            match prepared.and_then(|()| collector.take_lease(stop)) {
                Ok(()) => return Ok(collector),
                Err(CollectError::Link(error @ LinkError::Silent(_)))
                    if start.elapsed() < START && !stop.is_set() =>
                {
                    if !std::mem::replace(&mut told, true) {
                        note(&trying_again(&error));
                    }
                    thread::sleep(RETRY);
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Number of threads of the workers heard of recently.
    #[must_use]
    pub fn threads(&self) -> usize {
        let workers = self.workers.known().values();
        workers.map(|worker| worker.threads as usize).sum()
    }

    fn lease_of(&self, released: bool) -> Vec<u8> {
        let lease = Lease {
            owner: self.options.name.clone(),
            released,
        };
        serde_json::to_vec(&lease).expect("a lease has only plain values")
    }

    /// Takes the lease, after waiting to see whether its owner renews it.
    fn take_lease(&mut self, stop: &Stop) -> Result<(), CollectError> {
        loop {
            let (revision, bytes) = self.link.lease()?;
            let there: Option<Lease> = serde_json::from_slice(&bytes).ok();
            let other = there.filter(|lease| !lease.released && lease.owner != self.options.name);
            if let Some(other) = other {
                let start = Instant::now();
                while start.elapsed() < self.options.lease && !stop.is_set() {
                    thread::sleep(self.options.lease / 20);
                    if self.link.lease()?.0 != revision {
                        return Err(CollectError::Busy(other.owner));
                    }
                }
            }
            if let Some(revision) = self.link.replace_lease(revision, &self.lease_of(false))? {
                self.revision = revision;
                self.renewed = Instant::now();
                return Ok(());
            }
        }
    }

    /// Renews the lease when it is due. If the lease is no longer this collector's, the server has lost it,
    /// or another collector has taken it.
    pub(super) fn renew(&mut self, stop: &Stop) -> Result<(), CollectError> {
        if self.renewed.elapsed() < self.options.lease / 4 {
            return Ok(());
        }
        let lease = self.lease_of(false);
        match self.link.replace_lease(self.revision, &lease)? {
            Some(revision) => {
                self.revision = revision;
                self.renewed = Instant::now();
                Ok(())
            }
            None => self.take_lease(stop),
        }
    }
}

impl<L: CollectorLink> Drop for Collector<'_, L> {
    fn drop(&mut self) {
        if self.revision > 0 {
            // If it cannot be released, the next collector waits until it expires.
            let _ = self.link.replace_lease(self.revision, &self.lease_of(true));
        }
    }
}
