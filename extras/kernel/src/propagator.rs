//! The interface of a constraint.

use super::store::{DomainStore, Failure, Var};

/// How much a propagator costs to run; cheaper ones run first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cost {
    /// Two or three variables.
    Constant,
    /// Linear in the number of variables.
    Linear,
    /// More than that.
    High,
}

impl Cost {
    /// Number of classes.
    pub(super) const COUNT: usize = 3;
}

/// One constraint: what it means, and how it narrows domains.
///
/// To write a new one: make it correct and simple first, document its level of consistency,
/// and write [`Self::holds`] from the definition, not from the propagation. State that must follow
/// backtracking lives in words of the store; everything else may only be hints.
pub trait Propagator: std::fmt::Debug + Send {
    /// The variables that wake it; [`Self::propagate`] gets positions in this list.
    fn variables(&self) -> Vec<Var>;

    /// Whether only changes of the least or the greatest value of these variables wake it.
    fn needs_only_bounds(&self) -> bool {
        false
    }

    /// Its class in the queue.
    fn cost(&self) -> Cost;

    /// Removes values that no solution of the constraint has. `changed` are the positions of the variables
    /// that have changed since the last run, possibly repeated; on the first run, all of them.
    ///
    /// It is idempotent.
    fn propagate(&mut self, store: &mut DomainStore, changed: &[u32]) -> Result<(), Failure>;

    /// Whether the constraint holds for values, by its definition: the independent checker.
    fn holds(&self, value: &dyn Fn(Var) -> u8) -> bool;
}
