//! Backup: the result of an iteration is added to everything on its path.
//!
//! Wins and losses are proven as in Winands, Björnsson and Saito, "Monte-Carlo tree search solver" (2008),
//! but for turns in any order.

use crate::game::{Leaf, MoveSet, Side, Value};
use crate::tree::Tree;
use crate::tree::node::{Edge, Extra, LANES, NodeId};

/// A step of an iteration: the edge that it followed from a node, and the side that moved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathStep {
    pub(crate) node: NodeId,
    /// The rank of the edge among the edges of the node. Its index would change if another iteration added
    /// edges to the node.
    pub(crate) rank: u16,
    pub(crate) mover: Side,
}

/// The sum of the results of iterations through a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ResultSum {
    pub(crate) count: u32,
    /// Values from the first side's point of view.
    total: f64,
    /// The first side's chances to win.
    chances: f64,
    /// Squared values, from the first side's point of view and from the second side's.
    squares: [f64; 2],
    /// The side that is proven to win at the node.
    pub(crate) winner: Option<Side>,
}

impl ResultSum {
    /// No results.
    pub(crate) const NONE: Self = Self {
        count: 0,
        total: 0.0,
        chances: 0.0,
        squares: [0.0; 2],
        winner: None,
    };

    /// Those of one iteration, with what it found.
    #[inline(always)]
    pub(crate) fn of(found: &Leaf) -> Self {
        let Leaf {
            value,
            chance,
            winner,
        } = *found;
        let chance = chance.map_or(value, |chance| Value::for_first(chance.into()));
        Self {
            count: 1,
            total: value.seen_by(Side::First),
            chances: chance.seen_by(Side::First),
            squares: [Side::First, Side::Second].map(|side| value.seen_by(side).powi(2)),
            winner,
        }
    }

    /// Adds the results of one iteration, but for who wins.
    pub(crate) fn add(&mut self, one: &Self) {
        self.count += one.count;
        self.total += one.total;
        self.chances += one.chances;
        for (all, one) in self.squares.iter_mut().zip(one.squares) {
            *all += one;
        }
    }

    /// A sum from the first side's point of view as `side` sees it.
    #[inline(always)]
    fn seen_by(&self, side: Side, sum: f64) -> f64 {
        match side {
            Side::First => sum,
            Side::Second => f64::from(self.count) - sum,
        }
    }
}

impl<P: Copy, A: Copy + PartialEq> Tree<P, A> {
    /// Adds a leaf's value to the nodes and edges on the path to it, and backs up what it proves.
    #[inline(always)]
    pub(crate) fn back_up(&mut self, path: &[PathStep], leaf: NodeId, found: &Leaf) {
        let results = ResultSum::of(found);
        self.visit(leaf, 1, results.total);
        // Another iteration may have proven it in the meantime.
        if results.winner.is_some() {
            self.node_mut(leaf).winner = results.winner;
        }
        self.back_up_results(path, &results);
    }

    /// Adds the results at a node, which has them already, to the nodes and edges on the path to it, and backs up what they
    /// prove.
    #[inline(always)]
    pub(crate) fn back_up_results(&mut self, path: &[PathStep], results: &ResultSum) {
        let mut winner = results.winner;
        for step in path.iter().rev() {
            let node = self.node_mut(step.node);
            node.visits += results.count;
            node.total += results.total;
            let (edge, (quad, lane)) = (node.edge(step.rank), node.lane(step.rank));
            let edge = &mut self.edges[edge as usize];
            edge.add(
                results.count,
                results.seen_by(step.mover, results.total),
                results.seen_by(step.mover, results.chances),
            );
            if winner.is_some() {
                edge.proven = Some(winner == Some(step.mover));
            }
            edge.refresh(
                &mut self.quads[quad],
                lane,
                self.settings.select.part().visits,
            );
            if self.has_extras {
                let edge = self.step_edge(step) as usize;
                self.extras[edge].squares += results.squares[step.mover as usize];
            }
            winner = winner.filter(|&side| side == step.mover || self.all_actions_lose(step.node));
            if winner.is_some() {
                self.node_mut(step.node).winner = winner;
            }
        }
    }

    /// Counts visits of the path, lost by whoever moves.
    pub(crate) fn add_virtual_loss(&mut self, path: &[PathStep], count: u16) {
        for step in path {
            self.step_edge_mut(step).add_virtual_loss(count);
            let lost = Value::for_side(step.mover, 0.0).seen_by(Side::First);
            self.visit(step.node, count.into(), f64::from(count) * lost);
            self.refresh(step);
        }
    }

