//! The transposition table: results for positions searched before.

use crate::game::Action;

/// Meaning of a stored value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueBound {
    Exact,
    Lower,
    Upper,
}

/// A stored search result.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    key: u64,
    /// From the mover's point of view.
    pub(super) value: i32,
    pub(super) best: Action,
    /// Search depth in plies.
    pub(super) depth: u8,
    pub(super) bound: ValueBound,
    /// The decision during which it was stored; 0 for an empty entry.
    age: u8,
}

const EMPTY: Known = Known {
    key: 0,
    value: 0,
    best: Action::Advance,
    depth: 0,
    bound: ValueBound::Exact,
    age: 0,
};

/// A fixed number of buckets with two entries each: one that is replaced only by deeper or newer
/// results, and one that is always replaced.
pub(super) struct Transpositions {
    places: Vec<[Known; 2]>,
    age: u8,
}

impl Transpositions {
    /// A table of about this many bytes, with a power of two of buckets.
    pub(super) fn new(bytes: usize) -> Self {
        let places = (bytes / size_of::<[Known; 2]>()).max(1).ilog2();
        Self {
            places: vec![[EMPTY; 2]; 1 << places],
            age: 0,
        }
    }

    pub(super) fn clear(&mut self) {
        self.places.fill([EMPTY; 2]);
        self.age = 0;
    }

    /// Starts a new decision: older entries are kept but may be replaced.
    pub(super) fn grow_older(&mut self) {
        // No game has more decisions than fit in a byte.
        self.age = self.age.saturating_add(1);
    }

    fn place(&self, key: u64) -> usize {
        (key >> 32) as usize & (self.places.len() - 1)
    }

    pub(super) fn find(&self, key: u64) -> Option<Known> {
        let place = &self.places[self.place(key)];
        place.iter().find(|e| e.key == key && e.age > 0).copied()
    }

    pub(super) fn store(
        &mut self,
        key: u64,
        value: i32,
        best: Action,
        depth: u8,
        bound: ValueBound,
    ) {
        let age = self.age;
        let entry = Known {
            key,
            value,
            best,
            depth,
            bound,
            age,
        };
        let index = self.place(key);
        let [deep, recent] = &mut self.places[index];
        if deep.key == key || deep.age != age || deep.depth <= depth {
            if deep.key != key {
                *recent = *deep;
            }
            *deep = entry;
        } else {
            *recent = entry;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deep_entries_stay_and_old_ones_give_way() {
        let mut table = Transpositions::new(0);
        let depth = |table: &Transpositions, key| table.find(key).map(|entry| entry.depth);
        table.grow_older();
        assert_eq!(depth(&table, 0), None, "an empty place is no entry");
        table.store(1, 10, Action::Advance, 9, ValueBound::Exact);
        table.store(2, 20, Action::Advance, 3, ValueBound::Lower);
        table.store(3, 30, Action::Advance, 2, ValueBound::Upper);
        assert_eq!(
            [1, 2, 3].map(|key| depth(&table, key)),
            [Some(9), None, Some(2)]
        );
        table.grow_older();
        table.store(4, 40, Action::Advance, 1, ValueBound::Exact);
        assert_eq!(
            [1, 3, 4].map(|key| depth(&table, key)),
            [Some(9), None, Some(1)]
        );
        table.store(4, 41, Action::Advance, 1, ValueBound::Exact);
        assert_eq!(table.find(4).map(|entry| entry.value), Some(41));
        table.clear();
        assert_eq!([1, 4].map(|key| depth(&table, key)), [None, None]);
    }

    #[test]
    fn entries_are_small() {
        assert!(size_of::<Known>() <= 24);
    }
}
