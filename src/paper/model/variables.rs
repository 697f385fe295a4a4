//! The whole board: what each square holds, and where each patch may go.

use std::ops::ControlFlow;

use super::branching::{Plan, Planned};
use super::heuristic::Heuristic;
use super::patch::PatchVariables;
use crate::board::{MAX_ORIENTATIONS, Quilt, SIDE, SQUARES, ShapeId, Square};
use crate::game::Placement;
use crate::paper::kernel::{Channel, Failure, Linear, Solver, Var, depth_first};
use crate::placement::Transforms;

/// Columns of the model's board: one more than a quilt has, so that nothing wraps around.
pub const COLUMNS: usize = SIDE + 1;

/// Squares of the model's board.
pub(super) const MODEL_SQUARES: usize = COLUMNS * SIDE;

/// The index of a square on the model's board, 0 to 89.
#[must_use]
pub const fn model_square(square: Square) -> usize {
    square.row() * COLUMNS + square.column()
}

fn quilt_square(model_square: usize) -> Option<Square> {
    let (row, column) = (model_square / COLUMNS, model_square % COLUMNS);
    (column < SIDE).then(|| Square::at(column, row))
}

/// How to search for the placements of a patch: the paper's policies (section 5.1) as branchings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Policy {
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

/// One placement that a search found, with what propagation made of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The placement.
    pub placement: Placement,
    /// The squares with one value left after it: covered, or beyond the reach of every patch.
    pub assigned: Quilt,
}

/// The paper's placement model for a set of patches, always at the fixpoint of propagation.
///
/// The value of a square is the index of the patch on it, [`Self::empty`] or [`Self::end`].
#[derive(Debug)]
pub struct PlacementModel {
    solver: Solver,
    shapes: Vec<ShapeId>,
    patches: Vec<PatchVariables>,
    board: Vec<Var>,
    /// For `empty` and `end`, in each square: whether it is the square's value.
    others: [Vec<Var>; 2],
}

impl PlacementModel {
    /// The model of an empty board and patches of these shapes, all of which may be placed.
    ///
    /// # Panics
    /// With more than 62 patches.
    #[must_use]
    pub fn new(shapes: &[ShapeId]) -> Self {
        assert!(shapes.len() <= 62, "a square's domain has 64 values");
        let mut solver = Solver::default();
        let (empty, end) = (shapes.len(), shapes.len() + 1);
        let everything = u64::MAX >> (63 - end);
        let board: Vec<Var> = (0..MODEL_SQUARES)
            .map(|square| match quilt_square(square) {
                Some(_) => solver.variable(everything & !(1 << end)),
                None => solver.variable(1 << end),
            })
            .collect();
        let others = [(); 2].map(|()| {
            (0..MODEL_SQUARES)
                .map(|_| solver.variable(0b11))
                .collect::<Vec<Var>>()
        });
        let patches: Vec<PatchVariables> = shapes
            .iter()
            .map(|&shape| PatchVariables::new(&mut solver, shape))
            .collect();
        for square in 0..MODEL_SQUARES {
            let flags = patches.iter().map(|patch| patch.squares[square]);
            let flags = flags.chain(others.iter().map(|of_value| of_value[square]));
            solver.post(Channel::new(board[square], flags.collect()));
        }
        // The sizes of the patches placed and the squares left empty come to 81: this is what drops
        // the patches that are too large for the squares that can still be covered.
        let sizes = shapes.iter().map(|shape| shape.shape().size() as i32);
        let used = patches.iter().map(|patch| patch.used);
        let empties = others[0].iter().map(|&is_empty| (1, is_empty));
        solver.post(Linear::new(
            sizes.zip(used).chain(empties).collect(),
            SQUARES as i32,
        ));
        let consistent = solver.propagate();
        debug_assert!(consistent.is_ok() && empty < end);
        Self {
            solver,
            shapes: shapes.to_vec(),
            patches,
            board,
            others,
        }
    }

    /// The kernel's part: domains and statistics.
    #[must_use]
    pub const fn solver(&self) -> &Solver {
        &self.solver
    }

