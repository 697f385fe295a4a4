//! The report of a tournament: written in one of four formats, or saved beside the games.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use patchwork_engine::record::Games;
use patchwork_engine::util::InputError;
use schemars::JsonSchema;
use serde::Serialize;

use super::game_digest::{GameDigest, digests};
use super::header::Header;
use super::page::write_html;
use super::ring_book::{RingChoice, write_ring_book};
use super::sections::lengths;
use crate::document::{
    CsvTable, DataTable, Document, ReportTable, TextForm, write_csv, write_text,
};
use crate::stats::Summary;
use crate::tournament::store::{self, StoreError};
use crate::tournament::{Plan, Results};

/// The file name of the page in a results folder.
const PAGE: &str = "report.html";

/// The table `games` as typed columns, one row per game in the order of the plan, without any statistics.
#[must_use]
pub fn games_data(results: &Results) -> DataTable {
    let table = lengths::games(&results.manifest.plan, &results.games);
    table.finish().data()
}

/// All report data of a tournament. As JSON, it has the fields of the header, followed by those of the statistics.
#[derive(Serialize, JsonSchema)]
#[schemars(
    title = "Report of a tournament of Patchwork Arena",
    description = "Output of `patchwork-arena report DIR --format json`, also saved as `summary.json`. All intervals are 95% \
                   and computed from pairs of games. A value is null if the games do not determine it."
)]
pub struct TournamentReport<'a> {
    #[serde(flatten)]
    pub(super) header: Header,
    #[serde(flatten)]
    pub(super) summary: Summary,
    #[serde(skip)]
    pub(super) plan: &'a Plan,
    #[serde(skip)]
    pub(super) games: &'a dyn Games,
    /// The agents, by their numbers in the plan.
    #[serde(skip)]
    pub(super) names: Vec<String>,
    #[serde(skip)]
    digests: OnceLock<Vec<GameDigest>>,
}

impl<'a> TournamentReport<'a> {
    /// Computes all statistics of the results.
    #[must_use]
    pub fn new(results: &'a Results) -> Self {
        let plan = &results.manifest.plan;
        let (names, pairings) = (plan.names(), plan.pairings());
        let mut summary = Summary::of(&names, &pairings, &results.games);
        if plan.format().is_adaptive() {
            // In some formats, some agents never meet.
            summary.pairings.retain(|pairing| pairing.games > 0);
        }
        if plan.test().is_some() {
            summary.rank_after_tests();
        }
        let mut header = Header::new(results);
        header.format.take_ratings(&summary);
        Self::of(header, summary, plan, &results.games)
    }

    pub(super) fn of(
        header: Header,
        summary: Summary,
        plan: &'a Plan,
        games: &'a dyn Games,
    ) -> Self {
        Self {
            header,
            summary,
            plan,
            games,
            names: plan.names(),
            digests: OnceLock::new(),
        }
    }

    /// A digest of every game, in the order of the plan.
    pub(super) fn digests(&self) -> &[GameDigest] {
        self.digests.get_or_init(|| digests(self.plan, self.games))
    }

    /// The general information about the tournament.
    #[must_use]
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// The statistics.
    #[must_use]
    pub const fn summary(&self) -> &Summary {
        &self.summary
    }

    /// Writes the report as text for a terminal.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn write_text(&self, out: impl io::Write, form: TextForm) -> io::Result<()> {
        write_text(out, &self.document(), form)
    }

    /// Writes one of the tables with a header line. Numbers are not rounded.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn write_csv(&self, table: CsvTable, mut out: impl io::Write) -> io::Result<()> {
        write_tables(&self.document(), table, &mut out)
    }

    /// One of the tables as typed columns. Numbers are not rounded; names are as they are, unlike in the CSV table.
    #[must_use]
    pub fn data(&self, table: CsvTable) -> DataTable {
        let document = self.document();
        let found = document.tables().find(|found| found.csv == Some(table));
        found.map(ReportTable::data).unwrap_or_default()
    }

    /// Writes the page for a browser: a self-contained file.
    ///
    /// # Errors
    /// If a game to be shown is not legal, as an error of kind `InvalidData`, or the writer fails.
    pub fn write_page(&self, out: impl io::Write) -> io::Result<()> {
        write_html(out, self)
    }

    /// Writes at most `most` of the rings that were played, in a form that tournaments can use for
    /// their setups.
    ///
    /// # Errors
    /// If the games do not determine which rings these are or none is of this kind, as an error of kind `InvalidData`,
    /// or the writer fails.
    pub fn write_ring_book(
        &self,
        out: impl io::Write,
        choice: RingChoice,
        most: usize,
    ) -> io::Result<()> {
        write_ring_book(
            out,
            &self.header,
            &self.summary.rings,
            self.games,
            choice,
            most,
        )
    }

    /// Writes `summary.json` and the CSV tables into a results folder, except those that are only written on request.
    /// Each file is written atomically.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn save(&self, dir: &Path) -> Result<(), StoreError> {
        const IN_MEMORY: &str = "writing to a vector cannot fail";
        let mut json = Vec::new();
        self.write_json(&mut json).expect(IN_MEMORY);
        store::write_file(&dir.join("summary.json"), &json)?;
        let document = self.document();
        for table in CsvTable::all().filter(|table| !table.is_on_request()) {
            let mut csv = Vec::new();
            write_tables(&document, table, &mut csv).expect(IN_MEMORY);
            store::write_file(&dir.join(table.file_name()), &csv)?;
        }
        Ok(())
    }

    /// Where [`Self::save_page`] writes the page of a results folder.
    #[must_use]
    pub fn page_in(dir: &Path) -> PathBuf {
        dir.join(PAGE)
    }

    /// Writes the page into a results folder and returns its path.
    ///
    /// # Errors
    /// If a game to be shown is not legal, or the file cannot be written.
    pub fn save_page(&self, dir: &Path) -> Result<PathBuf, InputError> {
        let mut page = Vec::new();
        let written = self.write_page(&mut page);
        written.map_err(|error| InputError::new(error.to_string()))?;
        let path = Self::page_in(dir);
        store::write_file(&path, &page)?;
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
