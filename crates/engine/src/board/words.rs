//! The board as two overlapping 63-bit words. In this form, all placements of an orientation are
//! found at once.
//!
//! Lane 0 holds rows 0 to 6, lane 1 rows 2 to 8. No shape is more than five rows tall, so lane 0 is
//! correct for every placement that starts in row 0 or 1, and lane 1 for all others. Shifting both
//! words by the same distance moves the whole board, in a single 128-bit register where available.

use super::quilt::{Quilt, SIDE, Square};

/// Number of squares in rows 0 and 1, whose anchors belong to lane 0.
pub(super) const UPPER_SQUARES: u32 = 2 * SIDE as u32;
const WORD: u64 = (1 << (7 * SIDE)) - 1;

/// A set of squares in the two-word form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words(pub(crate) [u64; 2]);

impl Words {
    /// The same squares, in two overlapping words.
    #[inline(always)]
    pub const fn new(squares: Quilt) -> Self {
        let bits = squares.bits();
        Self([bits as u64 & WORD, (bits >> UPPER_SQUARES) as u64])
    }

    /// The squares that are not covered, for finding anchors. Bits outside the board are set; a placement that starts
    /// inside never reaches them.
    #[inline(always)]
    pub(crate) const fn free_of(covered: Quilt) -> Self {
        let bits = covered.bits();
        Self([!(bits as u64), !((bits >> UPPER_SQUARES) as u64)])
    }
}

/// A set of squares in two words that do not overlap: rows 0 and 1, and rows 2 to 8.
///
/// The anchors of an orientation have this form, and so do the squares that its placements cover.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Split(pub(crate) [u64; 2]);

impl Split {
    /// The set of these squares.
    pub const fn new(squares: Quilt) -> Self {
        let bits = squares.bits();
        Self([
            bits as u64 & ((1 << UPPER_SQUARES) - 1),
            (bits >> UPPER_SQUARES) as u64,
        ])
    }

    /// The same squares as a quilt.
    #[inline(always)]
    pub const fn squares(self) -> Quilt {
        Quilt::from_bits(self.0[0] as u128 | (self.0[1] as u128) << UPPER_SQUARES)
    }

    /// Number of squares; for anchors, this is the number of placements.
    #[inline(always)]
    pub const fn len(self) -> u32 {
        self.0[0].count_ones() + self.0[1].count_ones()
    }

    /// Whether the set is empty.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0[0] | self.0[1] == 0
    }

    /// Row-major index of the first square; 81 or more if the set is empty.
    #[inline(always)]
    pub const fn first_index(self) -> u32 {
        if self.0[0] == 0 {
            self.0[1].trailing_zeros() + UPPER_SQUARES + ((self.0[1] == 0) as u32) * 64
        } else {
            self.0[0].trailing_zeros()
        }
    }

    /// The square with this rank in row-major order, counting from 0.
    #[inline(always)]
    pub fn nth(self, mut rank: u32) -> Square {
        let upper = self.0[0].count_ones();
        let (word, base) = if rank < upper {
            (self.0[0], 0)
        } else {
            rank -= upper;
            (self.0[1], UPPER_SQUARES)
        };
        Square::new((nth_bit(word, rank) + base) as u8).expect("rank is below the count")
    }
}

/// The index of the set bit with this rank, counting from 0; 64 or more if there are fewer.
///
/// It has no branches: the ranks of placements cannot be predicted. The numbers of bits are summed as in Vigna,
/// *Broadword implementation of rank/select queries* (2008).
#[inline(always)]
pub(super) const fn nth_bit(word: u64, rank: u32) -> u32 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x80 * ONES;
    let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    // In each byte, the bits up to and including that byte.
    let sums = ((fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f).wrapping_mul(ONES);
    // The bytes whose sums are at most the rank end before the bit.
    let rank = rank as u64;
    let before = (((rank * ONES) | HIGH) - sums) & HIGH;
    let byte = 8 * before.count_ones();
    if byte == 64 {
        return 64;
    }
    let left = rank - ((sums << 8) >> byte & 0xff);
    let bits = (word >> byte & 0xff) as usize;
    byte + NTH_OF_BYTE[left as usize & 7][bits] as u32
}

/// The index of the set bit with a rank in a byte; 8 if there are fewer.
static NTH_OF_BYTE: [[u8; 256]; 8] = {
    let mut table = [[8; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let (mut rank, mut bit) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[rank][byte] = bit;
                rank += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn bits_are_found_by_rank(a in any::<u64>(), b in any::<u64>(), sparse in any::<bool>()) {
            let word = (if sparse { a & b } else { a | b }) & WORD;
            let mut rest = word;
            for rank in 0..word.count_ones() {
                prop_assert_eq!(nth_bit(word, rank), rest.trailing_zeros());
                rest &= rest - 1;
            }
            prop_assert!(nth_bit(word, word.count_ones()) >= 64);
        }
    }
}
