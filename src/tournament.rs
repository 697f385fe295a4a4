//! Tournaments: a file is turned into a plan, workers play its games, and a folder stores the
//! results.
//!
//! The input is a tournament file ([`Manifest::of_file`]) or agents ([`Plan::new`]). The output is
//! games in a folder, with the progress of the plan ([`Results`]), and games as text
//! ([`mod@export`]).
//!
//! A [`Plan`] is everything that the games depend on. A [`Schedule`] determines the next game; it
//! is a function of the plan and the results. [`Results::play`] plays the games on threads, and
//! [`Store`](ledger::Store) keeps them. The [`Format`] determines which agents meet; each format
//! has its own file.
//!
//! ```
//! use std::num::NonZeroUsize;
//!
//! use patchwork_engine::agent::RandomSettings;
//! use patchwork_engine::game::Track;
//! use patchwork_engine::search::Stop;
//! use patchwork_arena::tournament::{Format, Manifest, Plan, PlannedAgent, Results};
//!
//! let agents = ["a", "b", "c"].map(|name| PlannedAgent::new(name, RandomSettings {}.into()));
//! let plan = Plan::new(1, Track::Original, Format::RoundRobin, 2, agents.into())?;
//! let mut games = 0;
//! let mut results = Results::none(Manifest::new("example".to_owned(), plan));
//! results.play(NonZeroUsize::MIN, &Stop::new(), |_game, _results| games += 1)?;
//! // Three pairings, two setups each, two games on a setup.
//! assert_eq!(games, 12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod exchange;
pub mod ledger;
mod planning;
mod playing;

pub use self::exchange::forecast::{Forecast, OVERHEAD};
pub use self::exchange::plan_file::PlanFile;
pub use self::exchange::{check_games, export, import, replay, verify};
pub use self::ledger::{Archive, Delivery, StoreError};
pub use self::planning::encounter::{DecidedBy, Encounter, GameResult, PlannedGame, Round};
pub(crate) use self::planning::file::CommonBudget;
pub use self::planning::file::tournament_schema;
pub use self::planning::format::FormatStanding;
pub use self::planning::formats::*;
pub use self::planning::identity::{AgentId, GameAddress, PLAY, Streams};
pub use self::planning::manifest::{
    EarlierAgent, Manifest, VERSION, check_folder_name, play_version,
};
pub use self::planning::match_plan::Match;
pub use self::planning::plan::{MOST_GAMES, Plan};
pub use self::planning::planned_agent::PlannedAgent;
pub use self::planning::rings::{Book, PlannedRings, check_rules};
pub use self::planning::shard::Shard;
pub use self::planning::stopping::{MOST_TEST_PAIRS, PairTest};
pub use self::planning::sweep::MOST_SWEPT;
pub use self::planning::thoughts::TopActions;
pub use self::playing::game_player::{GamePlayer, WatchGame};
pub use self::playing::players::{Players, settings_of, try_out};
pub(crate) use self::playing::results::grow;
pub use self::playing::results::{Aside, Offered, Results};
pub use self::playing::runner::RunError;
pub use self::playing::schedule::{Next, Schedule, TestProgress};
pub use self::playing::{characterize, play};
