//! Extracts the results used for ratings from records.

use patchwork_engine::game::Player;
use patchwork_engine::record::{Entry, Games, Record};
use patchwork_rating::{MarginGame, RatedGame};
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use super::tally::GameTally;

/// Applies `look` to each game and returns the results in the order of the games' identities. Each thread
/// unpacks one game at a time.
pub(crate) fn in_order<T: Send>(
    games: &(impl Games + ?Sized),
    look: impl Fn(&Entry) -> T + Sync,
) -> Vec<T> {
    let mut order: Vec<usize> = (0..games.count()).collect();
    order.sort_by_key(|&index| games.id(index));
    order
        .into_par_iter()
        .map(|index| look(&games.entry(index)))
        .collect()
}

/// The result of a game for ratings; the two games of a pair are a cluster.
#[must_use]
pub fn rated_game(record: &Record) -> RatedGame {
    let Record { id, agents, .. } = record;
    let first_won = record.winner() == Player::First;
    RatedGame::of_pair(id.pairing, id.pair, *agents, first_won)
}

pub(super) fn results(tallies: &[GameTally]) -> Vec<RatedGame> {
    tallies.iter().map(result).collect()
}

fn result(tally: &GameTally) -> RatedGame {
    let id = tally.id;
    RatedGame::of_pair(id.pairing, id.pair, tally.agents, tally.first_won())
}

/// The setup number of each game, if several pairs share a setup.
pub(super) fn shared_setups(tallies: &[GameTally]) -> Option<Vec<u64>> {
    let shared = tallies.iter().map(|tally| tally.shared.map(u64::from));
    shared.collect()
}

/// The margins of games that were played to their end.
pub(super) fn margin_games(tallies: &[GameTally]) -> Vec<MarginGame> {
    tallies
        .iter()
        .map(|tally| (tally, result(tally)))
        .map(|(tally, game)| MarginGame {
            cluster: game.cluster,
            first: game.first,
            second: game.second,
            margin: tally.margin(0),
            score: game.score,
        })
        .collect()
}
