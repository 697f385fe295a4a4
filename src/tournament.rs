//! Tournaments: a file becomes a plan, workers play its games, a folder keeps the results.

mod config;
mod plan;
mod results;
mod runner;
pub mod store;

pub use config::{AgentPaths, Tournament};
pub use plan::{Format, MOST_GAMES, Plan, PlanError, PlannedAgent, PlannedGame, Streams};
pub use results::{Manifest, Results, ResultsError, VERSION, open};
pub use runner::{Players, RunError, run, specs};
