//! The settings of every agent, so that the games can be played again.

use super::Findings;
use crate::report::document::{Block, CsvTable, ReportSection};

pub(super) const TABLES: &[CsvTable] = &[];

pub(super) fn section<'a>(findings: &'a Findings<'a>) -> ReportSection<'a> {
    let agents = &findings.header.agents;
    let section = ReportSection::new("settings", "Settings");
    if agents.is_empty() {
        return section;
    }
    let lines = agents.iter().map(|agent| (&*agent.agent, agent.line()));
    section
        .note("As in an agent file, with every default stated.")
        .block(Block::Definitions(lines.collect()))
}
