//! The sections of the report of a tournament, one file each: the report on a topic as tables, figures and
//! sentences.
//!
//! To add a section, create a file with a function `section` and its CSV tables, and add a line to the list.

use patchwork_engine::record::FaultReason;

use super::data::TournamentReport;
use super::header::NO_GAMES;
use crate::document::{CsvTable, Document, ReportSection, counted};

mod answer;

macro_rules! sections {
    ($($file:ident)+) => {
        $(pub(super) mod $file;)+

        /// The sections in the order of the report.
        const SECTIONS: &[for<'a> fn(&'a TournamentReport<'a>) -> ReportSection<'a>] =
            &[$($file::section),+];

        /// The CSV tables of each, in order.
        const TABLES: &[&[CsvTable]] = &[$($file::TABLES),+];
    };
}

sections! {
    standings
    course
    llr
    comparisons
    crosstable
    pairings
    sweep
    history
    tradeoff
    searches
    faults
    calibration
    first_player
    lengths
    branching
    sizes
    scores
    patches
    rings
    settings
    viewer
}

impl<'a> TournamentReport<'a> {
    /// Whether no game was played to its end, so that there is nothing to say about the game itself.
    pub(super) const fn all_faulted(&self) -> bool {
        self.summary.first_player.games == 0
    }

    /// The report.
    pub(super) fn document(&'a self) -> Document<'a> {
        let (header, summary) = (&self.header, &self.summary);
        Document {
            title: header.name.clone(),
            facts: vec![
                header.games(summary.games),
                counted(summary.ratings.len() as u64, "agent"),
                format!("{} track", header.rules),
                header.format.format.clone(),
                format!("seed {}", header.seed),
                format!("version {}", header.version),
            ],
            nothing: (summary.games == 0).then_some(NO_GAMES),
            answers: answer::answers(self),
            sections: (SECTIONS.iter())
                .map(|section| {
                    let section = section(self);
                    let question = answer::question_of(section.id);
                    ReportSection {
                        question,
                        ..section
                    }
                })
                .collect(),
        }
    }
}

impl CsvTable {
    /// All tables of the report of a tournament. The first one is the ratings.
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        TABLES.iter().copied().flatten().copied()
    }

    /// The table with this name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::all().find(|table| table.name() == name)
    }
}

impl Default for CsvTable {
    /// The ratings.
    fn default() -> Self {
        standings::RATINGS
    }
}

/// The name of a fault in data.
fn fault_key(reason: FaultReason) -> String {
    let key = serde_json::to_value(reason).unwrap_or_default();
    key.as_str().unwrap_or_default().to_owned()
}
