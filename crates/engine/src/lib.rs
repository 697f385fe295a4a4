//! The game Patchwork (Uwe Rosenberg, 2014): rules, placement strategies, Monte Carlo tree search and agents.
//!
//! # Rooms
//! Listed as data flows. A room uses only the rooms in its last column; the workspace's `tests/architecture.rs`
//! checks the table against the source.
//!
//! | room | job | uses |
//! |---|---|---|
//! | [`util`] | random streams, settings files, limits, refused input, suggestions for misspelt names | |
//! | [`board`] | shapes and quilts as bits | util |
//! | [`game`] | the rules: patches, track, setups, states, notation, perft | board, util |
//! | [`placement`] | strategies: policies that generate placements, evaluations that choose one | board, game, util |
//! | [`search`] | Monte Carlo tree search of any two-player game | util |
//! | [`record`] | a finished game as data: decisions, PGN, checking, diagrams | board, game, util |
//! | [`agent`] | the players and the files that describe them | board, game, placement, record, search, util |
//! | [`analysis`] | the search of one position, in slices, and what it found | agent, game, record, search, util |
//!
//! # Features
//! Without features, the crate touches no file and starts no process.
//! - `files` (default): agents' files, networks and files of games from the file system;
//! - `bots`: external programs as agents, and agents as bots for other programs;
//! - `schema`: JSON Schemas of agents' files.
//!
//! # Example
//! An agent decides on the first action of a game:
//!
//! ```
//! use patchwork_engine::agent::{AgentKind, GreedySettings, Limit};
//! use patchwork_engine::game::{Setup, State, Track};
//! use patchwork_engine::search::Stop;
//! use patchwork_engine::util::rng::stream;
//!
//! let mut player = GreedySettings::new("bl-lb/every/regret".parse()?).build();
//! let setup = Setup::random(Track::Original, &mut stream(&[1]));
//! player.start(&setup, stream(&[2]));
//! let limit = Limit { budget: None, stop: &Stop::new() };
//! let decision = player.decide(&setup, &State::new(&setup), limit)?;
//! println!("{}", decision.action);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod agent;
pub mod analysis;
pub mod board;
pub mod game;
pub mod placement;
pub mod record;
pub mod search;
pub mod util;

// Unit tests share helpers with the integration tests, which name the crate by its name.
#[cfg(test)]
extern crate self as patchwork_engine;
#[cfg(test)]
#[path = "../tests/support/mod.rs"]
mod support;
