//! Tiling by bit boards (the report on pentominoes, section 1).
//!
//! The first empty square is filled with each piece in turn; a placement is possible if its bits do not
//! overlap those of the board. Squares are counted along the short side of the board, so that unfillable gaps
//! show early. If all solutions are wanted, a piece with a single copy is placed first, on one representative
//! of each class of symmetric placements.

use std::ops::ControlFlow;

use patchwork_engine::search::Stop;

use super::problem::Tiling;
use super::symmetry::{images, keeping};
use super::tally::Tally;
use crate::puzzle::region::Region;
use crate::puzzle::search::look;

/// A set of squares, 64 per word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mask<const N: usize>([u64; N]);

impl<const N: usize> Mask<N> {
    const EMPTY: Self = Self([0; N]);

    fn insert(&mut self, position: usize) {
        self.0[position / 64] |= 1 << (position % 64);
    }

    #[inline(always)]
    fn meets(&self, other: &Self) -> bool {
        let words = self.0.iter().zip(&other.0);
        words.fold(0, |common, (a, b)| common | a & b) != 0
    }

    #[inline(always)]
    fn with(&self, other: &Self) -> Self {
        let mut both = *self;
        for (a, b) in both.0.iter_mut().zip(&other.0) {
            *a |= b;
        }
        both
    }

    /// The first position outside the set.
    #[inline(always)]
    fn first_empty(&self) -> usize {
        let mut at = 0;
        while at + 1 < N && self.0[at] == u64::MAX {
            at += 1;
        }
        at * 64 + self.0[at].trailing_ones() as usize
    }
}

/// Solves with as many words as the board needs.
pub(super) fn solve(
    tiling: &Tiling,
    tally: &mut Tally,
    stop: &Stop,
    progress: &mut dyn FnMut(f64),
) {
    let run = match tiling.region().squares() {
        // There is always one position after the board.
        ..64 => run::<1>,
        64..128 => run::<2>,
        128..256 => run::<4>,
        _ => run::<17>,
    };
    run(tiling, tally, stop, progress);
}

/// The squares of a region in the order in which they are filled: along the short side.
fn order(region: &Region) -> Vec<usize> {
    let (rows, columns) = (region.rows(), region.columns());
    if columns <= rows {
        return (0..region.squares()).collect();
    }
    let places = (0..columns).flat_map(|column| (0..rows).map(move |row| (row, column)));
    places
        .map(|(row, column)| region.square(row, column))
        .collect()
}

struct BitSearch<'a, const N: usize> {
    tiling: &'a Tiling,
    tally: &'a mut Tally,
    stop: &'a Stop,
    progress: &'a mut dyn FnMut(f64),
    pieces: usize,
    /// The placements, by first position and then by piece, at `starts[position * pieces + piece]`.
    masks: Vec<Mask<N>>,
    starts: Vec<u32>,
    /// The squares and the piece of each placement.
    placed: Vec<(Vec<usize>, usize)>,
    /// Number of copies left of each piece.
    copies: Vec<usize>,
    /// The placements made so far.
    path: Vec<u32>,
    /// Number of solutions that a found one stands for.
    images: u64,
    nodes: u64,
    failures: u64,
}

/// A node of the search: the board, and the pieces with copies left.
#[derive(Clone, Copy)]
struct BitNode<const N: usize> {
    filled: Mask<N>,
    pieces: u64,
}

/// Number of nodes between two checks of `stop`.
const BETWEEN_LOOKS: u64 = 1 << 18;
/// Number of levels of the tree at which progress is reported.
const WATCHED_LEVELS: usize = 2;

fn run<const N: usize>(
    tiling: &Tiling,
    tally: &mut Tally,
    stop: &Stop,
    progress: &mut dyn FnMut(f64),
) {
    let region = tiling.region();
    let order = order(region);
    let mut search = BitSearch::<N>::new(tiling, &order, tally, stop, progress);
    let mut root = BitNode {
        filled: Mask::EMPTY,
        pieces: 0,
    };
    for position in 0..N * 64 {
        let square = order.get(position);
        // The position after the board stays empty; the search ends there.
        let is_hole = |&square: &usize| !region.is_open(square);
        if square.map_or(position > order.len(), is_hole) {
            root.filled.insert(position);
        }
    }
    for piece in 0..search.pieces {
        root.pieces |= 1 << piece;
    }
    if search.tally.all {
        search.all(root);
    } else {
        let _ = search.watched(root, 0, (0.0, 1.0));
    }
    let (nodes, failures) = (search.nodes, search.failures);
    (tally.result.counts.nodes, tally.result.counts.failures) = (nodes, failures);
}

