//! The classic packing heuristics. Columns count from the left and rows from the top, so "bottom"
//! is the top edge: the direction is arbitrary on a bounded board.

use crate::board::{MAX_ORIENTATIONS, Quilt, SIDE, Square};
use crate::game::Placement;
use crate::placement::alternatives::Alternatives;
use crate::placement::candidates::Candidates;
use crate::placement::policy::Policy;

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

/// The upper left corners of the bounding boxes of the placements.
pub(crate) struct Corners<'a> {
    candidates: &'a Candidates,
    by_orientation: [Quilt; MAX_ORIENTATIONS],
    all: Quilt,
}

impl<'a> Corners<'a> {
    pub(crate) fn new(candidates: &'a Candidates) -> Self {
        let mut by_orientation = [Quilt::EMPTY; MAX_ORIENTATIONS];
        let mut all = Quilt::EMPTY;
        let orientations = candidates.shape().orientations().iter();
        for (o, (slot, orientation)) in by_orientation.iter_mut().zip(orientations).enumerate() {
            let anchors = candidates.anchors(o).squares();
            *slot = Quilt::from_bits(anchors.bits() >> orientation.lead());
            all = all.union(*slot);
        }
        Self {
            candidates,
            by_orientation,
            all,
        }
    }

    fn highest_in(&self, column: usize) -> Option<Square> {
        self.all.intersection(Quilt::column(column)).first()
    }

    /// Adds the placement with this first column and the lowest first row, if it exists.
    pub(crate) fn push_highest_in(&self, column: usize, out: &mut Alternatives) {
        if let Some(corner) = self.highest_in(column) {
            out.push(self.placement(corner));
        }
    }

    fn bottom_left(&self) -> Option<Square> {
        self.highest_in(self.all.columns().trailing_zeros().min(8) as usize)
    }

    fn left_bottom(&self) -> Option<Square> {
        self.all.first()
    }

    /// The first placement in order whose bounding box has this corner.
    fn placement(&self, corner: impl Into<Option<Square>>) -> Placement {
        let corner = corner.into().expect("candidates are not empty");
        let shape = self.candidates.shape();
        let &o = shape
            .by_corner()
            .iter()
            .find(|&&o| self.by_orientation[o as usize].contains(corner))
            .expect("the corner comes from an orientation");
        let lead = shape.orientations()[o as usize].lead();
        Placement::inside(o, Square::at(corner.column() + lead, corner.row()))
    }
}
