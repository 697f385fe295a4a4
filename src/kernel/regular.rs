//! `regular`: the values of a sequence of variables are a word of a regular language (Pesant, 2004).

use std::sync::Arc;

use super::dfa::LayeredGraph;
use super::propagator::{Cost, On, Propagator, Subscription};
use super::store::{Failure, Store, Var, Words};

/// The values of the variables, in order, form a word that the automaton accepts.
///
/// Domain consistent, for no variable twice. Incremental: a node of the layered graph is alive while
/// some path of values left in the domains runs through it, and a run costs as much as the nodes that
/// die in it.
#[derive(Debug)]
pub struct Regular {
    vars: Vec<Var>,
    graph: Arc<LayeredGraph>,
    /// For each layer, the set of states that are alive.
    alive: Words,
    /// Nodes that lost an edge out of them, or one into them.
    lost_out: Vec<Node>,
    lost_in: Vec<Node>,
    /// Layers whose values may have lost their last edge.
    touched: Vec<bool>,
    touched_list: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    layer: u16,
    state: u16,
}

impl Regular {
    /// The constraint that the graph describes, on as many variables as it has layers.
    ///
    /// # Panics
    /// When there are more or fewer variables.
    #[must_use]
    pub fn new(store: &mut Store, vars: Vec<Var>, graph: &Arc<LayeredGraph>) -> Self {
        assert_eq!(vars.len(), graph.length);
        Self {
            alive: store.words_of(graph.nodes()),
            lost_out: Vec::new(),
            lost_in: Vec::new(),
            touched: vec![false; graph.length],
            touched_list: Vec::new(),
            graph: Arc::clone(graph),
            vars,
        }
    }

    #[inline(always)]
    fn is_alive(&self, store: &Store, layer: usize, state: usize) -> bool {
        let word = store.word(self.alive, layer * self.graph.width + state / 64);
        word >> (state % 64) & 1 == 1
    }

    fn kill(&mut self, store: &mut Store, layer: usize, state: usize) {
        let index = layer * self.graph.width + state / 64;
        let word = store.word(self.alive, index);
        store.set_word(self.alive, index, word & !(1 << (state % 64)));
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

    /// Notes which nodes lose the edges of values that a variable no longer has.
    fn drop_edges(&mut self, store: &Store, layer: usize) {
        let width = self.graph.width;
        let domain = store.domain(self.vars[layer]);
        for symbol in (0..self.graph.dfa.symbols()).filter(|symbol| domain >> symbol & 1 == 0) {
            for word in 0..width {
                let mut states = store.word(self.alive, layer * width + word)
                    & self.graph.with_symbol[symbol * width + word];
                while states != 0 {
                    let state = word * 64 + states.trailing_zeros() as usize;
                    states &= states - 1;
                    let to = self.graph.dfa.next(state, symbol);
                    if self.is_alive(store, layer + 1, to) {
                        self.lost_out.push(Node::new(layer, state));
                        self.lost_in.push(Node::new(layer + 1, to));
                    }
                }
            }
        }
    }

    /// Kills the nodes whose last edge out of them is gone, backwards.
    fn kill_without_way_out(&mut self, store: &mut Store) {
        while let Some(node) = self.lost_out.pop() {
            let (layer, state) = (usize::from(node.layer), usize::from(node.state));
            if !self.is_alive(store, layer, state) {
                continue;
            }
            let domain = store.domain(self.vars[layer]);
            let has_way = (0..self.graph.dfa.symbols()).any(|symbol| {
                domain >> symbol & 1 == 1
                    && self.is_alive(store, layer + 1, self.graph.dfa.next(state, symbol))
            });
            if has_way {
                continue;
            }
            self.kill(store, layer, state);
            if layer > 0 {
                let domain = store.domain(self.vars[layer - 1]);
                for &(symbol, from) in self.graph.before(state) {
                    if domain >> symbol & 1 == 1 {
                        self.lost_out.push(Node {
                            layer: node.layer - 1,
                            state: from,
                        });
                    }
                }
            }
        }
    }

    /// Kills the nodes whose last edge into them is gone, forwards.
    fn kill_without_way_in(&mut self, store: &mut Store) {
        while let Some(node) = self.lost_in.pop() {
            let (layer, state) = (usize::from(node.layer), usize::from(node.state));
            if !self.is_alive(store, layer, state) {
                continue;
            }
            let domain = store.domain(self.vars[layer - 1]);
            let has_way = self.graph.before(state).iter().any(|&(symbol, from)| {
                domain >> symbol & 1 == 1 && self.is_alive(store, layer - 1, usize::from(from))
            });
            if has_way {
                continue;
            }
            self.kill(store, layer, state);
            if layer < self.graph.length {
                let domain = store.domain(self.vars[layer]);
                for symbol in 0..self.graph.dfa.symbols() {
                    if domain >> symbol & 1 == 1 {
                        let to = self.graph.dfa.next(state, symbol);
                        self.lost_in.push(Node::new(layer + 1, to));
                    }
                }
            }
        }
    }

    /// Whether an edge of the layer with this symbol is left; the symbol is in the domain.
    fn is_supported(&self, store: &Store, layer: usize, symbol: usize) -> bool {
        let width = self.graph.width;
        let alive = |word| store.word(self.alive, layer * width + word);
        let mut words = 0..width;
        // A living node with one kind of edge lives by it.
        if words.any(|w| alive(w) & self.graph.with_symbol_alone[symbol * width + w] != 0) {
            return true;
        }
        (0..width).any(|word| {
            let mut states = alive(word) & self.graph.with_symbol[symbol * width + word];
            while states != 0 {
                let state = word * 64 + states.trailing_zeros() as usize;
                states &= states - 1;
                if self.is_alive(store, layer + 1, self.graph.dfa.next(state, symbol)) {
                    return true;
                }
            }
            false
        })
    }

    /// Drops the values that no path has.
    fn prune(&mut self, store: &mut Store) -> Result<(), Failure> {
        while let Some(layer) = self.touched_list.pop() {
            let layer = layer as usize;
            self.touched[layer] = false;
            let domain = store.domain(self.vars[layer]);
            // There is a path, and it has the only value.
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

impl Node {
    #[inline(always)]
    fn new(layer: usize, state: usize) -> Self {
        Self {
            layer: layer as u16,
            state: state as u16,
        }
    }
}

impl Propagator for Regular {
    fn subscriptions(&self) -> Vec<Subscription> {
        let on = On::Change;
        let vars = self.vars.iter();
        vars.map(|&var| Subscription { var, on }).collect()
    }

    fn cost(&self) -> Cost {
        Cost::High
    }

    fn propagate(&mut self, store: &mut Store, changed: &[u32]) -> Result<(), Failure> {
        for &layer in changed {
            self.touch(layer as usize);
            self.drop_edges(store, layer as usize);
        }
        self.kill_without_way_out(store);
        self.kill_without_way_in(store);
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
