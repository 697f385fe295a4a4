//! The report of a tournament: written in one of four formats, or saved beside the games.

use std::io;
use std::path::{Path, PathBuf};

use patchwork_engine::util::InputError;

use super::data::TournamentReport;
use super::page::write_html;
use crate::document::{CsvTable, Document, TextForm, write_csv, write_text};
use patchwork_tournament::ledger::{self, TournamentError};

/// The file name of the JSON in a results folder whose tournament is complete.
pub const SUMMARY: &str = "summary.json";

/// The file name of the page in a results folder.
const PAGE: &str = "report.html";

impl TournamentReport<'_> {
    /// Writes the report as text for a terminal.
    pub fn write_text(&self, out: impl io::Write, form: TextForm) -> io::Result<()> {
        write_text(out, &self.document(), form)
    }

    /// Writes one of the tables with a header line. Numbers are not rounded.
    pub fn write_csv(&self, table: CsvTable, mut out: impl io::Write) -> io::Result<()> {
        write_tables(&self.document(), table, &mut out)
    }

    /// Writes the page for a browser: a self-contained file.
    ///
    /// # Errors
    /// If a game to be shown is not legal, as an error of kind `InvalidData`, or the writer fails.
    pub fn write_page(&self, out: impl io::Write) -> io::Result<()> {
        write_html(out, self)
    }

    /// Writes the JSON of the report into a results folder, as [`SUMMARY`].
    pub fn save(&self, dir: &Path) -> Result<(), TournamentError> {
        ledger::write_file_with(&dir.join(SUMMARY), |out| self.write_json(out))
    }

    /// Writes all CSV tables into a folder, one file a table. Each file is written atomically.
    pub fn save_tables(&self, dir: &Path) -> Result<(), TournamentError> {
        let document = self.document();
        CsvTable::all().try_for_each(|table| {
            let path = dir.join(table.file_name());
            ledger::write_file_with(&path, |out| write_tables(&document, table, out))
        })
    }

    /// Where [`Self::save_page`] writes the page of a results folder.
    pub fn page_in(dir: &Path) -> PathBuf {
        dir.join(PAGE)
    }

    /// Writes the page into a results folder and returns its path.
    pub fn save_page(&self, dir: &Path) -> Result<PathBuf, InputError> {
        let mut page = Vec::new();
        let written = self.write_page(&mut page);
        written.map_err(|error| InputError::new(error.to_string()))?;
        let path = Self::page_in(dir);
        ledger::write_file(&path, &page)?;
        Ok(path)
    }
}

/// Writes the tables of a document that belong to a CSV table.
fn write_tables(
    document: &Document<'_>,
    table: CsvTable,
    mut out: impl io::Write,
) -> io::Result<()> {
    let mut tables = document.tables().filter(|found| found.csv == Some(table));
    tables.try_for_each(|table| write_csv(&mut out, table))
}
