//! A shape in one of its rotations and flips.

use super::quilt::{Quilt, SIDE, Square};
use super::words::{Split, Words};

/// The maximum number of squares of a shape.
pub const MAX_SHAPE_SQUARES: usize = 8;

/// One of the eight rotations and reflections of the square: rows and columns may be swapped, then each may be reversed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transform {
    swaps_axes: bool,
    reverses: [bool; 2],
}

impl Transform {
    /// A quarter turn to the right.
    pub const ROT_90: Self = Self::new(true, [false, true]);
    /// Left and right swapped.
    pub const FLIP_X: Self = Self::new(false, [false, true]);

    /// All transforms in the order in which they are tried: the turns, the flips, and the reflections in both diagonals.
    pub const ALL: [Self; 8] = [
        Self::new(false, [false, false]),
        Self::ROT_90,
        Self::new(false, [true, true]),
        Self::new(true, [true, false]),
        Self::FLIP_X,
        Self::new(false, [true, false]),
        Self::new(true, [false, false]),
        Self::new(true, [true, true]),
    ];

    const fn new(swaps_axes: bool, reverses: [bool; 2]) -> Self {
        Self {
            swaps_axes,
            reverses,
        }
    }

    /// The position of the square (row, column) after the transform, for a drawing of this size.
    pub const fn apply(
        self,
        (row, column): (usize, usize),
        (rows, columns): (usize, usize),
    ) -> (usize, usize) {
        let [(row, rows), (column, columns)] = if self.swaps_axes {
            [(column, columns), (row, rows)]
        } else {
            [(row, rows), (column, columns)]
        };
        (
            if self.reverses[0] {
                rows - 1 - row
            } else {
                row
            },
            if self.reverses[1] {
                columns - 1 - column
            } else {
                column
            },
        )
    }

    /// Whether rows become columns.
    pub const fn swaps_axes(self) -> bool {
        self.swaps_axes
    }
}

/// A shape in one transform, positioned by its anchor: the square on which its first square in
/// row-major order lies.
#[derive(Clone, Copy, Debug)]
pub struct Orientation {
    /// The squares as a bit set with the first square at bit 0 and nine bits per row.
    bits: u128,
    /// Offset of each square from the anchor; the first is 0.
    offsets: [u8; MAX_SHAPE_SQUARES],
    squares: u8,
    /// Number of columns of the bounding box to the left of the first square.
    lead: u8,
    /// The anchors at which the orientation lies inside the board.
    pub(crate) anchors: Split,
}

impl Orientation {
    pub(super) const NONE: Self = Self {
        bits: 0,
        offsets: [0; MAX_SHAPE_SQUARES],
        squares: 0,
        lead: 0,
        anchors: Split([0; 2]),
    };

    /// `corner_bits` are the squares after the transform, with the corner of their bounding box at
    /// bit 0. `size` is the number of rows and columns of the drawing before the transform.
    pub(super) const fn new(corner_bits: u128, transform: Transform, size: (usize, usize)) -> Self {
        let (rows, columns) = size;
        let (height, width) = if transform.swaps_axes() {
            (columns, rows)
        } else {
            (rows, columns)
        };
        let lead = corner_bits.trailing_zeros() as usize;
        let bits = corner_bits >> lead;
        let mut orientation = Self {
            bits,
            lead: lead as u8,
            ..Self::NONE
        };
        let mut rest = bits;
        while rest != 0 {
            orientation.offsets[orientation.squares as usize] = rest.trailing_zeros() as u8;
            orientation.squares += 1;
            rest &= rest - 1;
        }
        let mut inside: u128 = 0;
        let mut row = 0;
        while row + height <= SIDE {
            let mut column = 0;
            while column + width <= SIDE {
                inside |= 1 << (row * SIDE + column + lead);
                column += 1;
            }
            row += 1;
        }
        orientation.anchors = Split::new(Quilt::from_bits(inside));
        orientation
    }

    /// Row-major offsets of the squares from the anchor, ascending from 0.
    #[inline(always)]
    pub fn offsets(&self) -> &[u8] {
        &self.offsets[..self.squares as usize]
    }

    /// Number of columns of the bounding box to the left of the anchor.
    #[inline(always)]
    pub const fn lead(&self) -> usize {
        self.lead as usize
    }

    /// The squares as columns and rows from the corner of the bounding box, in row-major order.
    pub fn cells(&self) -> impl Iterator<Item = (usize, usize)> {
        let from_corner = |&offset: &u8| usize::from(offset) + self.lead();
        let cells = self.offsets().iter().map(from_corner);
        cells.map(|at| (at % SIDE, at / SIDE))
    }

    /// Columns and rows of the bounding box.
    pub fn size(&self) -> (usize, usize) {
        self.cells().fold((0, 0), |(columns, rows), (column, row)| {
            (columns.max(column + 1), rows.max(row + 1))
        })
    }

    /// The squares covered from this anchor, which must be one of [`Self::inside`].
    #[inline(always)]
    pub const fn place(&self, anchor: Square) -> Quilt {
        Quilt::from_bits(self.bits << anchor.index())
    }

    /// The squares covered from this anchor, or `None` if some would lie outside the board.
    pub fn try_place(&self, anchor: Square) -> Option<Quilt> {
        self.inside().contains(anchor).then(|| self.place(anchor))
    }

    /// The anchors at which the orientation lies inside the board.
    pub const fn inside(&self) -> Quilt {
        self.anchors.squares()
    }

    /// The anchors at which the orientation covers only these (free) squares.
    #[inline(always)]
    pub fn anchors_in(&self, free: Words) -> Split {
        // The first offset is 0.
        let mut upper = self.anchors.0[0] & free.0[0];
        let mut lower = self.anchors.0[1] & free.0[1];
        for &offset in self.offsets().iter().skip(1) {
            upper &= free.0[0] >> offset;
            lower &= free.0[1] >> offset;
        }
        Split([upper, lower])
    }

    /// The distance of a square from the first.
    #[cfg(target_arch = "x86_64")]
    pub(super) const fn offset(&self, square: usize) -> u8 {
        self.offsets[square]
    }

    /// The squares as a bit set with the anchor at bit 0 and nine bits per row.
    pub(super) const fn bits(&self) -> u128 {
        self.bits
    }

    /// The squares as a bit set with the corner of the bounding box at bit 0 and nine bits per row.
    pub(super) const fn corner_bits(&self) -> u64 {
        (self.bits << self.lead) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::SHAPES;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn anchors_are_exactly_the_places_that_fit(a in any::<u128>(), b in any::<u128>(), c in any::<u128>()) {
            let free = Quilt::from_bits(a | b | c);
            for shape in &SHAPES {
                for orientation in shape.orientations() {
                    let anchors = orientation.anchors_in(Words::new(free));
                    let slow: Quilt = Quilt::FULL
                        .squares()
                        .filter(|&anchor| match orientation.try_place(anchor) {
                            Some(squares) => squares.without(free).is_empty(),
                            None => false,
                        })
                        .collect();
                    prop_assert_eq!(anchors.squares(), slow);
                    prop_assert_eq!(anchors.len(), slow.len());
                    prop_assert_eq!(anchors.is_empty(), slow.is_empty());
                    prop_assert_eq!(Split::new(slow), anchors);
                    for (rank, square) in slow.squares().enumerate() {
                        prop_assert_eq!(anchors.nth(rank as u32), square);
                    }
                    match slow.first() {
                        Some(first) => prop_assert_eq!(anchors.first_index() as usize, first.index()),
                        None => prop_assert!(anchors.first_index() > 80),
                    }
                }
            }
        }
    }
}
