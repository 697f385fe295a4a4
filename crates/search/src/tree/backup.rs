//! Backup: the result of an iteration is added to everything on its path.
//!
//! Wins and losses are proven as in Winands, Björnsson and Saito, "Monte-Carlo tree search solver" (2008),
//! but for turns in any order.

use std::array::from_fn;
use std::mem;

use crate::game::{Leaf, MoveSet, Side, Value};
use crate::tree::Tree;
use crate::tree::node::{Edge, Extra, LANES, NO_NODE, NodeId, quads};

/// A step of an iteration: the edge that it followed from a node, and the side that moved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathStep {
    pub(crate) node: NodeId,
    /// The rank of the edge among the edges of the node. Its index would change if another iteration added
    /// edges to the node.
    pub(crate) rank: u16,
    pub(crate) mover: Side,
}

/// What one iteration, or several through the same node, have found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ResultSum {
    pub(crate) count: u32,
    /// The sum of their values from the first side's point of view.
    total: f64,
    /// The sum of the first side's chances to win.
    chances: f64,
    /// The sums of squared values, from the first side's point of view and from the second side's.
    squares: [f64; 2],
    /// The side that is proven to win at the node.
    pub(crate) winner: Option<Side>,
    /// The position estimate of the last one; only used with [`Settings::minimax`](crate::Settings::minimax).
    pub(crate) estimate: Value,
}

impl ResultSum {
    /// That of one iteration.
    #[inline(always)]
    pub(crate) fn of(leaf: &Leaf, estimate: Value) -> Self {
        let value = leaf.value;
        Self {
            count: 1,
            total: value.seen_by(Side::First),
            chances: leaf.chance.unwrap_or(value).seen_by(Side::First),
            squares: [Side::First, Side::Second].map(|side| value.seen_by(side).powi(2)),
            winner: leaf.winner,
            estimate,
        }
    }

    /// That of one iteration which found that this side wins.
    pub(crate) fn won_by(side: Side) -> Self {
        Self::of(&Leaf::won_by(side), Value::for_side(side, 1.0))
    }

    /// Adds the results of a later iteration, but for who wins.
    pub(crate) fn add(&mut self, one: &Self) {
        self.count += one.count;
        self.total += one.total;
        self.chances += one.chances;
        self.squares = from_fn(|side| self.squares[side] + one.squares[side]);
        self.estimate = one.estimate;
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
    /// Adds the results of an iteration to the node that it has come to.
    #[inline(always)]
    pub(crate) fn visit(&mut self, id: NodeId, results: &ResultSum) {
        let node = self.node_mut(id);
        node.visits += results.count;
        node.total += results.total;
        // Another iteration may have proven it in the meantime.
        if results.winner.is_some() {
            node.winner = results.winner;
        }
    }

    /// Adds the results at a node, which has them already, to the nodes and edges on the path to it, and backs up what they
    /// prove.
    #[inline(always)]
    pub(crate) fn back_up(&mut self, path: &[PathStep], results: &ResultSum) {
        let mut winner = results.winner;
        for step in path.iter().rev() {
            let node = self.node_mut(step.node);
            node.visits += results.count;
            node.total += results.total;
            let at = node.edge(step.rank);
            let edge = &mut self.edges[at];
            edge.visits += results.count;
            edge.total += results.seen_by(step.mover, results.total);
            edge.chances += results.seen_by(step.mover, results.chances);
            if winner.is_some() {
                edge.proven = Some(winner == Some(step.mover));
            }
            self.refresh(at);
            if self.has_extras {
                self.extras[at].squares += results.squares[step.mover as usize];
            }
            winner = winner.filter(|&side| side == step.mover || self.all_actions_lose(step.node));
            if winner.is_some() {
                self.node_mut(step.node).winner = winner;
            }
        }
    }

    /// Counts visits of the path, lost by whoever moves; a negative count takes them back.
    pub(crate) fn add_virtual_loss(&mut self, path: &[PathStep], count: i16) {
        for step in path {
            let node = self.node_mut(step.node);
            node.visits = node.visits.wrapping_add_signed(count.into());
            node.total += f64::from(count) * Value::for_side(step.mover, 0.0).seen_by(Side::First);
            let at = node.edge(step.rank);
            let edge = &mut self.edges[at];
            edge.visits = edge.visits.wrapping_add_signed(count.into());
            edge.unfinished = edge.unfinished.wrapping_add_signed(count);
            self.refresh(at);
        }
    }

    /// Undoes the steps of the walk that was started last and found nothing. Edges that only this walk has followed are
    /// untried again; a node to which one led stays.
    pub(crate) fn take_back(&mut self, path: &[PathStep]) {
        for step in path.iter().rev() {
            let node = &mut self.nodes[step.node as usize];
            let edge = &mut self.edges[node.edge(step.rank)];
            if edge.visits == 0 {
                node.tried -= 1;
                edge.node = NO_NODE;
            }
        }
    }

    /// The edge of a step.
    pub(crate) fn edge(&self, step: &PathStep) -> &Edge<A> {
        &self.edges[self.node(step.node).edge(step.rank)]
    }

    /// Updates the values of an edge that selection reads.
    #[inline(always)]
    fn refresh(&mut self, edge: usize) {
        let (quad, lane) = (&mut self.quads[edge / LANES], edge % LANES);
        let edge = &self.edges[edge];
        let form = self.settings.select.part().visits;
        quad.mean[lane] = if edge.is_lost() {
            f32::NAN
        } else {
            edge.mean()
        };
        quad.visits[lane] = form.of(edge.visits as f32);
    }

    fn all_actions_lose(&self, id: NodeId) -> bool {
        let node = self.node(id);
        node.complete && !node.has_untried() && self.edges(id).iter().all(Edge::is_lost)
    }

    /// Backs up the position estimate of a leaf by minimax.
    pub(crate) fn back_up_estimate(&mut self, path: &[PathStep], leaf: Value) {
        let mut below = leaf;
        for (height, step) in path.iter().rev().enumerate() {
            let at = self.node(step.node).edge(step.rank);
            let new = below.seen_by(step.mover) as f32;
            let old = mem::replace(&mut self.quads[at / LANES].backup[at % LANES], new);
            // In a tree, an edge has what is backed up to the node below, so all above stays the same.
            // Not so above the leaf, where that may have been the estimate of a node without edges.
            if old == new && height > 0 && !self.settings.transpositions {
                return;
            }
            below = self.best_estimate(step.node, step.mover);
        }
    }

    /// The best value backed up to the edges of a node, for its mover.
    pub(crate) fn best_estimate(&self, id: NodeId, mover: Side) -> Value {
        let mut best = [0.0; LANES];
        for quad in self.quads.slice(quads(&self.node(id).tried())) {
            // Untried edges have 0.
            best = from_fn(|lane| quad.backup[lane].max(best[lane]));
        }
        Value::unchecked(mover, best.into_iter().fold(0.0, f32::max).into())
    }

    /// Tells the actions of the nodes on the path of an iteration, by [`SelectionRule::learn`], of the moves that were made
    /// there or later.
    ///
    /// [`SelectionRule::learn`]: crate::SelectionRule::learn
    pub(crate) fn learn_moves(
        &mut self,
        learn: fn(&mut Extra, f32),
        path: &[PathStep],
        results: &ResultSum,
        moves: &mut dyn MoveSet<A>,
    ) {
        for step in path.iter().rev() {
            moves.insert(step.mover, self.edge(step).action);
            let result = results.seen_by(step.mover, results.total) as f32;
            let tried = self.node(step.node).tried();
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
