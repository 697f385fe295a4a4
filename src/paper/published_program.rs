//! The parts of the paper's program that differ from its text.
//!
//! Each part is a policy or an evaluation like those of the game, so that the strategies as
//! published are put together, run and measured by the same code as those of the text.

use crate::board::{Quilt, SIDE, ShapeId};
use crate::game::Placement;
use crate::placement::{
    Alternatives, Candidates, Corners, Domains, Evaluation, Policy, Problem, open_after,
    open_before, search_by_domain,
};
use crate::util::rng::{Rng, below};

/// The shape that the program gives to patch 4: the corner of three squares instead of the 2x2.
pub(super) const PATCH_4: ShapeId = ShapeId::of(".X/XX");

/// The paper's Size takes the square with the largest domain first, where its text says the
/// smallest.
pub(super) struct LargestDomain;

impl Policy for LargestDomain {
    fn name(&self) -> &'static str {
        "largest-domain"
    }

    fn about(&self) -> &'static str {
        "cover the square with the largest domain, propagate, repeat"
    }

    fn generate(&self, problem: &Problem<'_>, groups: &[Candidates], out: &mut Alternatives) {
        search_by_domain(problem, groups, out, Domains::largest);
    }

    fn is_single(&self) -> bool {
        true
    }
}

/// Pareto bottom-left whose last column is measured as [`PublishedLeft`] does, before the placement, and
/// which goes through the transforms for each column, not through the columns for each transform.
pub(super) struct PublishedParetoBottomLeft;

impl Policy for PublishedParetoBottomLeft {
    fn name(&self) -> &'static str {
        "pareto-bl"
    }

    fn about(&self) -> &'static str {
        "for each first column up to one past the first run of columns in use: least first row"
    }

    fn generate(&self, problem: &Problem<'_>, groups: &[Candidates], out: &mut Alternatives) {
        // The columns run to 9, but a patch begins in column 8 at the latest.
        let columns = (run_end(open_before(problem)) + 2).min(SIDE);
        let corners: Vec<Corners<'_>> = groups.iter().map(Corners::new).collect();
        for column in 0..columns {
            for corners in &corners {
                corners.push_highest_in(column, out);
            }
        }
    }
}

/// The last column of the first run of columns that hold an assigned square.
///
/// Column 0 may be bare. The guard column right of the board is always assigned, so a run over the
/// whole board ends in column 9.
fn run_end(open: Quilt) -> usize {
    let assigned = u32::from(open.complement().columns()) | 1 | 1 << SIDE;
    assigned.trailing_ones() as usize - 1
}

/// The paper's Left measures the board, where its text measures the patch.
///
/// Area is eight times the same number, so it chooses alike.
pub(super) struct PublishedLeft {
    name: &'static str,
    about: &'static str,
    factor: i32,
}

pub(super) static LEFT: PublishedLeft = PublishedLeft {
    name: "left",
    about: "last column of the first run of columns in use on the board",
    factor: 1,
};

pub(super) static AREA: PublishedLeft = PublishedLeft {
    name: "area",
    about: "eight times the last column of the first run of columns in use on the board",
    factor: 8,
};

impl Evaluation for PublishedLeft {
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
            let open = open_after(problem, placement.squares(problem.shape()));
            *score = self.factor * run_end(open) as i32;
        }
    }
}

/// The paper's Bottom is 8 whatever the placement, so it chooses the first.
pub(super) struct PublishedBottom;

impl Evaluation for PublishedBottom {
    fn name(&self) -> &'static str {
        "bottom"
    }

    fn about(&self) -> &'static str {
        "the same for every placement, so the policy's first"
    }

    fn score(&self, _: &Problem<'_>, _: &[Placement], _: &mut Rng, scores: &mut [i32]) {
        scores.fill(SIDE as i32 - 1);
    }
}

/// The paper's Random draws a number below twice the number of placements for each of them and
/// keeps the order of equal ones, so that earlier placements are a little more likely.
pub(super) struct PublishedRandom;

impl Evaluation for PublishedRandom {
    fn name(&self) -> &'static str {
        "random"
    }

    fn about(&self) -> &'static str {
        "a random one, earlier ones a little more likely"
    }

    fn score(&self, _: &Problem<'_>, _: &[Placement], rng: &mut Rng, scores: &mut [i32]) {
        let bound = 2 * scores.len() as u32;
        scores.fill_with(|| below(bound, rng) as i32);
    }
}
