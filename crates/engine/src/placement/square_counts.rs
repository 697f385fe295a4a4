//! A number for each square of one or several boards, as bit planes.

use super::problem::Available;
use crate::board::{Boards, Lanes, Quilt, SHAPE_COUNT, ShapeId, Split, Square};

/// A number for each square of several boards, 0 to 63, as six bit planes.
pub(super) struct SquareCounts<L, const N: usize>([Boards<L, N>; 6]);

impl<L: Lanes<N>, const N: usize> Default for SquareCounts<L, N> {
    fn default() -> Self {
        Self([Boards::NONE; 6])
    }
}

impl<L: Lanes<N>, const N: usize> SquareCounts<L, N> {
    /// Adds 2 to the power of `plane` to each of these squares.
    #[inline(always)]
    pub(super) fn add(&mut self, squares: Boards<L, N>, plane: usize) {
        let mut carry = squares;
        for slot in &mut self.0[plane..] {
            let both = slot.and(carry);
            *slot = slot.xor(carry);
            carry = both;
        }
    }

    /// Sum over all squares of each board.
    #[inline(always)]
    pub(super) fn totals(&self) -> [u32; N] {
        let mut totals = [0; N];
        for (i, plane) in self.0.iter().enumerate() {
            for (total, squares) in totals.iter_mut().zip(plane.each()) {
                *total += squares.len() << i;
            }
        }
        totals
    }
}

impl SquareCounts<u64, 1> {
    /// For each square, the number of patches whose cover contains it.
    #[inline(always)]
    pub(super) fn new(covers: &[Split; SHAPE_COUNT], patches: &Available) -> Self {
        let mut counts = Self::default();
        for shape in ShapeId::all() {
            let cover = Boards::split([covers[shape.index()]]);
            let mut times = patches.count(shape);
            let mut plane = 0;
            while times > 0 {
                if times & 1 == 1 {
                    counts.add(cover, plane);
                }
                times >>= 1;
                plane += 1;
            }
        }
        counts
    }

    /// The squares among these that have the largest or smallest number.
    pub(super) fn extreme(&self, among: Quilt, largest: bool) -> Quilt {
        let mut left = among;
        for plane in self.0.iter().rev() {
            let [set] = plane.each();
            let set = left.intersection(set.squares());
            let kept = if largest { set } else { left.without(set) };
            if !kept.is_empty() {
                left = kept;
            }
        }
        left
    }

    /// The number of a square.
    pub(super) fn at(&self, square: Square) -> u32 {
        self.sum(Quilt::of(square))
    }

    /// Sum over these squares.
    pub(super) fn sum(&self, squares: Quilt) -> u32 {
        let squares = Boards::split([Split::new(squares)]);
        let [sum] = Self(self.0.map(|plane| plane.and(squares))).totals();
        sum
    }
}
