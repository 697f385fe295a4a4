//! The final choice: which of its actions a position is left by when a search ends, at the root and along the principal
//! variation.

use crate::part::{PartInfo, PartKey, list_of_parts};

/// A final choice. Among the actions that are not proven to lose, those with enough visits are compared by a score; the
/// first of the greatest is chosen. A proven win is always chosen.
#[derive(Clone, Copy, Debug)]
pub struct FinalChoice {
    /// Its name and keys.
    pub info: PartInfo,
    /// Whether the score depends on the variance of the results.
    pub uses_variance: bool,
    /// Whether the score depends on [a random number](ActionTally::random).
    pub draws: bool,
    /// The share of the greatest number of visits that an action needs, 0 to 1.
    pub share: fn(&[f64]) -> f64,
    /// The score of an action.
    pub score: fn(&[f64], &ActionTally) -> f32,
}

/// What a search knows of an action.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ActionTally {
    /// Iterations that went through it.
    pub visits: u32,
    /// The mean result, mixed with the estimates backed up by minimax as in selection.
    pub value: f32,
    /// The variance of the results.
    pub variance: f32,
    /// A number between 0 and 1: at the root random, below it one half.
    pub random: f64,
}

/// A random number between 0 and 1, the same for the same seed and index (SplitMix64).
pub(crate) const fn random(seed: u64, index: u64) -> f64 {
    let mut bits = seed.wrapping_add(index.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    (((bits ^ bits >> 31) >> 12) as f64 + 0.5) / (1_u64 << 52) as f64
}

/// The share of visits that an action needs.
const SHARE: PartKey = PartKey {
    name: "share",
    about: "The share of the greatest number of visits that an action needs",
    default: 0.2,
    range: [0.0, 1.0],
};

list_of_parts! {
    type FinalChoice;
    by_tally: VISITS, VALUE, LCB, TEMPERATURE;
}
