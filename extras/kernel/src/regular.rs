//! `regular`: the values of a sequence of variables are a word of a regular language (Pesant, 2004).

use std::sync::Arc;

use super::dfa::LayeredGraph;
use super::propagator::{Cost, Propagator};
use super::store::{DomainStore, Failure, Var};

/// The values of the variables, in order, form a word that the automaton accepts.
///
/// Domain consistent, for no variable twice. Incremental: a node of the layered graph is alive while
/// some path of values left in the domains runs through it; a run sweeps once back and once forth
/// over the layers in which nodes die. In a drawing's expression most states follow one another in a
/// chain, and those die 64 at a time.
#[derive(Debug)]
pub struct Regular {
    vars: Vec<Var>,
    graph: Arc<LayeredGraph>,
    /// For each layer, the set of states that are alive: its first word in the store.
    alive: u32,
    /// Nodes that may have lost their last outgoing or incoming edge.
    back: Suspects,
    forth: Suspects,
    /// Layers whose values may have lost their last edge.
    touched: Vec<bool>,
    touched_list: Vec<u32>,
}

/// Sets of states by layer, empty outside of a range of layers.
#[derive(Debug)]
struct Suspects {
    states: Vec<u64>,
    width: usize,
    first: usize,
    last: usize,
}

impl Suspects {
    fn new(layers: usize, width: usize) -> Self {
        Self {
            states: vec![0; layers * width],
            width,
            first: usize::MAX,
            last: 0,
        }
    }

    #[inline(always)]
    fn insert(&mut self, layer: usize, word: usize, states: u64) {
        if states != 0 {
            self.states[layer * self.width + word] |= states;
            self.first = self.first.min(layer);
            self.last = self.last.max(layer);
        }
    }

    #[inline(always)]
    fn insert_one(&mut self, layer: usize, state: usize) {
        self.insert(layer, state / 64, 1 << (state % 64));
    }

    #[inline(always)]
    fn take(&mut self, layer: usize, word: usize) -> u64 {
        std::mem::take(&mut self.states[layer * self.width + word])
    }
}

/// The members of a word of a set.
#[inline(always)]
fn members(word: usize, mut states: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (states != 0).then(|| states.trailing_zeros() as usize)?;
        states &= states - 1;
        Some(word * 64 + bit)
    })
}

impl Regular {
    /// The constraint that the graph describes, on as many variables as it has layers.
    ///
    /// # Panics
    /// When there are more or fewer variables.
    pub fn new(store: &mut DomainStore, vars: Vec<Var>, graph: &Arc<LayeredGraph>) -> Self {
        assert_eq!(vars.len(), graph.length);
        let suspects = || Suspects::new(graph.length + 1, graph.width);
        Self {
            alive: store.words_of(&graph.nodes),
            back: suspects(),
            forth: suspects(),
            touched: vec![false; graph.length],
            touched_list: Vec::new(),
            graph: Arc::clone(graph),
            vars,
        }
    }

    #[inline(always)]
    fn alive(&self, store: &DomainStore, layer: usize, word: usize) -> u64 {
        store.word(self.alive, layer * self.graph.width + word)
    }

    #[inline(always)]
    fn is_alive(&self, store: &DomainStore, layer: usize, state: usize) -> bool {
        self.alive(store, layer, state / 64) >> (state % 64) & 1 == 1
    }

    #[inline(always)]
    fn kill(&mut self, store: &mut DomainStore, layer: usize, word: usize, states: u64) {
        let index = layer * self.graph.width + word;
        store.set_word(self.alive, index, store.word(self.alive, index) & !states);
        if layer < self.graph.length {
            self.touch(layer);
        }
        if layer > 0 {
            self.touch(layer - 1);
        }
    }

    #[inline(always)]
    fn touch(&mut self, layer: usize) {
        if !std::mem::replace(&mut self.touched[layer], true) {
            self.touched_list.push(layer as u32);
        }
    }

    /// Notes which nodes lose edges when a variable loses values.
    fn drop_edges(&mut self, store: &DomainStore, layer: usize) {
        let width = self.graph.width;
        let domain = store.domain(self.vars[layer]);
        for symbol in (0..self.graph.dfa.symbols()).filter(|symbol| domain >> symbol & 1 == 0) {
            for word in 0..width {
                let states =
                    self.alive(store, layer, word) & self.graph.with_symbol[symbol * width + word];
                self.back.insert(layer, word, states);
                for state in members(word, states) {
                    let to = self.graph.dfa.next(state, symbol);
                    self.forth.insert_one(layer + 1, to);
                }
            }
        }
    }

    /// Kills the nodes without outgoing edges, from the last layer to the first.
    fn sweep_back(&mut self, store: &mut DomainStore) {
        let (width, symbols) = (self.graph.width, self.graph.dfa.symbols());
        let mut layer = self.back.last + 1;
        while layer > self.back.first {
            layer -= 1;
            let domain = store.domain(self.vars[layer]);
            for word in 0..width {
                let suspects = self.back.take(layer, word) & self.alive(store, layer, word);
                if suspects == 0 {
                    continue;
                }
                // The states in this word whose next-numbered state is alive in the next layer.
                let mut next_alive = self.alive(store, layer + 1, word) >> 1;
                if word + 1 < width {
                    next_alive |= self.alive(store, layer + 1, word + 1) << 63;
                }
                let (mut single, mut dying) = (suspects, 0);
                for symbol in 0..symbols {
                    let chained = suspects & self.graph.chained[symbol * width + word];
                    let is_left = if domain >> symbol & 1 == 1 {
                        next_alive
                    } else {
                        0
                    };
                    single &= !chained;
                    dying |= chained & !is_left;
                }
                for state in members(word, single) {
                    let leads = |symbol: usize| {
                        let to = self.graph.dfa.next(state, symbol);
                        domain >> symbol & 1 == 1 && self.is_alive(store, layer + 1, to)
                    };
                    if !(0..symbols).any(leads) {
                        dying |= 1 << (state % 64);
                    }
                }
                if dying == 0 {
                    continue;
                }
                self.kill(store, layer, word, dying);
                if layer == 0 {
                    continue;
                }
                let joined = (0..symbols).map(|symbol| self.graph.joined[symbol * width + word]);
                let joined = dying & joined.fold(0, |all, set| all | set);
                self.back.insert(layer - 1, word, joined >> 1);
                if word > 0 {
                    self.back.insert(layer - 1, word - 1, joined << 63);
                }
                for state in members(word, dying & !joined) {
                    for &(_, from) in &self.graph.before[state] {
                        self.back.insert_one(layer - 1, usize::from(from));
                    }
                }
            }
        }
        (self.back.first, self.back.last) = (usize::MAX, 0);
    }