    /// The kernel's part, to be changed.
    pub const fn solver_mut(&mut self) -> &mut Solver {
        &mut self.solver
    }

    /// The shapes of the patches.
    #[must_use]
    pub fn shapes(&self) -> &[ShapeId] {
        &self.shapes
    }

    /// The value of a square that nothing covers.
    #[must_use]
    pub fn empty(&self) -> usize {
        self.shapes.len()
    }

    /// The value of the dummy column's squares.
    #[must_use]
    pub fn end(&self) -> usize {
        self.shapes.len() + 1
    }

    /// The variable of a square, by its index on the model's board.
    pub(super) fn board(&self, square: usize) -> Var {
        self.board[square]
    }

    /// For a value and a square of the model's board: the 0/1 variable that says whether the square
    /// has the value.
    ///
    /// # Panics
    /// When there is no such value or square.
    pub(super) fn flag(&self, value: usize, square: usize) -> Var {
        match self.patches.get(value) {
            Some(patch) => patch.squares[square],
            None => self.others[value - self.patches.len()][square],
        }
    }

    /// The values a square can still have, bit `v` for the value `v`.
    #[must_use]
    pub fn domain(&self, square: Square) -> u64 {
        self.solver.store().domain(self.board[model_square(square)])
    }

    /// The squares that a patch may still cover.
    ///
    /// # Panics
    /// When there is no such patch.
    #[must_use]
    pub fn reach(&self, patch: usize) -> Quilt {
        self.squares_with(patch, |domain| domain & 0b10 != 0)
    }

    /// The squares that a patch is known to cover.
    ///
    /// # Panics
    /// When there is no such patch.
    #[must_use]
    pub fn covered_by(&self, patch: usize) -> Quilt {
        self.squares_with(patch, |domain| domain == 0b10)
    }

    fn squares_with(&self, patch: usize, is_wanted: impl Fn(u64) -> bool) -> Quilt {
        let flags = self.patches[patch].squares.iter().enumerate();
        flags
            .filter(|&(_, &flag)| is_wanted(self.solver.store().domain(flag)))
            .filter_map(|(square, _)| quilt_square(square))
            .collect()
    }

    /// Whether a patch may still be placed, or is.
    ///
    /// # Panics
    /// When there is no such patch.
    #[must_use]
    pub fn may_place(&self, patch: usize) -> bool {
        self.solver.store().contains(self.patches[patch].used, 1)
    }

    /// Decides that a patch is placed, somewhere.
    ///
    /// # Errors
    /// When it cannot be; the caller has to undo the level.
    ///
    /// # Panics
    /// When there is no such patch.
    pub fn require(&mut self, patch: usize) -> Result<(), Failure> {
        let used = self.patches[patch].used;
        self.solver.store_mut().assign(used, 1)?;
        self.solver.propagate()
    }

    /// Decides that a patch is not placed.
    ///
    /// # Errors
    /// When it has to be; the caller has to undo the level.
    ///
    /// # Panics
    /// When there is no such patch.
    pub fn exclude(&mut self, patch: usize) -> Result<(), Failure> {
        let used = self.patches[patch].used;
        self.solver.store_mut().assign(used, 0)?;
        self.solver.propagate()
    }

    /// Decides that a patch covers squares.
    ///
    /// # Errors
    /// When it cannot; the caller has to undo the level.
    ///
    /// # Panics
    /// When there is no such patch.
    pub fn cover(&mut self, patch: usize, squares: Quilt) -> Result<(), Failure> {
        for square in squares.squares() {
            let flag = self.patches[patch].squares[model_square(square)];
            self.solver.store_mut().assign(flag, 1)?;
        }
        self.solver.propagate()
    }

