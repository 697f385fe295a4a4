//! The agents in descending order of rating.

use patchwork_rating::RatingPrior;

use super::TournamentReport;
use crate::document::{Bar, CsvTable, ReportSection, ReportTable, UNKNOWN, Unit, counted};
use crate::ratings::{RANK_AND_LOS, few_rings, los_of_next, warnings, zero_of_scale};
use patchwork_tournament::stats::Pairing;

pub(super) const TABLES: &[CsvTable] = &[RATINGS];
pub(super) const RATINGS: CsvTable =
    CsvTable::new("ratings", "One row per agent, from the highest rating down");

pub(super) fn section<'a>(report: &'a TournamentReport<'a>) -> ReportSection<'a> {
    let summary = &report.summary;
    let los = los_of_next(
        summary.ratings.iter().map(|row| &*row.agent),
        &summary.comparisons,
    );
    let table = ReportTable::of(&summary.ratings)
        .csv(RATINGS)
        .column("", "rank", Unit::Count, |row| {
            row.ranks()
                .map_or_else(|| UNKNOWN.to_owned(), |ranks| ranks.to_string())
        })
        .name("agent", "agent", |row| (&row.agent, row.separated))
        .estimate("elo", "Elo", Unit::Elo, |row| row.elo)
        .main()
        .null(0.0)
        .bar(Bar::Around)
        .column("best_rank", "", Unit::Count, |row| row.best_rank)
        .column("worst_rank", "", Unit::Count, |row| row.worst_rank)
        .column("", "LOS", Unit::Chance, move |row| {
            los.get(&*row.agent).copied()
        })
        .column("games", "games", Unit::Count, |row| row.games)
        .priority(2)
        .column("wins", "wins", Unit::Count, |row| row.wins)
        .priority(5)
        .column("score", "score", Unit::Share, |row| row.score)
        .priority(1)
        .column("mean_margin", "margin", Unit::Points, |row| row.mean_margin)
        .priority(3)
        .column("iterations_per_s", "iter/s", Unit::Rate, |row| {
            row.iterations_per_s
        })
        .priority(6)
        .column("seconds_per_move", "time/move", Unit::Seconds, |row| {
            row.seconds_per_move
        })
        .priority(4)
        .column("perfect", "", Unit::Text, |row| row.perfect)
        .column("separated", "", Unit::Text, |row| row.separated);
    let section = ReportSection::new("standings", "Standings")
        .leading()
        .table(table);
    let separated: Vec<&str> = summary.separated().collect();
    let prior = summary.prior_used.then_some(RatingPrior::Auto);
    section
        .note(format!(
            "{} {RANK_AND_LOS}. Margins are points per game.",
            zero_of_scale(separated.len(), summary.ratings.len())
        ))
        .notes(warnings(&separated, prior, summary.connected))
        .notes(few_rings(&summary.rings))
        .notes(clones(&summary.pairings))
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
