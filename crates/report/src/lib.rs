//! Reports of a tournament: its [`Summary`](patchwork_tournament::stats::Summary) as text for a terminal, as JSON,
//! as CSV tables, and as a page for a browser.
//!
//! Everything is written to the writer it is given.
//!
//! ```
//! use std::num::NonZeroUsize;
//!
//! use patchwork_engine::agent::RandomSettings;
//! use patchwork_engine::game::Track;
//! use patchwork_report::document::TextForm;
//! use patchwork_report::TournamentReport;
//! use patchwork_engine::search::Stop;
//! use patchwork_tournament::{
//!     Executor as _, Format, LocalThreads, Manifest, Plan, PlannedAgent, Results,
//! };
//!
//! let agents = ["one", "two", "three"].map(|name| PlannedAgent::new(name, RandomSettings {}.into()));
//! let plan = Plan::new(1, Track::Original, Format::RoundRobin, 3, agents.into())?;
//! let mut results = Results::empty(Manifest::new("demo".to_owned(), plan));
//! LocalThreads(NonZeroUsize::MIN).play(&mut results, &Stop::new(), &mut |_, _| ())?;
//!
//! let mut text = Vec::new();
//! TournamentReport::new(&results)?.write_text(&mut text, TextForm::default())?;
//! assert!(String::from_utf8(text)?.starts_with("demo: 18 games, 3 agents"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(not(test), warn(clippy::too_many_lines))]

pub mod analysis;
mod answer;
mod data;
pub mod document;
mod games;
mod header;
mod json;
mod methods;
mod page;
mod plies;
pub mod ratings;
mod samples;
mod sections;
mod sprt;
mod tested;
#[cfg(test)]
mod tests {
    mod csv;
    mod text;
}
mod tournament;
mod tuning;

pub use data::TournamentReport;
pub use games::{games_table, write_games_table};
pub use header::{Header, PlayedAgent};
pub use page::write_viewer;
pub use plies::{each_row_of_plies, names_of_plies, write_plies};
pub use sprt::{no_interval, sprt_notes, write_sprt};
pub use tested::{SprtTest, SprtTests, TestEnd};
pub use tournament::SUMMARY;
pub use tuning::{INCUMBENT, PROOF, TUNING, TuningState};
