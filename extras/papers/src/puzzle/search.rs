//! Search on a constraint model, as long as the user wants it.

use std::ops::ControlFlow;

use patchwork_engine::search::Stop;
use patchwork_kernel::{ConstraintSolver, SearchCounts, Var, depth_first_watched};

/// Number of leaves of the search tree between two looks at `stop`.
const BETWEEN_LOOKS: u64 = 64;

/// Visits the solutions in the order of the branching until `visit` breaks or `stop` is set; `progress` gets the share
/// of the search tree that is done.
pub(super) fn search(
    solver: &mut ConstraintSolver,
    decide: &mut dyn FnMut(&ConstraintSolver) -> Option<(Var, u8)>,
    stop: &Stop,
    progress: &mut dyn FnMut(f64),
    visit: &mut dyn FnMut(&ConstraintSolver) -> ControlFlow<()>,
) -> SearchCounts {
    if solver.propagate().is_err() {
        return SearchCounts {
            nodes: 1,
            failures: 1,
            solutions: 0,
            share: 1.0,
        };
    }
    let mut watch = |counts: &SearchCounts| {
        if !(counts.failures + counts.solutions).is_multiple_of(BETWEEN_LOOKS) {
            return ControlFlow::Continue(());
        }
        progress(counts.share);
        look(stop)
    };
    let mut counts = depth_first_watched(solver, decide, &mut watch, visit);
    counts.share = counts.share.min(1.0);
    counts
}

/// Ends the search when the user has stopped it.
#[inline(always)]
pub(super) fn look(stop: &Stop) -> ControlFlow<()> {
    if stop.is_set() {
        ControlFlow::Break(())
    } else {
        ControlFlow::Continue(())
    }
}
