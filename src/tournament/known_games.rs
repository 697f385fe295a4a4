//! Which games are known, in little memory: a tournament may have millions.

use std::collections::HashMap;

use patchwork_engine::record::GameId;

use super::encounter::GameResult;

/// A set of numbers of games, close to each other or far apart.
#[derive(Clone, Debug, Default)]
pub(super) struct NumberSet(HashMap<u64, u64>);

impl NumberSet {
    /// The word of a number, and its bit there.
    const fn place(number: u64) -> (u64, u64) {
        (number / 64, 1 << (number % 64))
    }

    pub(super) fn insert(&mut self, number: u64) {
        let (word, bit) = Self::place(number);
        *self.0.entry(word).or_default() |= bit;
    }

    pub(super) fn contains(&self, number: u64) -> bool {
        let (word, bit) = Self::place(number);
        self.0.get(&word).is_some_and(|bits| bits & bit != 0)
    }
}

/// Results that do not count yet: many that were there from the start, and those that came since.
#[derive(Clone, Debug, Default)]
pub(super) struct WaitingResults {
    /// The results that were there, sorted by identity.
    early: Vec<GameResult>,
    /// A bit for each of them: whether it was taken.
    taken: Vec<u64>,
    left: usize,
    /// The position after the one that was taken last, where the next is likely.
    next: usize,
    late: HashMap<GameId, GameResult>,
}

impl WaitingResults {
    /// These results; of two with the same identity, the later one.
    pub(super) fn new(results: impl IntoIterator<Item = GameResult>) -> Self {
        let mut early: Vec<GameResult> = results.into_iter().collect();
        // Sorting takes memory of its own.
        if !early.is_sorted_by_key(|result| result.id) {
            early.sort_by_key(|result| result.id);
        }
        early.dedup_by(|later, earlier| {
            let same = later.id == earlier.id;
            if same {
                *earlier = *later;
            }
            same
        });
        Self {
            left: early.len(),
            taken: vec![0; early.len().div_ceil(64)],
            early,
            ..Self::default()
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.left == 0 && self.late.is_empty()
    }

    pub(super) fn contains(&self, id: GameId) -> bool {
        self.late.contains_key(&id) || self.find(id).is_some()
    }

    pub(super) fn insert(&mut self, result: GameResult) {
        self.late.insert(result.id, result);
    }

    pub(super) fn remove(&mut self, id: GameId) -> Option<GameResult> {
        if !self.late.is_empty()
            && let Some(result) = self.late.remove(&id)
        {
            return Some(result);
        }
        let at = self.find(id)?;
        self.taken[at / 64] |= 1 << (at % 64);
        self.next = at + 1;
        self.left -= 1;
        Some(self.early[at])
    }

    /// The position of a result that was there and was not taken.
    fn find(&self, id: GameId) -> Option<usize> {
        let is_next = self.early.get(self.next).is_some_and(|next| next.id == id);
        let at = match is_next {
            true => self.next,
            false => self
                .early
                .binary_search_by_key(&id, |result| result.id)
                .ok()?,
        };
        (!self.is_taken(at)).then_some(at)
    }

    fn is_taken(&self, at: usize) -> bool {
        self.taken[at / 64] >> (at % 64) & 1 == 1
    }

    /// Gives back the memory of the results that were taken.
    pub(super) fn shrink(&mut self) {
        let left = (0..self.early.len()).filter(|&at| !self.is_taken(at));
        let left: Vec<GameResult> = left.map(|at| self.early[at]).collect();
        let late = std::mem::take(&mut self.late);
        *self = Self {
            late,
            ..Self::new(left)
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(pair: u32, margin: i32) -> GameResult {
        let id = GameId {
            pairing: pair % 3,
            pair,
            leg: 0,
        };
        GameResult {
            id,
            winner: 0,
            margin,
        }
    }

    #[test]
    fn numbers_near_and_far_are_kept() {
        let mut set = NumberSet::default();
        let numbers = [0, 1, 63, 64, 1 << 40, u64::MAX];
        for number in numbers {
            assert!(!set.contains(number));
            set.insert(number);
            assert!(set.contains(number));
        }
        assert!(!set.contains(2) && !set.contains(u64::MAX - 1));
    }

    #[test]
    fn results_are_taken_once_in_any_order() {
        let early = (0..20).map(|pair| result(pair, 1));
        let mut waiting = WaitingResults::new(early.chain([result(7, 2)]));
        waiting.insert(result(30, 3));
        let id = |pair| result(pair, 0).id;
        assert_eq!(waiting.remove(id(7)), Some(result(7, 2)));
        assert_eq!(waiting.remove(id(7)), None);
        waiting.shrink();
        assert!(!waiting.contains(id(7)) && waiting.contains(id(30)));
        for pair in (0..20).rev().filter(|&pair| pair != 7) {
            assert!(!waiting.is_empty());
            assert_eq!(waiting.remove(id(pair)), Some(result(pair, 1)));
            assert!(!waiting.contains(id(pair)));
        }
        assert_eq!(waiting.remove(id(30)), Some(result(30, 3)));
        assert!(waiting.is_empty());
    }
}
