//! Iterations of Monte Carlo tree search on one tree.
//!
//! UCT of Kocsis and Szepesvári, "Bandit based Monte-Carlo planning" (2006), without alternation: a
//! result is added to an edge from the point of view of the side that moves there.

use super::backup::PathStep;
use super::budget::{Budget, Meter, Stop};
use super::candidate::{Candidate, best};
use super::game::{Guidance, Leaf, Side, Value};
use super::node::{Edge, NodeId};
use super::prefetch::prefetch;
use super::settings::{Rule, Settings};
use super::tree::Tree;

/// Actions from the root to where iterations left the tree. An action in two parts counts as two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Depth {
    /// Sum over the iterations.
    pub sum: u64,
    /// Maximum over the iterations.
    pub max: usize,
}

/// A tree that grows by iterations and can be kept from move to move.
pub(super) struct TreeSearch<G: Guidance> {
    pub(super) game: G,
    pub(super) settings: Settings,
    pub(super) tree: Tree<G::Position, G::Action>,
    /// The depth of the iterations of the last decision.
    pub(super) depth: Depth,
    path: Vec<PathStep>,
    actions: Vec<(G::Action, f32)>,
}

impl<G: Guidance> TreeSearch<G> {
    pub(super) fn new(game: G, settings: Settings) -> Self {
        Self {
            game,
            settings,
            tree: Tree::new(&settings),
            depth: Depth::default(),
            path: Vec::new(),
            actions: Vec::new(),
        }
    }

    /// The side that is proven to win from the root.
    pub(super) fn winner(&self) -> Option<Side> {
        self.tree.node(self.tree.root).winner
    }

    /// The candidates of the position reached by these actions from the root, in the order in which they are
    /// tried; empty where the tree does not go.
    pub(super) fn candidates(
        &self,
        path: &[G::Action],
    ) -> impl Iterator<Item = Candidate<G::Action>> {
        let mut id = Some(self.tree.root);
        for &action in path {
            id = id.and_then(|id| {
                let mut tried = self.tree.tried(id).iter();
                Some(tried.find(|edge| edge.action == action)?.node)
            });
        }
        id.into_iter().flat_map(|id| self.tree.candidates(id))
    }

    /// Searches from `root`, which must be the root position of the tree, and returns the number of
    /// iterations. A root with a single action is not searched.
    pub(super) fn search(&mut self, root: &G::Position, budget: Budget, stop: &Stop) -> u32 {
        let meter = Meter::new(budget, stop);
        self.tree.tidy();
        self.depth = Depth::default();
        let top = self.tree.root;
        if !self.tree.node(top).is_expanded() {
            self.expand(top, root);
        }
        self.forget_unfounded_proof(self.game.mover(root));
        if let [only] = self.tree.edges(top)
            && (!only.is_lost() || self.tree.node(top).complete)
        {
            return 0;
        }
        let mut iterations = 0;
        while meter.allows(iterations) && !self.is_decided(&meter, iterations) {
            if !self.tree.has_room() {
                meter.pay(self.tree.cost_of_recycling(), || self.tree.recycle());
            }
            self.iterate(root);
            iterations += 1;
        }
        iterations
    }

    /// A position proven without its actions must be searched when it is about to be played.
    fn forget_unfounded_proof(&mut self, mover: Side) {
        let top = self.tree.root;
        let node = self.tree.node(top);
        let mut tried = self.tree.tried(top).iter();
        let founded = if node.winner == Some(mover) {
            tried.any(|edge| edge.proven == Some(true))
        } else {
            !node.has_untried() && tried.all(Edge::is_lost)
        };
        if !founded {
            self.tree.node_mut(top).winner = None;
        }
    }

    /// Whether further iterations cannot change the choice.
    fn is_decided(&self, meter: &Meter<'_>, done: u32) -> bool {
        const BETWEEN_LOOKS: u32 = 64;
        if self.winner().is_some() {
            return true;
        }
        if !self.settings.early_stop || done == 0 || !done.is_multiple_of(BETWEEN_LOOKS) {
            return false;
        }
        let left = meter.left(done);
        let mut path = Vec::new();
        loop {
            let (mut most, mut second) = (0, 0);
            for one in self
                .candidates(&path)
                .filter(|one| one.proven != Some(false))
            {
                second = second.max(one.visits.min(most));
                most = most.max(one.visits);
            }
            if most - second <= left {
                return false;
            }
            // If the choice is only part of a decision, the next part must be decided as well.
            match best(self.candidates(&path)) {
                Some(part) if self.game.is_part(part.action) => path.push(part.action),
                _ => return true,
            }
        }
    }

