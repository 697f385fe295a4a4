//! The parts of regrets that a search needs again: what each placement costs each other shape, whichever patches
//! are left.

use super::domains::lost_squares;
use super::problem::{Available, LostSquares, Problem};
use crate::board::{MAX_SHAPE_SQUARES, SHAPE_COUNT, SQUARES, ShapeId};
use crate::game::Placement;
use crate::util::memory::Memory;

/// The alternatives of a strategy by quilt and shape, with the parts of their regrets. It takes at most 6 MiB.
#[derive(Clone, Debug)]
pub(super) struct RegretParts {
    known: Memory<KnownAlternatives>,
    placements: Vec<Placement>,
    /// For each placement and each other shape, how many squares outside the placement the shape can no longer
    /// cover.
    lost: Vec<LostSquares>,
}

/// The alternatives for a shape on a quilt, in the strategy's order.
#[derive(Clone, Copy, Debug, Default)]
struct KnownAlternatives {
    first: u32,
    len: u16,
    /// The number of all legal placements.
    all: u16,
}

/// The most alternatives that are kept: both corners in all orientations.
const MOST: usize = 16;
/// When there are this many placements, all are forgotten.
const MOST_PLACEMENTS: usize = 1 << 17;

impl Default for RegretParts {
    fn default() -> Self {
        Self {
            known: Memory::new(1 << 15),
            placements: Vec::new(),
            lost: Vec::new(),
        }
    }
}

impl RegretParts {
    /// Whether regrets are sums of parts: no patch drops out for lack of room, since a 1x1 leaves no hole.
    pub(super) fn add_up(problem: &Problem<'_>, available: &Available) -> bool {
        let occupied = problem.quilt().len() + problem.shape().shape().size();
        available.count(ShapeId::SINGLE) > 0
            && occupied + MAX_SHAPE_SQUARES as u32 <= SQUARES as u32
    }

    /// Remembers these alternatives, unless there are too many.
    pub(super) fn add(&mut self, problem: &Problem<'_>, placements: &[Placement], all: u32) {
        if placements.len() > MOST {
            return;
        }
        if self.placements.len() + MOST > MOST_PLACEMENTS {
            *self = Self::default();
        }
        let first = self.placements.len();
        self.placements.extend_from_slice(placements);
        self.lost
            .resize(self.placements.len(), [0; SHAPE_COUNT + 1]);
        if placements.len() > 1 {
            lost_squares(problem, placements, &mut self.lost[first..]);
        }
        let known = KnownAlternatives {
            first: first as u32,
            len: placements.len() as u16,
            all: all as u16,
        };
        self.known.store(problem.quilt_key(), known);
    }

    /// Appends the alternatives, if they are known, least regret first. Returns the number of all legal placements.
    pub(super) fn rank(
        &self,
        problem: &Problem<'_>,
        available: &Available,
        out: &mut Vec<Placement>,
    ) -> Option<u32> {
        let known = self.known.find(problem.quilt_key())?;
        let first = known.first as usize;
        let range = first..first + usize::from(known.len);
        let (placements, lost) = (&self.placements[range.clone()], &self.lost[range]);
        let mut order = [(0, 0); MOST];
        let order = &mut order[..placements.len()];
        for (i, (slot, lost)) in order.iter_mut().zip(lost).enumerate() {
            *slot = (available.weighted_sum(lost), i as u16);
        }
        order.sort_unstable();
        out.extend(order.iter().map(|&(_, i)| placements[usize::from(i)]));
        Some(known.all.into())
    }
}
