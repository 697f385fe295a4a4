//! `regular` of 0/1 variables, by a table of the words of its language.

use std::sync::Arc;

use super::dfa::LayeredGraph;
use super::propagator::{Cost, Propagator};
use super::store::{DomainStore, Failure, Var};

/// The values of 0/1 variables, in order, form a word that the automaton accepts; the same constraint
/// as [`Regular`](super::Regular), for languages of few words, such as the placements of a piece.
///
/// Domain consistent, for no variable twice. The words left are a bit set, narrowed by the bit sets of
/// the words with a 1 at each changed position (compact table: Demeulenaere et al., 2016). A position
/// loses its 1 when the last word with one there is gone; only positions of the lost words are looked
/// at. It loses its 0 when all words have a 1 there; only positions of one word left are looked at.
#[derive(Debug)]
pub struct WordTable {
    vars: Vec<Var>,
    graph: Arc<LayeredGraph>,
    /// Number of 64-bit words in a set of words of the language.
    width: usize,
    /// For each position, the set of words with a 1 there.
    with_one: Vec<u64>,
    /// For each word, its positions with a 1, at `starts[word]..starts[word + 1]` of `ones`.
    ones: Vec<u16>,
    starts: Vec<u32>,
    /// The set of words that are left: its first word in the store.
    left: u32,
    /// Hints: for each position, where in the set a word with a 1, and one with a 0, was last found.
    hint_one: Vec<u16>,
    hint_zero: Vec<u16>,
    /// Positions to check, and the run in which each was last noted.
    suspects: Vec<u16>,
    noted: Vec<u64>,
    run: u64,
    /// The set while it is narrowed.
    now: Vec<u64>,
}

impl WordTable {
    /// The greatest number of words.
    pub const MAX_WORDS: usize = 1 << 14;

    /// The constraint that the graph describes, or `None` when its language has more than
    /// [`Self::MAX_WORDS`] words, or symbols above 1.
    ///
    /// # Panics
    /// When there are not as many variables as the graph has layers.
    pub fn new(store: &mut DomainStore, vars: Vec<Var>, graph: &Arc<LayeredGraph>) -> Option<Self> {
        assert_eq!(vars.len(), graph.length);
        if graph.dfa.symbols() > 2 || vars.len() > usize::from(u16::MAX) {
            return None;
        }
        let words = graph.words(Self::MAX_WORDS)?;
        let width = words.len().div_ceil(64).max(1);
        let mut with_one = vec![0; vars.len() * width];
        let (mut ones, mut starts) = (Vec::new(), vec![0]);
        let mut now = vec![0; width];
        for (id, word) in words.iter().enumerate() {
            now[id / 64] |= 1 << (id % 64);
            for position in (0..vars.len()).filter(|&position| word[position] == 1) {
                with_one[position * width + id / 64] |= 1 << (id % 64);
                ones.push(position as u16);
            }
            starts.push(ones.len() as u32);
        }
        Some(Self {
            graph: Arc::clone(graph),
            width,
            with_one,
            ones,
            starts,
            left: store.words_of(&now),
            hint_one: vec![0; vars.len()],
            hint_zero: vec![0; vars.len()],
            suspects: Vec::with_capacity(vars.len()),
            noted: vec![0; vars.len()],
            run: 0,
            now,
            vars,
        })
    }

    /// The positions at which a word has a 1.
    #[inline(always)]
    fn ones(&self, word: usize) -> std::ops::Range<usize> {
        self.starts[word] as usize..self.starts[word + 1] as usize
    }

    /// Narrows the set to the remaining values of the changed variables, and notes the positions of the
    /// removed words. Returns whether any were removed.
    #[inline(always)]
    fn narrow(&mut self, store: &mut DomainStore, changed: &[u32]) -> bool {
        let width = self.width;
        for word in 0..width {
            self.now[word] = store.word(self.left, word);
        }
        for &position in changed {
            let position = position as usize;
            let with_one = &self.with_one[position * width..][..width];
            match store.domain(self.vars[position]) & 0b11 {
                0b01 => {
                    for (now, with_one) in self.now.iter_mut().zip(with_one) {
                        *now &= !with_one;
                    }
                }
                0b10 => {
                    for (now, with_one) in self.now.iter_mut().zip(with_one) {
                        *now &= with_one;
                    }
                }
                _ => {}
            }
        }
        self.run += 1;
        self.suspects.clear();
        let mut narrowed = false;
        for word in 0..width {
            let before = store.word(self.left, word);
            let mut lost = before & !self.now[word];
            if lost == 0 {
                continue;
            }
            narrowed = true;
            store.set_word(self.left, word, self.now[word]);
            while lost != 0 {
                let id = word * 64 + lost.trailing_zeros() as usize;
                lost &= lost - 1;
                for at in self.ones(id) {
                    let position = self.ones[at];
                    if self.noted[usize::from(position)] != self.run {
                        self.noted[usize::from(position)] = self.run;
                        self.suspects.push(position);
                    }
                }
            }
        }
        narrowed
    }

    /// Whether a remaining word has a 1, or otherwise a 0, at the position.
    #[inline(always)]
    fn is_supported(&mut self, position: usize, one: bool) -> bool {
        let with_one = &self.with_one[position * self.width..][..self.width];
        let flip = if one { 0 } else { u64::MAX };
        let hint = if one {
            &mut self.hint_one[position]
        } else {
            &mut self.hint_zero[position]
        };
        let at = usize::from(*hint);
        if self.now[at] & (with_one[at] ^ flip) != 0 {
            return true;
        }
        let mut sets = self.now.iter().zip(with_one);
        match sets.position(|(now, with_one)| now & (with_one ^ flip) != 0) {
            Some(at) => {
                *hint = at as u16;
                true
            }
            None => false,
        }
    }
}

impl Propagator for WordTable {
    fn variables(&self) -> Vec<Var> {
        self.vars.clone()
    }

    fn cost(&self) -> Cost {
        Cost::High
    }

    fn propagate(&mut self, store: &mut DomainStore, changed: &[u32]) -> Result<(), Failure> {
        let is_first = changed.len() >= self.vars.len();
        if !self.narrow(store, changed) && !is_first {
            return Ok(());
        }
        if is_first {
            self.suspects.clear();
            self.suspects.extend(0..self.vars.len() as u16);
            for &var in &self.vars {
                store.keep(var, 0b11)?;
            }
        }
        let mut sets = self.now.iter().enumerate();
        let Some((word, set)) = sets.find(|(_, set)| **set != 0) else {
            return Err(Failure);
        };
        let some = word * 64 + set.trailing_zeros() as usize;
        for i in 0..self.suspects.len() {
            let position = usize::from(self.suspects[i]);
            let var = self.vars[position];
            if store.contains(var, 1) && !self.is_supported(position, true) {
                store.keep(var, 0b01)?;
            }
        }
        for at in self.ones(some) {
            let position = usize::from(self.ones[at]);
            let var = self.vars[position];
            if store.contains(var, 0) && !self.is_supported(position, false) {
                store.keep(var, 0b10)?;
            }
        }
        Ok(())
    }

    fn holds(&self, value: &dyn Fn(Var) -> u8) -> bool {
        self.graph
            .dfa
            .accepts(self.vars.iter().map(|&var| value(var)))
    }
}
