//! The match that proves a recommended agent to be better than the base.

use patchwork_engine::util::config::Count;
use patchwork_engine::util::rng::hash_words;
use patchwork_rating::sprt::{EloModel, Sprt, SprtKeys};
use schemars::JsonSchema;
use serde::Deserialize;

/// The keys of the table `[proof]`.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ProofKeys {
    /// The Elo difference of the first hypothesis; 0 by default.
    elo0: Option<f64>,
    /// The Elo difference of the second hypothesis.
    elo1: Option<f64>,
    /// How often the second is accepted although the first is true; 0.05 by default.
    alpha: Option<f64>,
    /// How often the first is accepted although the second is true; 0.05 by default.
    beta: Option<f64>,
    /// The largest number of pairs of the test.
    pairs: Option<Count>,
    /// Pairs at the slow time control; 0 for none.
    slow_pairs: Option<u32>,
}

/// How a winner is proven to be better than the base.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Proof {
    /// The test.
    pub test: Sprt,
    /// Maximum number of pairs of the test.
    pub pairs: u32,
    /// Number of pairs at [`SLOW`] times the budget, 0 for none.
    pub slow_pairs: u32,
    /// The seed of the setups, none of which occurs in the search.
    pub seed: u64,
}

/// The budget of the last match, as a multiple of that of the search.
pub const SLOW: i64 = 4;

/// Default maximum number of pairs of a proof.
const PAIRS: u32 = 2000;
/// Default number of pairs of the last match.
const SLOW_PAIRS: u32 = 100;
/// Default for the smallest improvement that a proof tests for, in Elo points.
const ELO1: f64 = 20.0;

impl Proof {
    pub(super) fn new(keys: &ProofKeys, seed: u64) -> Result<Self, String> {
        let test = SprtKeys {
            elo0: keys.elo0.unwrap_or_default(),
            elo1: keys.elo1.unwrap_or(ELO1),
            alpha: keys.alpha,
            beta: keys.beta,
            model: EloModel::Logistic,
        };
        Ok(Self {
            test: test.try_into()?,
            pairs: keys.pairs.map_or(PAIRS, Count::get),
            slow_pairs: keys.slow_pairs.unwrap_or(SLOW_PAIRS),
            // Shifted so that the number fits into a tournament file.
            seed: hash_words(&[seed, 0x70_726f_6f66]) >> 1,
        })
    }
}
