//! The games of each pair of agents that meet.

use std::collections::HashMap;

use patchwork_rating::PairingFit;
use patchwork_rating::statistic::{EXPECTED_WINS, SURPRISE};
use patchwork_tournament::stats::statistics::{FIRST_WINS, MARGIN, SCORE};

use super::TournamentReport;
use crate::document::{CsvTable, ReportSection, TableOf, Unit};
use patchwork_tournament::stats::{Pairing, Summary};

pub(super) const TABLES: &[CsvTable] = &[PAIRINGS];
const PAIRINGS: CsvTable = CsvTable::new(
    "pairings",
    "One row per pair of agents that meet, in the order of the plan, with what the ratings predict",
);

/// The text has at most so many pairings, or those of one agent; the crosstable has more.
const FEW: usize = 12;

/// A pairing beside what the ratings predict.
#[derive(Clone, Copy)]
struct PairingRow<'a> {
    found: &'a Pairing,
    /// The number of games that agent `a` was expected to win.
    expected: Option<f64>,
    /// The number of standard errors by which it did better.
    surprise: Option<f64>,
}

pub(super) fn section<'a>(report: &'a TournamentReport<'a>) -> ReportSection<'a> {
    let rows = rows(&report.summary);
    // By rank.
    let ranks = report.summary.ratings.iter().zip(0_usize..);
    let ranks: HashMap<&str, usize> = ranks.map(|(row, rank)| (&*row.agent, rank)).collect();
    let rank = |agent: &str| ranks.get(agent).copied().unwrap_or(0);
    let places = |&i: &usize| [&rows[i].found.a, &rows[i].found.b].map(|agent| rank(agent));
    let met = (0..rows.len()).filter(|&i| rows[i].found.games > 0);
    let mut met: Vec<usize> = met.collect();
    met.sort_by_key(|i| {
        let [a, b] = places(i);
        (a.min(b), a.max(b))
    });
    let are_few = met.len() <= FEW.max(report.summary.ratings.len());
    let listed = if are_few { met.clone() } else { Vec::new() };
    let won_lost = |row: &PairingRow<'_>| format!("{}-{}", row.found.a_wins, row.found.b_wins);
    let table = TableOf::new(rows.len(), move |i| rows[i])
        .csv(PAIRINGS)
        .shown(met)
        .listed(listed)
        .name("a", "agent", |row| (&row.found.a, false))
        .name("b", "opponent", |row| (&row.found.b, false))
        .column("games", "", Unit::Count, |row| row.found.games)
        .column("", "won-lost", Unit::Whole, won_lost)
        .column("a_wins", "", Unit::Count, |row| row.found.a_wins)
        .column("b_wins", "", Unit::Count, |row| row.found.b_wins)
        .column("expected", "", Unit::OneDecimal, |row| row.expected)
        .statistic(EXPECTED_WINS)
        .column("surprise", "", Unit::OneDecimal, |row| row.surprise)
        .statistic(SURPRISE)
        .estimate("a_score", "score", Unit::Share, |row| row.found.a_score)
        .statistic(SCORE)
        .main()
        .null(0.5)
        .estimate("margin", "margin", Unit::Points, |row| row.found.margin)
        .statistic(MARGIN)
        .null(0.0)
        .priority(1)
        .column("identical_pairs", "", Unit::Count, |row| {
            row.found.identical_pairs
        })
        .column("finished", "", Unit::Count, |row| row.found.finished)
        .column("first_wins", "", Unit::Count, |row| row.found.first_wins)
        .estimate("first_win_rate", "1st wins", Unit::Share, |row| {
            row.found.first_win_rate
        })
        .statistic(FIRST_WINS)
        .null(0.5)
        .priority(2);
    ReportSection::new("pairings", "Pairings").table(table)
}

fn rows(summary: &Summary) -> Vec<PairingRow<'_>> {
    let fits = summary.consistency.pairings.iter();
    let fits: HashMap<[&str; 2], &PairingFit> = fits.map(|fit| ([&*fit.a, &*fit.b], fit)).collect();
    let of = |a: &str, b: &str| fits.get(&[a, b]).copied();
    let pairings = summary.pairings.iter().map(|found| {
        let (expected, surprise) = match (of(&found.a, &found.b), of(&found.b, &found.a)) {
            (Some(fit), _) => (Some(fit.expected), fit.surprise),
            (None, Some(fit)) => {
                let expected = fit.games as f64 - fit.expected;
                (Some(expected), fit.surprise.map(|surprise| -surprise))
            }
            (None, None) => (None, None),
        };
        PairingRow {
            found,
            expected,
            surprise,
        }
    });
    pairings.collect()
}
