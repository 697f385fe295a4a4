//! The parts of the paper's program that differ from its text.
//!
//! Each part is a policy or an evaluation like those of the game, so that the strategies as
//! published are put together, run and measured by the same code as those of the text.

use patchwork_engine::board::{Quilt, SIDE, ShapeId};
use patchwork_engine::game::Placement;
use patchwork_engine::placement::{
    Corners, Domains, Evaluation, Policy, Problem, open_after, open_before, search_by_domain,
};
use patchwork_engine::util::rng::below;

/// The shape that the program gives to patch 4: the corner of three squares instead of the 2x2.
pub(super) const PATCH_4: ShapeId = ShapeId::of(".X/XX");

/// The paper's Size takes the square with the largest domain first, where its text says the
/// smallest.
pub(super) static LARGEST_DOMAIN: Policy = Policy {
    is_single: true,
    ..Policy::new(
        "largest-domain",
        "cover the square with the largest domain, propagate, repeat",
        |problem, groups, out| search_by_domain(problem, groups, out, Domains::largest),
    )
};

/// Pareto bottom-left with the last column measured as [`LEFT`] does, before the placement. It goes through
/// the transforms for each column, instead of through the columns for each transform.
pub(super) static PARETO_BOTTOM_LEFT: Policy = Policy::new(
    "pareto-bl",
    "for each first column up to one past the first run of columns in use: least first row",
    |problem, groups, out| {
        // The columns run to 9, but a patch starts in column 8 at the latest.
        let columns = (run_end(open_before(problem)) + 2).min(SIDE);
        let corners: Vec<Corners<'_>> = groups.iter().map(Corners::new).collect();
        for column in 0..columns {
            for corners in &corners {
                corners.push_highest_in(column, out);
            }
        }
    },
);

/// The last column of the first run of columns that hold an assigned square.
///
/// Column 0 may be bare. The guard column right of the board is always assigned, so a run over the
/// whole board ends in column 9.
fn run_end(open: Quilt) -> usize {
    let assigned = u32::from(open.complement().columns()) | 1 | 1 << SIDE;
    assigned.trailing_ones() as usize - 1
}

/// The paper's Left measures the board, where its text measures the patch.
pub(super) static LEFT: Evaluation = Evaluation::new(
    "left",
    "last column of the first run of columns in use on the board",
    |problem, placements, _, scores| measure_board(problem, placements, scores, 1),
);

/// Eight times [`LEFT`], so it makes the same choices.
pub(super) static AREA: Evaluation = Evaluation::new(
    "area",
    "eight times the last column of the first run of columns in use on the board",
    |problem, placements, _, scores| measure_board(problem, placements, scores, 8),
);

fn measure_board(problem: &Problem<'_>, placements: &[Placement], scores: &mut [i32], factor: i32) {
    for (score, placement) in scores.iter_mut().zip(placements) {
        let open = open_after(problem, placement.squares(problem.shape()));
        *score = factor * run_end(open) as i32;
    }
}

/// The paper's Bottom is 8 for every placement, so it chooses the first.
pub(super) static BOTTOM: Evaluation = Evaluation::new(
    "bottom",
    "the same for every placement, so the policy's first",
    |_, _, _, scores| scores.fill(SIDE as i32 - 1),
);

/// The paper's Random draws a number below twice the number of placements for each placement and keeps the
/// order of equal numbers, so earlier placements are slightly more likely.
pub(super) static RANDOM: Evaluation = Evaluation::new(
    "random",
    "a random one, earlier ones a little more likely",
    |_, _, rng, scores| {
        let bound = 2 * scores.len() as u32;
        scores.fill_with(|| below(bound, rng) as i32);
    },
);