    /// Appends the placements that a policy generates for a patch, in the order in which its
    /// searches find them, and leaves the model as it was.
    ///
    /// The patch must be required already.
    ///
    /// # Panics
    /// When there is no such patch.
    pub fn generate(
        &mut self,
        patch: usize,
        policy: Policy,
        transforms: Transforms,
        out: &mut Vec<Found>,
    ) {
        let PatchVariables {
            first_column: column,
            first_row: row,
            ..
        } = self.patches[patch];
        let searches = |least: &[Var], heuristic| Plan {
            least: least.to_vec(),
            heuristic,
            all: false,
        };
        match policy {
            _ if self.reach(patch) == self.covered_by(patch) => {
                out.extend(self.found(&self.solver, patch));
            }
            Policy::InOrder => self.search_each(patch, &searches(&[], None), transforms, out),
            Policy::BottomLeft => {
                self.search_each(patch, &searches(&[column, row], None), transforms, out);
            }
            Policy::BottomLeftLeftBottom => {
                self.search_each(patch, &searches(&[column, row], None), transforms, out);
                self.search_each(patch, &searches(&[row, column], None), transforms, out);
            }
            Policy::ParetoBottomLeft { columns } => {
                let plan = searches(&[row], None);
                for first in 0..columns.min(SIDE) as u8 {
                    self.with(column, first, |model| {
                        model.search_each(patch, &plan, transforms, out);
                    });
                }
            }
            Policy::Rated(heuristic) => {
                self.search_each(patch, &searches(&[], Some(heuristic)), transforms, out);
            }
            Policy::All => {
                let plan = Plan {
                    all: true,
                    ..Plan::default()
                };
                self.search(patch, &plan, out);
            }
        }
    }

    /// Searches once, or once for each transform.
    fn search_each(
        &mut self,
        patch: usize,
        plan: &Plan,
        transforms: Transforms,
        out: &mut Vec<Found>,
    ) {
        let transform = self.patches[patch].transform;
        match transforms {
            Transforms::Some => self.search(patch, plan, out),
            Transforms::Every => {
                for value in 0..=MAX_ORIENTATIONS as u8 {
                    self.with(transform, value, |model| model.search(patch, plan, out));
                }
            }
        }
    }

    /// Does something while a variable has a value, if it can have it.
    fn with(&mut self, var: Var, value: u8, run: impl FnOnce(&mut Self)) {
        if !self.solver.store().contains(var, value) {
            return;
        }
        self.solver.store_mut().push_level();
        let change = self.solver.store_mut().assign(var, value);
        if change.is_ok() && self.solver.propagate().is_ok() {
            run(self);
        }
        self.solver.store_mut().undo();
    }

    fn search(&mut self, patch: usize, plan: &Plan, out: &mut Vec<Found>) {
        // The search needs the solver to itself, the branching only looks at the rest of the model.
        let mut solver = std::mem::take(&mut self.solver);
        let model = &*self;
        let mut branching = Planned { model, patch, plan };
        depth_first(&mut solver, &mut branching, &mut |solver| {
            out.extend(model.found(solver, patch));
            if plan.all {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        self.solver = solver;
    }

    /// Where the patch is, once all of its squares are decided.
    #[must_use]
    pub fn placement(&self, patch: usize) -> Option<Placement> {
        self.placement_in(&self.solver, patch)
    }

    fn found(&self, solver: &Solver, patch: usize) -> Option<Found> {
        Some(Found {
            placement: self.placement_in(solver, patch)?,
            assigned: self.assigned_in(solver),
        })
    }

    /// The squares with one value left: covered, or beyond the reach of every patch.
    #[must_use]
    pub fn assigned(&self) -> Quilt {
        self.assigned_in(&self.solver)
    }

    fn assigned_in(&self, solver: &Solver) -> Quilt {
        let is_fixed = |s: &Square| solver.store().is_fixed(self.board[model_square(*s)]);
        Quilt::FULL.squares().filter(is_fixed).collect()
    }

    fn placement_in(&self, solver: &Solver, patch: usize) -> Option<Placement> {
        let store = solver.store();
        let variables = self.patches.get(patch)?;
        let orientation = store.value(variables.transform)?.checked_sub(1)?;
        let is_covered = |&square: &usize| store.value(variables.squares[square]) == Some(1);
        let anchor = quilt_square((0..MODEL_SQUARES).find(is_covered)?)?;
        Some(Placement::inside(orientation, anchor))
    }
}
