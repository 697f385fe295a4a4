//! The model's board: a quilt with a dummy column on its right.

use patchwork_engine::board::{SIDE, Square};

/// Columns of the model's board: one more than a quilt has, so that nothing wraps around.
pub const COLUMNS: usize = SIDE + 1;

/// Squares of the model's board.
pub(super) const MODEL_SQUARES: usize = COLUMNS * SIDE;

/// The index of a square on the model's board, 0 to 89.
pub(crate) const fn model_square(square: Square) -> usize {
    square.row() * COLUMNS + square.column()
}

/// The square of the quilt with this index, `None` in the dummy column.
pub(super) fn quilt_square(model_square: usize) -> Option<Square> {
    let (row, column) = (model_square / COLUMNS, model_square % COLUMNS);
    (column < SIDE).then(|| Square::at(column, row))
}
