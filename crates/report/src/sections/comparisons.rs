//! How certain the order of the agents is.

use super::TournamentReport;
use crate::document::{CsvTable, ReportSection};
use crate::ratings::{COMPARISONS, comparisons};

pub(super) const TABLES: &[CsvTable] = &[COMPARISONS];

pub(super) fn section<'a>(report: &'a TournamentReport<'a>) -> ReportSection<'a> {
    let summary = &report.summary;
    comparisons(
        summary.ratings.iter().map(|row| &*row.agent),
        &summary.comparisons,
        summary.separated().collect(),
        (summary.tested().count() as u64, summary.rank_alpha),
        &summary.consistency,
    )
}
