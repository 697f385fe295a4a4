//! Ratings of the games of any program: tables of results are read from files and rated.
//!
//! ```
//! use patchwork_tournament::rate::{Rated, ResultTable};
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("results.csv");
//! std::fs::write(&path, "first,second,winner\nann,bob,first\nbob,ann,second\nann,bob,second\n")?;
//! let table = ResultTable::read(&path)?;
//! assert_eq!(table.agents, ["ann", "bob"]);
//! let rated = Rated::new(&table, &patchwork_rating::Options::default())?;
//! assert_eq!(rated.ratings[0].agent, "ann");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod chosen;
mod growth;
mod result_ratings;
mod result_table;

pub use chosen::{Chosen, Day};
pub use growth::GrowthRow;
pub use result_ratings::{EvenPairing, Rated, RatedAgent, RatedSeat};
pub use result_table::{MAX_AGENTS, MAX_GAMES, ResultTable};
