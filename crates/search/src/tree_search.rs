//! A search of one tree by one thread or several.

use std::{fmt, iter};

use crate::game::{GameRules, Guidance, Side};
use crate::meter::Meter;
use crate::parallel::grow_together;
use crate::settings::Settings;
use crate::settings_error::SettingsError;
use crate::tree::TreeSize;
use crate::tree::node::{Candidate, Edge};
use crate::walker::{Depth, TreeOf, Walker};

/// A search of the positions of one game, which can be kept from move to move.
///
/// Several threads share one tree.
pub struct Search<G: Guidance> {
    pub(super) tree: TreeOf<G>,
    /// One for each thread.
    pub(super) walkers: Vec<Walker<G>>,
    /// The position of the root, once that is known.
    root: Option<G::Position>,
    /// How several threads grow the tree, if there are any.
    grow_together: Grow<G>,
}

/// Grows a tree by the iterations of walkers and returns their number.
type Grow<G> = fn(&mut TreeOf<G>, &mut [Walker<G>], &<G as GameRules>::Position, &Meter<'_>) -> u32;

/// Maximum number of threads of a search.
const MAX_THREADS: usize = 256;

/// The decision of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice<A> {
    /// A proven win, or else the action of the final choice ([`Settings::choice`]), which is not proven to lose if there is
    /// another one.
    pub best: Candidate<A>,
    /// Iterations spent on the decision; 0 if there is only one action.
    pub iterations: u32,
}

impl<G: Guidance> fmt::Debug for Search<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Search");
        shown.field("settings", &self.tree.settings);
        shown.field("threads", &self.walkers.len());
        shown.field("size", &self.size());
        shown.field("winner", &self.winner());
        shown.finish_non_exhaustive()
    }
}

impl<G: Guidance> Search<G> {
    /// A search by one thread, with an empty tree.
    ///
    /// # Errors
    /// If a setting is not in its range, settings cannot be combined, or the game lacks what one requires.
    pub fn new(game: G, settings: Settings) -> Result<Self, SettingsError> {
        let mut walker = Walker::new(game);
        walker.check(&settings)?;
        Ok(Self {
            tree: TreeOf::<G>::new(&settings),
            walkers: vec![walker],
            root: None,
            grow_together: |tree, walkers, root, meter| grow(tree, &mut walkers[0], root, meter),
        })
    }

    /// Empties the tree but keeps its memory, and renews the game of each thread. The next decision can be one of any position.
    pub fn restart(&mut self, renew: impl FnMut(&mut G)) {
        self.tree.clear();
        self.root = None;
        self.games_mut().for_each(renew);
    }

    /// The games of all threads.
    pub fn games_mut(&mut self) -> impl Iterator<Item = &mut G> {
        self.walkers.iter_mut().map(|walker| &mut walker.game)
    }

    /// The game of the first thread.
    pub fn game(&self) -> &G {
        &self.walkers[0].game
    }

    /// Moves the root along an action that was played, keeping the tree below it.
    pub fn advance(&mut self, action: G::Action) {
        self.tree.advance(action);
        if let Some(root) = &mut self.root {
            self.walkers[0].game.play(root, action);
        }
        for walker in &mut self.walkers {
            walker.game.advance(action);
        }
    }

    /// The candidates of the position reached by these actions from the root, in the order in which they are
    /// tried; empty where the search has not gone.
    pub fn candidates(&self, path: &[G::Action]) -> Vec<Candidate<G::Action>> {
        let id = self.tree.node_after(path);
        id.into_iter()
            .flat_map(|id| self.tree.candidates(id))
            .collect()
    }

    /// The best action after these actions; `None` if none of the actions there has been visited. It has no visits
    /// itself if all actions with visits are proven to lose.
    pub fn best(&self, path: &[G::Action]) -> Option<Candidate<G::Action>> {
        let id = self.tree.node_after(path)?;
        let is_visited = self.tree.edges(id).iter().any(|edge| edge.visits > 0);
        let is_root = path.iter().all(|&action| self.game().is_part(action));
        self.tree.best(id, is_root).filter(|_| is_visited)
    }

    /// The principal variation: the best action, the best reply, and so on as far as the search has gone,
    /// each from the point of view of the side that moves.
    pub fn line(&self) -> impl Iterator<Item = Candidate<G::Action>> {
        let (mut next, mut is_root) = (Some(self.tree.root), true);
        iter::from_fn(move || {
            let id = next?;
            let best = self.tree.best(id, is_root);
            let best = best.filter(|best| best.visits > 0)?;
            is_root &= self.game().is_part(best.action);
            next = self.tree.child(id, best.action);
            Some(best)
        })
    }

    /// The side that wins from the root, once that is proven.
    pub fn winner(&self) -> Option<Side> {
        self.tree.node(self.tree.root).winner
    }

    /// The depth of the iterations of the last decision.
    pub fn depth(&self) -> Depth {
        let depths = self.walkers.iter().map(|walker| walker.depth);
        depths.fold(Depth::default(), Depth::and)
    }

    /// The size of the tree.
    pub fn size(&self) -> TreeSize {
        self.tree.size()
    }

