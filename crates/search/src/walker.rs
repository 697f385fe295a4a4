//! Iterations of Monte Carlo tree search.
//!
//! UCT of Kocsis and Szepesvári, "Bandit based Monte-Carlo planning" (2006), without alternation: a
//! result is added to an edge from the point of view of the side that moves there.

pub(crate) mod batch;
mod ending;

use crate::allocation::{Allocator, RootTally};
use crate::game::{Guidance, Leaf, Side, Value};
use crate::settings::Settings;
use crate::tree::Tree;
use crate::tree::backup::PathStep;
use crate::tree::node::NodeId;
use crate::tree::shared_vec::prefetch;

/// Actions from the root to where iterations left the tree. An action in two parts counts as two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Depth {
    /// Sum over the iterations.
    pub sum: u64,
    /// Maximum over the iterations.
    pub max: usize,
}

impl Depth {
    /// That of these iterations and of others.
    pub fn and(self, others: Self) -> Self {
        Self {
            sum: self.sum + others.sum,
            max: self.max.max(others.max),
        }
    }
}

/// The tree of a game.
pub(super) type TreeOf<G> =
    Tree<<G as crate::GameRules>::Position, <G as crate::GameRules>::Action>;

/// Iterates through a tree. In a search by several threads, each has a walker.
///
/// An iteration alternates between the tree and the game: the methods that need the game alone do not take
/// the tree, so that threads can do this work at the same time.
pub(super) struct Walker<G: Guidance> {
    pub(super) game: G,
    pub(super) settings: Settings,
    /// The depth of its iterations of the last decision.
    pub(super) depth: Depth,
    /// The rank of the action of the root that the next iteration follows, if the root allocation has told it.
    pub(super) allocated: Option<u16>,
    /// Steps from the root of the game's tree to where its iterations start.
    pub(super) above: usize,
}

/// An iteration.
pub(super) struct Walk<A> {
    /// The steps so far.
    pub(super) path: Vec<PathStep>,
    /// The node that they lead to.
    pub(super) leaf: NodeId,
    /// The actions that [`Walker::list_actions`] has listed.
    pub(super) actions: Vec<(A, f32)>,
}

impl<A> Walk<A> {
    pub(super) const fn new() -> Self {
        Self {
            path: Vec::new(),
            leaf: 0,
            actions: Vec::new(),
        }
    }

    /// Begins an iteration at the root.
    pub(super) fn start(&mut self, root: NodeId) {
        self.path.clear();
        self.leaf = root;
    }
}

/// Why a walk through the tree has ended.
pub(super) enum WalkEnd<P> {
    /// The value is known without the game.
    Found(Finding),
    /// This position must be evaluated.
    Evaluate(P),
    /// This position must be proven or expanded before the walk can go on.
    Expand(P),
}

/// What was found at the end of an iteration.
pub(super) struct Finding {
    pub(super) leaf: Leaf,
    /// The position estimate; only used with [`Settings::minimax`].
    pub(super) estimate: Value,
}

impl Finding {
    /// That this side wins.
    pub(super) const fn won_by(side: Side) -> Self {
        Self::value(Leaf::won_by(side))
    }

    /// What is known of a position is its value.
    pub(super) const fn value(leaf: Leaf) -> Self {
        Self {
            estimate: leaf.value,
            leaf,
        }
    }
}

impl<G: Guidance> Walker<G> {
    pub(super) fn new(game: G, settings: Settings) -> Self {
        Self {
            game,
            settings,
            depth: Depth::default(),
            allocated: None,
            above: 0,
        }
    }

    /// An iteration: walks down to a position that is new or over, evaluates it, and backs the value up. Returns what
    /// it found.
    #[inline]
    pub(super) fn iterate(
        &mut self,
        tree: &mut TreeOf<G>,
        walk: &mut Walk<G::Action>,
        root: &G::Position,
    ) -> Finding {
        walk.start(tree.root);
        if let Some(rank) = self.allocated.take() {
            self.follow_allocated(tree, walk, rank);
        }
        let found = loop {
            match self.walk(tree, walk, root) {
                WalkEnd::Found(found) => break found,
                WalkEnd::Evaluate(position) => break self.evaluate_leaf(tree, walk, &position),
                WalkEnd::Expand(position) => {
                    if let Some(found) = self.prove(&position) {
                        break found;
                    }
                    let complete = self.list_actions(walk, &position);
                    if !tree.fits(walk.actions.len()) {
                        break self.evaluate_leaf(tree, walk, &position);
                    }
                    self.expand(tree, walk, &position, complete);
                }
            }
        };
        self.finish(tree, walk, &found);
        found
    }

    /// Asks which action of the root the next iteration follows.
    pub(super) fn allocate(
        &mut self,
        tree: &TreeOf<G>,
        allocator: &mut dyn Allocator,
        done: u32,
        all: u32,
    ) {
        let rank = allocator.next(&RootTally {
            actions: tree.edges(tree.root).len(),
            done,
            all,
            tally: &|rank| tree.root_tally(rank),
        });
        self.allocated = rank.map(|rank| rank as u16);
    }

