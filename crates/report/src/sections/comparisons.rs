//! How certain the order of the agents is.

use std::collections::BTreeSet;

use super::TournamentReport;
use crate::document::{CsvTable, ReportSection};
use crate::ratings::{COMPARISONS, consistency, neighbours, told_apart};

pub(super) const TABLES: &[CsvTable] = &[COMPARISONS];

pub(super) fn section<'a>(report: &'a TournamentReport<'a>) -> ReportSection<'a> {
    let summary = &report.summary;
    let separated: BTreeSet<&str> = summary.separated().collect();
    let order = summary.ratings.iter().map(|row| &*row.agent);
    let section = ReportSection::new("comparisons", "Neighbours in rank").table(neighbours(
        order,
        &summary.comparisons,
        separated,
    ));
    if summary.comparisons.is_empty() {
        return section;
    }
    let known = summary.comparisons.iter();
    let compared = known.filter(|row| row.p_adjusted.is_some()).count();
    section
        .note(told_apart(compared as u64, summary.rank_alpha))
        .notes(consistency(&summary.consistency))
}
