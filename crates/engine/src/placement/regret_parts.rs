//! The parts of regrets that a search needs again: what each placement costs each other shape, whichever patches
//! are left.

use super::domains::lost_squares;
use super::problem::{Available, Problem};
use crate::board::{MAX_SHAPE_SQUARES, SHAPE_COUNT, SQUARES, ShapeId, Square};
use crate::game::Placement;
use crate::util::memory::Memory;

/// The alternatives of a strategy for a shape on a quilt, in its order, with the parts of their regrets.
#[derive(Clone, Copy, Debug)]
pub(super) struct RegretParts {
    placements: [Placement; Self::MOST],
    len: u8,
    /// The number of all legal placements.
    pub(super) all: u16,
    /// For each placement and each other shape, how many squares outside the placement the shape can no longer
    /// cover.
    lost: [LostSquares; Self::MOST],
}

/// Numbers of squares by shape.
pub(super) type LostSquares = [u8; SHAPE_COUNT + 1];

impl Default for RegretParts {
    fn default() -> Self {
        Self {
            placements: [Placement::inside(0, Square::at(0, 0)); Self::MOST],
            len: 0,
            all: 0,
            lost: [[0; SHAPE_COUNT + 1]; Self::MOST],
        }
    }
}

impl RegretParts {
    /// The most placements: both corners in all orientations.
    const MOST: usize = 16;

    /// Whether regrets are sums of parts: no patch drops out for lack of room, since a 1x1 leaves no hole.
    pub(super) fn add_up(problem: &Problem<'_>, available: &Available) -> bool {
        let occupied = problem.quilt().len() + problem.shape().shape().size();
        available.count(ShapeId::SINGLE) > 0
            && occupied + MAX_SHAPE_SQUARES as u32 <= SQUARES as u32
    }

    /// The parts of these placements, or `None` if there are too many.
    pub(super) fn new(problem: &Problem<'_>, placements: &[Placement], all: u32) -> Option<Self> {
        let mut parts = Self {
            len: placements.len() as u8,
            all: all as u16,
            ..Self::default()
        };
        let room = parts.placements.get_mut(..placements.len())?;
        room.copy_from_slice(placements);
        let lost = &mut parts.lost[..placements.len()];
        if placements.len() > 1 {
            lost_squares(problem, placements, lost);
        }
        Some(parts)
    }

    /// Appends the placements, least regret first.
    pub(super) fn rank(&self, available: &Available, out: &mut Vec<Placement>) {
        let mut order = [(0, 0); Self::MOST];
        let order = &mut order[..self.len.into()];
        for (i, (slot, lost)) in order.iter_mut().zip(&self.lost).enumerate() {
            *slot = (available.weighted_sum(lost), i as u8);
        }
        order.sort_unstable();
        let ranked = order.iter().map(|&(_, i)| self.placements[usize::from(i)]);
        out.extend(ranked);
    }
}

/// Parts of regrets by quilt and shape, at most 9 MiB.
#[derive(Clone, Debug)]
pub(super) struct RegretMemory(Memory<RegretParts>);

impl Default for RegretMemory {
    fn default() -> Self {
        Self(Memory::new(1 << 14))
    }
}

impl RegretMemory {
    fn key(problem: &Problem<'_>) -> u128 {
        problem.quilt().bits() | (1 + problem.shape().index() as u128) << SQUARES
    }

    /// The parts of a problem, if they are known.
    pub(super) fn find(&self, problem: &Problem<'_>) -> Option<&RegretParts> {
        self.0.find(Self::key(problem))
    }

    /// Remembers the parts of a problem.
    pub(super) fn store(&mut self, problem: &Problem<'_>, parts: RegretParts) {
        self.0.store(Self::key(problem), parts);
    }
}
