//! Tree parallelization: several threads grow one tree.
//!
//! One thread walks through the tree and backs up values; all threads expand and evaluate the positions at
//! the ends of the walks, which takes most of the time. Chaslot, Winands and van den Herik, "Parallel
//! Monte-Carlo tree search" (2008), introduce the virtual losses that keep walks apart, and Liu et al., "Watch
//! the unobserved: a simple approach to parallelizing Monte Carlo tree search" (2020), the division of work.
//! A tree that all threads change would move back and forth between the caches of the processors.
//!
//! A walk that comes to a position that is being expanded is given up, and there is no other one until some
//! result is known. If it went on below the position, the tree would grow where a single thread would not have
//! gone, and play would be weaker (measured in `docs/search.md`). A walk that has expanded a position itself is
//! not given up; it ends there, too, and evaluates the position.

use std::hint;
use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossbeam_queue::ArrayQueue;

use super::budget::Meter;
use super::game::Guidance;
use super::node::NodeId;
use super::walker::{Finding, TreeOf, Walk, WalkEnd, Walker};

/// Maximum number of unfinished iterations per thread: enough that no thread runs out of work while the first
/// one is in the tree. They are all finished when the budget is spent, so a search by time may last a little
/// longer.
const EACH: usize = 16;

/// An iteration, handed from thread to thread.
struct Iteration<G: Guidance> {
    walk: Walk<G::Action>,
    stage: IterationStage<G::Position>,
    /// Number of steps that count as lost.
    lost: usize,
    /// Whether the position at the end of the walk is being expanded.
    expands: bool,
}

/// How far an iteration has come.
enum IterationStage<P> {
    /// It has not been started.
    Idle,
    /// It needs the game.
    Walked(WalkEnd<P>),
    /// The actions of the position at the end of the walk have been listed.
    Listed {
        position: P,
        /// Whether they are all legal actions.
        complete: bool,
        /// What was found at the position after the first of them, where the walk ends unless the tree is full or knows
        /// that position.
        first: Option<Finding>,
    },
    /// Its value is known.
    Found(Finding),
}

/// What the threads share.
struct Exchange<G: Guidance> {
    /// Iterations that need the game.
    walked: ArrayQueue<Box<Iteration<G>>>,
    /// Iterations that need the tree.
    answered: ArrayQueue<Box<Iteration<G>>>,
    /// Whether the search is over or a thread has panicked.
    ended: AtomicBool,
}

/// Grows a tree by the iterations of all walkers, each in its own thread, and returns their number.
pub(super) fn grow_together<G>(
    tree: &mut TreeOf<G>,
    walkers: &mut [Walker<G>],
    root: &G::Position,
    meter: &Meter<'_>,
) -> u32
where
    G: Guidance + Send,
    G::Position: Send + Sync,
    G::Action: Send,
{
    let most = EACH * walkers.len();
    let exchange = Exchange {
        walked: ArrayQueue::new(most),
        answered: ArrayQueue::new(most),
        ended: AtomicBool::new(false),
    };
    thread::scope(|scope| {
        let (first, others) = walkers.split_first_mut().expect("a search has threads");
        for walker in others {
            scope.spawn(|| exchange.answer(walker));
        }
        let idle = (0..most).map(|_| Box::new(Iteration::new())).collect();
        let search = ParallelSearch {
            tree,
            walker: first,
            root,
            meter,
            exchange: &exchange,
            idle,
            expanding: Vec::with_capacity(most),
            is_blocked: false,
            started: 0,
        };
        search.run(most)
    })
}

impl<G: Guidance> Iteration<G> {
    const fn new() -> Self {
        Self {
            walk: Walk::new(),
            stage: IterationStage::Idle,
            lost: 0,
            expands: false,
        }
    }

    /// Does what the iteration needs of the game.
    fn ask_game(&mut self, walker: &mut Walker<G>) {
        self.stage = match mem::replace(&mut self.stage, IterationStage::Idle) {
            IterationStage::Walked(WalkEnd::Evaluate(position)) => {
                IterationStage::Found(walker.evaluate(&position))
            }
            IterationStage::Walked(WalkEnd::Expand(position)) => match walker.prove(&position) {
                Some(found) => IterationStage::Found(found),
                None => {
                    let complete = walker.list_actions(&mut self.walk, &position);
                    IterationStage::Listed {
                        position,
                        complete,
                        first: walker.evaluate_first(&self.walk, &position),
                    }
                }
            },
            stage => stage,
        };
    }
}

impl<G: Guidance> Exchange<G> {
    /// Asks the game about iterations until the search is over.
    fn answer(&self, walker: &mut Walker<G>) {
        let _end = SetOnDrop(&self.ended);
        let mut wait = Spin::new();
        while !self.ended.load(Ordering::Relaxed) {
            if let Some(mut iteration) = self.walked.pop() {
                iteration.ask_game(walker);
                push(&self.answered, iteration);
                wait = Spin::new();
            } else {
                wait.a_little();
            }
        }
    }
}

/// Adds to a queue that has room for all iterations.
fn push<G: Guidance>(queue: &ArrayQueue<Box<Iteration<G>>>, iteration: Box<Iteration<G>>) {
    assert!(queue.push(iteration).is_ok(), "the queue has room");
}

/// Tells the other threads when one of them ends, even by a panic.
struct SetOnDrop<'a>(&'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Waits for another thread: without sleeping at first, as there is work again sooner than the system could
/// wake a thread.
struct Spin(u32);

