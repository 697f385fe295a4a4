//! The graphs of games and of wins between agents.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::unionfind::UnionFind;
use petgraph::visit::EdgeRef as _;

/// Two agents; the one that moved first comes first.
pub(crate) type Seating = (usize, usize);

/// A player in games with this number of the term for moving first: with several terms, each player has a number for each, so
/// that a [`Seating`] tells which term it has. Without several, it is the player.
pub(crate) const fn alias(player: usize, term: usize, players: usize) -> usize {
    player + term * players
}

/// The two agents, the smaller index first.
pub(crate) fn ordered((a, b): Seating) -> Seating {
    (a.min(b), a.max(b))
}

/// The group of each player. A group is a set of players linked by chains of games; groups are numbered from 0, the largest
/// first, then that of the player with the lowest index.
pub fn groups(met: &[Seating], players: usize) -> Vec<usize> {
    let mut sets = UnionFind::new(players);
    for &(a, b) in met {
        sets.union(a, b);
    }
    let labels = sets.into_labeling();
    // Of each group, its size and its first player.
    let mut found: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    for (player, &label) in labels.iter().enumerate() {
        found.entry(label).or_insert((0, player)).0 += 1;
    }
    let mut order: Vec<usize> = found.keys().copied().collect();
    order.sort_by_key(|label| (Reverse(found[label].0), found[label].1));
    let numbers: BTreeMap<usize, usize> = order.into_iter().zip(0..).collect();
    labels.iter().map(|label| numbers[label]).collect()
}

/// The number of groups.
pub fn count(groups: &[usize]) -> usize {
    groups.iter().max().map_or(0, |last| last + 1)
}

/// The players as a graph with an edge from winner to loser for each win. The weight is 1 if the winner moved
/// first, otherwise -1, with the number of the term for moving first.
pub(super) struct Wins {
    graph: DiGraph<(), (usize, f64), usize>,
    /// The number of these terms.
    seats: usize,
    /// The strongly connected component of each player: chains of wins lead from a player to all others in
    /// its component and back.
    pub(super) components: Vec<usize>,
}

impl Wins {
    /// `wins` are pairs of (winner, loser), with whether the winner moved first. They are numbered as in
    /// [`alias`].
    pub(super) fn new(wins: impl IntoIterator<Item = (Seating, bool)>, players: usize) -> Self {
        let mut seats = 1;
        let mut graph = DiGraph::default();
        for _ in 0..players {
            graph.add_node(());
        }
        for ((winner, loser), moved_first) in wins {
            let (term, sign) = (winner / players, if moved_first { 1.0 } else { -1.0 });
            seats = seats.max(term + 1);
            let [winner, loser] = [winner, loser].map(|player| NodeIndex::new(player % players));
            graph.add_edge(winner, loser, (term, sign));
        }
        let mut components = vec![0; players];
        for (number, component) in tarjan_scc(&graph).into_iter().enumerate() {
            for player in component {
                components[player.index()] = number;
            }
        }
        Self {
            graph,
            seats,
            components,
        }
    }

    /// Each kind of win: the winner, the loser, and the change of the term for moving first that favours the winner, if
    /// the terms change like this.
    pub(super) fn edges(&self, seats: &[f64]) -> impl Iterator<Item = (usize, usize, f64)> {
        let of = |player: NodeIndex<usize>| player.index();
        let edges = self.graph.edge_references();
        edges.map(move |edge| {
            let (term, sign) = *edge.weight();
            (of(edge.source()), of(edge.target()), sign * seats[term])
        })
    }

    /// The changes of the terms for moving first that are looked at: none, and each of them or all in either
    /// direction.
    pub(super) fn directions(&self) -> Vec<Vec<f64>> {
        let mut all = vec![vec![0.0; self.seats]];
        for sign in [1.0, -1.0] {
            if self.seats > 1 {
                all.push(vec![sign; self.seats]);
            }
            all.extend((0..self.seats).map(|term| {
                let mut seats = vec![0.0; self.seats];
                seats[term] = sign;
                seats
            }));
        }
        all
    }

    /// Whether the likelihood has a unique finite maximum.
    ///
    /// It has one unless some direction d in parameter space makes no result less likely (Albert
    /// and Anderson, Biometrika 1984). If d leaves the seat unchanged, the winner must not lose by
    /// it in any game; that is possible unless each group is strongly connected by wins. If d adds
    /// +1 or -1 to the seat, d_loser <= d_winner + seat must hold, with the sign of the seat
    /// reversed if the second player won. These constraints can be satisfied unless some cycle of
    /// wins, in any group, has a negative sum.
    pub(super) fn maximum_exists(&self, groups: &[usize]) -> bool {
        if self.components.iter().max() != groups.iter().max() {
            return false;
        }
        let mut changes = self.directions().into_iter().skip(1);
        changes.all(|seats| self.has_negative_cycle(&seats))
    }

    /// Whether the lengths of the wins of a cycle have a negative sum (Bellman and Ford): a win is as long as the change of
    /// its term for moving first, with the opposite sign if the winner moved second.
    pub(super) fn has_negative_cycle(&self, seats: &[f64]) -> bool {
        let mut lengths = vec![0.0; self.components.len()];
        for _ in 0..=lengths.len() {
            let before = lengths.clone();
            for (winner, loser, length) in self.edges(seats) {
                lengths[loser] = f64::min(lengths[loser], lengths[winner] + length);
            }
            if lengths == before {
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether these wins, each with whether the winner moved first, have a finite maximum.
    fn exists(wins: &[(usize, usize, bool)], players: usize, groups: &[usize]) -> bool {
        let wins = wins
            .iter()
            .map(|&(winner, loser, first)| ((winner, loser), first));
        Wins::new(wins, players).maximum_exists(groups)
    }

    #[test]
    fn one_group_of_players_limits_the_seat_for_all() {
        let all = [(0, 1, true), (0, 1, false), (1, 0, true), (1, 0, false)];
        assert!(exists(&all, 2, &[0, 0]));
        // The first player won all games.
        let first = [(0, 1, true), (1, 0, true)];
        assert!(!exists(&first, 2, &[0, 0]));
        // The same of two players who never met the others.
        let apart = first.map(|(winner, loser, moved)| (winner + 2, loser + 2, moved));
        assert!(exists(&[&all[..], &apart].concat(), 4, &[0, 0, 1, 1]));
        assert!(!exists(&[&first[..], &apart].concat(), 4, &[0, 0, 1, 1]));
        // A player of another group who won all games.
        let perfect = [(2, 3, true), (2, 3, false)];
        assert!(!exists(&[&all[..], &perfect].concat(), 4, &[0, 0, 1, 1]));
    }
}
