use crate::placement::evaluations::Evaluation;

/// The first placement that the policy generated.
pub(super) static FIRST: Evaluation = Evaluation::new(
    "first",
    "the policy's first placement",
    |_, _, _, scores| {
        scores.fill(0);
    },
);
