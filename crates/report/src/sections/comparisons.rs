//! How certain the order of the agents is.

use super::TournamentReport;
use crate::document::{CsvTable, ReportSection};
use crate::ratings::{COMPARISONS, comparisons};

pub(super) const TABLES: &[CsvTable] = &[COMPARISONS];

pub(super) fn section<'a>(report: &'a TournamentReport<'a>) -> ReportSection<'a> {
    let summary = &report.summary;
    // Of a sweep, values are compared rather than variants that happen to be next to each other.
    let listed = summary
        .ratings
        .iter()
        .filter(|_| report.header.sweep.is_none());
    comparisons(
        listed.map(|row| &*row.agent),
        &summary.comparisons,
        summary.separated().collect(),
        (summary.tested().count() as u64, summary.rank_alpha),
        &summary.consistency,
    )
}
