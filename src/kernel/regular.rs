//! `regular`: the values of a sequence of variables are a word of a regular language (Pesant, 2004).

use std::sync::Arc;

use super::dfa::LayeredGraph;
use super::propagator::{Cost, On, Propagator, Subscription};
use super::store::{Failure, Store, Var, Words};

/// The values of the variables, in order, form a word that the automaton accepts.
///
/// Domain consistent, for no variable twice. Incremental: a node of the layered graph is alive while
/// some path of values left in the domains runs through it; the cost of a run is the edges of the
/// nodes that die in it.
#[derive(Debug)]
pub struct Regular {
    vars: Vec<Var>,
    graph: Arc<LayeredGraph>,
    /// One bit a node: whether it is alive.
    alive: Words,
    /// For each node, where in its list of incoming edges an alive one was last found: a hint.
    in_hints: Vec<u32>,
    /// For each layer and symbol, where an alive edge was last found: a hint.
    edge_hints: Vec<u32>,
    /// Nodes to look at, and layers whose values may have lost their last edge.
    doubtful: Vec<u32>,
    touched: Vec<bool>,
    touched_list: Vec<u32>,
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
            alive: store.words(graph.nodes().div_ceil(64), u64::MAX),
            in_hints: vec![0; graph.nodes()],
            edge_hints: vec![0; graph.length * graph.dfa.symbols()],
            doubtful: Vec::new(),
            touched: vec![false; graph.length],
            touched_list: Vec::new(),
            graph: Arc::clone(graph),
            vars,
        }
    }

    #[inline(always)]
    fn is_alive(&self, store: &Store, node: u32) -> bool {
        store.word(self.alive, node as usize / 64) >> (node % 64) & 1 == 1
    }

    #[inline(always)]
    fn touch(&mut self, layer: usize) {
        if !std::mem::replace(&mut self.touched[layer], true) {
            self.touched_list.push(layer as u32);
        }
    }

    /// Whether an alive node is on no path any more.
    #[inline(always)]
    fn is_cut_off(&mut self, store: &Store, node: u32) -> bool {
        let n = node as usize;
        let layer = self.graph.layer[n] as usize;
        if layer < self.graph.length {
            let domain = store.domain(self.vars[layer]);
            let mut out = self.graph.out_edges.list(n).iter();
            if !out.any(|&(symbol, to)| domain >> symbol & 1 == 1 && self.is_alive(store, to)) {
                return true;
            }
        }
        if layer == 0 {
            return false;
        }
        let domain = store.domain(self.vars[layer - 1]);
        let edges = self.graph.in_edges.list(n);
        let leads =
            |&(symbol, from): &(u8, u32)| domain >> symbol & 1 == 1 && self.is_alive(store, from);
        let hint = self.in_hints[n] as usize;
        if leads(&edges[hint]) {
            return false;
        }
        match edges.iter().position(leads) {
            Some(found) => {
                self.in_hints[n] = found as u32;
                false
            }
            None => true,
        }
    }

    /// Kills doubtful nodes, and those that depend on them, until no more are cut off.
    fn kill_cut_off(&mut self, store: &mut Store) {
        while let Some(node) = self.doubtful.pop() {
            if !self.is_alive(store, node) || !self.is_cut_off(store, node) {
                continue;
            }
            let n = node as usize;
            let word = store.word(self.alive, n / 64);
            store.set_word(self.alive, n / 64, word & !(1 << (n % 64)));
            let layer = self.graph.layer[n] as usize;
            if layer < self.graph.length {
                self.touch(layer);
            }
            if layer > 0 {
                self.touch(layer - 1);
            }
            let graph = &self.graph;
            for &(_, other) in graph.out_edges.list(n).iter().chain(graph.in_edges.list(n)) {
                if store.word(self.alive, other as usize / 64) >> (other % 64) & 1 == 1 {
                    self.doubtful.push(other);
                }
            }
        }
    }

    /// Whether an edge of the layer with this symbol is left.
    #[inline(always)]
    fn is_supported(&mut self, store: &Store, layer: usize, symbol: usize) -> bool {
        let slot = layer * self.graph.dfa.symbols() + symbol;
        let edges = self.graph.by_symbol.list(slot);
        let is_left =
            |&(from, to): &(u32, u32)| self.is_alive(store, from) && self.is_alive(store, to);
        let hint = self.edge_hints[slot] as usize;
        if edges.get(hint).is_some_and(is_left) {
            return true;
        }
        match edges.iter().position(is_left) {
            Some(found) => {
                self.edge_hints[slot] = found as u32;
                true
            }
            None => false,
        }
    }

    /// Drops the values that no path has.
    fn prune(&mut self, store: &mut Store) -> Result<(), Failure> {
        while let Some(layer) = self.touched_list.pop() {
            let layer = layer as usize;
            self.touched[layer] = false;
            let domain = store.domain(self.vars[layer]);
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

    fn forget(&mut self) {
        self.doubtful.clear();
        while let Some(layer) = self.touched_list.pop() {
            self.touched[layer as usize] = false;
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
        let symbols = self.graph.dfa.symbols();
        for &layer in changed {
            let layer = layer as usize;
            let domain = store.domain(self.vars[layer]);
            self.touch(layer);
            for symbol in 0..symbols {
                if domain >> symbol & 1 == 0 {
                    for &(from, to) in self.graph.by_symbol.list(layer * symbols + symbol) {
                        if self.is_alive(store, from) && self.is_alive(store, to) {
                            self.doubtful.extend([from, to]);
                        }
                    }
                }
            }
        }
        self.kill_cut_off(store);
        let has_word = self.graph.nodes() > 0 && self.is_alive(store, 0);
        let result = if has_word {
            self.prune(store)
        } else {
            Err(Failure)
        };
        self.forget();
        result
    }

    fn holds(&self, value: &dyn Fn(Var) -> u8) -> bool {
        self.graph
            .dfa
            .accepts(self.vars.iter().map(|&var| value(var)))
    }
}
