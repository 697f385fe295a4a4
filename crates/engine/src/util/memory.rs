//! Results that a search computes again and again, kept in a table that its threads share.

use std::iter;
use std::sync::OnceLock;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU64, AtomicUsize};

/// A hash table with one slot for each result; the next result of the slot overwrites it.
///
/// It starts empty and doubles while it fills, up to a limit, so that short searches stay in the processor's
/// cache. The size affects only the time that a search takes.
///
/// No thread waits for another: a result that two threads write at the same time may not be found, by the method of Hyatt
/// and Mann, "A lockless transposition table implementation for parallel search" (2002).
#[derive(Debug)]
pub(crate) struct Memory {
    /// The slots: the first part has [`FEWEST`], the second one as many, and each further one as many as all before it.
    parts: [OnceLock<Box<[Slot]>>; PARTS],
    /// Number of slots in use, a power of two, or 0.
    slots: AtomicUsize,
    filled: AtomicUsize,
    most: usize,
}

const FEWEST: usize = 1 << 10;
const PARTS: usize = 11;
/// Maximum number of slots of a table, 32 MiB.
pub(crate) const MAX_SLOTS: usize = FEWEST << (PARTS - 1);

/// A key and a value, each in two words. The key is stored as its exclusive or with a hash of the value, so that a mixture of
/// two entries has a key that nobody looks for. All words are 0 in an empty slot.
#[derive(Debug, Default)]
#[repr(align(32))]
struct Slot([AtomicU64; 4]);

impl Slot {
    fn get(&self) -> (u128, u128) {
        let [key, value] = [0, 2].map(|i| {
            let [low, high] = [i, i + 1].map(|i| self.0[i].load(Relaxed));
            u128::from(low) | u128::from(high) << 64
        });
        (key ^ mix(value), value)
    }

    fn set(&self, key: u128, value: u128) {
        for (i, words) in [(0, key ^ mix(value)), (2, value)] {
            self.0[i].store(words as u64, Relaxed);
            self.0[i + 1].store((words >> 64) as u64, Relaxed);
        }
    }
}

impl Memory {
    /// An empty table that grows to at most this many slots, a power of two and at most [`MAX_SLOTS`].
    pub(crate) const fn new(most: usize) -> Self {
        assert!(most.is_power_of_two() && FEWEST <= most && most <= MAX_SLOTS);
        Self {
            parts: [const { OnceLock::new() }; PARTS],
            slots: AtomicUsize::new(0),
            filled: AtomicUsize::new(0),
            most,
        }
    }

    /// The value stored with this key, unless it has been overwritten.
    #[inline]
    pub(crate) fn find(&self, key: u128) -> Option<u128> {
        let (known, value) = self.slot(key)?.get();
        (known == key).then_some(value)
    }

    /// Stores a value with a key other than 0.
    #[inline]
    pub(crate) fn store(&self, key: u128, value: u128) {
        let slots = self.slots.load(Relaxed);
        if 2 * self.filled.load(Relaxed) >= slots && slots < self.most {
            self.grow(slots);
        }
        // There is no slot while another thread makes the first ones.
        if let Some(slot) = self.slot(key) {
            if slot.get().0 == 0 {
                self.filled.fetch_add(1, Relaxed);
            }
            slot.set(key, value);
        }
    }

    #[inline]
    fn slot(&self, key: u128) -> Option<&Slot> {
        let slots = self.slots.load(Acquire);
        let index = hash(key) as usize & slots.wrapping_sub(1);
        let part = self.parts.get(part_of(index))?.get()?;
        Some(&part[index & (part.len() - 1)])
    }

    /// Doubles the slots, unless another thread does.
    #[cold]
    fn grow(&self, slots: usize) {
        let next = &self.parts[part_of(slots)];
        if next.get().is_some() {
            return;
        }
        let more = slots.max(FEWEST);
        let empty = iter::repeat_with(Slot::default).take(more).collect();
        if next.set(empty).is_err() {
            return;
        }
        let old = self.parts.iter().take(part_of(slots));
        let old = old.filter_map(OnceLock::get).flatten();
        let new = next.get().into_iter().flatten();
        for (old, new) in iter::zip(old, new) {
            let (key, value) = old.get();
            if hash(key) as usize & slots != 0 && key != 0 {
                new.set(key, value);
                old.set(0, 0);
            }
        }
        self.slots.store(slots + more, Release);
    }
}

/// The part with the slot of this index.
const fn part_of(index: usize) -> usize {
    (usize::BITS - (index / FEWEST).leading_zeros()) as usize
}

/// A hash of keys with any distribution.
#[inline(always)]
fn hash(key: u128) -> u64 {
    let mixed = mix(key);
    mixed as u64 ^ (mixed >> 64) as u64
}

/// A number with any distribution, mixed; 0 remains 0.
#[inline(always)]
fn mix(number: u128) -> u128 {
    // Digits of sqrt(2) and sqrt(3).
    const LOW: u64 = 0x6a09_e667_f3bc_c909;
    const HIGH: u64 = 0xbb67_ae85_84ca_a73b;
    let [low, high] = [number as u64 ^ LOW, (number >> 64) as u64 ^ HIGH].map(u128::from);
    (low * high) ^ (LOW as u128 * HIGH as u128)
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn what_is_found_is_what_was_stored_last() {
        let memory = Memory::new(1 << 12);
        assert_eq!(memory.find(3), None);
        for round in 0..3 {
            for key in 1..10_000u128 {
                memory.store(key << 60, key + round);
                assert_eq!(memory.find(key << 60), Some(key + round));
            }
        }
        assert_eq!(memory.slots.load(Relaxed), 1 << 12);
        let known = (1..10_000u128).filter_map(|key| Some((key, memory.find(key << 60)?)));
        let known: Vec<_> = known.collect();
        assert!(known.iter().all(|&(key, value)| value == key + 2));
        assert!(known.len() > 3000, "{} slots in use", known.len());
    }

    #[test]
    fn growing_keeps_most_of_it() {
        let memory = Memory::new(MAX_SLOTS);
        for key in 1..=10_000u128 {
            memory.store(key, key);
        }
        let known = (1..=10_000u128).filter(|&key| memory.find(key) == Some(key));
        assert!(known.count() > 6000);
    }

    #[test]
    fn threads_find_what_was_stored() {
        let memory = Memory::new(1 << 14);
        let value = |key: u128| key.wrapping_mul(0x1234_5678_9abc_def0_1234_5678_9abc_def1);
        let use_from = |first: u128| {
            for key in (first..100_000).map(|key| key % 30_000 + 1) {
                if let Some(found) = memory.find(key << 40) {
                    assert_eq!(found, value(key));
                }
                memory.store(key << 40, value(key));
            }
        };
        thread::scope(|scope| {
            let threads = [1, 2, 3, 4].map(|first| scope.spawn(move || use_from(first)));
            for thread in threads {
                thread.join().expect("no thread panics");
            }
        });
        let known = (1..=30_000).filter(|&key| memory.find(key << 40) == Some(value(key)));
        assert!(known.count() > 8000);
    }
}
