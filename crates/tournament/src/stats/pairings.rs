//! The games of two agents against each other.

use std::collections::BTreeMap;

use patchwork_engine::record::GameFacts;
use patchwork_rating::{Estimate, name_of};
use schemars::JsonSchema;
use serde::Serialize;

use super::means::{clusters_by_pairing, first_share, share};
use super::pairs::Pairs;
use super::statistics::{FIRST_WINS, MARGIN, SCORE};

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
    /// [`SCORE`].
    #[schemars(description = SCORE.about)]
    pub a_score: Estimate,
    /// [`MARGIN`].
    #[schemars(description = MARGIN.about)]
    pub margin: Estimate,
    /// Number of pairs of games with the same actions in both: each agent did in its seat what the other one
    /// did there. If two agents with the same settings choose deterministically, all their pairs are
    /// identical and only the ring decides them, so the pairs provide no information about the agents.
    pub identical_pairs: u64,
    /// Number of games played to their end.
    pub finished: u64,
    /// Number of these won by the first player.
    pub first_wins: u64,
    /// [`FIRST_WINS`].
    #[schemars(description = FIRST_WINS.about)]
    pub first_win_rate: Estimate,
}

/// The number of pairs with the same actions in both games, by pairing and its agents in ascending order.
pub(super) type IdenticalPairs = BTreeMap<(u32, [u16; 2]), u64>;

/// What identifies the pairing of a game in [`IdenticalPairs`].
pub(super) fn pairing_key(pairing: u32, [a, b]: [u16; 2]) -> (u32, [u16; 2]) {
    (pairing, [a.min(b), a.max(b)])
}

/// The seat of agent `a` of the pairing (`a`, `b`), or `None` for a game of other agents. If an agent plays itself, `a` is
/// the copy that moves first in leg 0.
pub(super) fn seat_of(game: &GameFacts, a: u16, b: u16) -> Option<usize> {
    match game.agents {
        both if a == b && both == [a, a] => Some(usize::from(game.leg % 2)),
        both if both == [a, b] => Some(0),
        both if both == [b, a] => Some(1),
        _ => None,
    }
}

/// These pairings of a plan; `pairs` are those of all games.
pub(super) fn pairings(
    names: &[String],
    pairings: &[(u16, u16)],
    pairs: &Pairs<'_>,
    identical: &IdenticalPairs,
) -> Vec<Pairing> {
    let all = pairings.iter().enumerate();
    all.map(|(index, &of)| pairing(names, pairs, identical, index, of))
        .collect()
}

fn pairing(
    names: &[String],
    pairs: &Pairs<'_>,
    identical: &IdenticalPairs,
    index: usize,
    (a, b): (u16, u16),
) -> Pairing {
    let seat = |game: &GameFacts| seat_of(game, a, b);
    let is_own = |pair: &[GameFacts]| pair.iter().all(|game| seat(game).is_some()).then_some(());
    let mut own = pairs.of_pairing(index).classes(is_own);
    let pairs = own.remove(&()).unwrap_or_else(|| Pairs::new(&[]));
    let score = share(&pairs, |game| Some(seat(game)? == game.winner.index()));
    let first = first_share(&pairs);
    let margins = clusters_by_pairing(&pairs, |games| {
        let games = pairs.games()[games].iter();
        let finished = games.filter(|game| game.is_finished());
        [finished
            .filter_map(|game| Some(game.margin(seat(game)?)))
            .collect()]
    });
    Pairing {
        a: name_of(names, usize::from(a)),
        b: name_of(names, usize::from(b)),
        games: score.games,
        a_wins: score.hits,
        b_wins: score.games - score.hits,
        a_score: score.rate,
        margin: margins[0].mean(),
        identical_pairs: identical
            .get(&pairing_key(index as u32, [a, b]))
            .copied()
            .unwrap_or(0),
        finished: first.games,
        first_wins: first.hits,
        first_win_rate: first.rate,
    }
}

#[cfg(test)]
mod tests {
    use patchwork_engine::record::Entry;

    use crate::stats::Summary;
    use patchwork_test_support::tournaments::{PAIRINGS, names, tournament};

    #[test]
    fn pairs_of_identical_games_are_counted() {
        let mut entries: Vec<Entry> = tournament(3);
        let count = |entries: &[Entry]| {
            let summary = Summary::new(&names(), &PAIRINGS, entries);
            summary.pairings[0].identical_pairs
        };
        entries.sort_by_key(|entry| entry.record.id);
        assert_eq!(count(&entries), 0, "games at random differ");
        let (id, agents) = (entries[1].record.id, entries[1].record.agents);
        entries[1] = entries[0].clone();
        (entries[1].record.id, entries[1].record.agents) = (id, agents);
        assert_eq!(count(&entries), 1);
        // A game with one ply less is different.
        entries[1].record.plies.pop();
        assert_eq!(count(&entries), 0);
    }
}
