//! The agents in descending order of rating.

use patchwork_rating::RatingPrior;
use patchwork_tournament::stats::statistics::{MARGIN, SPEED, TIME};

use super::TournamentReport;
use crate::document::{CsvTable, ReportSection, TableOf, Unit, counted};
use crate::ratings::{few_rings, standings, warnings, zero_of_scale};
use patchwork_tournament::stats::{Pairing, Standing};

pub(super) const TABLES: &[CsvTable] = &[RATINGS];
pub(super) const RATINGS: CsvTable =
    CsvTable::new("ratings", "One row per agent, from the highest rating down");

pub(super) fn section<'a>(report: &'a TournamentReport<'a>) -> ReportSection<'a> {
    let summary = &report.summary;
    let (rows, compared) = (&summary.ratings, &summary.comparisons);
    // The estimates of tests are those that hold although they may stop; ratings are too far from 0.
    let is_tested = report.header.sprt.is_some();
    let hidden: &[&str] = if is_tested { &["Elo", "LOS"] } else { &[] };
    let tables = standings(rows, compared, ["", ""], RATINGS, more).into_iter();
    let section = ReportSection::new("standings", "Standings")
        .leading()
        .tables_of(tables.map(|table| table.hidden(hidden)).collect());
    let separated: Vec<&str> = summary.separated().collect();
    let prior = summary.prior_used.then_some(RatingPrior::Auto);
    section
        .notes(
            (!is_tested).then(|| zero_of_scale(separated.len(), summary.ratings.len()).to_owned()),
        )
        .notes(warnings(&separated, prior, summary.connected))
        .notes(few_rings(&summary.rings))
        .notes(clones(&summary.pairings))
}

/// Adds what only games of Patchwork have.
fn more<'a>(table: TableOf<'a, &'a Standing>) -> TableOf<'a, &'a Standing> {
    table
        .column("mean_margin", "margin", Unit::Points, |row| row.mean_margin)
        .statistic(MARGIN)
        .priority(3)
        .column("iterations_per_s", "iter/s", Unit::Rate, |row| {
            row.iterations_per_s
        })
        .statistic(SPEED)
        .priority(6)
        .column("seconds_per_move", "time/move", Unit::Seconds, |row| {
            row.seconds_per_move
        })
        .statistic(TIME)
        .priority(4)
}

/// Which agents played the same game twice on every ring, so that no number can tell them apart.
fn clones(pairings: &[Pairing]) -> Option<String> {
    let is_clone = |row: &&Pairing| row.games > 1 && 2 * row.identical_pairs == row.games;
    let clones: Vec<String> = (pairings.iter().filter(is_clone))
        .map(|row| format!("{} and {}", row.a, row.b))
        .collect();
    let who = match &clones[..] {
        [] => return None,
        [one] => one.clone(),
        [one, others @ ..] => format!(
            "{one} (and {})",
            counted(others.len() as u64, "other pairing")
        ),
    };
    Some(format!(
        "{who} played the same moves in both games of every pair: neither leaves anything to chance, so the ring is the only \
         chance, every pair ends 1-1, and more pairs say nothing about who is stronger."
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_are_named() {
        let pairing = |a: &str, games, identical_pairs| Pairing {
            a: a.to_owned(),
            b: "x".to_owned(),
            games,
            identical_pairs,
            ..Pairing::default()
        };
        assert_eq!(clones(&[pairing("a", 4, 1), pairing("b", 0, 0)]), None);
        let one = clones(&[pairing("a", 4, 1), pairing("b", 6, 3)]).expect("a sentence");
        assert!(one.starts_with("b and x played the same moves"), "{one}");
        assert!(one.contains("the ring is the only chance"), "{one}");
        let more = clones(&[pairing("a", 4, 2), pairing("b", 6, 3)]).expect("a sentence");
        assert!(
            more.starts_with("a and x (and 1 other pairing) played"),
            "{more}"
        );
    }
}
