//! The results of a search.

use std::ops::ControlFlow;

use patchwork_kernel::SearchCounts;

use super::problem::Tiling;
use super::symmetry::{Symmetry, is_least, renumbered};

/// The results of a search and its effort.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TilingResult {
    /// The solutions found, including symmetric ones, and the effort. On bit boards, the nodes are the placements made,
    /// and the failures those without a continuation.
    pub counts: SearchCounts,
    /// Number of solutions found that are not images of each other.
    pub distinct: u64,
    /// Whether the search was completed.
    pub complete: bool,
    /// Layouts found, one of each set of symmetric ones, at most [`Self::MAX_LAYOUTS`]: for each square, the
    /// number of its copy of a piece, or [`u16::MAX`] for a hole.
    pub layouts: Vec<Vec<u16>>,
}

impl TilingResult {
    /// The maximum number of layouts that are kept.
    pub const MAX_LAYOUTS: usize = 100_000;
}

/// Counts solutions.
pub(super) struct Tally {
    pub(super) result: TilingResult,
    /// Whether all solutions are wanted, or one.
    pub(super) all: bool,
    /// The symmetries under which solutions are images of each other.
    pub(super) symmetries: Vec<Symmetry>,
    squares: usize,
    first_copies: Vec<u16>,
}

impl Tally {
    pub(super) fn new(tiling: &Tiling, all: bool) -> Self {
        Self {
            result: TilingResult::default(),
            all,
            symmetries: tiling.region().symmetries(),
            squares: tiling.region().squares(),
            first_copies: tiling.first_copies(),
        }
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
        layout = renumbered(layout.into_iter(), &self.first_copies).collect();
        self.result.counts.solutions += images;
        if !self.all || is_least(&self.symmetries, &layout, &self.first_copies) {
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
}
