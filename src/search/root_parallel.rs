//! A search with one tree or, by root parallelism, with several.

use std::thread;

use super::budget::{Budget, Stop};
use super::candidate::{Candidate, best};
use super::game::{Guidance, Side};
use super::settings::Settings;
use super::tree::TreeSize;
use super::tree_search::{Depth, TreeSearch};

/// A search of the positions of one game, which can be kept from move to move.
///
/// With several trees it is root parallel: each tree grows in its own thread, and their visits are added up
/// (Cazenave and Jouandeau, "On the parallelization of UCT", 2007). With a budget of iterations, the choice
/// does not depend on the order in which threads run.
pub struct Search<G: Guidance> {
    trees: Vec<TreeSearch<G>>,
}

/// The decision of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice<A> {
    /// A proven win, or else the action with the most visits that is not proven to lose; ties go to the first
    /// one.
    pub best: Candidate<A>,
    /// Iterations spent on the decision; 0 if there is only one action.
    pub iterations: u32,
}

/// Exploration of each tree relative to the first one: the trees must differ even if no evaluation is random.
const SPREAD: [f32; 4] = [1.0, 0.7, 1.4, 0.85];

impl<G: Guidance> Search<G> {
    /// A search with one tree, still empty.
    #[must_use]
    pub fn new(game: G, settings: Settings) -> Self {
        let trees = vec![TreeSearch::new(game, settings)];
        Self { trees }
    }

    /// A search with one tree for each of these games, which are copies of one game with different random
    /// numbers.
    ///
    /// # Panics
    /// When there are none.
    #[must_use]
    pub fn parallel(games: impl IntoIterator<Item = G>, settings: Settings) -> Self {
        let games = games.into_iter().enumerate();
        let mut trees: Vec<_> = games
            .map(|(i, game)| {
                let mut settings = settings;
                settings.exploration *= SPREAD[i % SPREAD.len()];
                TreeSearch::new(game, settings)
            })
            .collect();
        assert!(!trees.is_empty(), "a search has at least one tree");
        if trees.len() > 1 {
            // A single tree cannot know when the sum is decided.
            for tree in &mut trees {
                tree.settings.early_stop = false;
            }
        }
        Self { trees }
    }

    /// Empties the trees but keeps their memory, and replaces the games.
    pub fn restart(&mut self, games: impl IntoIterator<Item = G>) {
        for (search, game) in self.trees.iter_mut().zip(games) {
            search.tree.clear();
            search.game = game;
        }
    }

    /// The game of the first tree.
    #[must_use]
    pub fn game(&self) -> &G {
        &self.trees[0].game
    }

    /// Moves the root along an action that was played, keeping the tree below it.
    pub fn advance(&mut self, action: G::Action) {
        for search in &mut self.trees {
            search.tree.advance(action);
        }
    }

    /// The candidates of the position reached by these actions from the root, in the order in which they are
    /// tried; empty where the search has not gone.
    #[must_use]
    pub fn candidates(&self, path: &[G::Action]) -> Vec<Candidate<G::Action>> {
        let mut all: Vec<Candidate<_>> = self.trees[0].candidates(path).collect();
        for search in &self.trees[1..] {
            for (rank, more) in search.candidates(path).enumerate() {
                // The trees nearly always have the same actions in the same order.
                let same = |known: &Candidate<_>| known.action == more.action;
                let known = match all.get(rank) {
                    Some(known) if same(known) => Some(rank),
                    _ => all.iter().position(same),
                };
                match known {
                    Some(known) => all[known].merge(&more),
                    None => all.push(more),
                }
            }
        }
        all
    }

    /// The best action after these actions; `None` if none has been visited.
    #[must_use]
    pub fn best(&self, path: &[G::Action]) -> Option<Candidate<G::Action>> {
        best(self.candidates(path)).filter(|best| best.visits > 0)
    }

    /// The principal variation: the best action, the best reply, and so on as far as the search has gone,
    /// each from the point of view of the side that moves.
    #[must_use]
    pub fn line(&self) -> Vec<Candidate<G::Action>> {
        let (mut path, mut line) = (Vec::new(), Vec::new());
        while let Some(best) = self.best(&path) {
            path.push(best.action);
            line.push(best);
        }
        line
    }

    /// The side that wins from the root, once that is proven.
    #[must_use]
    pub fn winner(&self) -> Option<Side> {
        self.trees.iter().find_map(TreeSearch::winner)
    }

    /// The depth of the iterations of the last decision.
    #[must_use]
    pub fn depth(&self) -> Depth {
        let depths = self.trees.iter().map(|search| search.depth);
        depths.fold(Depth::default(), |all, one| Depth {
            sum: all.sum + one.sum,
            max: all.max.max(one.max),
        })
    }

    /// The size of all trees together.
    #[must_use]
    pub fn size(&self) -> TreeSize {
        let sizes = self
            .trees
            .iter()
            .map(|search| search.tree.size(search.settings.transpositions));
        let sum = sizes.reduce(|all, one| TreeSize {
            nodes: all.nodes + one.nodes,
            edges: all.edges + one.edges,
            ..all
        });
        sum.expect("a search has at least one tree")
    }

    /// Searches from `root`, which must be the root position of the trees, and decides. A root with a single
    /// action is not searched.
    ///
    /// # Panics
    /// When the position is over.
    pub fn decide(&mut self, root: &G::Position, budget: Budget, stop: &Stop) -> Choice<G::Action>
    where
        G: Send,
        G::Position: Send + Sync,
        G::Action: Send,
    {
        assert!(!self.game().is_over(root), "the game is over");
        let iterations = match &mut self.trees[..] {
            [search] => search.search(root, budget, stop),
            trees => search_all(trees, root, budget, stop),
        };
        let best = best(self.candidates(&[]));
        Choice {
            best: best.expect("a position that is not over has actions"),
            iterations,
        }
    }
}

/// Searches each tree in its own thread and returns the number of iterations.
fn search_all<G>(
    trees: &mut [TreeSearch<G>],
    root: &G::Position,
    budget: Budget,
    stop: &Stop,
) -> u32
where
    G: Guidance + Send,
    G::Position: Send + Sync,
    G::Action: Send,
{
    let mut threads = trees.len() as u32;
    if let Some(count) = budget.iterations() {
        threads = threads.min(count).max(1);
    }
    let share = |i: u32| match budget.iterations() {
        Some(count) => Budget::Iterations(count / threads + u32::from(i < count % threads)),
        None => budget,
    };
    thread::scope(|scope| {
        let trees = (0..threads).zip(trees);
        let workers: Vec<_> = trees
            .map(|(i, search)| scope.spawn(move || search.search(root, share(i), stop)))
            .collect();
        let counts = workers.into_iter().map(|worker| match worker.join() {
            Ok(count) => count,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        counts.sum()
    })
}
