//! Extracts the results used for ratings from records.

use patchwork_engine::record::{Entry, Games};
use patchwork_rating::{MarginGame, RatedGame};
use rayon::iter::{
    IndexedParallelIterator as _, IntoParallelRefIterator as _, ParallelExtend as _,
    ParallelIterator as _,
};

use super::tally::GameTally;

/// Number of games that are unpacked at a time.
const BLOCK: usize = 4096;

/// Applies `look` to each game and its index, and returns the results in the order of the games' identities. A block of
/// games is unpacked at a time.
pub(crate) fn in_order<T: Send>(
    games: &(impl Games + ?Sized),
    look: impl Fn(u32, &Entry) -> T + Sync,
) -> Vec<T> {
    let mut order: Vec<u32> = (0..games.count() as u32).collect();
    order.sort_by_key(|&index| games.id(index as usize));
    let mut all = Vec::with_capacity(order.len());
    for block in order.chunks(BLOCK) {
        let entries = block.par_iter().copied().zip(games.entries(block));
        all.par_extend(entries.map(|(index, entry)| look(index, &entry)));
    }
    all
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
