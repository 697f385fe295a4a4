//! A self-play tournament engine for the board game Patchwork (Uwe Rosenberg, 2014).
//!
//! Agents play full matches, many at once. The games become ratings with confidence intervals and
//! measurements of the game itself.
//!
//! # Rooms
//! The source is divided into rooms, listed as data flows: from bits to games, from games to ratings,
//! from ratings to reports. A room uses only the rooms in its last column; `tests/architecture.rs`
//! checks the table against the source. The binary (`src/cli`) may use all of them.
//!
//! | room | job | uses |
//! |---|---|---|
//! | [`util`] | random streams, configuration files, compressed input, suggestions for misspelt names | |
//! | [`board`] | shapes and quilts as bits | |
//! | [`game`] | the rules: patches, track, setups, states, notation, perft | board, util |
//! | [`placement`] | strategies: policies that generate placements, evaluations that choose one | board, game, util |
//! | [`search`] | Monte Carlo tree search of any two-player game | util |
//! | [`record`] | a finished game as data: decisions, PGN, checking, diagrams | board, game, util |
//! | [`agent`] | the players and the files that describe them | board, game, placement, record, search, util |
//! | [`rating`] | Elo, margins, intervals, sequential tests: mathematics over results | util |
//! | [`document`] | sections of tables, figures and sentences, as text, page and CSV; numbers and names as people read them | |
//! | [`tournament`] | formats, plans, workers, the store of results, replay, export | agent, game, rating, record, search, util |
//! | [`cluster`] | a tournament on a fleet of workers: tasks, outcomes, the collector | agent, record, search, tournament |
//! | [`tune`] | the search for better settings: spaces, methods, models of results, proof | agent, game, rating, record, search, tournament, util |
//! | [`learn`] | learning an estimate: self-play, positions, the training of a network | agent, board, game, placement, record, search, tournament, util |
//! | [`people`] | games between a person and an agent: moves, taking back, advice, keeping | agent, board, game, record, search, tournament, util |
//! | [`stats`] | what records tell about the game and the agents | board, game, rating, record |
//! | [`report`] | results as text, CSV, JSON and a page; the analysis of a position | agent, document, game, rating, record, search, stats, tournament, tune, util |
//! | [`web`] | a small web server: live reports, all games, a board to play on | agent, game, people, record, report, search, tournament |
//! | [`kernel`] | a small constraint solver, independent of Patchwork | |
//! | [`paper`] | the paper's constraint model, packing experiment and measurements of the game | agent, board, game, kernel, placement, rating, record, search, tournament, util |
//! | [`puzzle`] | the papers' other puzzles: polyomino packing, battleships, Nmbr9 | board, kernel, search, util |
//!
//! # Example
//! Two agents play two setups, each twice with the seats swapped, on two threads:
//!
//! ```
//! use std::convert::Infallible;
//! use std::num::NonZeroUsize;
//!
//! use patchwork_engine::agent::{GreedySettings, RandomSettings};
//! use patchwork_engine::game::Track;
//! use patchwork_engine::search::Stop;
//! use patchwork_arena::stats::Summary;
//! use patchwork_arena::tournament::{Format, Plan, PlannedAgent, Schedule, run};
//!
//! let agents = vec![
//!     PlannedAgent::new("random", RandomSettings {}.into()),
//!     PlannedAgent::new("greedy", GreedySettings::new("bl-lb/every/regret".parse()?).into()),
//! ];
//! let plan = Plan::new(2026, Track::Original, Format::RoundRobin, 2, agents)?;
//!
//! let mut entries = Vec::new();
//! run(Schedule::new(&plan), NonZeroUsize::new(2).unwrap(), &Stop::new(), |entry| {
//!     entries.push(entry);
//!     Ok::<_, Infallible>(())
//! })?;
//!
//! let summary = Summary::new(&plan.names(), &plan.pairings(), &entries);
//! assert_eq!(summary.games, 4);
//! assert_eq!(summary.ratings[0].agent, "greedy");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(not(test), warn(clippy::too_many_lines))]

pub mod cluster;
pub mod document;
pub mod input;
pub mod learn;
pub mod people;
pub mod rate;
pub mod report;
pub mod stats;
pub mod tournament;
pub mod tune;
#[cfg(feature = "cli")]
pub mod web;

// Unit tests share the support module of the integration tests, which names the crate by its name.
#[cfg(test)]
extern crate self as patchwork_arena;
#[cfg(test)]
#[path = "../tests/support/mod.rs"]
mod support;
