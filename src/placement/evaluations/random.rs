use crate::game::Placement;
use crate::placement::evaluation::Evaluation;
use crate::placement::problem::Problem;
use crate::util::rng::{Rng, below};

/// A uniformly random order.
pub(super) struct RandomOrder;

impl Evaluation for RandomOrder {
    fn name(&self) -> &'static str {
        "random"
    }

    fn about(&self) -> &'static str {
        "a uniformly random one"
    }

    fn score(&self, _: &Problem<'_>, _: &[Placement], rng: &mut Rng, scores: &mut [i32]) {
        // Inside-out Fisher-Yates shuffle: the scores are a random permutation of 0, 1, 2, ...
        for i in 0..scores.len() {
            let j = below(i as u32 + 1, rng) as usize;
            scores[i] = scores[j];
            scores[j] = i as i32;
        }
    }

    fn is_uniform(&self) -> bool {
        true
    }
}