    /// Kills the nodes without incoming edges, from the first layer to the last.
    fn sweep_forth(&mut self, store: &mut DomainStore) {
        let (width, symbols) = (self.graph.width, self.graph.dfa.symbols());
        let mut layer = self.forth.first;
        while layer <= self.forth.last {
            let domain = store.domain(self.vars[layer - 1]);
            for word in 0..width {
                let suspects = self.forth.take(layer, word) & self.alive(store, layer, word);
                if suspects == 0 {
                    continue;
                }
                // The states in this word whose previous-numbered state is alive in the previous layer.
                let mut before_alive = self.alive(store, layer - 1, word) << 1;
                if word > 0 {
                    before_alive |= self.alive(store, layer - 1, word - 1) >> 63;
                }
                let (mut single, mut dying) = (suspects, 0);
                for symbol in 0..symbols {
                    let joined = suspects & self.graph.joined[symbol * width + word];
                    let is_left = if domain >> symbol & 1 == 1 {
                        before_alive
                    } else {
                        0
                    };
                    single &= !joined;
                    dying |= joined & !is_left;
                }
                for state in members(word, single) {
                    let leads = |&(symbol, from): &(u8, u16)| {
                        domain >> symbol & 1 == 1
                            && self.is_alive(store, layer - 1, usize::from(from))
                    };
                    if !self.graph.before[state].iter().any(leads) {
                        dying |= 1 << (state % 64);
                    }
                }
                if dying == 0 {
                    continue;
                }
                self.kill(store, layer, word, dying);
                if layer == self.graph.length {
                    continue;
                }
                let chained = (0..symbols).map(|symbol| self.graph.chained[symbol * width + word]);
                let chained = dying & chained.fold(0, |all, set| all | set);
                self.forth.insert(layer + 1, word, chained << 1);
                if word + 1 < width {
                    self.forth.insert(layer + 1, word + 1, chained >> 63);
                }
                for state in members(word, dying & !chained) {
                    for symbol in 0..symbols {
                        let to = self.graph.dfa.next(state, symbol);
                        self.forth.insert_one(layer + 1, to);
                    }
                }
            }
            layer += 1;
        }
        (self.forth.first, self.forth.last) = (usize::MAX, 0);
    }

    /// Whether the layer has an edge with this symbol left; the symbol must be in the domain.
    fn is_supported(&self, store: &DomainStore, layer: usize, symbol: usize) -> bool {
        let width = self.graph.width;
        let alive = |word| self.alive(store, layer, word);
        let mut words = 0..width;
        // A living node with one kind of edge is alive because of it.
        if words.any(|w| alive(w) & self.graph.with_symbol_alone[symbol * width + w] != 0) {
            return true;
        }
        (0..width).any(|word| {
            let states = alive(word) & self.graph.with_symbol[symbol * width + word];
            let next = |state| self.graph.dfa.next(state, symbol);
            members(word, states).any(|state| self.is_alive(store, layer + 1, next(state)))
        })
    }

    /// Removes the values that are on no path.
    fn prune(&mut self, store: &mut DomainStore) -> Result<(), Failure> {
        while let Some(layer) = self.touched_list.pop() {
            let layer = layer as usize;
            self.touched[layer] = false;
            let domain = store.domain(self.vars[layer]);
            // There is a path, so the only value is on it.
            if domain.is_power_of_two() && domain >> self.graph.dfa.symbols() == 0 {
                continue;
            }
            let mut kept = 0;
            for symbol in 0..self.graph.dfa.symbols() {
                if domain >> symbol & 1 == 1 && self.is_supported(store, layer, symbol) {
                    kept |= 1 << symbol;
                }
            }
            store.keep(self.vars[layer], kept)?;
        }
        Ok(())
    }
}

impl Propagator for Regular {
    fn variables(&self) -> Vec<Var> {
        self.vars.clone()
    }

    fn cost(&self) -> Cost {
        Cost::High
    }

    fn propagate(&mut self, store: &mut DomainStore, changed: &[u32]) -> Result<(), Failure> {
        for &layer in changed {
            self.touch(layer as usize);
            self.drop_edges(store, layer as usize);
        }
        self.sweep_back(store);
        self.sweep_forth(store);
        let has_word = self.is_alive(store, 0, 0);
        let result = if has_word {
            self.prune(store)
        } else {
            Err(Failure)
        };
        while let Some(layer) = self.touched_list.pop() {
            self.touched[layer as usize] = false;
        }
        result
    }

    fn holds(&self, value: &dyn Fn(Var) -> u8) -> bool {
        self.graph
            .dfa
            .accepts(self.vars.iter().map(|&var| value(var)))
    }
}
