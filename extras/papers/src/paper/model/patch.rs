//! The variables and constraints of one patch.

use patchwork_engine::board::{SIDE, ShapeId};
use patchwork_kernel::{Channel, Conjunction, ConstraintSolver, Linear, Regular, Reified, Var};

use super::expression::{COLUMNS, CONTROLS, MAX_USAGE, MODEL_SQUARES, graphs};

#[derive(Debug)]
pub(super) struct PatchVariables {
    /// U: whether the patch is placed.
    pub(super) used: Var,
    /// 0 if not placed, otherwise one more than the index of the orientation.
    pub(super) transform: Var,
    /// For each square of the board and its dummy column, whether the patch covers it.
    pub(super) squares: Vec<Var>,
    /// First column covered, and first row; 9 if not placed.
    pub(super) first_column: Var,
    pub(super) first_row: Var,
}

impl PatchVariables {
    /// Adds the patch's variables and the constraints between them.
    pub(super) fn new(solver: &mut ConstraintSolver, shape: ShapeId) -> Self {
        let [placement, usage] = graphs(shape);
        let controls: Vec<Var> = (0..CONTROLS).map(|_| solver.variable(0b11)).collect();
        let squares: Vec<Var> = (0..MODEL_SQUARES).map(|_| solver.variable(0b11)).collect();
        let usages: Vec<Var> = (0..COLUMNS + SIDE)
            .map(|_| solver.variable((1 << (MAX_USAGE + 1)) - 1))
            .collect();

        // N and the S variables as one integer.
        let transform = solver.variable((1 << (CONTROLS - 1)) - 1);
        solver.post(Channel::new(transform, controls[1..].to_vec()));

        for column in 0..COLUMNS {
            let column_squares = (0..SIDE).map(|row| squares[row * COLUMNS + column]);
            solver.post(Linear::sum(column_squares, usages[column]));
        }
        for row in 0..SIDE {
            let row_squares = squares[row * COLUMNS..][..COLUMNS].iter().copied();
            solver.post(Linear::sum(row_squares, usages[COLUMNS + row]));
        }
        let first_column = first_index(solver, &usages[..SIDE]);
        let first_row = first_index(solver, &usages[COLUMNS..]);

        let chain = |rest: &[Var]| [&controls, rest].concat();
        let regular = Regular::new(solver.store_mut(), chain(&squares), placement);
        solver.post(regular);
        let regular = Regular::new(solver.store_mut(), chain(&usages), usage);
        solver.post(regular);

        Self {
            used: controls[0],
            transform,
            squares,
            first_column,
            first_row,
        }
    }
}

/// The index of the first variable that is not 0, or their number when all are (the paper's
/// equations 3 to 6).
fn first_index(solver: &mut ConstraintSolver, usages: &[Var]) -> Var {
    let first = solver.variable((1 << (usages.len() + 1)) - 1);
    let mut run = Vec::new();
    for &usage in usages {
        // Z in the paper: whether the usage is 0. F: whether this and all earlier ones are.
        let is_zero = solver.variable(0b11);
        solver.post(Reified::new(usage, 0, is_zero));
        let in_run = match run.last() {
            None => is_zero,
            Some(&before) => {
                let in_run = solver.variable(0b11);
                solver.post(Conjunction::new(before, is_zero, in_run));
                in_run
            }
        };
        run.push(in_run);
    }
    solver.post(Linear::sum(run, first));
    first
}
