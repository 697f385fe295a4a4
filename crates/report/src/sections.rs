//! The sections of the report of a tournament, one file each: the report on a topic as tables, figures and
//! sentences.
//!
//! To add a section, create a file with a function `section` and its CSV tables, and add a line to the list, with the question
//! under which the page folds it.

use patchwork_engine::record::FaultReason;

use super::answer::{BEST, COST, POINTS, SEAT, SETTINGS, SIZE, TRUST, answers};
use super::data::TournamentReport;
use super::header::NO_GAMES;
use super::ratings::STRONGER;
use crate::document::{CsvTable, Document, ReportSection, counted};

macro_rules! sections {
    ($($file:ident $question:ident)+) => {
        $(pub(super) mod $file;)+

        /// The sections in the order of the report.
        const SECTIONS: &[(&str, Section)] = &[$(($question, $file::section)),+];

        /// The CSV tables of each, in order.
        const TABLES: &[&[CsvTable]] = &[$($file::TABLES),+];
    };
}

/// A section that is never folded.
const OPEN: &str = "";

/// Makes a section.
type Section = for<'a> fn(&'a TournamentReport<'a>) -> ReportSection<'a>;

sections! {
    standings OPEN
    tested OPEN
    llr STRONGER
    comparisons STRONGER
    crosstable STRONGER
    pairings STRONGER
    sweep BEST
    tradeoff COST
    searches COST
    faults TRUST
    first_player SEAT
    lengths SIZE
    branching SIZE
    sizes SIZE
    scores POINTS
    patches POINTS
    rings POINTS
    settings SETTINGS
    viewer OPEN
}

impl<'a> TournamentReport<'a> {
    /// Whether no game was played to its end, so that there is nothing to say about the game itself.
    pub(super) const fn all_faulted(&self) -> bool {
        self.summary.first_player.games == 0
    }

    /// The report before it is rendered.
    pub fn document(&'a self) -> Document<'a> {
        let (header, summary) = (&self.header, &self.summary);
        Document {
            title: header.name.clone(),
            facts: [
                Some(header.games(summary.games)),
                Some(counted(summary.ratings.len() as u64, "agent")),
                header
                    .base
                    .as_ref()
                    .map(|base| format!("variants of {base}")),
                Some(format!("{} track", header.rules)),
                Some(header.format.clone()),
                Some(format!("seed {}", header.seed.0)),
                Some(format!("version {}", header.version)),
            ]
            .into_iter()
            .flatten()
            .collect(),
            nothing: (summary.games == 0).then_some(NO_GAMES),
            answers: answers(self),
            sections: (SECTIONS.iter())
                .map(|&(question, section)| ReportSection {
                    question,
                    ..section(self)
                })
                .collect(),
            methods: &self.methods,
        }
    }
}

impl CsvTable {
    /// All tables of the report of a tournament. The first one is the ratings.
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        TABLES.iter().copied().flatten().copied()
    }

    /// The table with this name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::all().find(|table| table.name() == name)
    }
}

impl Default for CsvTable {
    fn default() -> Self {
        standings::RATINGS
    }
}

/// The name of a fault in data.
pub(super) fn fault_key(reason: FaultReason) -> String {
    let key = serde_json::to_value(reason).unwrap_or_default();
    key.as_str().unwrap_or_default().to_owned()
}
