//! The parts of regrets that a search needs again: what each placement costs each other shape, whichever patches
//! are left.

use super::domains::lost_squares;
use super::problem::{Available, LostSquares, Problem};
use crate::board::{MAX_SHAPE_SQUARES, SHAPE_COUNT, SQUARES, ShapeId};
use crate::game::Placement;
use crate::util::memory::Memory;

/// The alternatives of a strategy by quilt and shape, with the parts of their regrets. It takes at most 6 MiB.
#[derive(Debug)]
pub(super) struct RegretParts {
    /// By quilt and shape: the index of the first alternative, their number, and the number of all legal placements.
    known: Memory,
    placements: Vec<Placement>,
    /// For each placement and each other shape, how many squares outside the placement the shape can no longer
    /// cover.
    lost: Vec<LostSquares>,
}

/// The most alternatives that are kept: both corners in all orientations.
const MOST: usize = 16;
/// When there are this many placements, all are forgotten.
const MAX_PLACEMENTS: usize = 1 << 17;

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
        if self.placements.len() + MOST > MAX_PLACEMENTS {
            *self = Self::default();
        }
        let first = self.placements.len();
        self.placements.extend_from_slice(placements);
        self.lost
            .resize(self.placements.len(), [0; SHAPE_COUNT + 1]);
        if placements.len() > 1 {
            lost_squares(problem, placements, &mut self.lost[first..]);
        }
        let known = [first as u32, placements.len() as u32, all];
        self.known.store(problem.quilt_key(), pack(known));
    }

    /// Appends the alternatives, if they are known, least regret first. Returns the number of all legal placements.
    pub(super) fn rank(
        &self,
        problem: &Problem<'_>,
        available: &Available,
        out: &mut Vec<Placement>,
    ) -> Option<u32> {
        let [first, len, all] = unpack(self.known.find(problem.quilt_key())?);
        let range = first as usize..(first + len) as usize;
        let (placements, lost) = (&self.placements[range.clone()], &self.lost[range]);
        let mut order = [(0, 0); MOST];
        let order = &mut order[..placements.len()];
        for (i, (slot, lost)) in order.iter_mut().zip(lost).enumerate() {
            *slot = (available.weighted_sum(lost), i as u16);
        }
        order.sort_unstable();
        out.extend(order.iter().map(|&(_, i)| placements[usize::from(i)]));
        Some(all)
    }
}

/// Three numbers as a value of the table.
fn pack(numbers: [u32; 3]) -> u128 {
    numbers
        .iter()
        .rev()
        .fold(0, |all, &one| all << 32 | u128::from(one))
}

fn unpack(value: u128) -> [u32; 3] {
    [0, 32, 64].map(|shift| (value >> shift) as u32)
}
