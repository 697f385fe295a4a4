//! The state that propagation narrows and backtracking restores: words of 64 bits on a trail.

/// The greatest value a variable can have.
pub const MAX_VALUE: u8 = 63;

/// A variable of a [`DomainStore`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var(u32);

impl Var {
    /// Variables are numbered from 0; the numbers of other words lie between.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A domain became empty, or a propagator found that its constraint cannot hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the constraints cannot hold together")]
pub struct Failure;

/// Domains of variables and the words of propagators, all of which [`DomainStore::undo`] restores.
#[derive(Debug, Default)]
pub struct DomainStore {
    words: Vec<u64>,
    /// The epoch in which each word was last saved; saving it once per epoch is enough.
    saved: Vec<u64>,
    epoch: u64,
    trail: Vec<(u32, u64)>,
    levels: Vec<usize>,
    /// Variables changed since the last [`Self::take_events`], with the domain before.
    events: Vec<(Var, u64)>,
}

impl DomainStore {
    /// A new variable with these values: bit `v` for the value `v`.
    pub fn variable(&mut self, domain: u64) -> Var {
        Var(self.words_of(&[domain]))
    }

    /// The number of the first of new words with this content, for a propagator.
    pub(crate) fn words_of(&mut self, contents: &[u64]) -> u32 {
        let first = self.words.len() as u32;
        self.words.extend_from_slice(contents);
        self.saved.resize(self.words.len(), u64::MAX);
        first
    }

    /// The content of a word of [`Self::words_of`].
    #[inline(always)]
    pub(crate) fn word(&self, first: u32, index: usize) -> u64 {
        self.words[first as usize + index]
    }

    /// Changes a word until the level is undone.
    #[inline(always)]
    pub(crate) fn set_word(&mut self, first: u32, index: usize, content: u64) {
        self.set(first + index as u32, content);
    }

    #[inline(always)]
    fn set(&mut self, index: u32, content: u64) {
        let i = index as usize;
        if self.saved[i] != self.epoch {
            self.saved[i] = self.epoch;
            self.trail.push((index, self.words[i]));
        }
        self.words[i] = content;
    }

    /// The values a variable can still have.
    #[inline(always)]
    pub fn domain(&self, var: Var) -> u64 {
        self.words[var.index()]
    }

    /// How many values a variable can still have.
    #[inline(always)]
    pub fn size(&self, var: Var) -> u32 {
        self.domain(var).count_ones()
    }

    /// Whether a variable can still have the value.
    #[inline(always)]
    pub fn contains(&self, var: Var, value: u8) -> bool {
        self.domain(var) >> value & 1 == 1
    }

    /// The least value left.
    #[inline(always)]
    pub fn min(&self, var: Var) -> u8 {
        self.domain(var).trailing_zeros() as u8
    }

    /// The greatest value left.
    #[inline(always)]
    pub fn max(&self, var: Var) -> u8 {
        63 - self.domain(var).leading_zeros() as u8
    }

    /// Whether one value is left.
    #[inline(always)]
    pub fn is_fixed(&self, var: Var) -> bool {
        self.domain(var).is_power_of_two()
    }

    /// The value of a fixed variable.
    #[inline(always)]
    pub fn value(&self, var: Var) -> Option<u8> {
        self.is_fixed(var).then(|| self.min(var))
    }

    /// Keeps only the values in `mask`.
    #[inline(always)]
    pub fn keep(&mut self, var: Var, mask: u64) -> Result<(), Failure> {
        let before = self.domain(var);
        let after = before & mask;
        if after == before {
            return Ok(());
        }
        // A domain that became empty is an event too: the learning heuristics count it.
        self.events.push((var, before));
        self.set(var.0, after);
        if after == 0 { Err(Failure) } else { Ok(()) }
    }

    /// Keeps only one value.
    #[inline(always)]
    pub fn assign(&mut self, var: Var, value: u8) -> Result<(), Failure> {
        self.keep(var, 1 << value)
    }

    /// Drops one value.
    #[inline(always)]
    pub fn remove(&mut self, var: Var, value: u8) -> Result<(), Failure> {
        self.keep(var, !(1 << value))
    }

    /// Takes the changes from the log, oldest first: each variable and its domain before.
    pub(super) fn take_events(&mut self, out: &mut Vec<(Var, u64)>) {
        out.clear();
        std::mem::swap(&mut self.events, out);
    }

    /// Starts a level: [`Self::undo`] returns to this moment.
    pub fn push_level(&mut self) {
        self.levels.push(self.trail.len());
        self.epoch += 1;
    }

    /// Number of levels open.
    pub fn depth(&self) -> usize {
        self.levels.len()
    }

    /// Ends the last level and restores the state before it; does nothing without a level.
    pub fn undo(&mut self) {
        let Some(mark) = self.levels.pop() else {
            return;
        };
        while self.trail.len() > mark {
            if let Some((index, content)) = self.trail.pop() {
                self.words[index as usize] = content;
            }
        }
        self.events.clear();
        // What an outer level saved is still on the trail; saving it again is correct, if wasteful.
        self.epoch += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_undone_one_by_one() {
        let mut store = DomainStore::default();
        let x = store.variable(0b1111);
        let words = store.words_of(&[7, 7]);
        store.push_level();
        assert_eq!(store.remove(x, 0), Ok(()));
        store.push_level();
        assert_eq!(store.assign(x, 2), Ok(()));
        store.set_word(words, 1, 9);
        assert_eq!(store.assign(x, 1), Err(Failure));
        store.undo();
        assert_eq!(store.domain(x), 0b1110);
        assert_eq!(store.word(words, 1), 7);
        store.set_word(words, 0, 8);
        store.undo();
        assert_eq!((store.domain(x), store.word(words, 0)), (0b1111, 7));
        store.undo();
        assert_eq!(store.depth(), 0);
    }

    #[test]
    fn domains_tell_their_values() {
        let mut store = DomainStore::default();
        let x = store.variable(1 << 63 | 0b10100);
        assert_eq!((store.min(x), store.max(x), store.size(x)), (2, 63, 3));
        assert_eq!(store.value(x), None);
        assert_eq!(store.assign(x, 63), Ok(()));
        assert_eq!(store.value(x), Some(63));
    }
}
