use crate::placement::domains::{least_regret, regrets};
use crate::placement::evaluations::{Evaluation, Remembered};

/// Propagation-guided global regret, the paper's equation 7.
pub(super) static REGRET: Evaluation = Evaluation {
    quick_best: Some(least_regret),
    remembered: Remembered::ByProblem,
    ..Evaluation::new(
        "regret",
        "rules out the fewest later placements",
        |problem, placements, _, scores| regrets(problem, placements, scores),
    )
};

/// The opposite order.
pub(super) static REVERSE_REGRET: Evaluation = Evaluation::new(
    "reverse-regret",
    "rules out the most later placements",
    |problem, placements, _, scores| {
        regrets(problem, placements, scores);
        scores.iter_mut().for_each(|score| *score = -*score);
    },
);
