//! Tournaments: a file is turned into a plan, workers play its games, and a folder stores the
//! results.
//!
//! The input is a tournament file ([`Manifest::of_file`]) or agents ([`Plan::new`]). The output is
//! games in a folder, with the progress of the plan ([`Results`]), and games as text
//! ([`mod@export`]).
//!
//! A [`Plan`] is everything that the games depend on. A [`Schedule`] determines the next game; it
//! is a function of the plan and the results. [`run`] plays the games on threads, and
//! [`Store`](store::Store) stores them. The [`Format`] determines which agents meet; each format
//! has its own file.
//!
//! ```
//! use std::convert::Infallible;
//! use std::num::NonZeroUsize;
//!
//! use patchwork_engine::agent::RandomSettings;
//! use patchwork_engine::game::Track;
//! use patchwork_engine::search::Stop;
//! use patchwork_arena::tournament::{Format, Plan, PlannedAgent, Schedule, run};
//!
//! let agents = ["a", "b", "c"].map(|name| PlannedAgent::new(name, RandomSettings {}.into()));
//! let plan = Plan::new(1, Track::Original, Format::RoundRobin, 2, agents.into())?;
//! let mut games = 0;
//! run(Schedule::new(&plan), NonZeroUsize::MIN, &Stop::new(), |_game| {
//!     games += 1;
//!     Ok::<_, Infallible>(())
//! })?;
//! // Three pairings, two setups each, two games on a setup.
//! assert_eq!(games, 12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod characterize;
pub mod check_games;
mod combine;
mod delivery;
mod encounter;
pub mod export;
mod file;
mod forecast;
mod format;
mod formats;
mod game_check;
mod game_player;
mod identity;
mod joint_results;
mod manifest;
mod match_plan;
pub mod merge;
mod pairings;
mod plan;
mod plan_file;
pub mod play;
mod players;
pub mod pool;
pub mod replay;
mod results;
mod rings;
mod runner;
mod schedule;
mod shard;
mod stopping;
pub mod store;
mod sweep;
mod thoughts;
mod united_agents;
pub mod verify;

pub use combine::FolderGames;
pub use delivery::Delivery;
pub use encounter::{DecidedBy, Encounter, GameResult, PlannedGame, Round};
pub(crate) use file::CommonBudget;
pub use file::tournament_schema;
pub use forecast::{Forecast, OVERHEAD};
pub use format::FormatStanding;
pub use formats::*;
pub use game_player::{GamePlayer, WatchGame};
pub use identity::{AgentId, GameAddress, PLAY, Streams};
pub use joint_results::joint_results;
pub use manifest::{EarlierAgent, Manifest, VERSION, check_folder_name, play_version};
pub use match_plan::Match;
pub use plan::{MOST_GAMES, Plan, PlannedAgent};
pub use plan_file::PlanFile;
pub use players::{Players, settings_of, try_out};
pub(crate) use results::grow;
pub use results::{Aside, Offered, Results};
pub use rings::{Book, PlannedRings, check_rules};
pub use runner::{RunError, run};
pub use schedule::{Next, Schedule, TestProgress};
pub use shard::Shard;
pub use stopping::{MOST_TEST_PAIRS, PairTest};
pub use sweep::MOST_SWEPT;
pub use thoughts::TopActions;
