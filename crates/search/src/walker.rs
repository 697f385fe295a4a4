//! Iterations of Monte Carlo tree search.
//!
//! UCT of Kocsis and Szepesvári, "Bandit based Monte-Carlo planning" (2006), without alternation: a
//! result is added to an edge from the point of view of the side that moves there.

use std::mem;

use crate::game::{Guidance, Value, check_number, check_priors};
use crate::settings::Settings;
use crate::settings_error::SettingsError;
use crate::tree::Tree;
use crate::tree::backup::{PathStep, ResultSum};
use crate::tree::node::NodeId;

/// Actions from the root to where iterations left the tree. An action in two parts counts as two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Depth {
    /// Sum over the iterations.
    pub sum: u64,
    /// Maximum over the iterations.
    pub max: usize,
}

impl Depth {
    /// The depth of both these iterations and others.
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
pub(super) struct Walker<G: Guidance> {
    pub(super) game: G,
    /// The depth of its iterations of the last decision.
    pub(super) depth: Depth,
    /// The steps of the iteration so far, from the root of the game's tree on.
    pub(super) path: Vec<PathStep>,
    /// The number of steps to the node where iterations start.
    pub(super) above: usize,
    /// The node that the steps lead to.
    pub(super) leaf: NodeId,
    /// The actions that [`Self::list_actions`] has listed.
    pub(super) actions: Vec<(G::Action, f32)>,
}

/// Why a walk through the tree has ended.
pub(super) enum WalkEnd<P> {
    /// What iterations find is known without the game.
    Found(ResultSum),
    /// This position must be evaluated.
    Evaluate(P),
    /// This position must be proven or expanded before the walk can go on.
    Expand(P),
    /// The node has few visits, and several iterations may start there. This is its position.
    Few(P),
    /// The node is claimed.
    Claimed,
}

/// Maximum number of visits of a node below which several iterations start.
const FEW_VISITS: u32 = 1024;
/// The visits of such a node for each iteration: so its mean hardly changes before the nodes above learn of it.
const VISITS_PER_ITERATION: u32 = 8;

impl<G: Guidance> Walker<G> {
    /// Whether the game can be searched with these settings.
    pub(super) fn check(&mut self, settings: &Settings) -> Result<(), SettingsError> {
        let learns = settings.select.part().learn.is_some();
        if learns && self.game.moves().is_none() {
            let why = "a rule that learns from moves requires `Guidance::moves`";
            return Err(SettingsError::Conflict { key: "select", why });
        }
        settings.check()
    }

    pub(super) fn new(game: G) -> Self {
        Self {
            game,
            depth: Depth::default(),
            path: Vec::new(),
            above: 0,
            leaf: 0,
            actions: Vec::new(),
        }
    }

    /// Begins a walk at the root, where it follows the edge of this rank, if any.
    pub(super) fn start(&mut self, tree: &mut TreeOf<G>, first: Option<u16>) {
        self.path.truncate(self.above);
        self.leaf = tree.root;
        if let Some(rank) = first {
            // Without room for another node, an action may be allocated before those in front of it have been tried.
            let tried = tree.node(self.leaf).tried;
            self.follow(tree, rank.min(tried));
        }
    }

    /// An iteration: walks down to a position that is new or over, evaluates it, and backs the value up. Returns what
    /// it found.
    #[inline]
    pub(super) fn iterate(
        &mut self,
        tree: &mut TreeOf<G>,
        root: &G::Position,
        first: Option<u16>,
    ) -> ResultSum {
        self.start(tree, first);
        let results = loop {
            match self.walk::<false>(tree, root, |_| false) {
                WalkEnd::Expand(position) => {
                    if tree.settings.solver
                        && let Some(winner) = self.game.prove(&position)
                    {
                        break ResultSum::won_by(winner);
                    }
                    let complete = self.list_actions(tree, &position);
                    if !tree.edges.fits(self.actions.len()) {
                        break self.evaluate(tree, &position);
                    }
                    self.expand(tree, &position, complete);
                }
                end => break self.results(tree, end),
            }
        };
        self.finish(tree, &results);
        results
    }

    /// Iterations below one node: a walk from the root comes to a node with few visits, and at most `most` iterations
    /// start there. So what the node has learned changes the nodes above it once. Returns their number.
    pub(super) fn iterate_batch(
        &mut self,
        tree: &mut TreeOf<G>,
        root: &G::Position,
        most: u32,
    ) -> u32 {
        self.start(tree, None);
        match self.walk::<true>(tree, root, |_| false) {
            WalkEnd::Few(position) => {
                let most = self.begin_batch(tree, most);
                let results = self.iterate_below(tree, &position, most);
                self.back_up(tree, &results);
                results.count
            }
            end => {
                let results = self.results(tree, end);
                self.finish(tree, &results);
                1
            }
        }
    }

