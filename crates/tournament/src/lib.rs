//! Tournaments: a file is turned into a plan, workers play its games, and a folder stores the
//! results.
//!
//! The input is a tournament file ([`Manifest::of_file`]) or agents ([`Plan::new`]). The output is
//! games in a folder, with the progress of the plan ([`Results`]), and games as text
//! ([`mod@export`]).
//!
//! A [`Plan`] is everything that the games depend on. A [`Schedule`] hands out the games that are still to be
//! played; it is a function of the plan and the results. An [`Executor`] plays the games, such as [`LocalThreads`], and
//! [`Store`](ledger::Store) keeps them. The [`Format`] determines which agents meet; each format
//! has its own file.
//!
//! # Modules
//! | module | job | uses |
//! |---|---|---|
//! | [`domain`] | the values that a key of an agent can take, as sweeps and tuning spaces state them | engine |
//! | [`input`] | files of games and results, which may be compressed | engine |
//! | `planning` | what is to be played: files, formats, pairings, rings, sweeps, and the identity of each game | domain, engine, rating |
//! | [`ledger`] | the games in an SQLite file | engine, planning, rating |
//! | [`stats`] | what records tell about the game and the agents | engine, ledger, planning, rating |
//! | `playing` | the schedule of a plan, the results so far, and who plays | engine, ledger, planning, rating, stats |
//! | `exchange` | games in and out of a ledger: import, export, replay, checks, estimates and plan files | engine, input, ledger, planning, playing |
//!
//! # Example
//! ```
//! use std::num::NonZeroUsize;
//!
//! use patchwork_engine::agent::RandomSettings;
//! use patchwork_engine::game::Track;
//! use patchwork_engine::search::Stop;
//! use patchwork_tournament::{
//!     Executor as _, Format, LocalThreads, Manifest, Plan, PlannedAgent, Results,
//! };
//!
//! let agents = ["a", "b", "c"].map(|name| PlannedAgent::new(name, RandomSettings {}.into()));
//! let plan = Plan::new(1, Track::Original, Format::RoundRobin, 2, agents.into())?;
//! let mut games = 0;
//! let mut results = Results::empty(Manifest::new("example".to_owned(), plan));
//! let mut threads = LocalThreads(NonZeroUsize::MIN);
//! threads.play(&mut results, &Stop::new(), &mut |_game, _results| games += 1)?;
//! // Three pairings, two setups each, two games on a setup.
//! assert_eq!(games, 12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(not(test), warn(clippy::too_many_lines))]

pub mod domain;
mod exchange;
pub mod input;
pub mod ledger;
mod planning;
mod playing;
pub mod stats;
#[cfg(test)]
mod testing;

pub use self::exchange::forecast::RunEstimate;
pub use self::exchange::game_times::GameTimes;
pub use self::exchange::plan_file::PlanFile;
pub use self::exchange::sample::sample_time;
pub use self::exchange::{check_games, export, import, replay, verify};
pub use self::ledger::{Archive, Delivery, TournamentError};
pub use self::planning::file::{CommonBudget, default_seed, tournament_schema};
pub use self::planning::formats::*;
pub use self::planning::game_number::{GameNumber, GameNumbers};
pub use self::planning::identity::{AgentId, GameAddress, PLAY, Streams};
pub use self::planning::manifest::{
    EarlierAgent, Manifest, VERSION, check_folder_name, play_version,
};
pub use self::planning::plan::{MAX_GAMES, MAX_TEST_PAIRS, Match, Plan};
pub use self::planning::planned_agent::PlannedAgent;
pub use self::planning::planned_game::PlannedGame;
pub use self::planning::rings::{Book, PlannedRings, check_rules};
pub use self::planning::shard::Shard;
pub use self::planning::sweep::MAX_SWEPT;
pub use self::planning::thoughts::TopActions;
pub use self::playing::executor::{Executor, LocalThreads, PlaySummary, WatchGame};
pub use self::playing::pair_test::PairTest;
pub use self::playing::play;
pub use self::playing::players::{PlayablePlan, Players, try_out};
pub use self::playing::results::{ExcludedGames, Offered, Results};
pub use self::playing::schedule::{KnownGame, Schedule, TestProgress};
pub use self::playing::state::TournamentState;
