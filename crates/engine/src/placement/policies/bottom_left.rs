//! The classic packing heuristics. Columns count from the left and rows from the top, so "bottom"
//! is the top edge: the direction is arbitrary on a bounded board.

use crate::board::{SIDE, Square};
use crate::placement::alternatives::Alternatives;
use crate::placement::candidates::Candidates;
use crate::placement::corners::Corners;
use crate::placement::policies::Policy;

/// Lowest first column, then lowest first row, then in-order.
pub(super) static BOTTOM_LEFT: Policy = Policy {
    is_single: true,
    ..Policy::new(
        "bl",
        "bottom-left: least first column, then least first row",
        |_, groups, out| push_each(groups, out, |corners| corners.bottom_left()),
    )
};

/// Bottom-left, then the same with row before column; both are kept, even if they are equal.
pub(super) static BOTTOM_LEFT_LEFT_BOTTOM: Policy = Policy::new(
    "bl-lb",
    "bottom-left, and the same with row before column",
    |_, groups, out| {
        // As in the paper's program, each of the two searches runs over all groups, one after the
        // other.
        push_each(groups, out, |corners| corners.bottom_left());
        push_each(groups, out, |corners| corners.left_bottom());
    },
);

/// For each first column up to one past the last column reached: lowest first row, then in-order.
pub(super) static PARETO_BOTTOM_LEFT: Policy = Policy::new(
    "pareto-bl",
    "for each first column near the covered ones: least first row",
    |problem, groups, out| {
        let columns = problem.quilt().last_column().map_or(1, |last| last + 2);
        for candidates in groups {
            let corners = Corners::new(candidates);
            for column in 0..columns.min(SIDE) {
                corners.push_highest_in(column, out);
            }
        }
    },
);

/// Adds the placement with this corner in each group.
fn push_each(
    groups: &[Candidates],
    out: &mut Alternatives,
    corner: impl Fn(&Corners<'_>) -> Option<Square>,
) {
    for candidates in groups {
        let corners = Corners::new(candidates);
        out.push(corners.placement(corner(&corners)));
    }
}