    /// Follows an edge of the root.
    #[cold]
    pub(super) fn follow_allocated(
        &mut self,
        tree: &mut TreeOf<G>,
        walk: &mut Walk<G::Action>,
        rank: u16,
    ) {
        // Without room for another node, an action may be allocated before those in front of it have been tried.
        let tried = tree.node(walk.leaf).tried;
        self.follow(tree, walk, rank.min(tried));
    }

    /// Backs up the position estimate of what a walk has come to; unless it is proven or has been expanded, this one.
    #[inline(always)]
    pub(super) fn back_up_estimate(
        &self,
        tree: &mut TreeOf<G>,
        walk: &Walk<G::Action>,
        estimate: Value,
    ) {
        if self.settings.minimax > 0.0 {
            let node = tree.node(walk.leaf);
            let estimate = if node.winner.is_none() && node.tried > 0 {
                tree.best_estimate(walk.leaf, node.mover)
            } else {
                estimate
            };
            let merges = self.settings.transpositions;
            tree.back_up_estimate(&walk.path, estimate, merges);
        }
    }

    /// Follows the tree as far as it goes.
    // Alone, it has enough registers.
    #[inline(never)]
    pub(super) fn walk(
        &mut self,
        tree: &mut TreeOf<G>,
        walk: &mut Walk<G::Action>,
        root: &G::Position,
    ) -> WalkEnd<G::Position> {
        loop {
            let id = walk.leaf;
            let node = tree.node(id);
            if let Some(winner) = node.winner {
                // Only if everything else is lost, or nothing else was expanded.
                return WalkEnd::Found(Finding::won_by(winner));
            }
            if !node.is_expanded() {
                let position = self.position(tree, walk, root);
                // A node is expanded at the second visit; the first only evaluates it. The root is
                // expanded before it is visited.
                if node.visits == 0 || !tree.has_room() || self.game.is_over(&position) {
                    return WalkEnd::Evaluate(position);
                }
                return WalkEnd::Expand(position);
            }
            if !self.step(tree, walk) {
                return WalkEnd::Evaluate(*tree.position(id));
            }
        }
    }

    /// Follows an edge of the expanded node that the walk has come to. Returns whether it could: there is no room for
    /// another node behind an edge that has not been tried.
    #[inline(always)]
    pub(super) fn step(&mut self, tree: &mut TreeOf<G>, walk: &mut Walk<G::Action>) -> bool {
        let id = walk.leaf;
        // The selected edge will be needed at once, and it is mostly one of the first.
        prefetch(tree.edges.address(tree.node(id).first_edge as usize));
        if self.settings.select.part().memory.is_some() {
            self.recall(tree, walk);
        }
        let rank = match tree.select_edge(id) {
            Some(rank) => rank,
            None => self.select_left_out(tree, walk),
        };
        self.follow(tree, walk, rank)
    }

    /// Asks the game what the memory of the rule recalls of the actions of the node that a walk has come to.
    #[cold]
    fn recall(&mut self, tree: &mut TreeOf<G>, walk: &Walk<G::Action>) {
        self.tell_path(tree, walk);
        for edge in tree.node(walk.leaf).range() {
            let action = tree.edges[edge].action;
            let [visits, mean] = self.game.recall(tree.position(walk.leaf), action);
            (tree.extras[edge].amaf_visits, tree.extras[edge].amaf_mean) = (visits, mean);
        }
    }

    /// Follows the edge of this rank, as [`Self::step`] does.
    #[inline(always)]
    fn follow(&mut self, tree: &mut TreeOf<G>, walk: &mut Walk<G::Action>, rank: u16) -> bool {
        let id = walk.leaf;
        let node = tree.node(id);
        let is_new = rank == node.tried;
        if is_new && !tree.has_room() {
            return false;
        }
        let step = PathStep {
            node: id,
            rank,
            mover: node.mover,
        };
        walk.path.push(step);
        if is_new {
            let merges = self.settings.transpositions;
            let key = merges.then(|| self.game.key(&self.after(tree, &step)));
            tree.try_next(id, key.flatten());
        }
        walk.leaf = tree.edge(tree.step_edge(&step)).node;
        true
    }

    /// Tells the game of the steps of a walk.
    #[inline(always)]
    pub(super) fn tell_path(&mut self, tree: &TreeOf<G>, walk: &Walk<G::Action>) {
        let steps = walk.path.iter();
        let step = |step: &PathStep| {
            (
                tree.position(step.node),
                tree.edge(tree.step_edge(step)).action,
            )
        };
        self.game.follow(self.above > 0, steps.map(step));
    }

