//! Deterministic automata, and their unfolding over a fixed number of variables.

use std::collections::HashMap;
use std::sync::Arc;

/// A complete deterministic automaton over the symbols below [`Dfa::symbols`]; state 0 is the
/// start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dfa {
    symbols: usize,
    /// The next state, by state and symbol.
    next: Vec<u16>,
    accepting: Vec<bool>,
}

impl Dfa {
    pub(super) fn new(symbols: usize, next: Vec<usize>, accepting: Vec<bool>) -> Self {
        let number = |state| u16::try_from(state).expect("at most 65536 states");
        Self {
            symbols,
            next: next.into_iter().map(number).collect(),
            accepting,
        }
    }

    /// Number of symbols.
    pub const fn symbols(&self) -> usize {
        self.symbols
    }

    /// Number of states, including the one that accepts nothing.
    pub fn states(&self) -> usize {
        self.accepting.len()
    }

    #[inline(always)]
    pub(super) fn next(&self, state: usize, symbol: usize) -> usize {
        usize::from(self.next[state * self.symbols + symbol])
    }

    /// Whether the automaton accepts the word.
    pub fn accepts(&self, word: impl IntoIterator<Item = u8>) -> bool {
        let mut state = 0;
        for symbol in word {
            if usize::from(symbol) >= self.symbols {
                return false;
            }
            state = self.next(state, usize::from(symbol));
        }
        self.accepting[state]
    }

