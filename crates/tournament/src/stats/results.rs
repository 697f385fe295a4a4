//! Extracts the results used for ratings from records.

use patchwork_rating::{MarginGame, RatedGame};

use super::tally::GameTally;

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
