//! Ends encounters early: a sequential test over the pairs of each encounter, for any format that
//! supports it.

use patchwork_rating::sprt::{PairCounts, Sprt, Verdict};

use super::rings::PlannedRings;

/// The default maximum number of pairs of a test.
pub const MAX_TEST_PAIRS: u32 = 100_000;

/// The default maximum number of pairs of a test with these rings: [`MAX_TEST_PAIRS`], or the number of
/// rings of a book if that is less.
pub(crate) fn most_test_pairs(rings: &PlannedRings) -> u32 {
    let rings = rings.count().unwrap_or(MAX_TEST_PAIRS);
    rings.min(MAX_TEST_PAIRS)
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
    pub(crate) fn add(&mut self, test: &Sprt, first_won: bool, leg: u8) -> bool {
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
