use crate::game::Placement;
use crate::placement::evaluation::Evaluation;
use crate::placement::problem::Problem;
use crate::util::rng::Rng;

/// The first placement that the policy generated.
pub(super) struct First;

impl Evaluation for First {
    fn name(&self) -> &'static str {
        "first"
    }

    fn about(&self) -> &'static str {
        "the policy's first placement"
    }

    fn score(&self, _: &Problem<'_>, _: &[Placement], _: &mut Rng, scores: &mut [i32]) {
        scores.fill(0);
    }
}
