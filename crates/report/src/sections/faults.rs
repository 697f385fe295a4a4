//! Games that agents lost by a fault.

use super::{TournamentReport, fault_key};
use crate::document::{CsvTable, ReportSection, ReportTable, Unit};

pub(super) const TABLES: &[CsvTable] = &[TERMINATIONS];
const TERMINATIONS: CsvTable =
    CsvTable::new("terminations", "Games lost by a fault, by agent and reason");

pub(super) fn section<'a>(report: &'a TournamentReport<'a>) -> ReportSection<'a> {
    let found = &report.summary.terminations;
    let table = ReportTable::of(found)
        .csv(TERMINATIONS)
        .name("agent", "agent", |row| (&row.agent, false))
        .column("reason", "", Unit::Text, |row| fault_key(row.reason))
        .column("", "fault", Unit::Text, |row| row.reason.name())
        .column("games", "games", Unit::Count, |row| row.games)
        .main();
    let section = ReportSection::new("faults", "Games lost by a fault").table(table);
    match found.is_empty() {
        true => section,
        false => section.note("They count for ratings and results; all statistics of margins and of the game itself leave them out."),
    }
}