    /// The automaton with the fewest states that accepts the same words (Moore's partition refinement).
    pub(super) fn minimise(&self) -> Self {
        let mut class: Vec<usize> = self.accepting.iter().map(|&a| usize::from(a)).collect();
        let mut count = 0;
        loop {
            let mut ids = HashMap::new();
            let refined: Vec<usize> = (0..self.states())
                .map(|state| {
                    let next = (0..self.symbols).map(|symbol| class[self.next(state, symbol)]);
                    let key: Vec<usize> = std::iter::once(class[state]).chain(next).collect();
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
            .flat_map(|c| (0..self.symbols).map(move |symbol| (c, symbol)))
            .map(|(c, symbol)| class[self.next(member[c], symbol)])
            .collect();
        let accepting = member.iter().map(|&state| self.accepting[state]).collect();
        Self::new(self.symbols, next, accepting).depth_first()
    }

    /// Renumbers the states depth first, so that a state with a single successor is usually followed by it.
    fn depth_first(&self) -> Self {
        let mut order = Vec::new();
        let mut rank = vec![usize::MAX; self.states()];
        let mut open = vec![0];
        while let Some(state) = open.pop() {
            if rank[state] == usize::MAX {
                rank[state] = order.len();
                order.push(state);
                open.extend((0..self.symbols).map(|symbol| self.next(state, symbol)));
            }
        }
        let next = order
            .iter()
            .flat_map(|&state| (0..self.symbols).map(move |symbol| (state, symbol)))
            .map(|(state, symbol)| rank[self.next(state, symbol)])
            .collect();
        let accepting = order.iter().map(|&state| self.accepting[state]).collect();
        Self::new(self.symbols, next, accepting)
    }

    /// The layered graph for words of this length.
    pub fn unroll(&self, length: usize) -> Arc<LayeredGraph> {
        Arc::new(LayeredGraph::new(self.clone(), length))
    }
}

/// An automaton unfolded over a sequence of variables: nodes are states at a place in the sequence,
/// edges are symbols, every path from the start to an accepting node of the last layer is a word.
///
/// Layers differ in which states are nodes, but the edges are the same in all layers. So they are looked up
/// in the automaton, which fits into a processor's first-level cache, unlike the unfolded graph.
#[derive(Debug)]
pub struct LayeredGraph {
    pub(super) dfa: Dfa,
    pub(super) length: usize,
    /// Number of words in a set of states.
    pub(super) width: usize,
    /// For each of the `length + 1` layers, the states on some path: the nodes.
    pub(super) nodes: Vec<u64>,
    /// For each symbol, the states that have an edge with it on a path in some layer.
    pub(super) with_symbol: Vec<u64>,
    /// For each symbol, those of these states that have no other edge.
    pub(super) with_symbol_alone: Vec<u64>,
    /// For each state, the edges that lead to it: symbol and state before.
    pub(super) before: Vec<Vec<(u8, u16)>>,
    /// For each symbol, the states whose only edge has this symbol and leads to the state with the next
    /// number.
    pub(super) chained: Vec<u64>,
    /// For each symbol, the states whose only incoming edge has this symbol and comes from the state with the
    /// previous number.
    pub(super) joined: Vec<u64>,
}

impl LayeredGraph {
    fn new(dfa: Dfa, length: usize) -> Self {
        let (states, symbols) = (dfa.states(), dfa.symbols);
        let width = states.div_ceil(64).max(1);
        // Backwards: the states from which a word of the remaining length is accepted.
        let mut useful = vec![dfa.accepting.clone()];
        for _ in 0..length {
            let last = &useful[useful.len() - 1];
            let leads = |state| (0..symbols).any(|symbol| last[dfa.next(state, symbol)]);
            let states_before = (0..states).map(leads).collect();
            useful.push(states_before);
        }
        useful.reverse();
        // Forwards: those of them that are reachable from the start.
        let mut nodes = vec![0; (length + 1) * width];
        let mut with_symbol = vec![0; symbols * width];
        let mut before = vec![Vec::new(); states];
        if useful[0][0] {
            insert(&mut nodes[..width], 0);
        }
        for layer in 0..length {
            for state in 0..states {
                if !contains(&nodes[layer * width..][..width], state) {
                    continue;
                }
                for symbol in 0..symbols {
                    let to = dfa.next(state, symbol);
                    if useful[layer + 1][to] {
                        insert(&mut nodes[(layer + 1) * width..][..width], to);
                        insert(&mut with_symbol[symbol * width..][..width], state);
                        let edge = (symbol as u8, state as u16);
                        if !before[to].contains(&edge) {
                            before[to].push(edge);
                        }
                    }
                }
            }
        }
        let alone = |symbol: usize, word: usize| {
            let others = (0..symbols).filter(|&other| other != symbol);
            let others = others.map(|other| with_symbol[other * width + word]);
            with_symbol[symbol * width + word] & !others.fold(0, |all, set| all | set)
        };
        let with_symbol_alone: Vec<u64> = (0..symbols)
            .flat_map(|symbol| (0..width).map(move |word| (symbol, word)))
            .map(|(symbol, word)| alone(symbol, word))
            .collect();
        let mut chained = vec![0; symbols * width];
        let mut joined = vec![0; symbols * width];
        for (symbol, state) in (0..symbols).flat_map(|symbol| (0..states).map(move |s| (symbol, s)))
        {
            let range = symbol * width..(symbol + 1) * width;
            if contains(&with_symbol_alone[range.clone()], state)
                && dfa.next(state, symbol) == state + 1
            {
                insert(&mut chained[range.clone()], state);
            }
            if state > 0 && before[state] == [(symbol as u8, state as u16 - 1)] {
                insert(&mut joined[range], state);
            }
        }
        Self {
            dfa,
            length,
            width,
            nodes,
            with_symbol,
            with_symbol_alone,
            before,
            chained,
            joined,
        }
    }

    /// All words, or `None` when there are more than `most`.
    pub(super) fn words(&self, most: usize) -> Option<Vec<Vec<u8>>> {
        let is_node =
            |layer: usize, state| contains(&self.nodes[layer * self.width..][..self.width], state);
        let mut words = Vec::new();
        let mut open = vec![(0, Vec::new())];
        while let Some((state, word)) = open.pop() {
            if !is_node(word.len(), state) {
                continue;
            }
            if word.len() == self.length {
                if words.len() == most {
                    return None;
                }
                words.push(word);
                continue;
            }
            for symbol in 0..self.dfa.symbols() {
                let mut longer = word.clone();
                longer.push(symbol as u8);
                open.push((self.dfa.next(state, symbol), longer));
            }
        }
        Some(words)
    }
}

fn insert(set: &mut [u64], state: usize) {
    set[state / 64] |= 1 << (state % 64);
}

fn contains(set: &[u64], state: usize) -> bool {
    set[state / 64] >> (state % 64) & 1 == 1
}
