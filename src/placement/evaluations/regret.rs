use crate::game::Placement;
use crate::placement::domains::{least_regret, regrets};
use crate::placement::evaluation::Evaluation;
use crate::placement::problem::Problem;
use crate::util::rng::Rng;

/// Propagation-guided global regret, the paper's equation 7.
pub(super) struct Regret;

/// The opposite order.
pub(super) struct ReverseRegret;

impl Evaluation for Regret {
    fn name(&self) -> &'static str {
        "regret"
    }

    fn about(&self) -> &'static str {
        "rules out the fewest later placements"
    }

    fn score(
        &self,
        problem: &Problem<'_>,
        placements: &[Placement],
        _: &mut Rng,
        scores: &mut [i32],
    ) {
        regrets(problem, placements, scores);
    }

    fn best(
        &self,
        problem: &Problem<'_>,
        placements: &[Placement],
        _: &mut Rng,
        scores: &mut [i32],
    ) -> usize {
        least_regret(problem, placements, scores)
    }
}

impl Evaluation for ReverseRegret {
    fn name(&self) -> &'static str {
        "reverse-regret"
    }

    fn about(&self) -> &'static str {
        "rules out the most later placements"
    }

    fn score(
        &self,
        problem: &Problem<'_>,
        placements: &[Placement],
        _: &mut Rng,
        scores: &mut [i32],
    ) {
        regrets(problem, placements, scores);
        scores.iter_mut().for_each(|score| *score = -*score);
    }
}
