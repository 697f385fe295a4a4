//! The margins of recently estimated positions.
//!
//! A search asks for the estimate of a position up to three times: for its prior when its parent is expanded,
//! for its value when it is first visited, and for implicit minimax.

use crate::game::State;

/// A table of 2 to this many positions stays in the cache of a core.
const TABLE_BITS: u32 = 13;

/// Keys of positions with their margins; newer ones replace older ones.
#[derive(Clone, Debug)]
pub(super) struct KnownMargins {
    places: Box<[(u64, f32)]>,
}

impl KnownMargins {
    pub(super) fn new() -> Self {
        let mut known = Self {
            places: vec![(0, 0.0); 1 << TABLE_BITS].into_boxed_slice(),
        };
        known.clear();
        known
    }

    pub(super) fn clear(&mut self) {
        self.places.fill((0, 0.0));
        // No place starts with a key that belongs there.
        self.places[0].0 = u64::MAX;
    }

    /// The margin of a position, computed unless it is known.
    #[inline]
    pub(super) fn margin(&mut self, state: &State, compute: impl FnOnce() -> f32) -> f32 {
        let key = state.key();
        let place = &mut self.places[(key >> (u64::BITS - TABLE_BITS)) as usize];
        if place.0 != key {
            *place = (key, compute());
        }
        place.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random_games;

    #[test]
    fn a_margin_is_that_of_its_position() {
        let mut known = KnownMargins::new();
        let mut visited = 0;
        let margin = |state: &State| state.key() as f32;
        random_games(300, |_, state| {
            visited += 1;
            assert_eq!(known.margin(state, || margin(state)), margin(state));
            let again = known.margin(state, || unreachable!("it is known"));
            assert_eq!(again, margin(state));
        });
        // So places were used again.
        assert!(visited > 1 << TABLE_BITS, "{visited}");
    }
}
