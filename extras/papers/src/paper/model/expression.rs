//! The model's board, a quilt with a dummy column on its right; the placements of a shape on it, and the squares they use
//! in columns and rows, as regular expressions.

use std::sync::{Arc, OnceLock};

use patchwork_engine::board::{MAX_ORIENTATIONS, Orientation, SHAPE_COUNT, SIDE, ShapeId, Square};
use patchwork_kernel::{LayeredGraph, Regex};

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

/// Maximum number of squares of a shape in one column or row.
pub(super) const MAX_USAGE: u8 = 5;

/// Variables before the squares in a placement: U, N and one S for each transform.
pub(super) const CONTROLS: usize = 2 + MAX_ORIENTATIONS;

/// All placements of a shape and that it is not placed, over U, N, S and the squares of the board
/// with its dummy column in row-major order (the paper's equation 2).
///
/// `1 0 s R` for each transform, R being `0* 1 1 0^8 1 0*` or the like, and `0 1 0*` for none.
pub(crate) fn placement_expression(shape: ShapeId) -> Regex {
    reified(shape, MODEL_SQUARES, |orientation| {
        let cells = cells(orientation);
        let last = cells.iter().map(|&(row, column)| row * COLUMNS + column);
        let length = last.max().map_or(0, |last| last + 1);
        let mut word = vec![0; length];
        for (row, column) in cells {
            word[row * COLUMNS + column] = 1;
        }
        anywhere(word)
    })
}

/// The same with the squares' sums by column (the dummy column included) and then by row in place of
/// the squares: `0* 1 3 0* 0 0* 2 1 1 0*` or the like (the paper, section 4.2).
pub(crate) fn usage_expression(shape: ShapeId) -> Regex {
    reified(shape, COLUMNS + SIDE, |orientation| {
        let cells = cells(orientation);
        let count = |place: &dyn Fn(&(usize, usize)) -> usize| {
            let last = cells.iter().map(place).max().unwrap_or(0);
            let at = |i| cells.iter().filter(|&cell| place(cell) == i).count() as u8;
            (0..=last).map(at).collect::<Vec<u8>>()
        };
        Regex::sequence([
            anywhere(count(&|&(_, column)| column)),
            Regex::Symbol(0),
            anywhere(count(&|&(row, _)| row)),
        ])
    })
}

/// The graphs of both expressions, computed once for each shape.
pub(super) fn graphs(shape: ShapeId) -> &'static [Arc<LayeredGraph>; 2] {
    static GRAPHS: [OnceLock<[Arc<LayeredGraph>; 2]>; SHAPE_COUNT] =
        [const { OnceLock::new() }; SHAPE_COUNT];
    GRAPHS[shape.index()].get_or_init(|| {
        let symbols = usize::from(MAX_USAGE) + 1;
        [
            placement_expression(shape)
                .to_dfa(2)
                .unroll(CONTROLS + MODEL_SQUARES),
            usage_expression(shape)
                .to_dfa(symbols)
                .unroll(CONTROLS + COLUMNS + SIDE),
        ]
    })
}

/// A pattern for each transform after its controls, or zeros after the controls of no placement.
fn reified(shape: ShapeId, length: usize, pattern: impl Fn(&Orientation) -> Regex) -> Regex {
    let orientations = shape.shape().orientations().iter().enumerate();
    let placed = orientations.map(|(i, orientation)| {
        let transform = (0..MAX_ORIENTATIONS).map(|s| u8::from(s == i));
        let controls = [1, 0].into_iter().chain(transform);
        Regex::sequence([Regex::word(controls), pattern(orientation)])
    });
    let zeros = Regex::Symbol(0).repeat(MAX_ORIENTATIONS + length);
    let not_placed = Regex::sequence([Regex::word([0, 1]), zeros]);
    Regex::either(placed.chain([not_placed]))
}

/// The word, with zeros before and after.
fn anywhere(word: Vec<u8>) -> Regex {
    let zeros = Regex::Symbol(0).star();
    Regex::sequence([zeros.clone(), Regex::word(word), zeros])
}

/// Row and column of each square inside the bounding box.
fn cells(orientation: &Orientation) -> Vec<(usize, usize)> {
    let lead = orientation.lead();
    let places = orientation.offsets().iter().map(|&o| usize::from(o) + lead);
    places.map(|place| (place / SIDE, place % SIDE)).collect()
}