    /// As [`Self::evaluate`], after [`Self::tell_path`].
    #[inline(always)]
    pub(super) fn evaluate_leaf(
        &mut self,
        tree: &TreeOf<G>,
        walk: &Walk<G::Action>,
        position: &G::Position,
    ) -> Finding {
        self.tell_path(tree, walk);
        self.evaluate(position)
    }

    /// Evaluates the position at the end of a walk. [`Self::finish`] must follow: the game keeps the moves of
    /// one iteration.
    #[inline(always)]
    pub(super) fn evaluate(&mut self, position: &G::Position) -> Finding {
        let mut leaf = self.game.evaluate(position);
        let is_estimate = leaf.winner.is_none() && self.game.evaluates_by_estimate();
        leaf.winner = leaf.winner.filter(|_| self.settings.solver);
        let estimate = match leaf.winner {
            Some(winner) => Value::for_side(winner, 1.0),
            None if self.settings.minimax > 0.0 && !is_estimate => self.game.estimate(position),
            None => leaf.value,
        };
        Finding { leaf, estimate }
    }

    /// Finds out who wins the position at the end of a walk, if the game can tell.
    #[inline(always)]
    pub(super) fn prove(&mut self, position: &G::Position) -> Option<Finding> {
        if !self.settings.solver {
            return None;
        }
        let winner = self.game.prove(position)?;
        Some(Finding::won_by(winner))
    }

    /// Lists the actions of a position for [`Self::expand`]. Returns whether they are all legal actions.
    pub(super) fn list_actions(
        &mut self,
        walk: &mut Walk<G::Action>,
        position: &G::Position,
    ) -> bool {
        walk.actions.clear();
        let complete = self.game.expand(position, &mut walk.actions);
        self.rank(&mut walk.actions);
        complete
    }

    /// Brings actions in the order in which they are tried, with priors that add up to 1.
    pub(super) fn rank(&self, actions: &mut [(G::Action, f32)]) {
        let sum: f32 = actions.iter().map(|(_, prior)| prior).sum();
        if self.settings.select.part().uses_priors {
            // Among untried actions, the rule considers only the next one.
            actions.sort_by(|one, two| two.1.total_cmp(&one.1));
        }
        if sum > 0.0 {
            for (_, prior) in actions {
                *prior /= sum;
            }
        }
    }

    /// Expands the node at the end of a walk, whose position this is, by the listed actions.
    pub(super) fn expand(
        &self,
        tree: &mut TreeOf<G>,
        walk: &Walk<G::Action>,
        position: &G::Position,
        complete: bool,
    ) {
        tree.place(walk.leaf, *position, self.game.mover(position));
        tree.expand(walk.leaf, &walk.actions, complete);
    }

    /// Ends an iteration: backs up what was found.
    #[inline(always)]
    pub(super) fn finish(&mut self, tree: &mut TreeOf<G>, walk: &Walk<G::Action>, found: &Finding) {
        let Walk { path, leaf, .. } = walk;
        let depth = self.above + path.len();
        self.depth.sum += depth as u64;
        self.depth.max = self.depth.max.max(depth);
        if let Some(learn) = self.settings.select.part().learn
            && let Some(moves) = self.game.moves()
        {
            tree.learn_moves(learn, path, found.leaf.value, moves);
        }
        tree.back_up(path, *leaf, &found.leaf);
        self.back_up_estimate(tree, walk, found.estimate);
    }

    /// The position that a walk has come to.
    #[inline(always)]
    pub(super) fn position(
        &self,
        tree: &TreeOf<G>,
        walk: &Walk<G::Action>,
        root: &G::Position,
    ) -> G::Position {
        match walk.path.last() {
            Some(step) => self.after(tree, step),
            None => *root,
        }
    }

    /// The position after a step.
    fn after(&self, tree: &TreeOf<G>, step: &PathStep) -> G::Position {
        let mut position = *tree.position(step.node);
        let action = tree.edge(tree.step_edge(step)).action;
        self.game.play(&mut position, action);
        position
    }

    /// The rank of the edge to follow when all edges lose: the first action that the expansion left out,
    /// otherwise the first of all.
    fn select_left_out(&mut self, tree: &mut TreeOf<G>, walk: &mut Walk<G::Action>) -> u16 {
        let id = walk.leaf;
        let actions = &mut walk.actions;
        if tree.node(id).complete {
            return 0;
        }
        actions.clear();
        if !self.game.expand_more(tree.position(id), actions) {
            return 0;
        }
        let known = tree.edges(id);
        actions.retain(|(action, _)| known.iter().all(|edge| edge.action != *action));
        let prior = 1.0 / actions.len().max(1) as f32;
        for action in &mut *actions {
            action.1 = prior;
        }
        if !tree.fits(known.len() + actions.len()) {
            return 0;
        }
        tree.expand(id, actions, true);
        let node = tree.node(id);
        if node.has_untried() { node.tried } else { 0 }
    }
}