    /// The number of iterations that start at a node with few visits, to which the walk has come: at most `most`.
    pub(super) fn begin_batch(&mut self, tree: &TreeOf<G>, most: u32) -> u32 {
        self.tell_path(tree);
        (tree.node(self.leaf).visits / VISITS_PER_ITERATION).clamp(1, most)
    }

    /// At most this many iterations below the node that the walk has come to, as if it was the root, in this position.
    /// Returns their results, which [`Self::back_up`] backs up further.
    pub(super) fn iterate_below(
        &mut self,
        tree: &mut TreeOf<G>,
        position: &G::Position,
        most: u32,
    ) -> ResultSum {
        let top = self.leaf;
        let root = mem::replace(&mut tree.root, top);
        self.above = self.path.len();
        let mut results = self.iterate(tree, position, None);
        while results.count < most && tree.node(top).winner.is_none() && tree.has_room() {
            results.add(&self.iterate(tree, position, None));
        }
        results.winner = tree.node(top).winner;
        self.start(tree, None);
        self.above = 0;
        tree.root = root;
        results
    }

    /// Follows the tree as far as it goes; with `BATCHES`, to a node with few visits.
    // Alone, it has enough registers.
    #[inline(never)]
    pub(super) fn walk<const BATCHES: bool>(
        &mut self,
        tree: &mut TreeOf<G>,
        root: &G::Position,
        is_claimed: impl Fn(NodeId) -> bool,
    ) -> WalkEnd<G::Position> {
        loop {
            let id = self.leaf;
            if is_claimed(id) {
                return WalkEnd::Claimed;
            }
            let node = tree.node(id);
            if let Some(winner) = node.winner {
                // Only if everything else is lost, or nothing else was expanded.
                return WalkEnd::Found(ResultSum::won_by(winner));
            }
            if BATCHES && (!node.is_expanded() || node.visits <= FEW_VISITS) {
                return WalkEnd::Few(self.position(tree, root));
            }
            if !node.is_expanded() {
                let position = self.position(tree, root);
                // A node is expanded at the second visit; the first only evaluates it. The root is
                // expanded before it is visited.
                if node.visits == 0 || !tree.has_room() || self.game.is_over(&position) {
                    return WalkEnd::Evaluate(position);
                }
                return WalkEnd::Expand(position);
            }
            assert!(
                !tree.settings.transpositions || self.path.len() <= tree.nodes.len(),
                "a sequence of actions repeats a position, which the setting `transpositions` does not allow"
            );
            // The selected edge will be needed at once, and it is mostly one of the first.
            tree.edges.prefetch(node.edge(0));
            if tree.settings.select.part().memory.is_some() {
                self.recall(tree);
            }
            let rank = match tree.select_edge(id) {
                Some(rank) => rank,
                None => self.select_left_out(tree),
            };
            if !self.follow(tree, rank) {
                return WalkEnd::Evaluate(*tree.position(id));
            }
        }
    }

    /// Asks the game what the memory of the rule recalls of the actions of the node that the walk has come to.
    #[cold]
    fn recall(&mut self, tree: &mut TreeOf<G>) {
        self.tell_path(tree);
        for edge in tree.node(self.leaf).range() {
            let action = tree.edges[edge].action;
            let [visits, mean] = self.game.recall(tree.position(self.leaf), action);
            (tree.extras[edge].amaf_visits, tree.extras[edge].amaf_mean) = (visits, mean);
        }
    }

    /// The rank of the edge to follow when all edges lose: the first action that the expansion left out,
    /// otherwise the first of all.
    fn select_left_out(&mut self, tree: &mut TreeOf<G>) -> u16 {
        let (id, actions) = (self.leaf, &mut self.actions);
        actions.clear();
        if tree.node(id).complete || !self.game.expand_more(tree.position(id), actions) {
            return 0;
        }
        let known = tree.edges(id);
        actions.retain(|(action, _)| known.iter().all(|edge| edge.action != *action));
        check_number(known.len() + actions.len());
        let prior = 1.0 / actions.len().max(1) as f32;
        actions.iter_mut().for_each(|one| one.1 = prior);
        if !tree.edges.fits(known.len() + actions.len()) {
            return 0;
        }
        tree.expand(id, actions, true);
        let node = tree.node(id);
        if node.has_untried() { node.tried } else { 0 }
    }

    /// Follows the edge of this rank. Returns whether it could: there is no room for another node behind an edge that has not
    /// been tried.
    #[inline(always)]
    fn follow(&mut self, tree: &mut TreeOf<G>, rank: u16) -> bool {
        let id = self.leaf;
        let node = tree.node(id);
        assert!(
            rank <= node.tried && rank < node.edges,
            "a selection rule or an allocation follows an action that has been tried, or the next one"
        );
        let is_new = rank == node.tried;
        if is_new && !tree.has_room() {
            return false;
        }
        let step = PathStep {
            node: id,
            rank,
            mover: node.mover,
        };
        self.path.push(step);
        if is_new {
            let merges = tree.settings.transpositions;
            let key = merges.then(|| self.game.key(&self.after(tree, &step)));
            tree.try_next(id, key.flatten());
        }
        self.leaf = tree.edge(&step).node;
        true
    }

