//! A self-play tournament engine for the board game Patchwork (Uwe Rosenberg, 2014).
//!
//! Agents play full matches, many at once; what they have played becomes ratings with error bars and
//! a measure of the game itself. The modules are listed as the data flows, and each uses only those
//! above it:
//!
//! 1. [`rng`]: streams of random numbers, each derived from what it is for;
//! 2. [`board`]: quilts and shapes as sets of bits;
//! 3. [`game`]: the rules: patches, track, setups, states, notation, perft;
//!    [`check`] compares games in files with them, [`pgn`] is games as text;
//! 4. [`placement`]: strategies: policies that generate placements, evaluations that choose;
//! 5. [`search`]: Monte Carlo tree search, which knows of the game that there are two players;
//! 6. [`record`]: finished games as they are kept; [`diagram`]: positions and plies as text;
//! 7. [`agent`]: the players, and the files in `agents/` ([`config`]) that describe them;
//! 8. [`play`]: two agents and a setup give a record;
//! 9. [`tournament`]: the files in `tournaments/`, plans, workers, and the store in `results/`;
//!    [`replay`] plays a stored game again, [`mod@export`] writes stored games as text;
//! 10. [`stats`]: ratings and everything else that records tell;
//! 11. [`rated`]: ratings of results that other programs have written;
//!     [`report`]: statistics as text, JSON, CSV and a page for a browser; [`analysis`]: one
//!     position, searched for as long as one likes, and what the search has seen;
//! 12. [`kernel`]: a small constraint solver; [`model`]: the paper's placement model on it, a second
//!     account of what [`placement`] computes;
//! 13. [`paper`]: the paper's packing experiment; [`mod@characterize`]: its measure of the game.
//!
//! [`quantile`] is for intervals, [`sprt`] decides between two agents pair by pair, [`suggest`] for error messages, [`mod@bench`] measures the program itself. The binary only parses arguments and prints.
//!
//! # Example
//! Two agents play two setups, each twice with the seats swapped, on two threads:
//!
//! ```
//! use std::convert::Infallible;
//! use std::num::NonZeroUsize;
//!
//! use patchwork_arena::agent::AgentConfig;
//! use patchwork_arena::game::Track;
//! use patchwork_arena::search::Stop;
//! use patchwork_arena::stats::Summary;
//! use patchwork_arena::tournament::{Format, Plan, PlannedAgent, Schedule, run};
//!
//! let greedy = "
//!     [placement]
//!     policy = 'bl-lb'
//!     transforms = 'every'
//!     evaluation = 'regret'
//! ";
//! let agents = vec![
//!     PlannedAgent { name: "random".into(), config: AgentConfig::Random {} },
//!     PlannedAgent { name: "greedy".into(), config: AgentConfig::Greedy(toml::from_str(greedy)?) },
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

pub mod agent;
pub mod board;
pub mod game;
pub mod paper;
pub mod placement;
pub mod rating;
pub mod record;
pub mod report;
pub mod search;
pub mod stats;
pub mod tournament;
pub mod util;

// Unit tests share the support module of the integration tests, which names the crate by its name.
#[cfg(test)]
extern crate self as patchwork_arena;
#[cfg(test)]
#[path = "../tests/support/mod.rs"]
mod support;
