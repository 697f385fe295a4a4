//! Lengths of games.

use std::collections::BTreeMap;

use patchwork_rating::{Estimate, deviation};
use schemars::JsonSchema;
use serde::Serialize;

use super::means::{mean_of_games, values};
use super::tally::{GameTally, Pairs};

/// Number of decisions per game.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Plies {
    /// All plies.
    #[serde(flatten)]
    pub all: Lengths,
    /// Plies that do not place a special patch.
    pub turns: Lengths,
    /// Number of games by length, ascending; only lengths that occurred.
    pub histogram: Vec<LengthBin>,
}

/// Number of games of one length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LengthBin {
    /// Number of decisions of both players.
    pub length: u64,
    /// Number of games with this many plies.
    pub plies: u64,
    /// Number of games with this many turns.
    pub turns: u64,
}

/// Numbers of decisions per game.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Lengths {
    /// Mean of both players together.
    #[serde(rename = "mean")]
    pub both: Estimate,
    /// Standard deviation between games, of both players together.
    pub sd: Option<f64>,
    /// Minimum over games, of both players together.
    pub min: Option<u64>,
    /// Maximum over games, of both players together.
    pub max: Option<u64>,
    /// Mean of the first player.
    pub first: Estimate,
    /// Standard deviation of the first player's number.
    pub first_sd: Option<f64>,
    /// Mean of the second player.
    pub second: Estimate,
    /// Standard deviation of the second player's number.
    pub second_sd: Option<f64>,
}

pub(super) fn plies(tallies: &[GameTally], pairs: &Pairs<'_>) -> Plies {
    Plies {
        all: lengths(tallies, pairs, GameTally::plies),
        turns: lengths(tallies, pairs, GameTally::turns),
        histogram: histogram(tallies),
    }
}

fn histogram(tallies: &[GameTally]) -> Vec<LengthBin> {
    let mut counts: BTreeMap<u64, [u64; 2]> = BTreeMap::new();
    for tally in tallies {
        for (kind, count) in [tally.plies(), tally.turns()].into_iter().enumerate() {
            counts.entry(count.iter().sum()).or_default()[kind] += 1;
        }
    }
    let bin = |(length, [plies, turns]): (u64, [u64; 2])| LengthBin {
        length,
        plies,
        turns,
    };
    counts.into_iter().map(bin).collect()
}

/// Statistics of a per-game count of each player.
fn lengths(
    tallies: &[GameTally],
    pairs: &Pairs<'_>,
    of_players: impl Fn(&GameTally) -> [u64; 2],
) -> Lengths {
    let both = |tally: &GameTally| of_players(tally).iter().sum::<u64>();
    let first = |tally: &GameTally| of_players(tally)[0] as f64;
    let second = |tally: &GameTally| of_players(tally)[1] as f64;
    Lengths {
        both: mean_of_games(pairs, |tally| both(tally) as f64).at_least(0.0),
        sd: deviation(values(tallies, |tally| both(tally) as f64)),
        min: tallies.iter().map(both).min(),
        max: tallies.iter().map(both).max(),
        first: mean_of_games(pairs, first).at_least(0.0),
        first_sd: deviation(values(tallies, first)),
        second: mean_of_games(pairs, second).at_least(0.0),
        second_sd: deviation(values(tallies, second)),
    }
}
