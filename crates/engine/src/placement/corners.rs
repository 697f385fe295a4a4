//! The corners of placements, by which the bottom-left policies choose.

use super::alternatives::Alternatives;
use super::candidates::Candidates;
use crate::board::{MAX_ORIENTATIONS, Quilt, Square};
use crate::game::Placement;

/// The upper left corners of the bounding boxes of the placements.
pub struct Corners<'a> {
    candidates: &'a Candidates,
    by_orientation: [Quilt; MAX_ORIENTATIONS],
    all: Quilt,
}

impl<'a> Corners<'a> {
    /// The first placements of these candidates by column or row.
    pub fn new(candidates: &'a Candidates) -> Self {
        let mut by_orientation = [Quilt::EMPTY; MAX_ORIENTATIONS];
        let mut all = Quilt::EMPTY;
        let orientations = candidates.shape().orientations().iter();
        for (o, (slot, orientation)) in by_orientation.iter_mut().zip(orientations).enumerate() {
            let anchors = candidates.anchors(o);
            if anchors.is_empty() {
                continue;
            }
            let anchors = anchors.squares();
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
    pub fn push_highest_in(&self, column: usize, out: &mut Alternatives) {
        if let Some(corner) = self.highest_in(column) {
            out.push(self.placement(corner));
        }
    }

    pub(super) fn bottom_left(&self) -> Option<Square> {
        self.highest_in(self.all.columns().trailing_zeros().min(8) as usize)
    }

    pub(super) fn left_bottom(&self) -> Option<Square> {
        self.all.first()
    }

    /// The first placement in order whose bounding box has this corner.
    pub(super) fn placement(&self, corner: impl Into<Option<Square>>) -> Placement {
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
