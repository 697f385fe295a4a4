//! Games to step through, on the page.

use super::Findings;
use crate::report::document::{Block, CsvTable, Section};

pub(super) const TABLES: &[CsvTable] = &[];

pub(super) fn section<'a>(findings: &'a Findings<'a>) -> Section<'a> {
    let section = Section::new("viewer", "Watch games");
    match findings.summary.games {
        0 => section,
        _ => section.block(Block::Viewer),
    }
}