    /// Prepares the tree for a decision. Returns whether its root has more than one action.
    fn is_worth_searching(&mut self, root: &G::Position) -> bool {
        let Self { tree, walkers, .. } = self;
        tree.tidy();
        for walker in &mut *walkers {
            walker.depth = Depth::default();
        }
        let walker = &mut walkers[0];
        if !tree.node(tree.root).is_expanded() {
            walker.start(tree, None);
            let complete = walker.list_actions(tree, root);
            walker.expand(tree, root, complete);
        }
        forget_unfounded_proof::<G>(tree, walker.game.mover(root));
        tree.draw(|| walker.game.seed());
        let top = tree.root;
        match tree.edges(top) {
            [only] => only.is_lost() && !tree.node(top).complete,
            _ => true,
        }
    }

    /// Searches from `root`, the position in which the search began or that after the actions by which it has
    /// [advanced](Self::advance) since, and decides. A root with a single action is not searched. Several threads search only if
    /// the budget is time, without a pause: otherwise the choice does not depend on timing.
    ///
    /// # Panics
    /// When the game is over in the position, or it is another one; when the game gives the search what it must not, as said
    /// in [`Guidance`]; with [`Settings::transpositions`], also when a sequence of actions repeats a position.
    pub fn decide(&mut self, root: &G::Position, meter: &Meter<'_>) -> Choice<G::Action> {
        let threads = if meter.is_time_of_threads() {
            self.walkers.len()
        } else {
            1
        };
        self.decide_by(threads, root, meter)
    }

    /// As [`Self::decide`], but by all threads: with several, the choice depends on timing, whatever the budget.
    pub fn decide_together(&mut self, root: &G::Position, meter: &Meter<'_>) -> Choice<G::Action> {
        self.decide_by(self.walkers.len(), root, meter)
    }

    fn decide_by(
        &mut self,
        threads: usize,
        root: &G::Position,
        meter: &Meter<'_>,
    ) -> Choice<G::Action> {
        assert!(!self.game().is_over(root), "the game is over");
        let is_root = self.root.is_none_or(|known| known == *root);
        assert!(
            is_root,
            "the position is not the root of the search, which must advance by all actions or restart"
        );
        self.root = Some(*root);
        let has_batches = self.tree.settings.has_batches();
        let threads = if has_batches { threads } else { 1 };
        let iterations = if self.is_worth_searching(root) {
            match &mut self.walkers[..threads] {
                [walker] => grow(&mut self.tree, walker, root, meter),
                walkers => (self.grow_together)(&mut self.tree, walkers, root, meter),
            }
        } else {
            0
        };
        let best = self.tree.best(self.tree.root, true);
        Choice {
            best: best.expect("a position that is not over has actions"),
            iterations,
        }
    }
}

impl<G: Guidance + Send> Search<G>
where
    G::Position: Send + Sync,
    G::Action: Send,
{
    /// A search with as many threads as there are games, from 1 to 256. The games are copies of one game with different random
    /// numbers.
    ///
    /// # Errors
    /// As for [`Self::new`], or if the number of games is another one.
    pub fn parallel(
        games: impl IntoIterator<Item = G>,
        settings: Settings,
    ) -> Result<Self, SettingsError> {
        let mut games = games.into_iter();
        let first = games.next().ok_or(SettingsError::Threads(0))?;
        let mut search = Self::new(first, settings)?;
        search.walkers.extend(games.map(Walker::new));
        search.grow_together = grow_together;
        match search.walkers.len() {
            ..=MAX_THREADS => Ok(search),
            more => Err(SettingsError::Threads(more)),
        }
    }
}

/// A position proven without its actions must be searched when it is about to be played.
fn forget_unfounded_proof<G: Guidance>(tree: &mut TreeOf<G>, mover: Side) {
    let top = tree.root;
    let node = tree.node(top);
    let mut tried = tree.edges.slice(node.tried()).iter();
    let founded = if node.winner == Some(mover) {
        tried.any(|edge| edge.proven == Some(true))
    } else {
        !node.has_untried() && tried.all(Edge::is_lost)
    };
    if !founded {
        tree.node_mut(top).winner = None;
    }
}

/// Iterations between two looks whether a search can end.
const BETWEEN_LOOKS: u32 = 64;

/// Grows a tree by the iterations of one walker and returns their number.
fn grow<G: Guidance>(
    tree: &mut TreeOf<G>,
    walker: &mut Walker<G>,
    root: &G::Position,
    meter: &Meter<'_>,
) -> u32 {
    let settings = tree.settings;
    let mut allocated = settings.allocator().zip(meter.all());
    let has_batches = settings.batch > 1;
    let (mut done, mut last) = (0, 0);
    while meter.allows(done, last) && !tree.is_proven() {
        let looks = done > 0 && done % BETWEEN_LOOKS < last;
        let is_part = |action| walker.game.is_part(action);
        if looks && settings.early_stop && tree.is_final(meter.left(done), is_part, |_| false) {
            break;
        }
        tree.recycle_if_full(meter);
        let first = allocated
            .as_mut()
            .and_then(|(allocator, all)| tree.allocate(allocator, done, *all));
        last = if has_batches {
            let most = settings.batch.min(meter.iterations_left(done));
            walker.iterate_batch(tree, root, most)
        } else {
            walker.iterate(tree, root, first);
            1
        };
        done += last;
    }
    done
}
