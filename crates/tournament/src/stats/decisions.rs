//! How often players advance, buy and place special patches.

use patchwork_rating::Estimate;
use schemars::JsonSchema;
use serde::Serialize;

use super::means::{mean_of_games, seats};
use super::tally::{Decisions, GameTally, Pairs};

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
    pub const ALL: [Self; 3] = [Self::Advance, Self::Patch, Self::Special];
}

pub(super) fn decisions(tallies: &[GameTally], pairs: &Pairs<'_>) -> Vec<DecisionCount> {
    let plies: u64 = tallies.iter().flat_map(GameTally::plies).sum();
    DecisionKind::ALL
        .into_iter()
        .map(|kind| {
            let of = |decisions: Decisions| match kind {
                DecisionKind::Advance => decisions.advances() as f64,
                DecisionKind::Patch => decisions.buys() as f64,
                DecisionKind::Special => decisions.specials() as f64,
            };
            let game =
                mean_of_games(pairs, |tally| tally.decisions.map(of).iter().sum()).at_least(0.0);
            let by_seat = seats(tallies, |tally, seat| of(tally.decisions[seat]));
            DecisionCount {
                kind,
                game,
                share: game
                    .value
                    .map(|mean| mean * tallies.len() as f64 / plies as f64),
                first: by_seat.first,
                second: by_seat.second,
            }
        })
        .collect()
}
