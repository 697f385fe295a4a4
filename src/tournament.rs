//! Tournaments: a file becomes a plan, workers play its games, a folder keeps the results.

mod bracket;
mod config;
pub mod export;
mod plan;
pub mod play;
pub mod replay;
mod results;
mod rings;
mod runner;
mod schedule;
pub mod store;
mod swiss;
mod three_keys;

pub use config::{AgentPaths, ERROR_RATE, MOST_TEST_PAIRS, Tournament, most_test_pairs};
pub use plan::{
    Format, MOST_GAMES, MOST_ROUNDS, Plan, PlanError, PlannedAgent, PlannedGame, Streams,
};
pub use results::{Manifest, Results, ResultsError, VERSION, open};
pub use rings::{Book, RingBook, Rings};
pub use runner::{Players, RunError, run, specs};
pub use schedule::{Decision, Encounter, GameResult, Next, Reason, Round, Schedule};
pub use swiss::Place;
