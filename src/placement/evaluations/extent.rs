use crate::board::{Quilt, SIDE};
use crate::game::Placement;
use crate::placement::evaluation::Evaluation;
use crate::placement::problem::Problem;
use crate::util::rng::Rng;

/// A measure of the extent of the squares.
pub(super) struct Extent {
    name: &'static str,
    about: &'static str,
    /// Takes the covered squares and those of the placement.
    measure: fn(Quilt, Quilt) -> i32,
}

pub(super) const LEFT: Extent = Extent {
    name: "left",
    about: "least right extent of the placement",
    measure: |_, squares| squares.last_column().unwrap_or(SIDE) as i32,
};

pub(super) const BOTTOM: Extent = Extent {
    name: "bottom",
    about: "least bottom extent of the placement",
    measure: |_, squares| squares.last_row().unwrap_or(SIDE) as i32,
};

pub(super) const AREA: Extent = Extent {
    name: "area",
    about: "least growth of the bounding box of the covered squares",
    measure: |quilt, squares| quilt.union(squares).bounding_area() as i32,
};

impl Evaluation for Extent {
    fn name(&self) -> &'static str {
        self.name
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn score(
        &self,
        problem: &Problem<'_>,
        placements: &[Placement],
        _: &mut Rng,
        scores: &mut [i32],
    ) {
        for (score, placement) in scores.iter_mut().zip(placements) {
            *score = (self.measure)(problem.quilt(), placement.squares(problem.shape()));
        }
    }
}
