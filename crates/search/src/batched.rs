//! Search of a tree whose positions are evaluated outside, several at once.
//!
//! Each position is evaluated once, by a value and priors (as in Silver et al., Nature 550, 2017). Walks that wait
//! for evaluations count as lost, which keeps the next ones away from them.

use std::collections::{HashMap, VecDeque};
use std::iter::repeat;
use std::mem;

use crate::allocation::Allocator;
use crate::game::{Guidance, Leaf, Side, Value};
use crate::settings::Settings;
use crate::tree::node::Candidate;
use crate::tree::node::NodeId;
use crate::walker::{Depth, Finding, TreeOf, Walk, WalkEnd, Walker};

/// A search of one tree that asks its caller for evaluations.
///
/// [`Guidance::expand`] lists the actions of a position, whose priors come with the evaluation. Only positions in
/// which the game is over are given to [`Guidance::evaluate`].
pub struct BatchedSearch<G: Guidance> {
    tree: TreeOf<G>,
    walker: Walker<G>,
    root: G::Position,
    /// Walks whose last positions are being evaluated, in the order in which they were asked for.
    waiting: VecDeque<(Walk<G::Action>, bool)>,
    idle: Vec<Walk<G::Action>>,
    /// What is known of positions that have been evaluated but not expanded.
    listed: HashMap<NodeId, Listed<G::Action>>,
    /// The walk to the root and those of this search that have been started and not given up.
    started: u32,
    /// What allocates the iterations to the actions of the root.
    allocator: Option<Box<dyn Allocator>>,
}

/// The actions of a position with their priors, and whether they are all legal actions.
type Listed<A> = (Vec<(A, f32)>, bool);

impl<G: Guidance> BatchedSearch<G> {
    /// A search from a position that is not over.
    ///
    /// # Panics
    /// When it is over.
    pub fn new(game: G, settings: Settings, root: G::Position) -> Self {
        assert!(!game.is_over(&root), "the game is over");
        Self {
            tree: TreeOf::<G>::new(&settings),
            walker: Walker::new(game, settings),
            root,
            waiting: VecDeque::new(),
            idle: Vec::new(),
            listed: HashMap::new(),
            started: 0,
            allocator: settings.allocator(),
        }
    }

    /// Begins another search, whose root is reached by actions that were played. The tree below it stays, and so do its
    /// visits, which no budget counts. `renew` renews the game.
    ///
    /// # Panics
    /// When an evaluation is missing or the game is over.
    pub fn go_on(&mut self, played: &[G::Action], settings: Settings, renew: impl FnOnce(&mut G)) {
        assert!(self.waiting.is_empty(), "an evaluation is missing");
        let Walker { game, .. } = &mut self.walker;
        for &action in played {
            game.play(&mut self.root, action);
            game.advance(action);
        }
        renew(game);
        assert!(!game.is_over(&self.root), "the game is over");
        let listed = mem::take(&mut self.listed);
        let is_known = self.tree.node_after(played).is_some();
        if is_known && settings.has_extras() == self.tree.has_extras {
            played.iter().for_each(|&action| self.tree.advance(action));
            // Nodes get other numbers, but paths stay.
            let kept = listed.into_iter();
            let kept = kept.filter_map(|(id, one)| Some((self.tree.path_to(id)?, one)));
            let kept: Vec<_> = kept.collect();
            self.tree.drop_what_is_cut_off();
            let found = |(path, one): (Vec<_>, _)| Some((self.tree.node_after(&path)?, one));
            self.listed = kept.into_iter().filter_map(found).collect();
            self.tree.settings = settings;
        } else {
            self.tree = TreeOf::<G>::new(&settings);
        }
        self.walker.settings = settings;
        self.walker.depth = Depth::default();
        self.walker.allocated = None;
        self.allocator = settings.allocator();
        self.started = u32::from(self.tree.node(self.tree.root).visits > 0);
        self.expand_root();
    }

    /// The next position to evaluate; its evaluation is handed to [`Self::answer`], first asked, first answered.
    ///
    /// `None` if the evaluation of the root and this many iterations after it are spent, if it is proven who wins,
    /// or if the search cannot go on without an answer.
    pub fn ask(&mut self, iterations: u32) -> Option<G::Position> {
        while self.started <= iterations && self.winner().is_none() {
            let mut walk = self.idle.pop().unwrap_or_else(Walk::new);
            walk.start(self.tree.root);
            let allocated = self.allocate(iterations);
            if let Some(rank) = allocated {
                self.walker
                    .follow_allocated(&mut self.tree, &mut walk, rank);
            }
            self.started += 1;
            let found = match self.walk(&mut walk) {
                WalkEnd::Evaluate(position) if !self.walker.game.is_over(&position) => {
                    if self.waiting.iter().any(|(one, _)| one.leaf == walk.leaf) {
                        self.tree.add_virtual_loss(&walk.path, 1);
                        self.tree.take_back(&walk.path);
                        self.idle.push(walk);
                        self.started -= 1;
                        self.walker.allocated = allocated;
                        return None;
                    }
                    let actions = &mut walk.actions;
                    actions.clear();
                    let complete = self.walker.game.expand(&position, actions);
                    self.tree.add_virtual_loss(&walk.path, 1);
                    self.waiting.push_back((walk, complete));
                    return Some(position);
                }
                WalkEnd::Evaluate(position) => self.walker.evaluate(&position),
                WalkEnd::Found(found) => found,
                WalkEnd::Expand(_) => unreachable!("the walk goes on below"),
            };
            self.walker.finish(&mut self.tree, &walk, &found);
            self.idle.push(walk);
        }
        None
    }

