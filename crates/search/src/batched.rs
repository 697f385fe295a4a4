//! Search of a tree whose positions are evaluated outside, several at once.
//!
//! Each position is evaluated once, by a value and priors (as in Silver et al., Nature 550, 2017). Walks that wait
//! for evaluations count as lost, which keeps the next ones away from them.

use std::collections::VecDeque;
use std::iter::repeat;
use std::{fmt, mem};

use crate::allocation::Allocator;
use crate::game::{Guidance, Leaf, Side, Value, check_number};
use crate::settings::Settings;
use crate::settings_error::SettingsError;
use crate::tree::backup::{PathStep, ResultSum};
use crate::tree::node::{Candidate, NodeId};
use crate::tree_search::Search;
use crate::walker::{Depth, TreeOf, WalkEnd};

/// A search of one tree that asks its caller for evaluations.
///
/// [`Guidance::expand`] lists the actions of a position, whose priors come with the evaluation. Only positions in
/// which the game is over are given to [`Guidance::evaluate`].
pub struct BatchedSearch<G: Guidance> {
    search: Search<G>,
    root: G::Position,
    /// In the order in which they were asked for.
    waiting: VecDeque<Asked<G>>,
    /// The walk to the root and those of this search that have been started and not given up.
    started: u32,
    /// What allocates the iterations to the actions of the root.
    allocator: Option<Allocator>,
    /// The rank of an action that got an iteration which was given up.
    given_up: Option<u16>,
}

/// Maximum number of walks that wait; an action counts them in 16 bits.
const MAX_WAITING: usize = 4096;

/// A walk whose last position is being evaluated.
struct Asked<G: Guidance> {
    path: Vec<PathStep>,
    leaf: NodeId,
    position: G::Position,
    actions: Vec<(G::Action, f32)>,
    /// Whether they are all legal actions.
    complete: bool,
}

impl<G: Guidance> fmt::Debug for BatchedSearch<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("BatchedSearch");
        shown.field("search", &self.search);
        shown.field("waiting", &self.waiting.len());
        shown.finish_non_exhaustive()
    }
}

impl<G: Guidance> BatchedSearch<G> {
    /// A search from a position that is not over.
    ///
    /// # Errors
    /// As for [`Search::new`].
    ///
    /// # Panics
    /// When the game is over.
    pub fn new(game: G, settings: Settings, root: G::Position) -> Result<Self, SettingsError> {
        assert!(!game.is_over(&root), "the game is over");
        Ok(Self {
            search: Search::new(game, settings)?,
            root,
            waiting: VecDeque::new(),
            started: 0,
            allocator: settings.allocator(),
            given_up: None,
        })
    }

    /// Begins another search, whose root is reached by actions that were played. The tree below it stays, and so do its
    /// visits, which no budget counts. `renew` renews the game.
    ///
    /// # Errors
    /// As for [`Search::new`]; nothing has changed then.
    ///
    /// # Panics
    /// When an evaluation is missing or the game is over.
    pub fn go_on(
        &mut self,
        played: &[G::Action],
        settings: Settings,
        renew: impl FnOnce(&mut G),
    ) -> Result<(), SettingsError> {
        assert!(self.waiting.is_empty(), "an evaluation is missing");
        let Search { tree, walkers, .. } = &mut self.search;
        let walker = &mut walkers[0];
        walker.check(&settings)?;
        for &action in played {
            walker.game.play(&mut self.root, action);
            walker.game.advance(action);
        }
        renew(&mut walker.game);
        assert!(!walker.game.is_over(&self.root), "the game is over");
        let is_known = tree.node_after(played).is_some();
        if is_known && settings.has_extras() == tree.has_extras {
            played.iter().for_each(|&action| tree.advance(action));
            tree.drop_what_is_cut_off();
            tree.settings = settings;
        } else {
            *tree = TreeOf::<G>::new(&settings);
        }
        walker.depth = Depth::default();
        (self.allocator, self.given_up) = (settings.allocator(), None);
        self.started = u32::from(tree.node(tree.root).visits > 0);
        tree.draw(|| walker.game.seed());
        Ok(())
    }

