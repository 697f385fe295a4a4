#![doc = include_str!("../README.md")]
//!
//! # Modules
//! | module | job | uses |
//! |---|---|---|
//! | `table` | tables of results: the agents and the winner of each game | rating |
//! | `file` | files of results in any supported format | engine, rating, table, tournament |
//! | `folders` | the results of the games in results folders | engine, rating, table, tournament |
//! | `rated` | the ratings of the agents in a table | engine, rating, table, tournament |
//! | `document` | the ratings as text, CSV and a page | rated, rating, report, tournament |

#![cfg_attr(not(test), warn(clippy::too_many_lines))]

mod document;
mod file;
mod folders;
mod rated;
mod table;

pub use document::{rated_table, write_rated, write_rated_csv, write_rated_page};
pub use file::MAX_AGENTS;
pub use folders::results_of_folders;
pub use rated::{EvenPairing, Rated, RatedSeat, SeatOfRules};
pub use table::ResultTable;
