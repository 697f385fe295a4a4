//! A fleet: any number of workers on any machines play the pairs of one tournament, and one collector
//! stores them.
//!
//! The [`Collector`] publishes the missing pairs of a plan as tasks. A worker ([`work`]) takes a
//! task, plays its games, publishes them as an outcome, and then acknowledges the task. The collector checks
//! each game, stores it, and then acknowledges the outcome. Both talk through a small interface,
//! [`FleetLink`]. NATS JetStream (feature `nats`) implements it for real fleets, a queue in memory for tests.
//!
//! A collector is an [`Executor`](patchwork_tournament::Executor): it plays the games of one plan after another, such as
//! those of a tuning, in place of threads.
//!
//! # What may go wrong
//! Nothing depends on the queue being right. What is complete is decided by the stored games and the plan;
//! the collector compares the queue with what is missing again and again, and publishes lost tasks again.
//! A task may be played twice: games are addressed by what they are, so the second record is a duplicate.
//!
//! The collector writes its name beside the queue, and another one is refused while the name is there. The games do
//! not depend on it: the results folder has a lock, and what two collectors at once take from each other is lost, and
//! published again. A collector that finds the name of another one ends.
//!
//! ```
//! use patchwork_fleet::check_worker_name;
//!
//! // Names come from other machines, as all messages do, and are checked when they are read.
//! assert!(check_worker_name("node-7").is_ok());
//! assert!(check_worker_name("node\n7").is_err());
//! ```

mod collector;
mod gathering;
mod link;
mod message;
#[cfg(feature = "nats")]
pub mod nats;
mod worker;

pub use collector::{CollectOptions, Collector};
pub use link::{Delivered, FleetError, FleetLink, KeptMessage, Receipt, shown_url};
pub use message::{
    FleetOutcome, FleetTask, MAX_OUTCOME_BYTES, MAX_TASK_BYTES, PairKey, TaskVerdict,
    check_worker_name, decode_plan, encode_plan,
};
pub use worker::{WorkOptions, WorkSummary, work};

#[cfg(test)]
mod tests;
