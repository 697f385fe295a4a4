//! Lengths of games.

use patchwork_rating::{Clusters, Estimate};
use schemars::JsonSchema;
use serde::Serialize;

use super::means::{PairClusters, Sum, ValueCounts};
use super::tally::WholeTally;

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

/// The number of quantities in [`LengthsFold`]: of both players, of the first and of the second.
const OF: usize = 3;

/// Folds games into [`Plies`], a pair at a time, in the order of [`PairClusters`].
pub(super) struct LengthsFold {
    /// Of plies, then of turns.
    means: PairClusters,
    counts: [[ValueCounts; OF]; 2],
}

impl LengthsFold {
    pub(super) fn new() -> Self {
        Self {
            means: PairClusters::new(2 * OF),
            counts: Default::default(),
        }
    }

    /// Adds the finished games of a pair, of which there is at least one.
    pub(super) fn add(&mut self, setup: Option<u32>, pair: &[WholeTally]) {
        let mut sums = [Sum::default(); 2 * OF];
        for (_, game) in pair {
            let turns = game
                .decisions
                .map(|[advances, patches, _]| advances + patches);
            let plies = game.decisions.map(|kinds| kinds.iter().sum());
            let lengths = [plies, turns].map(|[first, second]| [first + second, first, second]);
            let counts = self.counts.iter_mut().flatten().zip(&mut sums);
            for ((counts, sum), length) in counts.zip(lengths.into_iter().flatten()) {
                counts.add(length as usize);
                sum.add(length as f64);
            }
        }
        self.means.add(setup, pair[0].0.pairing, &sums);
    }

    pub(super) fn finish(self) -> Plies {
        let means = self.means.finish();
        let [plies, turns] = &self.counts;
        Plies {
            all: lengths(&means[..OF], plies),
            turns: lengths(&means[OF..], turns),
            histogram: histogram(&plies[0], &turns[0]),
        }
    }
}

fn histogram(plies: &ValueCounts, turns: &ValueCounts) -> Vec<LengthBin> {
    let bins = (0..plies.len().max(turns.len())).map(|length| LengthBin {
        length: length as u64,
        plies: plies.of(length),
        turns: turns.of(length),
    });
    bins.filter(|bin| bin.plies + bin.turns > 0).collect()
}

/// Statistics of a per-game count of both players, of the first and of the second.
fn lengths(means: &[Clusters], counts: &[ValueCounts; OF]) -> Lengths {
    let mean = |of: usize| means[of].mean().at_least(0.0);
    Lengths {
        both: mean(0),
        sd: counts[0].deviation(),
        min: counts[0].least().map(|least| least as u64),
        max: counts[0].greatest().map(|greatest| greatest as u64),
        first: mean(1),
        first_sd: counts[1].deviation(),
        second: mean(2),
        second_sd: counts[2].deviation(),
    }
}
