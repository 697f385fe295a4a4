//! Iterations in a row below one node, which change the nodes above it once.

use std::mem;

use crate::game::{Guidance, Value};
use crate::tree::backup::ResultSum;
use crate::tree::node::NodeId;
use crate::walker::{Finding, TreeOf, Walk, Walker};

/// How a walk to a node with few visits has ended.
pub(crate) enum DescentEnd<P> {
    /// At a node with this position, below which this many iterations may start.
    Start(P, u32),
    /// At a node that is proven, or where the tree is full: what was found there.
    Found(Finding),
    /// At a claimed node.
    Claimed,
}

/// Maximum number of visits of a node below which several iterations start.
const FEW_VISITS: u32 = 1024;
/// The visits of such a node for each iteration: so its mean hardly changes before the nodes above learn of it.
const VISITS_PER_ITERATION: u32 = 8;

impl<G: Guidance> Walker<G> {
    /// Iterations below one node: a walk from the root comes to a node with few visits, and at most `most` iterations
    /// start there. So what the node has learned changes the nodes above it once. Returns their number.
    pub(crate) fn iterate_batch(
        &mut self,
        tree: &mut TreeOf<G>,
        above: &mut Walk<G::Action>,
        below: &mut Walk<G::Action>,
        root: &G::Position,
        most: u32,
    ) -> u32 {
        match self.descend(tree, above, root, most, |_| false) {
            DescentEnd::Start(position, count) => {
                let (results, estimate) = self.iterate_below(tree, above, below, &position, count);
                self.finish_below(tree, above, &results, estimate);
                results.count
            }
            DescentEnd::Found(found) => {
                self.finish(tree, above, &found);
                1
            }
            DescentEnd::Claimed => unreachable!("no node is claimed"),
        }
    }

    /// Walks from the root to a node with few visits that is not claimed.
    pub(crate) fn descend(
        &mut self,
        tree: &mut TreeOf<G>,
        walk: &mut Walk<G::Action>,
        root: &G::Position,
        most: u32,
        is_claimed: impl Fn(NodeId) -> bool,
    ) -> DescentEnd<G::Position> {
        walk.start(tree.root);
        loop {
            let id = walk.leaf;
            if is_claimed(id) {
                return DescentEnd::Claimed;
            }
            let node = tree.node(id);
            if let Some(winner) = node.winner {
                return DescentEnd::Found(Finding::won_by(winner));
            }
            if !node.is_expanded() || node.visits <= FEW_VISITS {
                let count = (node.visits / VISITS_PER_ITERATION).clamp(1, most);
                self.tell_path(tree, walk);
                return DescentEnd::Start(self.position(tree, walk, root), count);
            }
            if !self.step(tree, walk) {
                let position = *tree.position(id);
                return DescentEnd::Found(self.evaluate_leaf(tree, walk, &position));
            }
        }
    }

    /// At most this many iterations below the node that a walk has come to, as if it was the root. Its position is
    /// `root`. Returns their results, and the position estimate of the last one.
    pub(crate) fn iterate_below(
        &mut self,
        tree: &mut TreeOf<G>,
        above: &Walk<G::Action>,
        below: &mut Walk<G::Action>,
        root: &G::Position,
        most: u32,
    ) -> (ResultSum, Value) {
        let top = mem::replace(&mut tree.root, above.leaf);
        self.above = above.path.len();
        let mut results = ResultSum::NONE;
        let mut estimate;
        loop {
            let found = self.iterate(tree, below, root);
            results.add(&ResultSum::of(&found.leaf));
            estimate = found.estimate;
            results.winner = tree.node(above.leaf).winner;
            if results.count == most || results.winner.is_some() || !tree.has_room() {
                break;
            }
        }
        self.above = 0;
        tree.root = top;
        (results, estimate)
    }

    /// Ends iterations below a node: backs up what was found.
    pub(crate) fn finish_below(
        &self,
        tree: &mut TreeOf<G>,
        above: &Walk<G::Action>,
        results: &ResultSum,
        estimate: Value,
    ) {
        tree.back_up_results(&above.path, results);
        self.back_up_estimate(tree, above, estimate);
    }
}
