//! The whole board: the value of each square, and the possible placements of each patch.

use patchwork_engine::board::{Quilt, SQUARES, ShapeId, Square};
use patchwork_engine::game::Placement;
use patchwork_kernel::{Channel, ConstraintSolver, Failure, Linear, Var};

use super::expression::{MODEL_SQUARES, model_square, quilt_square};
use super::patch::PatchVariables;

/// The paper's placement model for a set of patches, always at the fixpoint of propagation.
///
/// The value of a square is the index of the patch on it, the number of patches if nothing covers it, or
/// [`Self::end`]. A method that is given a patch panics if it does not exist.
#[derive(Debug)]
pub struct PlacementModel {
    solver: ConstraintSolver,
    shapes: Vec<ShapeId>,
    patches: Vec<PatchVariables>,
    board: Vec<Var>,
    /// For nothing and for the end, in each square: whether it is the square's value.
    others: [Vec<Var>; 2],
}

impl PlacementModel {
    /// The model of an empty board and patches of these shapes, all of which may be placed.
    ///
    /// # Panics
    /// With more than 62 patches.
    pub fn new(shapes: &[ShapeId]) -> Self {
        assert!(shapes.len() <= 62, "a square's domain has 64 values");
        let mut solver = ConstraintSolver::default();
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
        // The sizes of the patches placed and the empty squares sum to 81. This drops the patches
        // that are too large for the squares that can still be covered.
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
    pub const fn solver(&self) -> &ConstraintSolver {
        &self.solver
    }

    /// The kernel's part, for changes.
    pub const fn solver_mut(&mut self) -> &mut ConstraintSolver {
        &mut self.solver
    }

    /// The shapes of the patches.
    pub fn shapes(&self) -> &[ShapeId] {
        &self.shapes
    }

    /// The value of the dummy column's squares.
    pub fn end(&self) -> usize {
        self.shapes.len() + 1
    }

    pub(super) fn patch(&self, patch: usize) -> &PatchVariables {
        &self.patches[patch]
    }

    /// The variable of a square, by its index on the model's board.
    pub(super) fn board(&self, square: usize) -> Var {
        self.board[square]
    }

    /// For a value and a square of the model's board: the 0/1 variable that is 1 when the square
    /// has the value.
    pub(super) fn flag(&self, value: usize, square: usize) -> Var {
        match self.patches.get(value) {
            Some(patch) => patch.squares[square],
            None => self.others[value - self.patches.len()][square],
        }
    }

    /// The values a square can still have, bit `v` for the value `v`.
    pub fn domain(&self, square: Square) -> u64 {
        self.solver.store().domain(self.board[model_square(square)])
    }

    /// The squares that a patch may still cover.
    pub fn reach(&self, patch: usize) -> Quilt {
        self.squares_with(patch, |domain| domain & 0b10 != 0)
    }

    /// The squares that a patch is known to cover.
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
    pub fn may_place(&self, patch: usize) -> bool {
        self.solver.store().contains(self.patches[patch].used, 1)
    }

    /// Decides that a patch is placed, somewhere.
    ///
    /// # Errors
    /// When it cannot be; the caller has to undo the level.
    pub fn require(&mut self, patch: usize) -> Result<(), Failure> {
        let used = self.patches[patch].used;
        self.solver.store_mut().assign(used, 1)?;
        self.solver.propagate()
    }

    /// Decides that a patch is not placed.
    ///
    /// # Errors
    /// When it has to be; the caller has to undo the level.
    pub fn exclude(&mut self, patch: usize) -> Result<(), Failure> {
        let used = self.patches[patch].used;
        self.solver.store_mut().assign(used, 0)?;
        self.solver.propagate()
    }

    /// Decides that a patch covers squares.
    ///
    /// # Errors
    /// When it cannot; the caller has to undo the level.
    pub fn cover(&mut self, patch: usize, squares: Quilt) -> Result<(), Failure> {
        for square in squares.squares() {
            let flag = self.patches[patch].squares[model_square(square)];
            self.solver.store_mut().assign(flag, 1)?;
        }
        self.solver.propagate()
    }

    /// Where the patch is, once all of its squares are decided.
    pub fn placement(&self, patch: usize) -> Option<Placement> {
        self.placement_in(&self.solver, patch)
    }

    /// The squares with one value left: covered, or beyond the reach of every patch.
    pub fn assigned(&self) -> Quilt {
        self.assigned_in(&self.solver)
    }

    pub(super) fn assigned_in(&self, solver: &ConstraintSolver) -> Quilt {
        let is_fixed = |s: &Square| solver.store().is_fixed(self.board[model_square(*s)]);
        Quilt::FULL.squares().filter(is_fixed).collect()
    }

    pub(super) fn placement_in(
        &self,
        solver: &ConstraintSolver,
        patch: usize,
    ) -> Option<Placement> {
        let store = solver.store();
        let variables = self.patches.get(patch)?;
        let orientation = store.value(variables.transform)?.checked_sub(1)?;
        let is_covered = |&square: &usize| store.value(variables.squares[square]) == Some(1);
        let anchor = quilt_square((0..MODEL_SQUARES).find(is_covered)?)?;
        Some(Placement::inside(orientation, anchor))
    }
}
