//! The paper's policies (section 5.1) as searches on the model.

use std::ops::ControlFlow;

use patchwork_engine::board::{MAX_ORIENTATIONS, Quilt, SIDE};
use patchwork_engine::game::Placement;
use patchwork_engine::placement::Transforms;
use patchwork_kernel::{ConstraintSolver, Var, depth_first};

use super::expression::MODEL_SQUARES;
use super::heuristic::Heuristic;
use super::patch::PatchVariables;
use super::variables::PlacementModel;

/// How to search for the placements of a patch: the paper's policies (section 5.1) as branchings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ModelPolicy {
    /// Cover the first undecided square.
    InOrder,
    /// Least first column, then least first row, then in order.
    BottomLeft,
    /// Bottom-left, then the same with row before column.
    BottomLeftLeftBottom,
    /// For each first column below this number: least first row, then in order.
    ParetoBottomLeft {
        /// One more than the last column to try.
        columns: usize,
    },
    /// Cover the undecided square that the heuristic rates highest.
    Rated(Heuristic),
    /// Every placement, in the order of the in-order search.
    All,
}

/// A placement that a search found, with the result of its propagation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The placement.
    pub placement: Placement,
    /// The squares with one value left after it: covered, or beyond the reach of every patch.
    pub assigned: Quilt,
}

/// One search for placements of a patch.
#[derive(Clone, Debug, Default)]
struct SearchPlan {
    /// Variables that get their least values first.
    least: Vec<Var>,
    /// Rates the squares to cover after that; without it, the first undecided square is next.
    heuristic: Option<Heuristic>,
    /// Whether to continue after the first placement.
    all: bool,
}

impl SearchPlan {
    /// The next branching in the search for placements of a patch.
    fn decide(
        &self,
        model: &PlacementModel,
        patch: usize,
        solver: &ConstraintSolver,
    ) -> Option<(Var, u8)> {
        let store = solver.store();
        let mut least = self.least.iter().copied();
        if let Some(var) = least.find(|&var| !store.is_fixed(var)) {
            return Some((var, store.min(var)));
        }
        let flag = |square| model.flag(patch, square);
        let mut open = (0..MODEL_SQUARES).filter(|&square| !store.is_fixed(flag(square)));
        let mut best = open.next()?;
        if let Some(heuristic) = self.heuristic {
            let mut most = heuristic.rate(model, solver, best);
            for square in open {
                let rate = heuristic.rate(model, solver, square);
                // Among equal ratings, the first square.
                if rate > most {
                    (best, most) = (square, rate);
                }
            }
        }
        Some((flag(best), 1))
    }
}

impl PlacementModel {
    /// Appends the placements that a policy generates for a patch, in the order in which its
    /// searches find them, and leaves the model as it was.
    ///
    /// The patch must be required already.
    pub fn generate(
        &mut self,
        patch: usize,
        policy: ModelPolicy,
        transforms: Transforms,
        out: &mut Vec<Found>,
    ) {
        let PatchVariables {
            first_column: column,
            first_row: row,
            ..
        } = *self.patch(patch);
        if self.reach(patch) == self.covered_by(patch) {
            out.extend(self.found(self.solver(), patch));
            return;
        }
        let least = |vars: &[Var]| SearchPlan {
            least: vars.to_vec(),
            ..SearchPlan::default()
        };
        let mut search = |plan| self.search_each(patch, &plan, transforms, out);
        match policy {
            ModelPolicy::InOrder => search(least(&[])),
            ModelPolicy::BottomLeft => search(least(&[column, row])),
            ModelPolicy::BottomLeftLeftBottom => {
                search(least(&[column, row]));
                search(least(&[row, column]));
            }
            ModelPolicy::ParetoBottomLeft { columns } => {
                for first in 0..columns.min(SIDE) as u8 {
                    self.with(column, first, |model| {
                        model.search_each(patch, &least(&[row]), transforms, out);
                    });
                }
            }
            ModelPolicy::Rated(heuristic) => search(SearchPlan {
                heuristic: Some(heuristic),
                ..SearchPlan::default()
            }),
            ModelPolicy::All => {
                let plan = SearchPlan {
                    all: true,
                    ..SearchPlan::default()
                };
                self.search(patch, &plan, out);
            }
        }
    }

    /// Searches once, or once per transform.
    fn search_each(
        &mut self,
        patch: usize,
        plan: &SearchPlan,
        transforms: Transforms,
        out: &mut Vec<Found>,
    ) {
        let transform = self.patch(patch).transform;
        match transforms {
            Transforms::Some => self.search(patch, plan, out),
            Transforms::Every => {
                for value in 0..=MAX_ORIENTATIONS as u8 {
                    self.with(transform, value, |model| model.search(patch, plan, out));
                }
            }
        }
    }

    /// Runs a function while a variable has a value, if it can have it.
    fn with(&mut self, var: Var, value: u8, run: impl FnOnce(&mut Self)) {
        if !self.solver().store().contains(var, value) {
            return;
        }
        self.solver_mut().store_mut().push_level();
        let change = self.solver_mut().store_mut().assign(var, value);
        if change.is_ok() && self.solver_mut().propagate().is_ok() {
            run(self);
        }
        self.solver_mut().store_mut().undo();
    }

    fn search(&mut self, patch: usize, plan: &SearchPlan, out: &mut Vec<Found>) {
        // The search needs exclusive access to the solver, while the branching reads the rest of the model.
        let mut solver = std::mem::take(self.solver_mut());
        let model = &*self;
        let decide = &mut |solver: &_| plan.decide(model, patch, solver);
        depth_first(&mut solver, decide, &mut |solver| {
            out.extend(model.found(solver, patch));
            if plan.all {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        *self.solver_mut() = solver;
    }

    fn found(&self, solver: &ConstraintSolver, patch: usize) -> Option<Found> {
        Some(Found {
            placement: self.placement_in(solver, patch)?,
            assigned: self.assigned_in(solver),
        })
    }
}
