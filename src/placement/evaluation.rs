//! The interface of an evaluation.

use super::problem::Problem;
use crate::game::Placement;
use crate::util::rng::Rng;

/// Scores placements. The lowest score is best, and ties keep the policy's order.
pub trait Evaluation: Sync {
    /// The name in strategies.
    fn name(&self) -> &'static str;

    /// A short description.
    fn about(&self) -> &'static str;

    /// Writes the score of each placement to `scores`, which has the same length.
    fn score(
        &self,
        problem: &Problem<'_>,
        placements: &[Placement],
        rng: &mut Rng,
        scores: &mut [i32],
    );

    /// Index of the first of the best placements, of which there must be at least one. `scores`
    /// must have the same length; its contents are unspecified afterwards.
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

    /// Whether every placement is best with equal probability, for every problem.
    fn is_uniform(&self) -> bool {
        false
    }
}
