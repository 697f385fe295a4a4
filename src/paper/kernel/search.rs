//! Depth-first search.

use std::ops::ControlFlow;

use super::solver::ConstraintSolver;
use super::store::Var;

/// A binary branching: `var = value` is tried first, `var != value` later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BranchDecision {
    /// The variable.
    pub var: Var,
    /// The value tried first.
    pub value: u8,
}

/// Chooses what to try next.
pub trait Brancher {
    /// The next decision, or `None` when this branching has nothing left to decide.
    fn decide(&mut self, solver: &ConstraintSolver) -> Option<BranchDecision>;
}

/// Visits the solutions below the current state in the order of the branching, until `visit` breaks
/// off; then restores the state.
///
/// The current state must be a fixpoint. A solution is a fixpoint at which the branching has nothing
/// to decide: its other variables need not be fixed.
pub fn depth_first(
    solver: &mut ConstraintSolver,
    branching: &mut dyn Brancher,
    visit: &mut dyn FnMut(&ConstraintSolver) -> ControlFlow<()>,
) {
    let root = solver.store().depth();
    // The decisions whose right branch is still to be tried, one a level.
    let mut open: Vec<BranchDecision> = Vec::new();
    'nodes: loop {
        let decision = branching.decide(solver);
        if let Some(decision) = decision {
            open.push(decision);
            solver.store_mut().push_level();
            let change = solver.store_mut().assign(decision.var, decision.value);
            if solver.propagate_after(change).is_ok() {
                continue 'nodes;
            }
        } else if visit(solver).is_break() {
            break;
        }
        // Back to the last decision, whose right branch replaces it.
        while let Some(decision) = open.pop() {
            solver.store_mut().undo();
            // The right branch belongs to the level below; the root's own needs one to return from.
            if solver.store().depth() == root {
                solver.store_mut().push_level();
            }
            let change = solver.store_mut().remove(decision.var, decision.value);
            if solver.propagate_after(change).is_ok() {
                continue 'nodes;
            }
        }
        break;
    }
    while solver.store().depth() > root {
        solver.store_mut().undo();
    }
}
