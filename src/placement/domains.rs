//! What the paper's constraint propagation computes, in closed form on bitboards.
//!
//! While patch p waits to be placed: F is what all its placements share; the others' placements
//! avoid the covered squares O and F; a patch t drops out when size(t) + size(p) + |O| is more than
//! 81 less the holes (free squares that nothing can cover), until nothing changes. The domain of a
//! free square is `empty` and every patch that can still cover it.

use super::candidates::Candidates;
use super::problem::{Available, Problem};
use crate::board::{
    MAX_SHAPE_SQUARES, Quilt, SHAPE_COUNT, SQUARES, ShapeId, Split, Square, Words, cover,
};
use crate::game::Placement;

/// The fixpoint of propagation while one patch waits to be placed.
#[derive(Clone, Debug)]
pub struct Domains {
    quilt: Quilt,
    size: u32,
    /// The others that can still be placed.
    others: Available,
    /// Squares that all candidates cover.
    common: Quilt,
    /// Squares that some candidate covers.
    own: Quilt,
    /// For each square, how many of the others can cover it.
    counts: Counts,
}

impl Domains {
    /// The domains when the patch of the problem has these candidates, of which there is one at
    /// least.
    #[must_use]
    pub fn new(problem: &Problem<'_>, candidates: &Candidates) -> Self {
        let mut domains = Self {
            quilt: problem.quilt(),
            size: candidates.shape().size(),
            others: problem.available(),
            common: Quilt::EMPTY,
            own: Quilt::EMPTY,
            counts: Counts::default(),
        };
        domains.narrow(candidates);
        domains
    }

    /// Propagates that fewer candidates are left; one at least.
    pub fn narrow(&mut self, candidates: &Candidates) {
        self.common = candidates.common();
        self.own = candidates.union();
        let free = self.quilt.union(self.common).complement();
        let occupied = self.size + self.quilt.len();
        self.counts = propagate(&mut self.others, free, self.own, occupied);
    }

    /// Squares that some but not all candidates cover.
    #[must_use]
    pub const fn undecided(&self) -> Quilt {
        self.own.without(self.common)
    }

    /// Squares whose domain has more than one value left.
    ///
    /// The others are assigned: covered, common to all candidates, or beyond the reach of all.
    #[must_use]
    pub fn open(&self) -> Quilt {
        self.counts.any().union(self.own).without(self.common)
    }

    /// Domain size of a square: 1 when it is assigned, or else 1 for staying empty and 1 for each
    /// patch that can cover it.
    #[must_use]
    pub fn size(&self, square: Square) -> u32 {
        if self.open().contains(square) {
            1 + self.counts.at(square) + u32::from(self.own.contains(square))
        } else {
            1
        }
    }
}

/// The paper's equation 7 for each placement: by how much placing it shrinks the domains of the
/// squares that are neither assigned before nor covered by it.
///
/// # Panics
/// When `out` is shorter than `placements`.
pub fn regrets(problem: &Problem<'_>, placements: &[Placement], out: &mut [i32]) {
    let shape = problem.shape();
    let root = Domains::new(problem, &Candidates::all(shape, problem.quilt()));
    let open = root.open();
    let before = root.counts.sum(open) + root.own.intersection(open).len();
    let occupied = root.size + root.quilt.len();
    assert!(placements.len() <= out.len());
    for (regret, placement) in out.iter_mut().zip(placements) {
        let squares = placement.squares(shape);
        let free = root.quilt.union(squares).complement();
        let mut others = root.others;
        let after = propagate(&mut others, free, Quilt::EMPTY, occupied).total();
        let covered = squares.intersection(open);
        let of_covered = root.counts.sum(covered) + covered.len();
        *regret = before as i32 - of_covered as i32 - after as i32;
    }
}

/// Drops the patches that cannot come any more and counts, for each square, those that can.
///
/// `free` is where the others may lie, `own` what the waiting patch may cover (nothing once it is
/// placed), `occupied` the number of squares covered together with it.
#[inline]
fn propagate(others: &mut Available, free: Quilt, own: Quilt, occupied: u32) -> Counts {
    let words = Words::new(free);
    let mut covers = [Split::default(); SHAPE_COUNT];
    for shape in ShapeId::all() {
        if others.count(shape) > 0 {
            covers[shape.index()] = cover(shape, words);
        }
    }
    loop {
        let counts = Counts::new(&covers, others);
        let holes = free.without(counts.any()).without(own).len();
        if !drop_larger(others, SQUARES as u32 - occupied - holes) {
            return counts;
        }
    }
}

/// Removes the patches with more squares than `room`; says whether there was one.
fn drop_larger(others: &mut Available, room: u32) -> bool {
    let mut dropped = false;
    if room < MAX_SHAPE_SQUARES as u32 {
        for shape in ShapeId::all() {
            if shape.shape().size() > room {
                dropped |= others.remove_all(shape) > 0;
            }
        }
    }
    dropped
}

/// A number for each square, 0 to 63, as six planes of bits.
#[derive(Clone, Copy, Debug, Default)]
struct Counts([Split; 6]);

impl Counts {
    /// For each square, the number of patches whose cover has it.
    #[inline(always)]
    fn new(covers: &[Split; SHAPE_COUNT], patches: &Available) -> Self {
        let mut counts = Self::default();
        for shape in ShapeId::all() {
            let cover = covers[shape.index()];
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

    /// Adds 2 to the power of `plane` on these squares.
    #[inline(always)]
    fn add(&mut self, squares: Split, plane: usize) {
        let mut carry = squares;
        for slot in &mut self.0[plane..] {
            let both = slot.and(carry);
            *slot = slot.xor(carry);
            carry = both;
        }
    }

    /// The squares with a number above 0.
    fn any(&self) -> Quilt {
        let [a, b, c, d, e, f] = self.0.map(Split::squares);
        a.union(b).union(c).union(d.union(e).union(f))
    }

    fn at(&self, square: Square) -> u32 {
        self.sum(Quilt::of(square))
    }

    /// Sum over these squares.
    fn sum(&self, squares: Quilt) -> u32 {
        let squares = Split::new(squares);
        let planes = self.0.iter().enumerate();
        planes.map(|(i, plane)| plane.and(squares).len() << i).sum()
    }

    /// Sum over all squares.
    fn total(&self) -> u32 {
        let planes = self.0.iter().enumerate();
        planes.map(|(i, plane)| plane.len() << i).sum()
    }
}
