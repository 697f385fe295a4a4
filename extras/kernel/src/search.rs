//! Depth-first search.

use std::ops::ControlFlow;

use super::solver::ConstraintSolver;
use super::store::Var;

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
/// `decide` chooses the next branching: a variable and the value that it has first, and does not have later.
/// The current state must be a fixpoint. A solution is a fixpoint at which there is nothing left to decide: its
/// other variables need not be fixed.
pub fn depth_first(
    solver: &mut ConstraintSolver,
    decide: &mut dyn FnMut(&ConstraintSolver) -> Option<(Var, u8)>,
    visit: &mut dyn FnMut(&ConstraintSolver) -> ControlFlow<()>,
) {
    let watch = &mut |_: &SearchCounts| ControlFlow::Continue(());
    depth_first_watched(solver, decide, watch, visit);
}

/// As [`depth_first`], with `watch` called at each failure and solution; it may break off the search as
/// well.
pub fn depth_first_watched(
    solver: &mut ConstraintSolver,
    decide: &mut dyn FnMut(&ConstraintSolver) -> Option<(Var, u8)>,
    watch: &mut dyn FnMut(&SearchCounts) -> ControlFlow<()>,
    visit: &mut dyn FnMut(&ConstraintSolver) -> ControlFlow<()>,
) -> SearchCounts {
    let root = solver.store().depth();
    // The decisions whose right branch is still open, one per level, each with its share of the tree.
    let mut open: Vec<((Var, u8), f64)> = Vec::new();
    let mut counts = SearchCounts {
        nodes: 1,
        ..SearchCounts::default()
    };
    let mut share = 1.0;
    'nodes: loop {
        if let Some((var, value)) = decide(solver) {
            let left = share / f64::from(solver.store().size(var).max(1));
            open.push(((var, value), share - left));
            share = left;
            solver.store_mut().push_level();
            let change = solver.store_mut().assign(var, value);
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
        while let Some(((var, value), right)) = open.pop() {
            solver.store_mut().undo();
            // The right branch belongs to the level below; at the root, a level is needed to return to.
            if solver.store().depth() == root {
                solver.store_mut().push_level();
            }
            share = right;
            let change = solver.store_mut().remove(var, value);
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