impl<'a, const N: usize> BitSearch<'a, N> {
    fn new(
        tiling: &'a Tiling,
        order: &[usize],
        tally: &'a mut Tally,
        stop: &'a Stop,
        progress: &'a mut dyn FnMut(f64),
    ) -> Self {
        let region = tiling.region();
        let mut position = vec![0; region.squares()];
        for (at, &square) in order.iter().enumerate() {
            position[square] = at;
        }
        let pieces = tiling.pieces().len();
        let mut all: Vec<(usize, usize, Vec<usize>)> = Vec::new();
        for (id, piece) in tiling.pieces().iter().enumerate() {
            for squares in piece.shape.placements(region) {
                let first = squares.iter().map(|&square| position[square]).min();
                all.push((first.unwrap_or(0), id, squares));
            }
        }
        all.sort_by_key(|&(first, piece, _)| (first, piece));
        let mut starts = vec![0; order.len() * pieces + 1];
        for &(first, piece, _) in &all {
            starts[first * pieces + piece + 1] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mask = |squares: &[usize]| {
            let mut mask = Mask::EMPTY;
            squares
                .iter()
                .for_each(|&square| mask.insert(position[square]));
            mask
        };
        Self {
            pieces,
            masks: all.iter().map(|(.., squares)| mask(squares)).collect(),
            starts,
            placed: all.into_iter().map(|(_, piece, s)| (s, piece)).collect(),
            copies: tiling.pieces().iter().map(|piece| piece.copies).collect(),
            path: Vec::new(),
            images: 1,
            nodes: 0,
            failures: 0,
            tiling,
            tally,
            stop,
            progress,
        }
    }

    /// The placements of a piece that start at a position.
    #[inline(always)]
    fn starting(&self, position: usize, piece: usize) -> std::ops::Range<usize> {
        let at = position * self.pieces + piece;
        self.starts[at] as usize..self.starts[at + 1] as usize
    }

    /// Finds all solutions: places one piece on a representative of each class of symmetric placements, then
    /// the rest.
    fn all(&mut self, root: BitNode<N>) {
        let symmetries = self.tiling.region().symmetries();
        let single = |&piece: &usize| self.copies[piece] == 1;
        let classes = |piece: usize| {
            let mine = self.placed.iter().enumerate();
            let mine = mine.filter(|(_, (_, of))| *of == piece);
            let least = mine.filter(|(_, (squares, _))| {
                let images = images(&symmetries, squares);
                images.first() == Some(squares)
            });
            least.map(|(id, _)| id).collect::<Vec<usize>>()
        };
        let singles = (0..self.pieces).filter(single);
        let Some(classes) = singles.map(classes).min_by_key(Vec::len) else {
            let _ = self.watched(root, 0, (0.0, 1.0));
            return;
        };
        let share = 1.0 / classes.len() as f64;
        for (i, &id) in classes.iter().enumerate() {
            let squares = &self.placed[id].0;
            self.images = images(&symmetries, squares).len() as u64;
            // Solutions mapped onto each other by the placement's own symmetries are not distinct.
            self.tally.symmetries = keeping(&symmetries, squares);
            let node = self.place(root, id);
            if self.watched(node, 1, (share * i as f64, share)).is_break() {
                return;
            }
            self.take_back(id);
        }
    }

    #[inline(always)]
    fn place(&mut self, node: BitNode<N>, id: usize) -> BitNode<N> {
        let piece = self.placed[id].1;
        self.nodes += 1;
        self.path.push(id as u32);
        self.copies[piece] -= 1;
        let used_up = u64::from(self.copies[piece] == 0) << piece;
        BitNode {
            filled: node.filled.with(&self.masks[id]),
            pieces: node.pieces & !used_up,
        }
    }

    #[inline(always)]
    fn take_back(&mut self, id: usize) {
        self.copies[self.placed[id].1] += 1;
        self.path.pop();
    }

    /// Like [`Self::fill`], but reports progress: this node's part of the tree starts at the first number and
    /// has the second number as its width.
    fn watched(
        &mut self,
        node: BitNode<N>,
        level: usize,
        (base, width): (f64, f64),
    ) -> ControlFlow<()> {
        if node.pieces == 0 || level == WATCHED_LEVELS {
            self.fill(node)?;
            self.tally.result.counts.share = base + width;
            (self.progress)(base + width);
            return look(self.stop);
        }
        let position = node.filled.first_empty();
        let all = (0..self.pieces).filter(|piece| node.pieces >> piece & 1 == 1);
        let all = all.flat_map(|piece| self.starting(position, piece));
        let fits: Vec<usize> = all
            .filter(|&id| !node.filled.meets(&self.masks[id]))
            .collect();
        self.failures += u64::from(fits.is_empty());
        let part = width / fits.len().max(1) as f64;
        for (i, &id) in fits.iter().enumerate() {
            let child = self.place(node, id);
            self.watched(child, level + 1, (base + part * i as f64, part))?;
            self.take_back(id);
        }
        ControlFlow::Continue(())
    }

    /// Fills the first empty square in all possible ways.
    fn fill(&mut self, node: BitNode<N>) -> ControlFlow<()> {
        if node.pieces == 0 {
            return self.solution();
        }
        if self.nodes.is_multiple_of(BETWEEN_LOOKS) {
            look(self.stop)?;
        }
        let position = node.filled.first_empty();
        let before = self.nodes;
        let mut pieces = node.pieces;
        while pieces != 0 {
            let piece = pieces.trailing_zeros() as usize;
            pieces &= pieces - 1;
            for id in self.starting(position, piece) {
                if !node.filled.meets(&self.masks[id]) {
                    let child = self.place(node, id);
                    self.fill(child)?;
                    self.take_back(id);
                }
            }
        }
        self.failures += u64::from(self.nodes == before);
        ControlFlow::Continue(())
    }

    fn solution(&mut self) -> ControlFlow<()> {
        let placed = self.path.iter().map(|&id| &self.placed[id as usize]);
        let placed = placed.map(|(squares, piece)| (squares.as_slice(), *piece));
        self.tally.found(placed, self.images)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_of_several_words_find_the_first_empty_position() {
        let mut mask = Mask::<2>::EMPTY;
        for position in 0..70 {
            assert_eq!(mask.first_empty(), position);
            mask.insert(position);
        }
        let mut other = Mask::<2>::EMPTY;
        other.insert(70);
        assert!(!mask.meets(&other));
        assert!(mask.with(&other).meets(&other));
        assert_eq!(mask.with(&other).first_empty(), 71);
    }

    #[test]
    fn boards_are_filled_along_the_short_side() {
        let order = |rows, columns| order(&Region::new(rows, columns).expect("a size"));
        assert_eq!(order(2, 3), [0, 3, 1, 4, 2, 5]);
        assert_eq!(order(3, 2), [0, 1, 2, 3, 4, 5]);
    }
}
