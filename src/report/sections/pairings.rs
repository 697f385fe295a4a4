//! The games of each pair of agents that meet.

use super::Findings;
use crate::report::document::{CsvTable, ReportSection, ReportTable, Unit};
use crate::report::numbers::counted;
use crate::stats::Pairing;

pub(super) const TABLES: &[CsvTable] = &[PAIRINGS];
const PAIRINGS: CsvTable = CsvTable::new(
    "pairings",
    "One row per pair of agents that meet, in the order of the plan",
);

pub(super) fn section<'a>(findings: &'a Findings<'a>) -> ReportSection<'a> {
    let pairings = &findings.summary.pairings;
    let met = (0..pairings.len()).filter(|&i| pairings[i].games > 0);
    let won_lost = |row: &&Pairing| format!("{}-{}", row.a_wins, row.b_wins);
    let table = ReportTable::of(pairings)
        .csv(PAIRINGS)
        .shown(met.collect())
        .column("a", "agent", Unit::Name, |row| &*row.a)
        .column("b", "opponent", Unit::Name, |row| &*row.b)
        .column("games", "", Unit::Count, |row| row.games)
        .column("", "won-lost", Unit::Whole, won_lost)
        .column("a_wins", "", Unit::Count, |row| row.a_wins)
        .column("b_wins", "", Unit::Count, |row| row.b_wins)
        .estimate("a_score low high", "score", Unit::Share, |row| row.a_score)
        .main()
        .null(0.5)
        .column("mean_margin", "margin", Unit::Points, |row| row.mean_margin)
        .priority(1)
        .column("identical_pairs", "", Unit::Count, |row| {
            row.identical_pairs
        })
        .column("first_wins", "", Unit::Count, |row| row.first_wins)
        .estimate(
            "first_win_rate first_low first_high",
            "1st wins",
            Unit::Share,
            |row| row.first_win_rate,
        )
        .null(0.5)
        .priority(2);
    ReportSection::new("pairings", "Pairings").table(table)
}

/// Which agents played the same game twice on every ring, so that no number can tell them apart.
pub(super) fn clones(pairings: &[Pairing]) -> Option<String> {
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
