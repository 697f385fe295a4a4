//! The placements of one shape that a policy may choose from.

use crate::board::{MAX_ORIENTATIONS, Quilt, Shape, ShapeId, Split, Square, Words};
use crate::game::Placement;

/// The placements of a shape on free squares, by orientation; either of all orientations or of one.
#[derive(Clone, Copy, Debug)]
pub struct Candidates {
    shape: ShapeId,
    anchors: [Split; MAX_ORIENTATIONS],
}

impl Candidates {
    /// Every placement of the shape that does not overlap the covered squares.
    #[inline(always)]
    pub fn all(shape: ShapeId, covered: Quilt) -> Self {
        let free = Words::new(covered.complement());
        let mut anchors = [Split::default(); MAX_ORIENTATIONS];
        for (slot, orientation) in anchors.iter_mut().zip(shape.shape().orientations()) {
            *slot = orientation.anchors_in(free);
        }
        Self { shape, anchors }
    }

    /// The candidates in one orientation.
    pub fn only(&self, orientation: usize) -> Self {
        let mut anchors = [Split::default(); MAX_ORIENTATIONS];
        anchors[orientation] = self.anchors[orientation];
        Self { anchors, ..*self }
    }

    /// The candidates that cover this square.
    pub(crate) fn covering(&self, square: Square) -> Self {
        let mut kept = *self;
        for (slot, orientation) in kept.anchors.iter_mut().zip(self.shape().orientations()) {
            let reaching: Quilt = orientation
                .offsets()
                .iter()
                .filter_map(|&offset| Square::new((square.index() as u8).checked_sub(offset)?))
                .collect();
            *slot = Split::new(slot.squares().intersection(reaching));
        }
        kept
    }

    /// The shape being placed.
    #[inline(always)]
    pub const fn shape(&self) -> &'static Shape {
        self.shape.shape()
    }

    #[inline(always)]
    pub(crate) const fn anchors(&self, orientation: usize) -> Split {
        self.anchors[orientation]
    }

    /// Number of placements.
    #[inline(always)]
    pub fn len(&self) -> u32 {
        let count = self.shape().orientations().len();
        self.anchors[..count]
            .iter()
            .map(|anchors| anchors.len())
            .sum()
    }

    /// The number of all placements of a shape, counted up to `enough`, at least 1.
    #[inline(always)]
    pub fn count_to(shape: ShapeId, covered: Quilt, enough: u32) -> u32 {
        let free = Words::new(covered.complement());
        let mut count = 0;
        for orientation in shape.shape().orientations() {
            for mut word in orientation.anchors_in(free).0 {
                while word != 0 {
                    word &= word - 1;
                    count += 1;
                    if count == enough {
                        return count;
                    }
                }
            }
        }
        count
    }

    /// Whether there is exactly one placement; faster than counting.
    #[inline(always)]
    pub fn is_single(&self) -> bool {
        let mut found = false;
        for &word in self.anchors.iter().flat_map(|anchors| &anchors.0) {
            if word != 0 {
                if found || !word.is_power_of_two() {
                    return false;
                }
                found = true;
            }
        }
        found
    }

    /// Whether there is no placement.
    pub fn is_empty(&self) -> bool {
        self.anchors.iter().all(|anchors| anchors.is_empty())
    }

    /// The placements, ordered by orientation and then by anchor.
    pub fn placements(&self) -> impl Iterator<Item = Placement> {
        (0..self.shape().orientations().len()).flat_map(|o| {
            let anchors = self.anchors[o].squares();
            anchors
                .squares()
                .map(move |anchor| Placement::inside(o as u8, anchor))
        })
    }

    /// The placement with this rank in the order of [`Self::placements`].
    #[inline(always)]
    pub fn nth(&self, mut rank: u32) -> Placement {
        for (o, anchors) in self.anchors.iter().enumerate() {
            let count = anchors.len();
            if rank < count {
                return Placement::inside(o as u8, anchors.nth(rank));
            }
            rank -= count;
        }
        panic!("there are not that many placements");
    }

    /// The union of the squares of all placements.
    pub fn union(&self) -> Quilt {
        let mut all = [0; 2];
        for (anchors, orientation) in self.anchors.iter().zip(self.shape().orientations()) {
            for &offset in orientation.offsets() {
                all[0] |= anchors.0[0] << offset;
                all[1] |= anchors.0[1] << offset;
            }
        }
        Split(all).squares()
    }

    /// The squares that every placement covers; all squares if there is no placement.
    pub fn common(&self) -> Quilt {
        let mut common = Quilt::FULL;
        for placement in self.placements() {
            common = common.intersection(placement.squares(self.shape));
            if common.is_empty() {
                break;
            }
        }
        common
    }
}
