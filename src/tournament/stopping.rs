//! Ends encounters early: a sequential test over the pairs of each encounter, for any format that
//! supports it.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rings::PlannedRings;
use crate::rating::sprt::{EloModel, PairCounts, Sprt, SprtError, Verdict};

/// The default error rates of tests.
pub const ERROR_RATE: f64 = 0.05;

/// The default maximum number of pairs of a test.
pub const MOST_TEST_PAIRS: u32 = 100_000;

/// The default maximum number of pairs of a test with these rings: [`MOST_TEST_PAIRS`], or the number of
/// rings of a book if that is less.
#[must_use]
pub(crate) fn most_test_pairs(rings: &PlannedRings) -> u32 {
    let rings = rings.count().unwrap_or(MOST_TEST_PAIRS);
    rings.min(MOST_TEST_PAIRS)
}

/// The keys of a test in a tournament file.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TestKeys {
    /// The Elo difference of the first hypothesis.
    elo0: f64,
    /// The Elo difference of the second hypothesis.
    elo1: f64,
    /// How often the second is accepted although the first is true; 0.05 by default.
    alpha: Option<f64>,
    /// How often the first is accepted although the second is true; 0.05 by default.
    beta: Option<f64>,
    /// The unit of the differences.
    #[serde(default)]
    model: EloModel,
}

impl TestKeys {
    pub(super) fn test(&self) -> Result<Sprt, SprtError> {
        let [alpha, beta] = [self.alpha, self.beta].map(|rate| rate.unwrap_or(ERROR_RATE));
        Sprt::new(self.elo0, self.elo1, alpha, beta, self.model)
    }
}

/// The state of a test of two agents.
#[derive(Clone, Debug, PartialEq)]
pub struct PairTest {
    /// Pairs of which both games count, by the first agent's score.
    pub counts: PairCounts,
    /// The verdict of the test on these pairs.
    pub verdict: Verdict,
    /// The number of games that the first agent won in each of these pairs, in order.
    pub outcomes: Vec<u8>,
    /// Number of games that the first agent won in a pair whose second game does not count yet.
    half: usize,
}

impl Default for PairTest {
    fn default() -> Self {
        Self {
            counts: PairCounts::default(),
            verdict: Verdict::Continue,
            outcomes: Vec::new(),
            half: 0,
        }
    }
}

impl PairTest {
    /// Adds the next game in plan order and returns whether it ends the encounter.
    pub(super) fn add(&mut self, test: &Sprt, first_won: bool, leg: u8) -> bool {
        self.half += usize::from(first_won);
        if leg == 1 {
            let won = std::mem::take(&mut self.half);
            self.counts.add_wins(won);
            self.outcomes.push(won as u8);
            self.verdict = test.verdict(&self.counts);
        }
        self.verdict != Verdict::Continue
    }
}
