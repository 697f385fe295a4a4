//! A self-play tournament engine for the board game Patchwork (Uwe Rosenberg, 2014).
//!
//! Agents play full matches, many at once. The games become ratings with confidence intervals and
//! measurements of the game itself.
//!
//! The rules, placement, search and agents are in the crate [`patchwork_engine`], the ratings in
//! [`patchwork_rating`], the papers' experiments in [`patchwork_papers`]. This crate plays, keeps and reports
//! tournaments, and has the program.
//!
//! # Rooms
//! The source is divided into rooms, listed as data flows: from games to statistics, from statistics to reports.
//! A room uses only the rooms and crates in its last column; `tests/architecture.rs` checks the table against the
//! source. The program (`src/cli`) may use all of them.
//!
//! | room | job | uses |
//! |---|---|---|
//! | [`document`] | sections of tables, figures and sentences, as text, page and CSV; numbers and names as people read them | engine, rating |
//! | [`domain`] | the values that a key of an agent can take, as sweeps and tuning spaces state them | engine |
//! | [`input`] | files of games and results, which may be compressed | engine |
//! | [`rate`] | ratings of the games of any program, read from tables of results | engine, input, rating |
//! | [`tournament`] | formats, plans, workers, the store of results, replay, export | domain, engine, input, rate, rating |
//! | [`cluster`] | a tournament on a fleet of workers: tasks, outcomes, the collector | engine, tournament |
//! | [`tune`] | the search for better settings: spaces, methods, models of results, proof | domain, engine, rating, tournament |
//! | [`learn`] | learning an estimate: self-play, positions, the training of a network | document, engine, tournament |
//! | [`people`] | games between a person and an agent: moves, taking back, advice, keeping | engine, tournament |
//! | [`stats`] | what records tell about the game and the agents | engine, rating, tournament |
//! | [`report`] | results as text, CSV, JSON and a page; the analysis of a position | board, document, domain, engine, papers, rate, rating, stats, tournament, tune |
//! | [`web`] | a small web server: live reports, all games, the board and what it asks | board, engine, people, rating, report, stats, tournament |
//!
//! # Example
//! Two agents play two setups, each twice with the seats swapped, on two threads:
//!
//! ```
//! use std::num::NonZeroUsize;
//!
//! use patchwork_engine::agent::{GreedySettings, RandomSettings};
//! use patchwork_engine::game::Track;
//! use patchwork_engine::search::Stop;
//! use patchwork_arena::stats::Summary;
//! use patchwork_arena::tournament::{Format, Manifest, Plan, PlannedAgent, Results};
//!
//! let agents = vec![
//!     PlannedAgent::new("random", RandomSettings {}.into()),
//!     PlannedAgent::new("greedy", GreedySettings::new("bl-lb/every/regret".parse()?).into()),
//! ];
//! let plan = Plan::new(2026, Track::Original, Format::RoundRobin, 2, agents)?;
//!
//! let mut results = Results::none(Manifest::new("example".to_owned(), plan));
//! results.play(NonZeroUsize::new(2).unwrap(), &Stop::new(), |_, _| ())?;
//!
//! let plan = &results.manifest.plan;
//! let summary = Summary::of(&plan.names(), &plan.pairings(), &results.games)?;
//! assert_eq!(summary.games, 4);
//! assert_eq!(summary.ratings[0].agent, "greedy");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(not(test), warn(clippy::too_many_lines))]

#[cfg(feature = "cli")]
pub mod cluster;
pub mod document;
pub mod domain;
pub mod input;
#[cfg(feature = "cli")]
pub mod learn;
#[cfg(feature = "cli")]
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
