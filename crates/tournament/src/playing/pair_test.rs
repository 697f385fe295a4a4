//! The sequential test of a pairing so far.

use patchwork_rating::sprt::{PairCounts, Sprt, Verdict};

/// The sequential test of a pairing, from the games that count.
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
    /// Adds the next game of the pairing in plan order.
    pub(super) fn add(&mut self, test: &Sprt, first_won: bool, leg: u8) {
        self.half += usize::from(first_won);
        if leg == 1 {
            let won = std::mem::take(&mut self.half);
            self.counts.add_wins(won);
            self.outcomes.push(won as u8);
            self.verdict = test.verdict(&self.counts);
        }
    }

    /// Whether the test has decided.
    pub(super) fn is_decided(&self) -> bool {
        self.verdict != Verdict::Continue
    }
}
