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
    /// The service never takes this message.
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

/// The version of the collector's lease; 0 when there is none.
pub type Revision = u64;

/// The operations of the service that the collector uses.
pub trait CollectorLink {
    /// Creates everything that does not exist yet. An unacknowledged task is delivered again after `wait`.
    fn prepare(&self, wait: Duration) -> Result<(), FleetError>;

    /// The lease and its revision.
    fn lease(&self) -> Result<(Revision, Vec<u8>), FleetError>;

    /// Replaces the lease if it has this revision, and returns the new revision; `None` if the revision
    /// differs.
    fn replace_lease(&self, from: Revision, lease: &[u8]) -> Result<Option<Revision>, FleetError>;

    /// The plan that was set last.
    fn plan_there(&self) -> Result<Option<Vec<u8>>, FleetError>;

    /// Sets the plan of the fleet.
    ///
    /// # Errors
    /// When the service does not answer, or the plan is too large for it.
    fn set_plan(&self, plan: &[u8]) -> Result<(), FleetError>;

    /// Removes all tasks and outcomes.
    fn clear(&self) -> Result<(), FleetError>;

    /// Publishes tasks with their pairs and attempts. For each, returns `false` if the service has ignored it
    /// because it remembers a task with the same pair and attempt.
    fn publish_tasks(&self, tasks: &[(PairKey, u32, Vec<u8>)]) -> Result<Vec<bool>, FleetError>;

    /// The pairs whose tasks are not acknowledged.
    fn queued(&self) -> Result<HashSet<PairKey>, FleetError>;

    /// Removes the tasks of a pair.
    fn withdraw(&self, pair: PairKey) -> Result<(), FleetError>;

    /// Takes at most this many outcomes; waits for the first one.
    fn outcomes(&self, most: usize, wait: Duration) -> Result<Vec<Delivered>, FleetError>;

    /// The status messages of workers since the last call.
    fn statuses(&self) -> Vec<Vec<u8>>;
}

/// The operations of the service that a worker uses, shared by all its threads.
pub trait WorkerLink: Sync {
    /// The plan of the fleet.
    fn plan(&self) -> Result<Option<Vec<u8>>, FleetError>;

    /// The next task; `None` if none arrives within this time.
    fn task(&self, wait: Duration) -> Result<Option<Delivered>, FleetError>;

    /// The time after which an unacknowledged task is delivered again.
    fn wait(&self) -> Duration;

    /// Publishes an outcome; when this returns, the outcome is safe.
    fn publish_outcome(&self, outcome: &[u8]) -> Result<(), FleetError>;

    /// Sends the collector a status message, which may be lost.
    fn tell(&self, status: &[u8]);
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
