//! The games of each pair of agents that meet.

use super::TournamentReport;
use crate::document::{CsvTable, ReportSection, ReportTable, Unit};
use patchwork_tournament::stats::Pairing;

pub(super) const TABLES: &[CsvTable] = &[PAIRINGS];
const PAIRINGS: CsvTable = CsvTable::new(
    "pairings",
    "One row per pair of agents that meet, in the order of the plan",
);

pub(super) fn section<'a>(report: &'a TournamentReport<'a>) -> ReportSection<'a> {
    let pairings = &report.summary.pairings;
    let met = (0..pairings.len()).filter(|&i| pairings[i].games > 0);
    let won_lost = |row: &&Pairing| format!("{}-{}", row.a_wins, row.b_wins);
    let table = ReportTable::of(pairings)
        .csv(PAIRINGS)
        .shown(met.collect())
        .name("a", "agent", |row| (&row.a, false))
        .name("b", "opponent", |row| (&row.b, false))
        .column("games", "", Unit::Count, |row| row.games)
        .column("", "won-lost", Unit::Whole, won_lost)
        .column("a_wins", "", Unit::Count, |row| row.a_wins)
        .column("b_wins", "", Unit::Count, |row| row.b_wins)
        .estimate("a_score", "score", Unit::Share, |row| row.a_score)
        .main()
        .null(0.5)
        .estimate("margin", "margin", Unit::Points, |row| row.margin)
        .null(0.0)
        .priority(1)
        .column("identical_pairs", "", Unit::Count, |row| {
            row.identical_pairs
        })
        .column("first_wins", "", Unit::Count, |row| row.first_wins)
        .estimate("first_win_rate", "1st wins", Unit::Share, |row| {
            row.first_win_rate
        })
        .null(0.5)
        .priority(2);
    ReportSection::new("pairings", "Pairings").table(table)
}
