//! The answer of a match: how much better one agent is than the other, and what a sequential test says.

use patchwork_rating::sprt::PairCounts;

use super::TournamentReport;
use crate::document::{CsvTable, ReportSection, Unit, counted};
use crate::report::sprt::test_notes;

pub(super) const TABLES: &[CsvTable] = &[];

/// Untitled: the brief text begins with it.
pub(super) fn section<'a>(report: &'a TournamentReport<'a>) -> ReportSection<'a> {
    let section = ReportSection::new("answer", "").leading();
    match sides(report) {
        Some(sides) => section.notes(answer(report, sides)),
        None => section,
    }
}

/// The two agents of a match: the one that a test is about or that the title names first, else the stronger one.
fn sides<'a>(report: &'a TournamentReport<'_>) -> Option<[&'a str; 2]> {
    let [one, other] = &report.summary.ratings[..] else {
        return None;
    };
    let tests = report.header.format.sprt.as_ref();
    let is_first = |name: &str| match tests.and_then(|found| found.tests.first()) {
        Some(test) => test.a == name,
        None => report.header.name.starts_with(&format!("{name} against ")),
    };
    Some(match is_first(&other.agent) {
        true => [&other.agent, &one.agent],
        false => [&one.agent, &other.agent],
    })
}

fn answer(report: &TournamentReport<'_>, [a, b]: [&str; 2]) -> Vec<String> {
    let summary = &report.summary;
    let (elo, los) = summary.difference(a, b).unwrap_or_default();
    let interval = Unit::Elo.confident(elo);
    let score = (summary.ratings.iter()).find_map(|row| (row.agent == a).then_some(row.score)?);
    let mut notes = vec![format!(
        "{} Elo ({}) for {a} minus {b}: LOS {}, score {}, {}",
        Unit::Elo.known(elo),
        interval.unwrap_or_else(|| "no interval".to_owned()),
        Unit::Chance.known(los),
        Unit::Share.known(score),
        counted(summary.games / 2, "pair"),
    )];
    let tests = report.header.format.sprt.as_ref();
    notes.extend(tests.into_iter().flat_map(|found| {
        found.tests.iter().flat_map(|test| {
            let report = found.sprt.report(&PairCounts(test.counts));
            test_notes(&report, &test.outcome())
        })
    }));
    notes
}
