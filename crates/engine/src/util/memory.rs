//! Results that a search computes again and again, kept in a table.

/// A hash table with one slot for each result; the next result of the slot overwrites it.
///
/// It starts empty and doubles while it fills, up to a limit, so that short searches stay in the processor's
/// cache. The size affects only the time that a search takes.
#[derive(Clone, Debug)]
pub(crate) struct Memory<V> {
    /// Keys and values; the key 0 marks an empty slot.
    places: Vec<(u128, V)>,
    filled: usize,
    most: usize,
}

const FEWEST: usize = 1 << 10;

impl<V: Copy + Default> Memory<V> {
    /// An empty table that grows to at most this many slots, a power of two.
    pub(crate) const fn new(most: usize) -> Self {
        Self {
            places: Vec::new(),
            filled: 0,
            most,
        }
    }

    /// The value stored with this key, unless it has been overwritten.
    #[inline]
    pub(crate) fn find(&self, key: u128) -> Option<&V> {
        let mask = self.places.len().wrapping_sub(1);
        let (known, value) = self.places.get(hash(key) as usize & mask)?;
        (*known == key).then_some(value)
    }

    /// Stores a value with a key other than 0.
    #[inline]
    pub(crate) fn store(&mut self, key: u128, value: V) {
        if 2 * self.filled >= self.places.len() && self.places.len() < self.most {
            self.grow();
        }
        self.put(key, value);
    }

    #[inline]
    fn put(&mut self, key: u128, value: V) {
        let mask = self.places.len() - 1;
        let place = &mut self.places[hash(key) as usize & mask];
        self.filled += usize::from(place.0 == 0);
        *place = (key, value);
    }

    #[cold]
    fn grow(&mut self) {
        let places = (2 * self.places.len()).max(FEWEST);
        let old = std::mem::replace(&mut self.places, vec![(0, V::default()); places]);
        self.filled = 0;
        for (key, value) in old {
            if key != 0 {
                self.put(key, value);
            }
        }
    }
}

/// A hash of keys with any distribution.
#[inline(always)]
fn hash(key: u128) -> u64 {
    // Digits of sqrt(2) and sqrt(3).
    let low = key as u64 ^ 0x6a09_e667_f3bc_c909;
    let high = (key >> 64) as u64 ^ 0xbb67_ae85_84ca_a73b;
    let product = u128::from(low) * u128::from(high);
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_found_is_what_was_stored_last() {
        let mut memory = Memory::<u32>::new(1 << 12);
        assert_eq!(memory.find(3), None);
        for round in 0..3 {
            for key in 1..10_000u128 {
                memory.store(key << 60, key as u32 + round);
                assert_eq!(memory.find(key << 60), Some(&(key as u32 + round)));
            }
        }
        assert_eq!(memory.places.len(), 1 << 12);
        let known = (1..10_000u128).filter_map(|key| Some((key, *memory.find(key << 60)?)));
        let known: Vec<_> = known.collect();
        assert!(known.iter().all(|&(key, value)| value == key as u32 + 2));
        assert!(known.len() > 3000, "{} places in use", known.len());
    }

    #[test]
    fn growing_keeps_most_of_it() {
        let mut memory = Memory::<u32>::new(1 << 20);
        for key in 1..=10_000u128 {
            memory.store(key, key as u32);
        }
        let known = (1..=10_000u128).filter(|&key| memory.find(key) == Some(&(key as u32)));
        assert!(known.count() > 6000);
    }
}
