//! Tree parallelization: several threads grow one tree.
//!
//! A thread takes the lock of the tree, walks from the root down to a node with few visits, claims it, and returns the
//! lock. Then it iterates below that node alone, as if the node was the root of its tree, and takes the lock again
//! to back up all results together. So the nodes near the root change under the lock, and the others in one thread at a
//! time. Until the results are known, they count as lost, which sends the next thread elsewhere: Chaslot, Winands and van
//! den Herik, "Parallel Monte-Carlo tree search" (2008), on virtual losses and locks.
//!
//! If a thread comes to a claimed node all the same, it doubles the losses, once for each claim, and walks again. If they are
//! doubled already, it waits.

use std::hint;
use std::iter;
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;

use crate::game::Guidance;
use crate::meter::Meter;
use crate::tree::node::NodeId;
use crate::walker::{TreeOf, WalkEnd, Walker};

/// Maximum number of iterations below a claimed node.
const BATCH: u32 = 64;

/// What the threads share: the nodes that no thread has claimed, and those that were.
struct Front<'a, G: Guidance> {
    tree: &'a mut TreeOf<G>,
    root: &'a G::Position,
    meter: &'a Meter<'a>,
    claims: Vec<Claim>,
    /// Number of iterations, including those under way.
    started: u32,
    /// Whether the threads end when the tree is full; otherwise they go on without new nodes.
    stops_when_full: bool,
    /// Whether all threads are to end, or one has panicked.
    has_ended: bool,
    /// Whether the search is over.
    is_over: bool,
}

/// A node below which one thread iterates.
struct Claim {
    node: NodeId,
    /// Maximum number of its iterations.
    iterations: i16,
    /// The virtual losses of each step to it: one or two for each iteration.
    losses: i16,
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
    let mut started = 0;
    loop {
        tree.recycle_if_full(meter);
        tree.prepare_parts(walkers.len());
        #[allow(unsafe_code, reason = "see below")]
        // SAFETY: the tree keeps its memory until the threads have ended. A node, its edges and its position are used by
        // the thread that has claimed it or a node above it; while none has, only under the lock.
        let part = || unsafe { tree.part() };
        let mut parts: Vec<_> = walkers.iter().map(|_| part()).collect();
        let front = Mutex::new(Front {
            stops_when_full: tree.has_room(),
            tree: &mut *tree,
            root,
            meter,
            claims: Vec::with_capacity(walkers.len()),
            started,
            has_ended: false,
            is_over: false,
        });
        thread::scope(|scope| {
            let mut threads = iter::zip(&mut *walkers, &mut parts);
            let (walker, part) = threads.next().expect("a search has threads");
            let front = &front;
            // If a thread cannot be started, those that run are told.
            let _end = EndOnDrop(front);
            let others: Vec<_> = threads
                .map(|(walker, part)| scope.spawn(|| search(front, walker, part, false)))
                .collect();
            search(front, walker, part, true);
            for other in others {
                other.join().unwrap_or_else(|panic| resume_unwind(panic));
            }
        });
        let front = front.into_inner();
        let front = front.unwrap_or_else(PoisonError::into_inner);
        let is_over = front.is_over;
        started = front.started;
        for part in parts.into_iter().rev() {
            tree.take_back_part(part);
        }
        if is_over {
            return started;
        }
    }
}

/// Searches until all threads are to end. The first thread looks at the clock.
fn search<G: Guidance>(
    shared: &Mutex<Front<'_, G>>,
    walker: &mut Walker<G>,
    part: &mut TreeOf<G>,
    is_first: bool,
) {
    let _end = EndOnDrop(shared);
    let mut waits = 0;
    let mut front = lock(shared);
    while let ControlFlow::Continue(next) = front.next(walker, part, is_first) {
        drop(front);
        let Some((position, most)) = next else {
            wait_a_little(&mut waits);
            front = lock(shared);
            continue;
        };
        waits = 0;
        let results = walker.iterate_below(part, &position, most);
        front = lock(shared);
        front.started -= most - results.count;
        let claim = front.claim(walker.leaf).expect("the thread has claimed it");
        let losses = front.claims.swap_remove(claim).losses;
        part.add_virtual_loss(&walker.path, -losses);
        walker.back_up(part, &results);
    }
}

