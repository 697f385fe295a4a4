//! A fleet: any number of workers on any machines play the pairs of one tournament, and one collector
//! stores them.
//!
//! The collector ([`collect`]) publishes the missing pairs of a plan as tasks. A worker ([`work`]) takes a
//! task, plays its games, publishes them as an outcome, and then acknowledges the task. The collector checks
//! each game, stores it, and then acknowledges the outcome. Both talk through a small interface,
//! [`CollectorLink`] and [`WorkerLink`]. NATS JetStream (feature `nats`) implements it for real fleets, a
//! queue in memory for tests.
//!
//! A [`FleetPlayer`] plays the games of one plan after another, such as those of a tuning, in place of
//! threads.
//!
//! # What may go wrong
//! Nothing depends on the queue being right. What is complete is decided by the stored games and the plan;
//! the collector compares the queue with what is missing again and again, and publishes lost tasks again.
//! A task may be played twice: games are addressed by what they are, so the second record is a duplicate.
//!
//! ```
//! use patchwork_fleet::WorkerStatus;
//!
//! // All messages are plain values that are checked when they are read.
//! let status = WorkerStatus {
//!     worker: "node-7".to_owned(),
//!     threads: 16,
//!     games: 1200,
//!     failures: 0,
//!     seconds: 60.0,
//! };
//! assert_eq!(WorkerStatus::decode(&status.encode())?, status);
//! assert!(WorkerStatus::decode(b"{}").is_err());
//! # Ok::<(), patchwork_engine::util::InputError>(())
//! ```

mod collector;
mod gathering;
mod lease;
mod link;
mod message;
#[cfg(feature = "nats")]
pub mod nats;
mod worker;

pub use collector::{
    CollectEvent, CollectOptions, CollectSummary, Collector, FleetPlayer, LEASE, Roster,
};
pub use gathering::collect;
pub use link::{CollectorLink, Delivered, FleetError, Receipt, Revision, WorkerLink, shown_url};
pub use message::{
    FleetOutcome, FleetTask, MAX_OUTCOME_BYTES, MAX_TASK_BYTES, PairKey, TaskVerdict, WorkerStatus,
    check_worker_name, decode_plan, encode_plan,
};
pub use worker::{WorkOptions, work};

#[cfg(test)]
mod tests;

// Unit tests share modules of the integration tests.
#[cfg(test)]
#[path = "../../../tests/support"]
mod support {
    pub(crate) mod positions;
    pub(crate) mod tournaments;
}
