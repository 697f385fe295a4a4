//! What a fleet needs from the service that carries its messages.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use super::message::PairKey;

/// The service did not do what was asked; it may do so later.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct LinkError(pub String);

/// A message that has to be acknowledged.
pub struct Delivered {
    /// Its contents.
    pub body: Vec<u8>,
    /// How often it was delivered, this time included.
    pub deliveries: u64,
    /// How to acknowledge it.
    pub receipt: Arc<dyn Receipt>,
}

/// Tells the service what became of a message. A message that is neither acknowledged nor renewed within
/// the service's wait is delivered again.
pub trait Receipt: Send + Sync {
    /// Restarts the wait.
    ///
    /// # Errors
    /// When the service cannot be told.
    fn renew(&self) -> Result<(), LinkError>;

    /// Removes the message.
    ///
    /// # Errors
    /// When the service cannot be told.
    fn acknowledge(&self) -> Result<(), LinkError>;
}

/// The version of the collector's lease; 0 when there is none.
pub type Revision = u64;

/// What the collector asks of the service.
pub trait CollectorLink {
    /// Makes everything that is not there yet. An unacknowledged task is delivered again after `wait`.
    ///
    /// # Errors
    /// When the service does not answer or refuses.
    fn prepare(&self, wait: Duration) -> Result<(), LinkError>;

    /// The lease and its revision.
    ///
    /// # Errors
    /// When the service does not answer.
    fn lease(&self) -> Result<(Revision, Vec<u8>), LinkError>;

    /// Replaces the lease if it has this revision, and returns the new one; `None` if it has another.
    ///
    /// # Errors
    /// When the service does not answer.
    fn replace_lease(&self, from: Revision, lease: &[u8]) -> Result<Option<Revision>, LinkError>;

    /// The plan that was set last.
    ///
    /// # Errors
    /// When the service does not answer.
    fn plan_there(&self) -> Result<Option<Vec<u8>>, LinkError>;

    /// Sets the plan of the fleet.
    ///
    /// # Errors
    /// When the service does not answer, or the plan is too large for it.
    fn set_plan(&self, plan: &[u8]) -> Result<(), LinkError>;

    /// Removes all tasks and outcomes.
    ///
    /// # Errors
    /// When the service does not answer.
    fn clear(&self) -> Result<(), LinkError>;

    /// Publishes tasks with their pairs and attempts. For each, returns `false` if the service has ignored it,
    /// because it remembers a task with the same pair and attempt.
    ///
    /// # Errors
    /// When the service has not confirmed all of them.
    fn publish_tasks(&self, tasks: &[(PairKey, u32, Vec<u8>)]) -> Result<Vec<bool>, LinkError>;

    /// The pairs whose tasks are not acknowledged.
    ///
    /// # Errors
    /// When the service does not answer.
    fn queued(&self) -> Result<HashSet<PairKey>, LinkError>;

    /// Removes the tasks of a pair.
    ///
    /// # Errors
    /// When the service does not answer.
    fn withdraw(&self, pair: PairKey) -> Result<(), LinkError>;

    /// Outcomes, at most this many; waits for the first one.
    ///
    /// # Errors
    /// When the service does not answer.
    fn outcomes(&self, most: usize, wait: Duration) -> Result<Vec<Delivered>, LinkError>;

    /// What workers have told since the last call.
    fn told(&self) -> Vec<Vec<u8>>;
}

/// What a worker asks of the service. All its threads share it.
pub trait WorkerLink: Sync {
    /// The plan of the fleet.
    ///
    /// # Errors
    /// When the service does not answer.
    fn plan(&self) -> Result<Option<Vec<u8>>, LinkError>;

    /// The next task; `None` if there is none within this time.
    ///
    /// # Errors
    /// When the service does not answer.
    fn task(&self, wait: Duration) -> Result<Option<Delivered>, LinkError>;

    /// The time after which a task is delivered again.
    fn wait(&self) -> Duration;

    /// Publishes an outcome; it is safe when this returns.
    ///
    /// # Errors
    /// When the service has not confirmed it.
    fn publish_outcome(&self, outcome: &[u8]) -> Result<(), LinkError>;

    /// Tells the collector something that may be lost.
    fn tell(&self, status: &[u8]);
}