/// Takes the lock without sleeping: it is free again sooner than the system could wake a thread.
fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    let mut waits = 0;
    loop {
        match shared.try_lock() {
            Ok(front) => return front,
            Err(TryLockError::Poisoned(front)) => return front.into_inner(),
            Err(TryLockError::WouldBlock) => wait_a_little(&mut waits),
        }
    }
}

impl<G: Guidance> Front<'_, G> {
    /// The index of the claim of a node.
    fn claim(&self, node: NodeId) -> Option<usize> {
        self.claims.iter().position(|claim| claim.node == node)
    }

    /// What a thread does next: it ends, or iterates below the node that the walk has come to, which has this position, this many
    /// times, or asks again after others could have the lock.
    fn next(
        &mut self,
        walker: &mut Walker<G>,
        part: &mut TreeOf<G>,
        is_first: bool,
    ) -> ControlFlow<(), Option<(G::Position, u32)>> {
        let meter = self.meter;
        let left = meter.iterations_left(self.started);
        let is_claimed = |node| self.claim(node).is_some();
        let looks = is_first && self.started > 0;
        if looks && !meter.has_time() {
            self.is_over = true;
        } else if self.has_ended {
            return ControlFlow::Break(());
        } else if is_claimed(part.root) || left == 0 && !self.claims.is_empty() {
            return ControlFlow::Continue(None);
        } else {
            let is_part = |action| walker.game.is_part(action);
            let is_final = || part.is_final(meter.left(self.started), is_part, is_claimed);
            let looks = looks && part.settings.early_stop;
            self.is_over = left == 0 || part.is_proven() || looks && is_final();
        }
        let is_supplied = self.tree.supply(part, BATCH as usize);
        if self.is_over || !is_supplied && self.stops_when_full {
            return ControlFlow::Break(());
        }
        loop {
            walker.start(part, None);
            match walker.walk::<true>(part, self.root, |node| self.claim(node).is_some()) {
                WalkEnd::Claimed => {
                    let claim = self.claim(walker.leaf).expect("it is claimed");
                    let claim = &mut self.claims[claim];
                    if claim.losses > claim.iterations {
                        return ControlFlow::Continue(None);
                    }
                    part.add_virtual_loss(&walker.path, claim.iterations);
                    claim.losses += claim.iterations;
                }
                WalkEnd::Few(position) => {
                    let count = walker.begin_batch(part, BATCH.min(left));
                    let iterations = count as i16;
                    part.add_virtual_loss(&walker.path, iterations);
                    self.claims.push(Claim {
                        node: walker.leaf,
                        iterations,
                        losses: iterations,
                    });
                    self.started += count;
                    return ControlFlow::Continue(Some((position, count)));
                }
                end => {
                    self.started += 1;
                    let results = walker.results(part, end);
                    walker.finish(part, &results);
                    // This may repeat until the time is over, so the first thread must get the lock to look at the clock.
                    return ControlFlow::Continue(None);
                }
            }
        }
    }
}

/// Tells the other threads when one of them ends, even by a panic.
struct EndOnDrop<'a, 'b, G: Guidance>(&'a Mutex<Front<'b, G>>);

impl<G: Guidance> Drop for EndOnDrop<'_, '_, G> {
    fn drop(&mut self) {
        lock(self.0).has_ended = true;
    }
}

/// Waits for another thread: without sleeping the first times, as there is work again sooner than the system could
/// wake a thread.
fn wait_a_little(waits: &mut u32) {
    const SPINS: u32 = 100;
    if *waits < SPINS {
        *waits += 1;
        for _ in 0..10 {
            hint::spin_loop();
        }
    } else {
        thread::yield_now();
    }
}
