//! Regular expressions over small numbers, and their conversion to automata.

use std::collections::HashMap;

use super::dfa::Dfa;

/// A regular expression over the symbols 0 to 63.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Regex {
    /// One symbol.
    Symbol(u8),
    /// A concatenation; the empty word if there are no parts.
    Sequence(Vec<Regex>),
    /// An alternative; no word at all if there are no parts.
    Either(Vec<Regex>),
    /// Any number of repetitions, including none.
    Star(Box<Regex>),
}

impl Regex {
    /// The concatenation of parts.
    pub fn sequence(parts: impl IntoIterator<Item = Self>) -> Self {
        Self::Sequence(parts.into_iter().collect())
    }

    /// The alternative of parts.
    pub fn either(parts: impl IntoIterator<Item = Self>) -> Self {
        Self::Either(parts.into_iter().collect())
    }

    /// The concatenation of symbols.
    pub fn word(symbols: impl IntoIterator<Item = u8>) -> Self {
        Self::sequence(symbols.into_iter().map(Self::Symbol))
    }

    /// Any number of times.
    pub fn star(self) -> Self {
        Self::Star(Box::new(self))
    }

    /// Repeated exactly this number of times.
    pub fn repeat(self, times: usize) -> Self {
        Self::Sequence(vec![self; times])
    }

    /// The minimal automaton for the words over the symbols below `symbols`.
    pub fn to_dfa(&self, symbols: usize) -> Dfa {
        let mut nfa = Nfa::default();
        let start = nfa.state();
        let end = nfa.state();
        nfa.add(self, start, end);
        nfa.determinise(start, end, symbols).minimise()
    }
}

/// Thompson's construction: states with transitions on a symbol, and empty transitions.
#[derive(Default)]
struct Nfa {
    moves: Vec<Vec<(u8, usize)>>,
    free: Vec<Vec<usize>>,
}

impl Nfa {
    fn state(&mut self) -> usize {
        self.moves.push(Vec::new());
        self.free.push(Vec::new());
        self.moves.len() - 1
    }

    /// Adds the paths from one state to another that the expression allows.
    fn add(&mut self, regex: &Regex, from: usize, to: usize) {
        match regex {
            Regex::Symbol(symbol) => self.moves[from].push((*symbol, to)),
            Regex::Sequence(parts) => {
                let mut at = from;
                for part in parts {
                    let next = self.state();
                    self.add(part, at, next);
                    at = next;
                }
                self.free[at].push(to);
            }
            Regex::Either(parts) => parts.iter().for_each(|part| self.add(part, from, to)),
            Regex::Star(part) => {
                let middle = self.state();
                self.add(part, middle, middle);
                self.free[from].push(middle);
                self.free[middle].push(to);
            }
        }
    }

    /// The states reachable by empty transitions, ascending.
    fn close(&self, mut states: Vec<usize>) -> Vec<usize> {
        let mut seen = vec![false; self.free.len()];
        states.iter().for_each(|&state| seen[state] = true);
        let mut next = 0;
        while next < states.len() {
            for &to in &self.free[states[next]] {
                if !std::mem::replace(&mut seen[to], true) {
                    states.push(to);
                }
            }
            next += 1;
        }
        states.sort_unstable();
        states.dedup();
        states
    }

    /// The subset construction.
    fn determinise(&self, start: usize, end: usize, symbols: usize) -> Dfa {
        let first = self.close(vec![start]);
        let mut ids = HashMap::from([(first.clone(), 0)]);
        let mut sets = vec![first];
        let mut next = Vec::new();
        let mut at = 0;
        while at < sets.len() {
            for symbol in 0..symbols {
                let to: Vec<usize> = sets[at]
                    .iter()
                    .flat_map(|&state| &self.moves[state])
                    .filter(|&&(s, _)| usize::from(s) == symbol)
                    .map(|&(_, to)| to)
                    .collect();
                let set = self.close(to);
                let id = *ids.entry(set).or_insert_with_key(|set| {
                    sets.push(set.clone());
                    sets.len() - 1
                });
                next.push(id);
            }
            at += 1;
        }
        let accepting = sets.iter().map(|set| set.contains(&end)).collect();
        Dfa::new(symbols, next, accepting)
    }
}
