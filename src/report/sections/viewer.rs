//! Games to step through, on the page.

use super::Findings;
use crate::document::{Block, CsvTable, ReportSection};

pub(super) const TABLES: &[CsvTable] = &[];

pub(super) fn section<'a>(findings: &'a Findings<'a>) -> ReportSection<'a> {
    let section = ReportSection::new("viewer", "Watch games");
    match findings.summary.games {
        0 => section,
        _ => section.block(Block::Viewer),
    }
}
