//! Propagation to the fixpoint.

use std::collections::VecDeque;

use super::learning::Learning;
use super::propagator::{Cost, Propagator};
use super::store::{DomainStore, Failure, Var};

/// Variables, the constraints on them, and the queue of those that have to run.
///
/// **Order.** There is a first-in first-out queue for each [`Cost`]; the head of the cheapest queue
/// that is not empty runs next. A propagator's changes are announced when it has run, in the order in
/// which it made them, to the subscribers of each variable in the order of posting; one that is
/// already queued keeps its place. The fixpoint does not depend on this order. Which propagator finds
/// a failure, and which variables it had changed by then, does: so do failure counts, and activity
/// and conflict history after failures.
#[derive(Debug, Default)]
pub struct ConstraintSolver {
    store: DomainStore,
    propagators: Vec<Box<dyn Propagator>>,
    cost: Vec<Cost>,
    /// For each variable's word in the store: the propagators to notify.
    subscribers: Vec<Vec<Subscriber>>,
    queues: [VecDeque<u32>; Cost::COUNT],
    /// For each propagator, the positions that have changed since its last run; it is queued unless this is
    /// empty.
    pending: Vec<Vec<u32>>,
    learning: Learning,
    events: Vec<(Var, u64)>,
    changed: Vec<Var>,
    is_changed: Vec<bool>,
    running: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Subscriber {
    propagator: u32,
    position: u32,
    needs_only_bounds: bool,
}

impl ConstraintSolver {
    /// The domains.
    #[inline(always)]
    pub const fn store(&self) -> &DomainStore {
        &self.store
    }

    /// The domains, for changes; [`Self::propagate`] draws the consequences.
    #[inline(always)]
    pub const fn store_mut(&mut self) -> &mut DomainStore {
        &mut self.store
    }

    /// The statistics of all propagation while recording was on.
    pub const fn learning(&self) -> &Learning {
        &self.learning
    }

    /// The statistics, to set them up or to switch recording.
    pub const fn learning_mut(&mut self) -> &mut Learning {
        &mut self.learning
    }

    /// A new variable with these values: bit `v` for the value `v`.
    pub fn variable(&mut self, domain: u64) -> Var {
        self.store.variable(domain)
    }

    /// Adds a constraint; [`Self::propagate`] runs it.
    pub fn post(&mut self, propagator: impl Propagator + 'static) {
        let id = self.propagators.len() as u32;
        let mut count = 0;
        for (position, var) in propagator.variables().into_iter().enumerate() {
            let index = var.index();
            if self.subscribers.len() <= index {
                self.subscribers.resize_with(index + 1, Vec::new);
            }
            self.subscribers[index].push(Subscriber {
                propagator: id,
                position: position as u32,
                needs_only_bounds: propagator.needs_only_bounds(),
            });
            count += 1;
        }
        self.cost.push(propagator.cost());
        self.queues[propagator.cost() as usize].push_back(id);
        self.pending.push((0..count).collect());
        self.propagators.push(Box::new(propagator));
        self.learning.add_propagator();
    }

    /// Runs propagators until none is queued; a failure empties the queue.
    ///
    /// # Errors
    /// When the constraints are inconsistent. The caller must undo the level.
    pub fn propagate(&mut self) -> Result<(), Failure> {
        self.propagate_after(Ok(()))
    }

    /// As [`Self::propagate`], after a change that may have failed already. Such a failure is not part of
    /// propagation and does not enter the statistics.
    pub(super) fn propagate_after(&mut self, change: Result<(), Failure>) -> Result<(), Failure> {
        self.announce(None);
        let mut culprit = None;
        let result = change.and_then(|()| self.run(&mut culprit));
        if result.is_err() {
            self.clear_queues();
        }
        for &var in &self.changed {
            self.is_changed[var.index()] = false;
        }
        if change.is_ok() {
            self.learning.record(&self.changed, culprit);
        }
        self.changed.clear();
        result
    }

    fn run(&mut self, culprit: &mut Option<usize>) -> Result<(), Failure> {
        while let Some(id) = self.queues.iter_mut().find_map(VecDeque::pop_front) {
            let p = id as usize;
            std::mem::swap(&mut self.running, &mut self.pending[p]);
            self.pending[p].clear();
            let result = self.propagators[p].propagate(&mut self.store, &self.running);
            self.announce(Some(id));
            if result.is_err() {
                *culprit = Some(p);
                return result;
            }
        }
        Ok(())
    }

    /// Queues the subscribers of the changes, except the propagator that made them.
    fn announce(&mut self, by: Option<u32>) {
        let mut events = std::mem::take(&mut self.events);
        self.store.take_events(&mut events);
        for &(var, before) in &events {
            let index = var.index();
            if self.is_changed.len() <= index {
                self.is_changed.resize(index + 1, false);
            }
            if !std::mem::replace(&mut self.is_changed[index], true) {
                self.changed.push(var);
            }
            let Some(subscribers) = self.subscribers.get(index) else {
                continue;
            };
            let now = self.store.domain(var);
            let bounds = now.trailing_zeros() != before.trailing_zeros()
                || now.leading_zeros() != before.leading_zeros();
            for subscriber in subscribers {
                if Some(subscriber.propagator) == by || (subscriber.needs_only_bounds && !bounds) {
                    continue;
                }
                let p = subscriber.propagator as usize;
                if self.pending[p].is_empty() {
                    self.queues[self.cost[p] as usize].push_back(subscriber.propagator);
                }
                self.pending[p].push(subscriber.position);
            }
        }
        self.events = events;
    }

    fn clear_queues(&mut self) {
        for queue in &mut self.queues {
            for id in queue.drain(..) {
                self.pending[id as usize].clear();
            }
        }
    }

    /// The accumulated failure count of a variable: the sum over the constraints on it
    /// (Boussemart et al., 2004).
    pub fn failure_count(&self, var: Var) -> f64 {
        let Some(subscribers) = self.subscribers.get(var.index()) else {
            return 0.0;
        };
        let weight = |s: &Subscriber| self.learning.failures_of(s.propagator as usize);
        subscribers.iter().map(weight).sum()
    }

    /// Whether every constraint holds by its definition; verifies a solution.
    pub fn holds(&self, value: &dyn Fn(Var) -> u8) -> bool {
        self.propagators.iter().all(|p| p.holds(value))
    }
}