    /// The rank of the action of the root that the next iteration follows, if it is allocated.
    fn allocate(&mut self, iterations: u32) -> Option<u16> {
        let is_expanded = self.tree.node(self.tree.root).is_expanded();
        let allocator = self.allocator.as_mut().filter(|_| is_expanded)?;
        // An action gets the iteration that was given up.
        if self.walker.allocated.is_none() {
            // What waits counts as lost, which says nothing of its action.
            let done = self.started - 1 - self.waiting.len() as u32;
            self.walker
                .allocate(&self.tree, &mut **allocator, done, iterations);
        }
        self.walker.allocated.take()
    }

    /// Expands the root if it has been evaluated, so that its actions are known, and draws there.
    fn expand_root(&mut self) {
        let leaf = self.tree.root;
        if let Some((mut actions, complete)) = self.listed.remove(&leaf) {
            self.walker.rank(&mut actions);
            let walk = Walk {
                leaf,
                actions,
                ..Walk::new()
            };
            let Self { walker, tree, .. } = self;
            walker.expand(tree, &walk, &self.root, complete);
        }
        if self.tree.node(leaf).is_expanded() {
            self.tree.draw(|| self.walker.game.seed());
        }
    }

    /// Follows the tree and expands the positions that have been evaluated.
    fn walk(&mut self, walk: &mut Walk<G::Action>) -> WalkEnd<G::Position> {
        loop {
            match self.walker.walk(&mut self.tree, walk, &self.root) {
                WalkEnd::Expand(position) => {
                    let listed = self.listed.remove(&walk.leaf);
                    let (mut actions, complete) = listed.expect("evaluated at the first visit");
                    self.walker.rank(&mut actions);
                    walk.actions = actions;
                    self.walker
                        .expand(&mut self.tree, walk, &position, complete);
                }
                end => return end,
            }
        }
    }

    /// The actions of the position that was asked for last, in the order in which [`Self::answer`] takes their priors.
    pub fn asked(&self) -> impl Iterator<Item = G::Action> {
        let last = self.waiting.back().into_iter();
        last.flat_map(|(walk, _)| walk.actions.iter().map(|(action, _)| *action))
    }

    /// Takes the evaluation of the position that was asked for first and not yet answered: its value, and the prior
    /// of each action, on any scale, 0 where one is missing. Without a positive prior, all actions have the same.
    ///
    /// # Panics
    /// When no position is asked for.
    pub fn answer(&mut self, value: Value, priors: impl IntoIterator<Item = f32>) {
        let (mut walk, complete) = self.waiting.pop_front().expect("a position was asked for");
        self.tree.remove_virtual_loss(&walk.path, 1);
        let found = Finding::value(Leaf::estimate(value));
        self.walker.finish(&mut self.tree, &walk, &found);
        let mut actions = mem::take(&mut walk.actions);
        let weights = actions.iter_mut().map(|(_, weight)| weight);
        for (weight, prior) in weights.zip(priors.into_iter().chain(repeat(0.0))) {
            *weight = prior;
        }
        if !actions.iter().any(|(_, weight)| *weight > 0.0) {
            actions.iter_mut().for_each(|(_, weight)| *weight = 1.0);
        }
        if !self.tree.node(walk.leaf).is_expanded() {
            self.listed.insert(walk.leaf, (actions, complete));
        }
        if walk.path.is_empty() {
            self.expand_root();
        }
        self.idle.push(walk);
    }

    /// Whether the budget is spent or it is proven who wins, and no answer is missing.
    pub fn is_done(&self, iterations: u32) -> bool {
        self.waiting.is_empty() && (self.winner().is_some() || self.started > iterations)
    }

    /// The root's position.
    pub const fn root(&self) -> &G::Position {
        &self.root
    }

    /// The mean of all evaluations, or the result if it is proven who wins.
    pub fn value(&self) -> Value {
        let root = self.tree.node(self.tree.root);
        match root.winner {
            Some(winner) => Value::for_side(winner, 1.0),
            None => Value::for_first(root.mean().into()),
        }
    }

    /// The side that wins from the root, once that is proven.
    pub fn winner(&self) -> Option<Side> {
        self.tree.node(self.tree.root).winner
    }

    /// The number of positions in the tree.
    pub const fn nodes(&self) -> usize {
        self.tree.nodes.len()
    }

    /// The actions from the root to where the walks left the tree.
    pub const fn depth(&self) -> Depth {
        self.walker.depth
    }

    /// The candidates of the root by prior; empty before it was evaluated.
    pub fn candidates(&self) -> Vec<Candidate<G::Action>> {
        self.tree.candidates(self.tree.root).collect()
    }

    /// A proven win, or else the candidate of the final choice ([`Settings::choice`]); ties go to the one with the greatest
    /// prior.
    pub fn best(&self) -> Option<Candidate<G::Action>> {
        self.tree.best(self.tree.root, true)
    }
}
