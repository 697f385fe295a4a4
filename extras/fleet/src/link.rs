//! The interface between a fleet and the service that carries its messages.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use patchwork_tournament::TournamentError;

use super::message::PairKey;

/// Why something was not done: because of the service, which can be asked again, or of the tournament.
#[derive(Debug, thiserror::Error)]
pub enum FleetError {
    /// The service did not answer within a time limit. It may do so later.
    #[error("{0}")]
    Silent(String),
    /// The service answered with an error, or cannot be reached. It may do what was asked later.
    #[error("{0}")]
    Failed(String),
    /// Asking again would not help: a message is too large, or the fleet has another collector.
    #[error("{0}")]
    Refused(String),
    /// The collector cannot keep the games.
    #[error(transparent)]
    Tournament(#[from] TournamentError),
}

/// Time for which a service that fails is asked again at the start.
pub(super) const START: Duration = Duration::from_secs(30);

/// The time after which a request that failed is repeated.
pub(super) const RETRY: Duration = Duration::from_millis(300);

/// Locks shared data. A thread that panics leaves a consistent state behind.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A message that has to be acknowledged.
pub struct Delivered {
    /// Its contents.
    pub body: Vec<u8>,
    /// Number of deliveries, including this one.
    pub deliveries: u64,
    /// How to acknowledge it.
    pub receipt: Arc<dyn Receipt>,
}

/// Acknowledges a message. A message that is neither acknowledged nor renewed within the service's wait is
/// delivered again.
pub trait Receipt: Send + Sync {
    /// Restarts the wait.
    fn renew(&self) -> Result<(), FleetError>;

    /// Removes the message.
    fn acknowledge(&self) -> Result<(), FleetError>;
}

/// What the service keeps beside the queue.
#[derive(Clone, Copy, Debug)]
pub enum KeptMessage {
    /// The plan of the fleet.
    Plan,
    /// The name of the collector; empty if it has ended.
    Collector,
}

/// The operations of the service that a fleet uses.
pub trait FleetLink: Sync {
    /// Creates everything that does not exist yet. An unacknowledged task is delivered again after `wait`.
    fn prepare(&self, wait: Duration) -> Result<(), FleetError>;

    /// What was kept last.
    fn kept(&self, what: KeptMessage) -> Result<Option<Vec<u8>>, FleetError>;

    /// Keeps this in place of what was there.
    ///
    /// # Errors
    /// When the service does not answer, or the message is too large for it.
    fn keep(&self, what: KeptMessage, message: &[u8]) -> Result<(), FleetError>;

    /// Removes all tasks and outcomes.
    fn clear(&self) -> Result<(), FleetError>;

    /// Publishes the tasks of pairs.
    fn publish_tasks(&self, tasks: &[(PairKey, Vec<u8>)]) -> Result<(), FleetError>;

    /// The pairs whose tasks are not acknowledged.
    fn queued(&self) -> Result<HashSet<PairKey>, FleetError>;

    /// Removes the tasks of a pair.
    fn withdraw(&self, pair: PairKey) -> Result<(), FleetError>;

    /// The next task; `None` if none arrives within this time.
    fn task(&self, wait: Duration) -> Result<Option<Delivered>, FleetError>;

    /// The time after which an unacknowledged task is delivered again.
    fn wait(&self) -> Duration;

    /// Publishes an outcome; when this returns, the outcome is safe.
    fn publish_outcome(&self, outcome: &[u8]) -> Result<(), FleetError>;

    /// Takes at most this many outcomes; waits for the first one.
    fn outcomes(&self, most: usize, wait: Duration) -> Result<Vec<Delivered>, FleetError>;
}

/// An address, or several with commas between them, without the names and the passwords of users.
///
/// ```
/// use patchwork_fleet::shown_url;
///
/// assert_eq!(shown_url("nats://user:secret@one:4222,token@two"), "nats://one:4222,two");
/// assert_eq!(shown_url("tls://one:4222"), "tls://one:4222");
/// ```
pub fn shown_url(url: &str) -> String {
    let servers = url.split(',').map(|server| {
        let (before, host) = server.rsplit_once('@').unwrap_or(("", server));
        let scheme = before.find("://").map_or("", |end| &before[..end + 3]);
        format!("{scheme}{host}")
    });
    servers.collect::<Vec<_>>().join(",")
}