    /// The position that the walk has come to, which has begun in `root`.
    #[inline(always)]
    pub(super) fn position(&self, tree: &TreeOf<G>, root: &G::Position) -> G::Position {
        match self.path[self.above..].last() {
            Some(step) => self.after(tree, step),
            None => *root,
        }
    }

    /// The position after a step.
    fn after(&self, tree: &TreeOf<G>, step: &PathStep) -> G::Position {
        let mut position = *tree.position(step.node);
        self.game.play(&mut position, tree.edge(step).action);
        position
    }

    /// Lists the actions of a position in the order in which they are tried. Returns whether they are all legal actions.
    pub(super) fn list_actions(&mut self, tree: &TreeOf<G>, position: &G::Position) -> bool {
        self.actions.clear();
        let complete = self.game.expand(position, &mut self.actions);
        check_number(self.actions.len());
        self.rank(tree);
        complete
    }

    /// Brings the listed actions in the order in which they are tried, with priors that add up to 1.
    pub(super) fn rank(&mut self, tree: &TreeOf<G>) {
        let mut sum = check_priors(self.actions.iter().map(|(_, prior)| *prior));
        if sum == 0.0 {
            self.actions.iter_mut().for_each(|one| one.1 = 1.0);
            sum = self.actions.len() as f32;
        }
        if tree.settings.select.part().uses_priors {
            // Among untried actions, the rule considers only the next one.
            (self.actions).sort_by(|one, two| two.1.total_cmp(&one.1));
        }
        for (_, prior) in &mut self.actions {
            *prior /= sum;
        }
    }

    /// Expands the node at the end of the walk, whose position this is, by the listed actions.
    pub(super) fn expand(&self, tree: &mut TreeOf<G>, position: &G::Position, complete: bool) {
        tree.place(self.leaf, *position, self.game.mover(position));
        tree.expand(self.leaf, &self.actions, complete);
    }

    /// What is found where a walk has ended without an expansion or a batch.
    #[inline(always)]
    pub(super) fn results(&mut self, tree: &TreeOf<G>, end: WalkEnd<G::Position>) -> ResultSum {
        match end {
            WalkEnd::Found(results) => results,
            WalkEnd::Evaluate(position) => self.evaluate(tree, &position),
            _ => unreachable!("the walk goes on"),
        }
    }

    /// Tells the game of the steps of the walk.
    #[inline(always)]
    pub(super) fn tell_path(&mut self, tree: &TreeOf<G>) {
        let steps = self.path[self.above..].iter();
        let steps = steps.map(|step| (tree.position(step.node), tree.edge(step).action));
        self.game.follow(self.above > 0, steps);
    }

    /// Evaluates the position at the end of the walk. [`Self::finish`] must follow: the game keeps the moves of
    /// one iteration.
    #[inline(always)]
    fn evaluate(&mut self, tree: &TreeOf<G>, position: &G::Position) -> ResultSum {
        self.tell_path(tree);
        let settings = &tree.settings;
        let mut leaf = self.game.evaluate(position);
        let is_estimate = leaf.winner.is_none() && self.game.evaluates_by_estimate();
        leaf.winner = leaf.winner.filter(|_| settings.solver);
        let estimate = match leaf.winner {
            Some(winner) => Value::for_side(winner, 1.0),
            None if settings.minimax > 0.0 && !is_estimate => self.game.estimate(position),
            None => leaf.value,
        };
        ResultSum::of(&leaf, estimate)
    }

    /// Ends an iteration: backs up what was found.
    #[inline(always)]
    pub(super) fn finish(&mut self, tree: &mut TreeOf<G>, results: &ResultSum) {
        self.depth = self.depth.and(Depth {
            sum: self.path.len() as u64,
            max: self.path.len(),
        });
        if let Some(learn) = tree.settings.select.part().learn {
            let moves = self.game.moves().expect("a game keeps its moves");
            tree.learn_moves(learn, &self.path, results, moves);
        }
        tree.visit(self.leaf, results);
        self.back_up(tree, results);
    }

    /// Backs up the results at the node that the walk has come to, and its position estimate; unless it is proven or has been
    /// expanded, that of the results.
    #[inline(always)]
    pub(super) fn back_up(&self, tree: &mut TreeOf<G>, results: &ResultSum) {
        let path = &self.path[self.above..];
        tree.back_up(path, results);
        if tree.settings.minimax > 0.0 {
            let node = tree.node(self.leaf);
            let estimate = if node.winner.is_none() && node.tried > 0 {
                tree.best_estimate(self.leaf, node.mover)
            } else {
                results.estimate
            };
            tree.back_up_estimate(path, estimate);
        }
    }
}
