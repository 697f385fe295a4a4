//! Ratings of the games of any program: tables of results are read from files and rated.

mod result_ratings;
mod result_table;

pub use result_ratings::{EvenPairing, NoRatings, Rated, RatedAgent, RatedSeat};
pub use result_table::{MOST_AGENTS, MOST_GAMES, ResultTable};
