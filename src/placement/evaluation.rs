//! What an evaluation is.

use super::problem::Problem;
use crate::game::Placement;
use crate::util::rng::Rng;

/// Scores placements; the least score is best, and ties keep the policy's order.
pub trait Evaluation: Sync {
    /// The name in strategies.
    fn name(&self) -> &'static str;

    /// What it does, in a phrase.
    fn about(&self) -> &'static str;

    /// Writes the score of each placement to `scores`, which has the same length.
    fn score(
        &self,
        problem: &Problem<'_>,
        placements: &[Placement],
        rng: &mut Rng,
        scores: &mut [i32],
    );

    /// Index of the first of the best placements, of which there is at least one. `scores` has the
    /// same length and is left with any numbers.
    fn best(
        &self,
        problem: &Problem<'_>,
        placements: &[Placement],
        rng: &mut Rng,
        scores: &mut [i32],
    ) -> usize {
        self.score(problem, placements, rng, scores);
        let least = (0..scores.len()).min_by_key(|&i| scores[i]);
        least.unwrap_or(0)
    }

    /// Whether each placement is best with the same probability, whatever the problem.
    fn is_uniform(&self) -> bool {
        false
    }
}
