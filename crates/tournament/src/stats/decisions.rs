//! How often players advance, buy and place special patches.

use patchwork_rating::Estimate;
use schemars::JsonSchema;
use serde::Serialize;

use super::means::{PairClusters, Sum};
use super::tally::{KINDS, WholeTally};

/// How often one kind of decision occurs.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct DecisionCount {
    /// The kind of decision.
    pub kind: DecisionKind,
    /// Mean number per game, of both players.
    #[serde(rename = "mean")]
    pub game: Estimate,
    /// Share of all plies, 0 to 1.
    pub share: Option<f64>,
    /// Mean number per game, of the first player.
    pub first: Option<f64>,
    /// Mean number per game, of the second player.
    pub second: Option<f64>,
}

/// A kind of decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DecisionKind {
    /// Advancing and taking buttons.
    Advance,
    /// Buying and placing a patch.
    Patch,
    /// Placing a special patch.
    Special,
}

impl DecisionKind {
    /// All kinds.
    pub const ALL: [Self; KINDS] = [Self::Advance, Self::Patch, Self::Special];
}

/// Folds games into [`DecisionCount`]s, a pair at a time, in the order of [`PairClusters`].
pub(super) struct DecisionsFold {
    means: PairClusters,
    /// The numbers of decisions of a game, by kind and seat.
    seats: [[Sum; 2]; KINDS],
}

impl DecisionsFold {
    pub(super) fn new() -> Self {
        Self {
            means: PairClusters::new(KINDS),
            seats: [[Sum::default(); 2]; KINDS],
        }
    }

    /// Adds the finished games of a pair, of which there is at least one.
    pub(super) fn add(&mut self, setup: Option<u32>, pair: &[WholeTally]) {
        let mut sums = [Sum::default(); KINDS];
        for (_, game) in pair {
            let kinds = sums.iter_mut().zip(&mut self.seats).enumerate();
            for (kind, (sum, seats)) in kinds {
                let [first, second] = game.decisions.map(|counts| counts[kind] as f64);
                seats[0].add(first);
                seats[1].add(second);
                sum.add(first + second);
            }
        }
        self.means.add(setup, pair[0].0.pairing, &sums);
    }

    pub(super) fn finish(self) -> Vec<DecisionCount> {
        let plies: Sum = self.seats.iter().flatten().copied().sum();
        let means = self.means.finish().into_iter().zip(self.seats);
        let counted = DecisionKind::ALL.into_iter().zip(means);
        let counted = counted.map(|(kind, (clusters, [first, second]))| {
            let game = clusters.mean().at_least(0.0);
            let share = |mean: f64| mean * first.count / plies.total;
            DecisionCount {
                kind,
                game,
                share: game.value.map(share),
                first: first.mean(),
                second: second.mean(),
            }
        });
        counted.collect()
    }
}
