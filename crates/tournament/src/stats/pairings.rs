//! The games of two agents against each other.

use patchwork_rating::{Estimate, mean, name_of};
use schemars::JsonSchema;
use serde::Serialize;

use super::means::{first_share, share};
use super::tally::{GameTally, Pairs};

/// The games of two agents against each other.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Pairing {
    /// The first agent of the pairing.
    pub a: String,
    /// The other agent.
    pub b: String,
    /// Number of games.
    pub games: u64,
    /// Number of games won by `a`.
    pub a_wins: u64,
    /// Number of games won by `b`.
    pub b_wins: u64,
    /// Share of games won by `a`, 0 to 1.
    pub a_score: Estimate,
    /// Mean of the points of `a` minus those of `b`, over the games played to their end.
    pub mean_margin: Option<f64>,
    /// Number of pairs of games with the same actions in both: each agent did in its seat what the other one
    /// did there. If two agents with the same settings choose deterministically, all their pairs are
    /// identical and only the ring decides them, so the pairs provide no information about the agents.
    pub identical_pairs: u64,
    /// Number of games won by the first player.
    pub first_wins: u64,
    /// Share of games won by the first player, 0 to 1.
    pub first_win_rate: Estimate,
}

pub(super) fn pairing(
    names: &[String],
    tallies: &[GameTally],
    index: usize,
    a: u16,
    b: u16,
) -> Pairing {
    let seat = |tally: &GameTally| tally.seat_of(a, b);
    let before = |index: usize| tallies.partition_point(|tally| (tally.pairing as usize) < index);
    let mut pairs = Pairs::new(&tallies[before(index)..before(index + 1)]);
    pairs.retain(|pair| pair.iter().all(|tally| seat(tally).is_some()));
    let score = share(&pairs, |tally| seat(tally) == Some(tally.winner.index()));
    let first = first_share(&pairs);
    let finished = pairs.iter().flatten().filter(|tally| tally.is_finished());
    let margins = finished.filter_map(|tally| Some(tally.margin(seat(tally)?)));
    Pairing {
        a: name_of(names, usize::from(a)),
        b: name_of(names, usize::from(b)),
        games: score.games,
        a_wins: score.hits,
        b_wins: score.games - score.hits,
        a_score: score.rate,
        mean_margin: mean(margins),
        identical_pairs: pairs
            .iter()
            .filter(|pair| GameTally::are_identical(pair))
            .count() as u64,
        first_wins: first.hits,
        first_win_rate: first.rate,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::tournaments::{names, tournament};

    #[test]
    fn pairs_of_identical_games_are_counted() {
        let mut entries = tournament(3);
        let count = |entries: &[patchwork_engine::record::Entry]| {
            let tallies: Vec<GameTally> = entries.chunks(2).flat_map(GameTally::of_pair).collect();
            pairing(&names(), &tallies, 0, 0, 1).identical_pairs
        };
        entries.sort_by_key(|entry| entry.record.id);
        assert_eq!(count(&entries), 0, "games at random differ");
        entries[1].record.plies = entries[0].record.plies.clone();
        assert_eq!(count(&entries), 1);
        // A game with one ply less is different.
        entries[1].record.plies.pop();
        assert_eq!(count(&entries), 0);
    }
}
