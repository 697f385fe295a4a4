//! How certain the order of the agents is.

use std::collections::BTreeSet;

use super::TournamentReport;
use crate::document::{CsvTable, Place, ReportSection, ReportTable, Unit};
use crate::ratings::{COMPARISONS, consistency, neighbours, told_apart};

pub(super) const TABLES: &[CsvTable] = &[COMPARISONS, CONSISTENCY];
const CONSISTENCY: CsvTable = CsvTable::new(
    "consistency",
    "One row per pair of agents that met: results beside what the ratings predict",
);

pub(super) fn section<'a>(report: &'a TournamentReport<'a>) -> ReportSection<'a> {
    let summary = &report.summary;
    let separated: BTreeSet<&str> = summary.separated().collect();
    let order = summary.ratings.iter().map(|row| &*row.agent);
    let fits = ReportTable::of(&summary.consistency.pairings)
        .csv(CONSISTENCY)
        .place(Place::Data)
        .column("a", "", Unit::Name, |row| &*row.a)
        .column("b", "", Unit::Name, |row| &*row.b)
        .column("games", "", Unit::Count, |row| row.games)
        .column("wins", "", Unit::Count, |row| row.wins)
        .column("expected", "", Unit::OneDecimal, |row| row.expected)
        .column("surprise", "", Unit::OneDecimal, |row| row.surprise);
    let section = ReportSection::new("comparisons", "Neighbours in rank")
        .table(neighbours(order, &summary.comparisons, separated))
        .table(fits);
    if summary.comparisons.is_empty() {
        return section;
    }
    let known = summary.comparisons.iter();
    let compared = known.filter(|row| row.p_adjusted.is_some()).count();
    section
        .note(told_apart(compared as u64, summary.rank_alpha))
        .notes(consistency(&summary.consistency))
}
