//! Who is linked to whom by games and by wins.

use std::collections::BTreeMap;

use petgraph::algo::{bellman_ford, tarjan_scc};
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::unionfind::UnionFind;

/// Two agents, the one that moved first in front.
pub(super) type Seating = (usize, usize);

/// The group of each player: those that are linked by a chain of games. Groups are numbered from 0 on.
pub(super) fn groups(met: &[Seating], players: usize) -> Vec<usize> {
    let mut sets = UnionFind::new(players);
    for &(a, b) in met {
        sets.union(a, b);
    }
    let mut numbers = BTreeMap::new();
    let number = |label: usize| {
        let next = numbers.len();
        *numbers.entry(label).or_insert(next)
    };
    sets.into_labeling().into_iter().map(number).collect()
}

/// How many groups there are.
pub(super) fn count(groups: &[usize]) -> usize {
    groups.iter().max().map_or(0, |last| last + 1)
}

/// The players, with an edge from winner to loser for each win; its weight is 1 where the winner moved
/// first, else -1.
pub(super) struct Wins {
    graph: DiGraph<(), f64, usize>,
    /// The strongly connected component of each player: chains of wins lead from it to all others of
    /// the component, and back.
    pub(super) components: Vec<usize>,
}

impl Wins {
    /// `wins` are winners, losers, and whether the winner moved first.
    pub(super) fn new(wins: impl IntoIterator<Item = (Seating, bool)>, players: usize) -> Self {
        let mut graph = DiGraph::default();
        for _ in 0..players {
            graph.add_node(());
        }
        for ((winner, loser), moved_first) in wins {
            let seat = if moved_first { 1.0 } else { -1.0 };
            graph.add_edge(NodeIndex::new(winner), NodeIndex::new(loser), seat);
        }
        let mut components = vec![0; players];
        for (number, component) in tarjan_scc(&graph).into_iter().enumerate() {
            for player in component {
                components[player.index()] = number;
            }
        }
        Self { graph, components }
    }

    /// Whether finite parameters, and only one set of them, maximise the likelihood.
    ///
    /// They do unless some direction d of the parameters makes no result less likely (Albert and
    /// Anderson, Biometrika 1984). If d leaves the seat alone, the winner must not lose by it in
    /// any game, which is possible unless each group is strongly connected by wins. If it adds
    /// +1 or -1 to the seat, d_loser <= d_winner + seat must hold, with the seat's sign turned where
    /// the second player won: differences that can be met unless some cycle of wins has a
    /// negative sum.
    pub(super) fn maximum_exists(&self, groups: &[usize]) -> bool {
        if self.components.iter().max() != groups.iter().max() {
            return false;
        }
        // One start in each group reaches all of it.
        let starts = (0..count(groups)).filter_map(|group| groups.iter().position(|&g| g == group));
        starts.map(NodeIndex::new).all(|start| {
            [1.0, -1.0].into_iter().all(|sign| {
                let graph = self.graph.map(|_, ()| (), |_, seat| sign * seat);
                bellman_ford(&graph, start).is_err()
            })
        })
    }
}
