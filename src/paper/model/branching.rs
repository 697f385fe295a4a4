//! Policies as branchings: what to decide next.

use super::heuristic::Heuristic;
use super::variables::{MODEL_SQUARES, PlacementModel};
use crate::paper::kernel::{Branching, Decision, Solver, Var};

/// One search for placements of a patch.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    /// These get their least values first.
    pub(super) least: Vec<Var>,
    /// Rates the squares to cover after that; the first undecided one is next when there is none.
    pub(super) heuristic: Option<Heuristic>,
    /// Whether to go on after the first placement.
    pub(super) all: bool,
}

/// Follows a plan.
pub(super) struct Planned<'m> {
    pub(super) model: &'m PlacementModel,
    pub(super) patch: usize,
    pub(super) plan: &'m Plan,
}

impl Branching for Planned<'_> {
    fn decide(&mut self, solver: &Solver) -> Option<Decision> {
        let store = solver.store();
        let mut least = self.plan.least.iter().copied();
        if let Some(var) = least.find(|&var| !store.is_fixed(var)) {
            let value = store.min(var);
            return Some(Decision { var, value });
        }
        let flag = |square| self.model.flag(self.patch, square);
        let mut open = (0..MODEL_SQUARES).filter(|&square| !store.is_fixed(flag(square)));
        let mut best = open.next()?;
        if let Some(heuristic) = self.plan.heuristic {
            let mut most = heuristic.rate(self.model, solver, best);
            for square in open {
                let rate = heuristic.rate(self.model, solver, square);
                // Of squares rated the same, the first.
                if rate > most {
                    (best, most) = (square, rate);
                }
            }
        }
        Some(Decision {
            var: flag(best),
            value: 1,
        })
    }
}
