use crate::board::{Quilt, SIDE};
use crate::game::Placement;
use crate::placement::evaluations::Evaluation;
use crate::placement::problem::Problem;

pub(super) static LEFT: Evaluation = Evaluation::new(
    "left",
    "least right extent of the placement",
    |problem, placements, _, scores| {
        measure(problem, placements, scores, |_, squares| {
            squares.last_column().unwrap_or(SIDE) as i32
        });
    },
);

pub(super) static BOTTOM: Evaluation = Evaluation::new(
    "bottom",
    "least bottom extent of the placement",
    |problem, placements, _, scores| {
        measure(problem, placements, scores, |_, squares| {
            squares.last_row().unwrap_or(SIDE) as i32
        });
    },
);

pub(super) static AREA: Evaluation = Evaluation::new(
    "area",
    "least growth of the bounding box of the covered squares",
    |problem, placements, _, scores| {
        measure(problem, placements, scores, |quilt, squares| {
            quilt.union(squares).bounding_area() as i32
        });
    },
);

/// Scores by a measure of the covered squares and those of the placement.
fn measure(
    problem: &Problem<'_>,
    placements: &[Placement],
    scores: &mut [i32],
    extent: impl Fn(Quilt, Quilt) -> i32,
) {
    for (score, placement) in scores.iter_mut().zip(placements) {
        *score = extent(problem.quilt(), placement.squares(problem.shape()));
    }
}
