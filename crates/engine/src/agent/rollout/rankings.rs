//! Rankings of placements that a search remembers: positions that differ only in the opponent's quilt, in
//! buttons or in tokens share them.

use std::sync::Arc;

use crate::board::Square;
use crate::game::Placement;
use crate::util::memory::{MAX_SLOTS, Memory};

/// The placements of patches that are searched in a game, by [`Problem::key`](crate::placement::Problem::key). Copies
/// share what they remember.
#[derive(Clone, Debug)]
pub(in crate::agent) struct Rankings(Arc<Memory>);

impl Default for Rankings {
    fn default() -> Self {
        Self(Arc::new(Memory::new(MAX_SLOTS)))
    }
}

impl Rankings {
    /// Maximum number of placements that are remembered, of two bytes each: a value has 16.
    pub(super) const MOST: usize = 7;

    /// Remembers these placements, unless there are too many: best first, and whether they are all legal placements.
    pub(in crate::agent) fn store(&self, key: u128, placements: &[Placement], complete: bool) {
        if placements.len() > Self::MOST {
            return;
        }
        let mut bytes = [0; 16];
        for (two, placement) in bytes.chunks_exact_mut(2).zip(placements) {
            two.copy_from_slice(&[placement.orientation(), placement.anchor().index() as u8]);
        }
        bytes[14] = placements.len() as u8;
        bytes[15] = complete.into();
        self.0.store(key, u128::from_le_bytes(bytes));
    }

    /// Appends the placements of this key, if they are known, best first. Returns whether they are all legal placements.
    #[inline]
    pub(in crate::agent) fn find(&self, key: u128, out: &mut Vec<Placement>) -> Option<bool> {
        let bytes = self.0.find(key)?.to_le_bytes();
        let placements = bytes.chunks_exact(2).take(bytes[14].into());
        out.extend(placements.filter_map(|two| {
            let anchor = Square::new(two[1])?;
            Some(Placement::inside(two[0], anchor))
        }));
        Some(bytes[15] != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_found_is_what_was_stored() {
        let rankings = Rankings::default();
        let copy = rankings.clone();
        let placements: Vec<_> = (0..=Rankings::MOST)
            .map(|i| Placement::inside(i as u8, Square::at(i, 8 - i)))
            .collect();
        for count in 0..=Rankings::MOST {
            let key = 1 + count as u128;
            let mut found = Vec::new();
            assert_eq!(copy.find(key, &mut found), None);
            rankings.store(key, &placements[..count], count % 2 == 0);
            assert_eq!(copy.find(key, &mut found), Some(count % 2 == 0));
            assert_eq!(found, placements[..count]);
        }
        rankings.store(99, &placements, true);
        assert_eq!(rankings.find(99, &mut Vec::new()), None, "too many");
    }
}
