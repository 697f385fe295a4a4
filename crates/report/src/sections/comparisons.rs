//! How certain the order of the agents is.

use super::TournamentReport;
use crate::document::{CsvTable, ReportSection};
use crate::ratings::{COMPARISONS, comparisons};

pub(super) const TABLES: &[CsvTable] = &[COMPARISONS];

pub(super) fn section<'a>(report: &'a TournamentReport<'a>) -> ReportSection<'a> {
    let summary = &report.summary;
    let known = summary.comparisons.iter();
    let compared = known.filter(|row| row.p_adjusted.is_some()).count() as u64;
    comparisons(
        summary.ratings.iter().map(|row| &*row.agent),
        &summary.comparisons,
        summary.separated().collect(),
        (compared, summary.rank_alpha),
        &summary.consistency,
    )
}
