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

/// Chooses the next branching.
pub trait Brancher {
    /// The next decision, or `None` when this branching has nothing left to decide.
    fn decide(&mut self, solver: &ConstraintSolver) -> Option<BranchDecision>;
}

/// What a search has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SearchCounts {
    /// Nodes of the search tree: inner nodes, failures and solutions.
    pub nodes: u64,
    /// Nodes at which propagation failed.
    pub failures: u64,
    /// Solutions.
    pub solutions: u64,
    /// The share of the search tree that is done, 0 to 1: a node hands its share on to its branches,
    /// `x = v` getting one part in as many as x has values.
    pub share: f64,
}

/// Visits the solutions below the current state in the order of the branching, until `visit` breaks; then
/// restores the state.
///
/// The current state must be a fixpoint. A solution is a fixpoint at which the branching has nothing left to
/// decide: its other variables need not be fixed.
pub fn depth_first(
    solver: &mut ConstraintSolver,
    branching: &mut dyn Brancher,
    visit: &mut dyn FnMut(&ConstraintSolver) -> ControlFlow<()>,
) {
    let watch = &mut |_: &SearchCounts| ControlFlow::Continue(());
    depth_first_watched(solver, branching, watch, visit);
}

/// As [`depth_first`], with `watch` called at each failure and solution; it may break off the search as
/// well.
pub fn depth_first_watched(
    solver: &mut ConstraintSolver,
    branching: &mut dyn Brancher,
    watch: &mut dyn FnMut(&SearchCounts) -> ControlFlow<()>,
    visit: &mut dyn FnMut(&ConstraintSolver) -> ControlFlow<()>,
) -> SearchCounts {
    let root = solver.store().depth();
    // The decisions whose right branch is still open, one per level, each with its share of the tree.
    let mut open: Vec<(BranchDecision, f64)> = Vec::new();
    let mut counts = SearchCounts {
        nodes: 1,
        ..SearchCounts::default()
    };
    let mut share = 1.0;
    'nodes: loop {
        let decision = branching.decide(solver);
        if let Some(decision) = decision {
            let left = share / f64::from(solver.store().size(decision.var).max(1));
            open.push((decision, share - left));
            share = left;
            solver.store_mut().push_level();
            let change = solver.store_mut().assign(decision.var, decision.value);
            counts.nodes += 1;
            if solver.propagate_after(change).is_ok() {
                continue 'nodes;
            }
            counts.failures += 1;
        } else {
            counts.solutions += 1;
            if visit(solver).is_break() {
                break;
            }
        }
        counts.share += share;
        if watch(&counts).is_break() {
            break;
        }
        // Return to the last decision and replace it with its right branch.
        while let Some((decision, right)) = open.pop() {
            solver.store_mut().undo();
            // The right branch belongs to the level below; at the root, a level is needed to return to.
            if solver.store().depth() == root {
                solver.store_mut().push_level();
            }
            share = right;
            let change = solver.store_mut().remove(decision.var, decision.value);
            counts.nodes += 1;
            if solver.propagate_after(change).is_ok() {
                continue 'nodes;
            }
            counts.failures += 1;
            counts.share += share;
            if watch(&counts).is_break() {
                break 'nodes;
            }
        }
        break;
    }
    while solver.store().depth() > root {
        solver.store_mut().undo();
    }
    counts
}
