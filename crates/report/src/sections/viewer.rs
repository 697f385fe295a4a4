//! Games to step through, on the page.

use super::TournamentReport;
use crate::document::{Block, CsvTable, ReportSection};

pub(super) const TABLES: &[CsvTable] = &[];

pub(super) fn section<'a>(report: &'a TournamentReport<'a>) -> ReportSection<'a> {
    let section = ReportSection::new("viewer", "Watch games");
    match report.summary.games {
        0 => section,
        _ => section.block(Block::Viewer),
    }
}
