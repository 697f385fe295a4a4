//! The report of a tournament: written in one of four forms, or saved beside the games.

use std::io;
use std::path::{Path, PathBuf};

use super::csv::{CsvTable, Source};
use super::header::Header;
use super::html::{PageError, write_html};
use super::json::write_json;
use super::ring_book::{RingBookError, RingChoice, write_ring_book};
use super::text::write_text;
use crate::stats::Summary;
use crate::tournament::Results;
use crate::tournament::store::{self, StoreError};

/// The file of the page in a results folder.
const PAGE: &str = "report.html";

/// Everything that is reported of the results of a tournament.
pub struct TournamentReport<'a> {
    results: &'a Results,
    header: Header,
    summary: Summary,
    names: Vec<String>,
    pairings: Vec<(u16, u16)>,
}

/// Why a report could not be saved.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// The page has no content.
    #[error(transparent)]
    Page(#[from] PageError),
    /// A file of the folder.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl<'a> TournamentReport<'a> {
    /// Computes all statistics of the results.
    #[must_use]
    pub fn new(results: &'a Results) -> Self {
        let plan = &results.manifest.plan;
        let (names, pairings) = (plan.names(), plan.pairings());
        let mut summary = Summary::of(&names, &pairings, &results.games);
        if plan.format().is_adaptive() {
            // Not all agents are meant to meet.
            summary.pairings.retain(|pairing| pairing.games > 0);
        }
        Self {
            results,
            header: Header::new(results),
            summary,
            names,
            pairings,
        }
    }

    /// What the report says besides statistics.
    #[must_use]
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// The statistics.
    #[must_use]
    pub const fn summary(&self) -> &Summary {
        &self.summary
    }

    /// Writes the report as text for a terminal of about 100 columns.
    ///
    /// # Errors
    /// When the writer fails.
    pub fn write_text(&self, out: impl io::Write) -> io::Result<()> {
        write_text(out, &self.header, &self.summary)
    }

    /// Writes one JSON object as `docs/report.schema.json` describes it. Numbers are not rounded.
    ///
    /// # Errors
    /// When the writer fails.
    pub fn write_json(&self, out: impl io::Write) -> io::Result<()> {
        write_json(out, &self.header, &self.summary)
    }

    /// Writes one of the tables with a line of column names. Numbers are not rounded.
    ///
    /// # Errors
    /// When the writer fails.
    pub fn write_csv(&self, table: CsvTable, out: impl io::Write) -> io::Result<()> {
        let source = Source {
            summary: &self.summary,
            names: &self.names,
            pairings: &self.pairings,
            games: &self.results.games,
        };
        table.write(out, &source)
    }

    /// Writes the page for a browser: one file that loads nothing else.
    ///
    /// # Errors
    /// When a game to be shown is not legal, or the writer fails.
    pub fn write_page(&self, out: impl io::Write) -> Result<(), PageError> {
        let plan = &self.results.manifest.plan;
        write_html(out, &self.header, &self.summary, plan, &self.results.games)
    }

    /// Writes at most `most` of the rings that were played, for tournaments to take their setups from.
    ///
    /// # Errors
    /// When the games do not tell which rings these are, none is of this kind, or the writer fails.
    pub fn write_ring_book(
        &self,
        out: impl io::Write,
        choice: RingChoice,
        most: usize,
    ) -> Result<(), RingBookError> {
        write_ring_book(out, &self.header, &self.summary.rings, choice, most)
    }

    /// Writes `summary.json` and all CSV tables into a results folder, each file as a whole or not at
    /// all.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn save(&self, dir: &Path) -> Result<(), StoreError> {
        const IN_MEMORY: &str = "a vector takes all";
        let mut json = Vec::new();
        self.write_json(&mut json).expect(IN_MEMORY);
        store::write_file(&dir.join("summary.json"), &json)?;
        for table in CsvTable::ALL {
            let mut csv = Vec::new();
            self.write_csv(table, &mut csv).expect(IN_MEMORY);
            store::write_file(&dir.join(table.file_name()), &csv)?;
        }
        Ok(())
    }

    /// Writes the page into a results folder and says where it is.
    ///
    /// # Errors
    /// When a game to be shown is not legal, or the file cannot be written.
    pub fn save_page(&self, dir: &Path) -> Result<PathBuf, SaveError> {
        let mut page = Vec::new();
        self.write_page(&mut page)?;
        let path = dir.join(PAGE);
        store::write_file(&path, &page)?;
        Ok(path)
    }
}
