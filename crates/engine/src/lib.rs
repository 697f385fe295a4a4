#![doc = include_str!("../README.md")]
//!
//! # Modules
//! Listed as data flows. A module uses only the modules in its last column; the workspace's `tests/architecture.rs`
//! checks the table against the source.
//!
//! | module | job | uses |
//! |---|---|---|
//! | [`util`] | random streams, settings files, limits, refused input, suggestions for misspelt names | |
//! | [`board`] | shapes and quilts as bits | util |
//! | [`game`] | the rules: patches, track, setups, states, notation, perft | board, util |
//! | [`placement`] | strategies: policies that generate placements, evaluations that choose one | board, game, util |
//! | [`search`] | budgets of decisions, and the tree search of any game | util, patchwork-search |
//! | [`record`] | a finished game as data: decisions, PGN, checking, pictures of positions | board, game, util |
//! | [`agent`] | the players and the files that describe them | board, game, placement, record, search, util |
//! | [`analysis`] | the search of one position, in slices, and what it found | agent, game, record, search, util |

pub mod agent;
pub mod analysis;
pub mod board;
pub mod game;
pub mod placement;
pub mod record;
pub mod search;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod util;
