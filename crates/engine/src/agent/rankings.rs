//! Rankings of placements that a search remembers: positions that differ only in the opponent's quilt, in
//! buttons or in tokens share them.

use crate::board::Square;
use crate::game::Placement;
use crate::util::memory::Memory;

/// The placements of a patch that are searched, best first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranking {
    placements: [Placement; Self::MOST],
    len: u8,
    /// Whether these are all legal placements.
    pub(super) complete: bool,
}

impl Default for Ranking {
    fn default() -> Self {
        Self {
            placements: [Placement::inside(0, Square::at(0, 0)); Self::MOST],
            len: 0,
            complete: false,
        }
    }
}

impl Ranking {
    /// Maximum number of placements, so that an entry of the table takes 32 bytes.
    pub(super) const MOST: usize = 7;

    /// A ranking of these placements, or `None` if there are too many.
    pub(super) fn new(placements: &[Placement], complete: bool) -> Option<Self> {
        let mut ranking = Self {
            len: placements.len() as u8,
            complete,
            ..Self::default()
        };
        let room = ranking.placements.get_mut(..placements.len())?;
        room.copy_from_slice(placements);
        Some(ranking)
    }

    /// The placements, best first.
    pub(super) fn placements(&self) -> &[Placement] {
        &self.placements[..self.len.into()]
    }
}

/// The rankings of a game by [`Problem::key`](crate::placement::Problem::key), at most 32 MiB.
#[derive(Clone, Debug)]
pub(super) struct RankingMemory(pub(super) Memory<Ranking>);

const _: () = assert!(size_of::<(u128, Ranking)>() == 32);

impl Default for RankingMemory {
    fn default() -> Self {
        Self(Memory::new(1 << 20))
    }
}
