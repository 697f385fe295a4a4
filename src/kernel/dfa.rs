//! Deterministic automata, and their unfolding over a fixed number of variables.

use std::collections::HashMap;
use std::sync::Arc;

/// A complete deterministic automaton over the symbols below [`Dfa::symbols`]; state 0 is the
/// start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dfa {
    symbols: usize,
    /// The next state, by state and symbol.
    next: Vec<usize>,
    accepting: Vec<bool>,
}

impl Dfa {
    pub(super) fn new(symbols: usize, next: Vec<usize>, accepting: Vec<bool>) -> Self {
        Self {
            symbols,
            next,
            accepting,
        }
    }

    /// Number of symbols.
    #[must_use]
    pub const fn symbols(&self) -> usize {
        self.symbols
    }

    /// Number of states, the one that accepts nothing included.
    #[must_use]
    pub fn states(&self) -> usize {
        self.accepting.len()
    }

    /// Whether the automaton accepts the word.
    #[must_use]
    pub fn accepts(&self, word: impl IntoIterator<Item = u8>) -> bool {
        let mut state = 0;
        for symbol in word {
            if usize::from(symbol) >= self.symbols {
                return false;
            }
            state = self.next[state * self.symbols + usize::from(symbol)];
        }
        self.accepting[state]
    }

    /// The automaton with the fewest states for the same words, states in the order in which a
    /// breadth-first walk meets them (Moore's refinement of partitions).
    #[must_use]
    pub(super) fn minimise(&self) -> Self {
        let mut class: Vec<usize> = self.accepting.iter().map(|&a| usize::from(a)).collect();
        let mut count = 0;
        loop {
            let mut ids = HashMap::new();
            let refined: Vec<usize> = (0..self.states())
                .map(|state| {
                    let next = &self.next[state * self.symbols..][..self.symbols];
                    let key: Vec<usize> = std::iter::once(class[state])
                        .chain(next.iter().map(|&to| class[to]))
                        .collect();
                    let fresh = ids.len();
                    *ids.entry(key).or_insert(fresh)
                })
                .collect();
            class = refined;
            if ids.len() == count {
                break;
            }
            count = ids.len();
        }
        let mut member = vec![0; count];
        (0..self.states()).for_each(|state| member[class[state]] = state);
        let next = (0..count)
            .flat_map(|c| &self.next[member[c] * self.symbols..][..self.symbols])
            .map(|&to| class[to])
            .collect();
        let accepting = member.iter().map(|&state| self.accepting[state]).collect();
        Self::new(self.symbols, next, accepting).breadth_first()
    }

    fn breadth_first(&self) -> Self {
        let mut order = vec![0];
        let mut rank = vec![usize::MAX; self.states()];
        rank[0] = 0;
        let mut at = 0;
        while at < order.len() {
            for &to in &self.next[order[at] * self.symbols..][..self.symbols] {
                if rank[to] == usize::MAX {
                    rank[to] = order.len();
                    order.push(to);
                }
            }
            at += 1;
        }
        let next = order
            .iter()
            .flat_map(|&state| &self.next[state * self.symbols..][..self.symbols])
            .map(|&to| rank[to])
            .collect();
        let accepting = order.iter().map(|&state| self.accepting[state]).collect();
        Self::new(self.symbols, next, accepting)
    }

    /// The layered graph for words of this length: the edges on paths from the start to an
    /// accepting state.
    #[must_use]
    pub fn unroll(&self, length: usize) -> Arc<LayeredGraph> {
        // useful[i]: the states from which a word of length - i symbols is accepted.
        let mut useful = vec![self.accepting.clone()];
        for _ in 0..length {
            let last = &useful[useful.len() - 1];
            let before = (0..self.states())
                .map(|state| {
                    let mut next = self.next[state * self.symbols..][..self.symbols].iter();
                    next.any(|&to| last[to])
                })
                .collect();
            useful.push(before);
        }
        useful.reverse();

        let mut edges = Vec::new();
        let mut layers = vec![0];
        let mut states: Vec<usize> = if useful[0][0] { vec![0] } else { Vec::new() };
        for layer in 0..length {
            let first = layers[layer] + states.len();
            let mut rank = HashMap::new();
            let mut below = Vec::new();
            for (i, &state) in states.iter().enumerate() {
                for symbol in 0..self.symbols {
                    let to = self.next[state * self.symbols + symbol];
                    if useful[layer + 1][to] {
                        let node = *rank.entry(to).or_insert_with(|| {
                            below.push(to);
                            first + below.len() - 1
                        });
                        edges.push(Edge {
                            layer: layer as u32,
                            symbol: symbol as u8,
                            from: (layers[layer] + i) as u32,
                            to: node as u32,
                        });
                    }
                }
            }
            layers.push(first);
            states = below;
        }
        let nodes = layers[length] + states.len();
        Arc::new(LayeredGraph::new(self.clone(), length, nodes, &edges))
    }
}

#[derive(Clone, Copy)]
struct Edge {
    layer: u32,
    symbol: u8,
    from: u32,
    to: u32,
}

/// An automaton unfolded over a sequence of variables: nodes are states at a place in the sequence,
/// edges are symbols, every path from the first node to the last layer is an accepted word.
#[derive(Debug)]
pub struct LayeredGraph {
    pub(super) dfa: Dfa,
    pub(super) length: usize,
    /// The layer of each node, 0 to `length`.
    pub(super) layer: Vec<u32>,
    /// For each node, its edges as symbol and other node.
    pub(super) out_edges: Lists<(u8, u32)>,
    pub(super) in_edges: Lists<(u8, u32)>,
    /// For each layer and symbol, the nodes at both ends.
    pub(super) by_symbol: Lists<(u32, u32)>,
}

impl LayeredGraph {
    fn new(dfa: Dfa, length: usize, nodes: usize, edges: &[Edge]) -> Self {
        let mut layer = vec![length as u32; nodes];
        for edge in edges {
            layer[edge.from as usize] = edge.layer;
        }
        let slot = |e: &Edge| e.layer as usize * dfa.symbols + usize::from(e.symbol);
        Self {
            layer,
            out_edges: Lists::new(nodes, edges, |e| (e.from as usize, (e.symbol, e.to))),
            in_edges: Lists::new(nodes, edges, |e| (e.to as usize, (e.symbol, e.from))),
            by_symbol: Lists::new(length * dfa.symbols, edges, |e| (slot(e), (e.from, e.to))),
            dfa,
            length,
        }
    }

    /// Number of nodes.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.layer.len()
    }
}

/// Lists of different lengths in one piece of memory.
#[derive(Debug)]
pub(super) struct Lists<T> {
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy> Lists<T> {
    fn new(lists: usize, edges: &[Edge], list_and_item: impl Fn(&Edge) -> (usize, T)) -> Self {
        let mut pairs: Vec<(usize, T)> = edges.iter().map(list_and_item).collect();
        pairs.sort_by_key(|&(list, _)| list);
        let mut starts = vec![0; lists + 1];
        for &(list, _) in &pairs {
            starts[list + 1] += 1;
        }
        for list in 0..lists {
            starts[list + 1] += starts[list];
        }
        let items = pairs.into_iter().map(|(_, item)| item).collect();
        Self { starts, items }
    }

    #[inline(always)]
    pub(super) fn list(&self, index: usize) -> &[T] {
        &self.items[self.starts[index] as usize..self.starts[index + 1] as usize]
    }
}