    /// The next position to evaluate; its evaluation is handed to [`Self::answer`], first asked, first answered.
    ///
    /// `None` if the evaluation of the root and this many iterations after it are spent, if it is proven who wins,
    /// or if the search cannot go on without an answer: it is not certain where to go, or 4,096 answers are missing.
    pub fn ask(&mut self, iterations: u32) -> Option<G::Position> {
        while !self.is_spent(iterations) && self.waiting.len() < MAX_WAITING {
            let Search { tree, walkers, .. } = &mut self.search;
            let walker = &mut walkers[0];
            let is_expanded = tree.node(tree.root).is_expanded();
            let allocator = self.allocator.as_mut().filter(|_| is_expanded);
            let first = self.given_up.take().or_else(|| {
                let allocator = allocator?;
                // What waits counts as lost, which says nothing of its action.
                let done = self.started - self.waiting.len() as u32 - 1;
                tree.allocate(allocator, done, iterations)
            });
            walker.start(tree, first);
            self.started += 1;
            let end = match walker.walk::<false>(tree, &self.root, |_| false) {
                WalkEnd::Evaluate(position) if !walker.game.is_over(&position) => {
                    let leaf = walker.leaf;
                    if self.waiting.iter().any(|one| one.leaf == leaf) {
                        tree.take_back(&walker.path);
                        self.started -= 1;
                        self.given_up = first;
                        return None;
                    }
                    let mut actions = Vec::new();
                    let complete = walker.game.expand(&position, &mut actions);
                    check_number(actions.len());
                    tree.add_virtual_loss(&walker.path, 1);
                    self.waiting.push_back(Asked {
                        path: mem::take(&mut walker.path),
                        leaf,
                        position,
                        actions,
                        complete,
                    });
                    return Some(position);
                }
                end => end,
            };
            let results = walker.results(tree, end);
            walker.finish(tree, &results);
        }
        None
    }

    /// The actions of the position that was asked for last, in the order in which [`Self::answer`] takes their priors.
    pub fn asked(&self) -> impl Iterator<Item = G::Action> {
        let last = self.waiting.back().into_iter();
        last.flat_map(|one| one.actions.iter().map(|(action, _)| *action))
    }

    /// Takes the evaluation of the position that was asked for first and not yet answered: its value, and the prior
    /// of each action, on any scale, 0 where one is missing. Without a positive prior, all actions have the same.
    ///
    /// # Panics
    /// When no position is asked for, or a prior is negative or not finite.
    pub fn answer(&mut self, value: Value, priors: impl IntoIterator<Item = f32>) {
        let Search { tree, walkers, .. } = &mut self.search;
        let walker = &mut walkers[0];
        let asked = self.waiting.pop_front().expect("a position was asked for");
        (walker.path, walker.leaf) = (asked.path, asked.leaf);
        walker.actions = asked.actions;
        tree.add_virtual_loss(&walker.path, -1);
        let results = ResultSum::of(&Leaf::estimate(value), value);
        walker.finish(tree, &results);
        if !tree.node(walker.leaf).is_expanded() {
            let priors = priors.into_iter().chain(repeat(0.0));
            for ((_, own), prior) in walker.actions.iter_mut().zip(priors) {
                *own = prior;
            }
            walker.rank(tree);
            walker.expand(tree, &asked.position, asked.complete);
        }
        tree.draw(|| walker.game.seed());
    }

    /// Whether the budget is spent or it is proven who wins, and no answer is missing.
    pub fn is_done(&self, iterations: u32) -> bool {
        self.waiting.is_empty() && self.is_spent(iterations)
    }

    fn is_spent(&self, iterations: u32) -> bool {
        self.started > iterations || self.search.tree.is_proven()
    }

    /// A proven win, or else the candidate of the final choice ([`Settings::choice`]); ties go to the one with the greatest
    /// prior. `None` before the root was evaluated.
    pub fn best(&self) -> Option<Candidate<G::Action>> {
        let tree = &self.search.tree;
        tree.best(tree.root, true)
    }

    /// The tree: without candidates before the root was evaluated.
    pub const fn tree(&self) -> &Search<G> {
        &self.search
    }

    /// The root's position.
    pub const fn root(&self) -> &G::Position {
        &self.root
    }

    /// The mean of all evaluations, or the result if it is proven who wins.
    pub fn value(&self) -> Value {
        let tree = &self.search.tree;
        let root = tree.node(tree.root);
        match root.winner {
            Some(winner) => Value::for_side(winner, 1.0),
            None => Value::unchecked(Side::First, root.mean().into()),
        }
    }
}
