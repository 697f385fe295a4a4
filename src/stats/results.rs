//! Extracts the results used for ratings from records.

use patchwork_engine::record::{Entry, Games};
use patchwork_rating::{MarginGame, RatedGame};
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use super::tally::GameTally;

/// Applies `look` to each game and its index, and returns the results in the order of the games' identities. Each
/// thread unpacks one game at a time.
pub(crate) fn in_order<T: Send>(
    games: &(impl Games + ?Sized),
    look: impl Fn(u32, &Entry) -> T + Sync,
) -> Vec<T> {
    let mut order: Vec<u32> = (0..games.count() as u32).collect();
    order.sort_by_key(|&index| games.id(index as usize));
    order
        .into_par_iter()
        .map(|index| look(index, &games.entry(index as usize)))
        .collect()
}

pub(super) fn result(tally: &GameTally) -> RatedGame {
    RatedGame::of_pair(tally.pairing, tally.pair, tally.agents, tally.first_won())
}

#[cfg(test)]
pub(super) fn results(tallies: &[GameTally]) -> Vec<RatedGame> {
    tallies.iter().map(result).collect()
}

/// The setup number of each game, if several pairs share a setup.
pub(super) fn shared_setups(tallies: &[GameTally]) -> Option<Vec<u64>> {
    let shared = tallies.iter().map(|tally| tally.shared);
    shared.map(|number| Some(number?.get().into())).collect()
}

/// The margin of a game that was played to its end.
pub(super) fn margin_game(tally: &GameTally) -> MarginGame {
    let RatedGame {
        cluster,
        first,
        second,
        score,
    } = result(tally);
    MarginGame {
        cluster,
        first,
        second,
        margin: tally.margin(0),
        score,
    }
}