impl Spin {
    const fn new() -> Self {
        Self(0)
    }

    fn a_little(&mut self) {
        const SPINS: u32 = 1000;
        if self.0 < SPINS {
            self.0 += 1;
            hint::spin_loop();
        } else {
            thread::yield_now();
        }
    }
}

/// The thread that walks through the tree.
struct ParallelSearch<'a, G: Guidance> {
    tree: &'a mut TreeOf<G>,
    walker: &'a mut Walker<G>,
    root: &'a G::Position,
    meter: &'a Meter<'a>,
    exchange: &'a Exchange<G>,
    /// The iterations that can be started.
    idle: Vec<Box<Iteration<G>>>,
    /// The nodes of positions that are being expanded.
    expanding: Vec<NodeId>,
    /// Whether a walk has come to one of them since the last result.
    is_blocked: bool,
    /// Number of iterations that have been started and not given up.
    started: u32,
}

impl<G: Guidance> ParallelSearch<'_, G> {
    /// Searches until the budget is spent, with at most this many iterations at the same time. Returns the
    /// number of iterations.
    fn run(mut self, most: usize) -> u32 {
        let _end = SetOnDrop(&self.exchange.ended);
        let mut wait = Spin::new();
        loop {
            while let Some(iteration) = self.exchange.answered.pop() {
                self.go_on(iteration);
            }
            while !self.is_blocked
                && self.may_start(most)
                && let Some(mut iteration) = self.idle.pop()
            {
                iteration.walk.start(self.tree.root);
                self.started += 1;
                self.walk(iteration, None);
            }
            if let Some(mut iteration) = self.exchange.walked.pop() {
                iteration.ask_game(self.walker);
                self.go_on(iteration);
                wait = Spin::new();
            } else if self.idle.len() == most {
                return self.started;
            } else {
                let ended = self.exchange.ended.load(Ordering::Relaxed);
                assert!(!ended, "another thread of the search has panicked");
                wait.a_little();
            }
        }
    }

    /// Whether an iteration may be started; recycles the tree if it is full and no iteration is under way.
    fn may_start(&mut self, most: usize) -> bool {
        if !self.meter.allows(self.started)
            || self.walker.is_decided(self.tree, self.meter, self.started)
        {
            return false;
        }
        if !self.tree.has_room() && self.meter.has(self.tree.cost_of_recycling()) {
            if self.idle.len() < most {
                return false;
            }
            self.tree.recycle();
        }
        true
    }

    /// Takes in what the game has told.
    fn go_on(&mut self, mut iteration: Box<Iteration<G>>) {
        self.is_blocked = false;
        if mem::take(&mut iteration.expands) {
            let leaf = iteration.walk.leaf();
            self.expanding.retain(|&node| node != leaf);
        }
        match mem::replace(&mut iteration.stage, IterationStage::Idle) {
            IterationStage::Found(found) => {
                let lost = mem::take(&mut iteration.lost);
                self.tree
                    .remove_virtual_loss(&iteration.walk.path()[..lost]);
                self.walker.finish(self.tree, &iteration.walk, &found);
                self.idle.push(iteration);
            }
            IterationStage::Listed {
                position,
                complete,
                first,
            } => {
                let walk = &iteration.walk;
                self.walker.expand(self.tree, walk, &position, complete);
                self.walk(iteration, first);
            }
            IterationStage::Idle | IterationStage::Walked(_) => {
                unreachable!("the game has been asked")
            }
        }
    }

    /// Walks on until the game is needed. `first` is what was found after the first action of the position where the
    /// walk goes on, if that has just been expanded.
    fn walk(&mut self, mut iteration: Box<Iteration<G>>, first: Option<Finding>) {
        let walk = &mut iteration.walk;
        let steps = walk.path().len();
        let found = match (self.walker.walk(self.tree, walk, self.root), first) {
            (WalkEnd::Found(found), _) => found,
            (WalkEnd::Evaluate(_), Some(first)) if walk.path().len() == steps + 1 => first,
            (WalkEnd::Evaluate(position), _) if self.walker.evaluates_at_once() => {
                self.walker.evaluate(&position)
            }
            // A walk that has expanded a position is not given up.
            (WalkEnd::Expand(position), _)
                if iteration.lost > 0 && self.expanding.contains(&walk.leaf()) =>
            {
                self.walker.evaluate(&position)
            }
            (end, _) => {
                self.tree.add_virtual_loss(&walk.path()[iteration.lost..]);
                iteration.lost = walk.path().len();
                self.hand_over(iteration, end);
                return;
            }
        };
        iteration.stage = IterationStage::Found(found);
        self.go_on(iteration);
    }

    /// Hands an iteration over to the thread that will ask the game. Gives it up if it has come to a position
    /// that is being expanded; it has then just been started.
    fn hand_over(&mut self, mut iteration: Box<Iteration<G>>, end: WalkEnd<G::Position>) {
        if let WalkEnd::Expand(_) = end {
            let leaf = iteration.walk.leaf();
            if self.expanding.contains(&leaf) {
                iteration.lost = 0;
                self.tree.take_back(iteration.walk.path());
                self.started -= 1;
                self.is_blocked = true;
                self.idle.push(iteration);
                return;
            }
            iteration.expands = true;
            self.expanding.push(leaf);
        }
        iteration.stage = IterationStage::Walked(end);
        push(&self.exchange.walked, iteration);
    }
}
