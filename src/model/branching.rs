//! Policies as branchings: what to decide next.

use super::heuristic::Heuristic;
use super::variables::{MODEL_SQUARES, PlacementModel};
use crate::kernel::{Branching, Decision, Solver, Var};

/// A branching on one variable.
pub(super) enum Next {
    /// Its least value first.
    Least(Var),
}

/// Least values of some variables in turn, then the squares.
pub(super) struct InSequence<'a, 'm> {
    least: &'a mut Vec<Next>,
    squares: &'a mut Squares<'m>,
}

impl<'a, 'm> InSequence<'a, 'm> {
    pub(super) fn new(least: &'a mut Vec<Next>, squares: &'a mut Squares<'m>) -> Self {
        Self { least, squares }
    }
}

impl Branching for InSequence<'_, '_> {
    fn decide(&mut self, solver: &Solver) -> Option<Decision> {
        let store = solver.store();
        let open = self.least.iter().map(|&Next::Least(var)| var);
        match open.into_iter().find(|&var| !store.is_fixed(var)) {
            Some(var) => Some(Decision {
                var,
                value: store.min(var),
            }),
            None => self.squares.decide(solver),
        }
    }
}

/// Covers undecided squares: the first, or the one that a heuristic rates highest (the first of
/// those rated the same).
pub(super) struct Squares<'m> {
    model: &'m PlacementModel,
    patch: usize,
    heuristic: Option<Heuristic>,
}

impl<'m> Squares<'m> {
    pub(super) fn new(
        model: &'m PlacementModel,
        patch: usize,
        heuristic: Option<Heuristic>,
    ) -> Self {
        Self {
            model,
            patch,
            heuristic,
        }
    }
}

impl Branching for Squares<'_> {
    fn decide(&mut self, solver: &Solver) -> Option<Decision> {
        let flag = |square| self.model.flag(self.patch, square);
        let mut open = (0..MODEL_SQUARES).filter(|&s| !solver.store().is_fixed(flag(s)));
        let square = match self.heuristic {
            None => open.next()?,
            Some(heuristic) => {
                let mut best = open.next()?;
                let mut most = heuristic.rate(self.model, solver, best);
                for square in open {
                    let rate = heuristic.rate(self.model, solver, square);
                    if rate > most {
                        (best, most) = (square, rate);
                    }
                }
                best
            }
        };
        Some(Decision {
            var: flag(square),
            value: 1,
        })
    }
}