    fn expand(&mut self, id: NodeId, position: &G::Position) {
        self.actions.clear();
        let complete = self.game.expand(position, &mut self.actions);
        let sum: f32 = self.actions.iter().map(|(_, prior)| prior).sum();
        if self.settings.select == Rule::Puct {
            // Among untried actions, the rule considers only the next one.
            self.actions.sort_by(|one, two| two.1.total_cmp(&one.1));
        }
        if sum > 0.0 {
            for (_, prior) in &mut self.actions {
                *prior /= sum;
            }
        }
        self.tree.place(id, *position, self.game.mover(position));
        self.tree.expand(id, &self.actions, complete);
    }

    /// Walks down to a position that is new or over, evaluates it, and backs the value up.
    fn iterate(&mut self, root: &G::Position) {
        // The position at the end of the path, unless the node there has been expanded and has it.
        let mut position = *root;
        let mut id = self.tree.root;
        self.path.clear();
        if self.settings.rave.is_some()
            && let Some(moves) = self.game.moves()
        {
            moves.clear();
        }
        let mut leaf = loop {
            let node = self.tree.node(id);
            if let Some(winner) = node.winner {
                // Only if everything else is lost, or nothing else was expanded.
                break Leaf::won_by(winner);
            }
            if !node.is_expanded() {
                if let Some(step) = self.path.last() {
                    position = self.after(step);
                }
                // A node is expanded at the second visit; the first only evaluates it. The root is
                // expanded before it is visited.
                if node.visits == 0 || !self.tree.has_room() || self.game.is_over(&position) {
                    break self.game.evaluate(&position);
                }
                if self.settings.solver
                    && let Some(winner) = self.game.prove(&position)
                {
                    break Leaf::won_by(winner);
                }
                self.expand(id, &position);
            }
            // The selected edge will be needed at once, and the edges are close together in memory.
            prefetch(self.tree.tried(id));
            let selected = self.settings.select_edge(&self.tree, id);
            let edge = selected.unwrap_or_else(|| self.select_left_out(id));
            let node = self.tree.node(id);
            let is_new = edge == node.next_edge();
            if is_new && !self.tree.has_room() {
                position = *self.tree.position(id);
                break self.game.evaluate(&position);
            }
            let step = PathStep {
                edge,
                node: id,
                mover: node.mover,
            };
            self.path.push(step);
            if is_new {
                let merges = self.settings.transpositions;
                let key = merges.then(|| self.game.key(&self.after(&step)));
                self.tree.try_next(id, key.flatten());
            }
            id = self.tree.edge(edge).node;
        };
        self.depth.sum += self.path.len() as u64;
        self.depth.max = self.depth.max.max(self.path.len());
        if self.settings.rave.is_some()
            && let Some(moves) = self.game.moves()
        {
            self.tree.count_moves(&self.path, leaf.value, moves);
        }
        leaf.winner = leaf.winner.filter(|_| self.settings.solver);
        self.tree.back_up(&self.path, id, leaf);
        if self.settings.minimax > 0.0 {
            let node = self.tree.node(id);
            let estimate = match node.winner {
                Some(winner) => Value::for_side(winner, 1.0),
                None if node.tried > 0 => self.tree.best_estimate(id, node.mover),
                None => self.game.estimate(&position),
            };
            let merges = self.settings.transpositions;
            self.tree.back_up_estimate(&self.path, estimate, merges);
        }
    }

    /// The position after a step.
    fn after(&self, step: &PathStep) -> G::Position {
        let mut position = *self.tree.position(step.node);
        let action = self.tree.edge(step.edge).action;
        self.game.play(&mut position, action);
        position
    }

    /// The edge to follow when all edges lose: the first action that the expansion left out, otherwise the
    /// first of all.
    fn select_left_out(&mut self, id: NodeId) -> u32 {
        let node = self.tree.node(id);
        let first = node.first_edge;
        if node.complete {
            return first;
        }
        self.actions.clear();
        if !self
            .game
            .expand_more(self.tree.position(id), &mut self.actions)
        {
            return first;
        }
        let known = self.tree.edges(id);
        self.actions
            .retain(|(action, _)| known.iter().all(|edge| edge.action != *action));
        let prior = 1.0 / self.actions.len().max(1) as f32;
        for action in &mut self.actions {
            action.1 = prior;
        }
        self.tree.expand(id, &self.actions, true);
        let node = self.tree.node(id);
        if node.has_untried() {
            node.next_edge()
        } else {
            node.first_edge
        }
    }
}
