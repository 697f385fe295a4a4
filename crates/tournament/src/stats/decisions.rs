//! How often players advance, buy and place special patches.

use patchwork_rating::Estimate;
use schemars::JsonSchema;
use serde::Serialize;

use super::means::{PairClusters, per};
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
    games: u64,
    /// The numbers of decisions by seat and kind.
    counts: [[u64; KINDS]; 2],
}

impl DecisionsFold {
    pub(super) fn new() -> Self {
        Self {
            means: PairClusters::new(KINDS),
            games: 0,
            counts: [[0; KINDS]; 2],
        }
    }

    /// Adds the finished games of a pair, of which there is at least one.
    pub(super) fn add(&mut self, setup: Option<u32>, pair: &[WholeTally]) {
        self.means.begin_pair(setup, pair[0].0.pairing);
        self.games += pair.len() as u64;
        for kind in 0..KINDS {
            let mut of_pair = 0;
            for (seat, counts) in self.counts.iter_mut().enumerate() {
                let own: u64 = pair
                    .iter()
                    .map(|(_, game)| game.decisions[seat][kind])
                    .sum();
                counts[kind] += own;
                of_pair += own;
            }
            self.means.add(kind, of_pair as f64, pair.len() as f64);
        }
    }

    pub(super) fn finish(self) -> Vec<DecisionCount> {
        let plies: u64 = self.counts.iter().flatten().sum();
        let counted = DecisionKind::ALL.into_iter().zip(self.means.finish());
        let counted = counted.map(|(kind, clusters)| {
            let game = clusters.mean().at_least(0.0);
            let [first, second] = self.counts.map(|counts| counts[kind as usize] as f64);
            DecisionCount {
                kind,
                game,
                share: game
                    .value
                    .map(|mean| mean * self.games as f64 / plies as f64),
                first: per(first, self.games),
                second: per(second, self.games),
            }
        });
        counted.collect()
    }
}
