//! The results of a search.

use std::ops::ControlFlow;

use patchwork_engine::search::Stop;

use super::problem::Tiling;
use super::symmetry::{Symmetry, is_least, renumbered};

/// The results of a search and its effort.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TilingResult {
    /// Number of solutions found, including symmetric ones.
    pub solutions: u64,
    /// Number of solutions found that are not images of each other.
    pub distinct: u64,
    /// Number of nodes without a continuation; in a constraint model, of failed propagations.
    pub failures: u64,
    /// Number of nodes of the search: in a constraint model of its binary tree, otherwise of placements made.
    pub nodes: u64,
    /// Whether the search was completed.
    pub complete: bool,
    /// The share of the search tree that was searched, 0 to 1.
    pub share: f64,
    /// Layouts found, one of each set of symmetric ones, at most [`Self::MAX_LAYOUTS`]: for each square, the
    /// number of its copy of a piece, or [`u16::MAX`] for a hole.
    pub layouts: Vec<Vec<u16>>,
}

impl TilingResult {
    /// The maximum number of layouts that are kept.
    pub const MAX_LAYOUTS: usize = 100_000;
}

/// Counts solutions, decides when the search ends, and reports its progress.
pub(super) struct Tally<'a> {
    pub(super) result: TilingResult,
    all: bool,
    stop: &'a Stop,
    progress: &'a mut dyn FnMut(f64),
    symmetries: Vec<Symmetry>,
    squares: usize,
    first_copies: Vec<u16>,
    has_copies: bool,
}

impl<'a> Tally<'a> {
    pub(super) fn new(
        tiling: &Tiling,
        all: bool,
        stop: &'a Stop,
        progress: &'a mut dyn FnMut(f64),
    ) -> Self {
        Self {
            result: TilingResult::default(),
            all,
            stop,
            progress,
            symmetries: tiling.region().symmetries(),
            squares: tiling.region().squares(),
            first_copies: tiling.first_copies(),
            has_copies: tiling.pieces().iter().any(|piece| piece.copies > 1),
        }
    }

    /// Counts only these symmetries from now on.
    pub(super) fn restrict(&mut self, symmetries: Vec<Symmetry>) {
        self.symmetries = symmetries;
    }

    pub(super) const fn wants_all(&self) -> bool {
        self.all
    }

    /// Adds a solution that stands for this many images: the squares and the piece of each placement.
    pub(super) fn found<'p>(
        &mut self,
        placed: impl Iterator<Item = (&'p [usize], usize)>,
        images: u64,
    ) -> ControlFlow<()> {
        let mut layout = vec![u16::MAX; self.squares];
        let mut next = self.first_copies.clone();
        for (squares, piece) in placed {
            squares
                .iter()
                .for_each(|&square| layout[square] = next[piece]);
            next[piece] += 1;
        }
        if self.has_copies {
            layout = renumbered(layout.iter().copied(), &self.first_copies).collect();
        }
        self.result.solutions += images;
        let (first, has_copies) = (&self.first_copies, self.has_copies);
        if !self.all || is_least(&self.symmetries, &layout, first, has_copies) {
            self.result.distinct += 1;
            if self.result.layouts.len() < TilingResult::MAX_LAYOUTS {
                self.result.layouts.push(layout);
            }
        }
        if self.all {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }

    pub(super) fn done(&mut self, share: f64) {
        self.result.share = share;
        (self.progress)(share);
    }

    /// Ends the search when the user has stopped it.
    #[inline(always)]
    pub(super) fn look(&self) -> ControlFlow<()> {
        if self.stop.is_set() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    pub(super) fn finish(mut self) -> TilingResult {
        let found = !self.all && self.result.solutions > 0;
        self.result.complete = found || !self.stop.is_set();
        self.result
    }
}
