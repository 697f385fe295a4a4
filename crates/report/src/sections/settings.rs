//! The agents: the descriptions in their files, and the settings with which the games can be replayed.

use super::TournamentReport;
use crate::document::{Block, CsvTable, ReportSection};

pub(super) const TABLES: &[CsvTable] = &[];

pub(super) fn section<'a>(report: &'a TournamentReport<'a>) -> ReportSection<'a> {
    let agents = &report.header.agents;
    let section = ReportSection::new("settings", "Settings");
    if agents.is_empty() {
        return section;
    }
    let lines = (agents.iter()).map(|row| (&*row.agent, &*row.description, row.line()));
    section
        .note("What the files of the agents say about them, and their settings as in a file, with every default stated.")
        .block(Block::Definitions(lines.collect()))
}
