//! Reports of a tournament: its [`Summary`](crate::stats::Summary) as text for a terminal, as JSON,
//! as CSV tables, and as a page for a browser.
//!
//! Everything is written to the writer it is given.

pub mod analysis;
mod csv;
mod document;
mod glance;
mod header;
mod html;
mod json;
mod names;
pub(crate) mod numbers;
mod plies;
mod rated;
mod ring_book;
mod rounds;
mod sections;
mod sprt;
mod swings;
mod text;
mod tournament;
mod tuning;

pub use document::CsvTable;
pub use header::{Header, PlayedAgent};
pub use html::{PageError, write_games};
pub use numbers::{counted, duration, per_second, thousands};
pub use plies::write_plies;
pub use rated::{write_rated, write_rated_csv};
pub use ring_book::{RingBookError, RingChoice};
pub use rounds::{
    EncounterReport, FormatReport, RoundReport, SprtTest, SprtTests, SwissPlace, TestEnd,
};
pub use sprt::write_sprt;
pub use text::TextForm;
pub use tournament::{SaveError, TournamentReport};
pub use tuning::{
    CandidateRow, CandidateSetting, ConvergenceRow, EffectRow, KeyPairRow, SearchResults,
    TuningReport, write_tuning,
};
