//! The board as two overlapping 63-bit words, the form in which all places of an orientation are
//! found at once.
//!
//! Lane 0 holds rows 0 to 6, lane 1 rows 2 to 8. No shape is more than five rows tall, so lane 0
//! is right for every placement that starts in row 0 or 1, and lane 1 for all others: shifting both
//! words by the same distance moves the whole board, in one 128-bit register where there is one.

use super::quilt::{Quilt, SIDE, Square};

/// Squares of rows 0 and 1, whose anchors belong to lane 0.
pub(super) const UPPER_SQUARES: u32 = 2 * SIDE as u32;
const WORD: u64 = (1 << (7 * SIDE)) - 1;

/// A set of squares in the two-word form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words(pub(crate) [u64; 2]);

impl Words {
    /// The same squares, in two overlapping words.
    #[inline(always)]
    #[must_use]
    pub const fn new(squares: Quilt) -> Self {
        let bits = squares.bits();
        Self([bits as u64 & WORD, (bits >> UPPER_SQUARES) as u64])
    }
}

/// A set of squares with each square in one word only: rows 0 and 1, and rows 2 to 8.
///
/// The anchors of an orientation come in this form, and so do the squares its placements cover.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Split(pub(crate) [u64; 2]);

impl Split {
    /// The union of two overlapping words: rows 0 to 6 and rows 2 to 8.
    #[inline(always)]
    pub(crate) const fn merge([upper, lower]: [u64; 2]) -> Self {
        Self([
            upper & ((1 << UPPER_SQUARES) - 1),
            lower | upper >> UPPER_SQUARES,
        ])
    }

    /// These squares.
    #[must_use]
    pub const fn new(squares: Quilt) -> Self {
        let bits = squares.bits();
        Self([
            bits as u64 & ((1 << UPPER_SQUARES) - 1),
            (bits >> UPPER_SQUARES) as u64,
        ])
    }

    /// The same squares in one piece.
    #[inline(always)]
    #[must_use]
    pub const fn squares(self) -> Quilt {
        Quilt::from_bits(self.0[0] as u128 | (self.0[1] as u128) << UPPER_SQUARES)
    }

    /// Squares in both sets.
    #[inline(always)]
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self([self.0[0] & other.0[0], self.0[1] & other.0[1]])
    }

    /// Squares in one set and not the other.
    #[inline(always)]
    #[must_use]
    pub const fn xor(self, other: Self) -> Self {
        Self([self.0[0] ^ other.0[0], self.0[1] ^ other.0[1]])
    }

    /// Number of squares; of anchors, that is the number of placements.
    #[inline(always)]
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0[0].count_ones() + self.0[1].count_ones()
    }

    /// Whether there is none.
    #[inline(always)]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0[0] | self.0[1] == 0
    }

    /// Row-major index of the first square; from 81 on when there is none.
    #[inline(always)]
    #[must_use]
    pub const fn first_index(self) -> u32 {
        if self.0[0] == 0 {
            self.0[1].trailing_zeros() + UPPER_SQUARES + ((self.0[1] == 0) as u32) * 64
        } else {
            self.0[0].trailing_zeros()
        }
    }

    /// The square with this rank in row-major order, from 0.
    ///
    /// # Panics
    /// When there are not that many squares.
    #[inline(always)]
    #[must_use]
    pub fn nth(self, mut rank: u32) -> Square {
        let upper = self.0[0].count_ones();
        let (mut word, base) = if rank < upper {
            (self.0[0], 0)
        } else {
            rank -= upper;
            (self.0[1], UPPER_SQUARES)
        };
        for _ in 0..rank {
            word &= word.wrapping_sub(1);
        }
        Square::new((word.trailing_zeros() + base) as u8).expect("rank is below the count")
    }
}