    /// Undoes [`Self::add_virtual_loss`], but for what selection reads: the caller refreshes that, as [`Self::back_up`] does.
    pub(crate) fn remove_virtual_loss(&mut self, path: &[PathStep], count: u16) {
        for step in path {
            self.step_edge_mut(step).remove_virtual_loss(count);
            let node = self.node_mut(step.node);
            node.visits -= u32::from(count);
            node.total -= f64::from(count) * Value::for_side(step.mover, 0.0).seen_by(Side::First);
        }
    }

    /// Undoes the steps of the walk that was started last. Edges that only this walk has followed are untried again,
    /// as they would keep a mean of 0 without a single visit.
    pub(crate) fn take_back(&mut self, path: &[PathStep]) {
        self.remove_virtual_loss(path, 1);
        for step in path.iter().rev() {
            self.refresh(step);
            if self.edge(self.step_edge(step)).visits == 0 {
                self.untry_last(step.node);
            }
        }
    }

    /// The index of the edge of a step.
    pub(crate) fn step_edge(&self, step: &PathStep) -> u32 {
        self.node(step.node).edge(step.rank)
    }

    fn step_edge_mut(&mut self, step: &PathStep) -> &mut Edge<A> {
        let edge = self.step_edge(step) as usize;
        &mut self.edges[edge]
    }

    /// Updates the values of an edge that selection reads.
    #[inline(always)]
    fn refresh(&mut self, step: &PathStep) {
        let node = self.node(step.node);
        let (quad, lane) = node.lane(step.rank);
        let edge = &self.edges[node.edge(step.rank) as usize];
        edge.refresh(
            &mut self.quads[quad],
            lane,
            self.settings.select.part().visits,
        );
    }

    fn visit(&mut self, id: NodeId, count: u32, total: f64) {
        let node = self.node_mut(id);
        node.visits += count;
        node.total += total;
    }

    fn all_actions_lose(&self, id: NodeId) -> bool {
        let node = self.node(id);
        node.complete && !node.has_untried() && self.tried(id).iter().all(Edge::is_lost)
    }

    /// Backs up the position estimate of a leaf by minimax. `merges` means that several edges may lead to a
    /// node.
    pub(crate) fn back_up_estimate(&mut self, path: &[PathStep], leaf: Value, merges: bool) {
        let mut below = leaf;
        for (height, step) in path.iter().rev().enumerate() {
            let (quad, lane) = self.node(step.node).lane(step.rank);
            let backup = &mut self.quads[quad].backup[lane];
            let new = below.seen_by(step.mover) as f32;
            let old = std::mem::replace(backup, new);
            // In a tree, an edge has what is backed up to the node below, so all above stays the same.
            // Not so above the leaf, where that may have been the estimate of a node without edges.
            if old == new && height > 0 && !merges {
                return;
            }
            below = self.best_estimate(step.node, step.mover);
        }
    }

    /// The best value backed up to the edges of a node, for its mover.
    pub(crate) fn best_estimate(&self, id: NodeId, mover: Side) -> Value {
        let mut best = [0.0; LANES];
        for quad in self.tried_quads(id) {
            // Untried edges have 0.
            best = std::array::from_fn(|lane| quad.backup[lane].max(best[lane]));
        }
        Value::for_side(mover, best.into_iter().fold(0.0, f32::max).into())
    }

    /// Tells the actions of the nodes on the path, by [`SelectionRule::learn`], of the moves that were made there or
    /// later.
    pub(crate) fn learn_moves(
        &mut self,
        learn: fn(&mut Extra, f32),
        path: &[PathStep],
        value: Value,
        moves: &mut dyn MoveSet<A>,
    ) {
        for step in path.iter().rev() {
            moves.insert(step.mover, self.edge(self.step_edge(step)).action);
            let result = value.seen_by(step.mover) as f32;
            let node = self.node(step.node);
            let first = node.first_edge as usize;
            let tried = first..first + usize::from(node.tried);
            let edges = self.edges.slice(tried.clone()).iter();
            for (edge, extra) in edges.zip(self.extras.slice_mut(tried)) {
                if moves.contains(step.mover, edge.action) {
                    learn(extra, result);
                }
            }
        }
        moves.clear();
    }
}
