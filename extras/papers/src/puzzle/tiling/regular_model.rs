//! The 2008 paper's two models: one `regular` constraint for each piece.

use patchwork_engine::search::Stop;
use patchwork_kernel::{Channel, ConstraintSolver, Regex, Regular, Var, WordTable};

use super::problem::Tiling;
use super::tally::Tally;
use crate::puzzle::polyomino::Polyomino;
use crate::puzzle::search::search;

/// How the `regular` constraints of the improved model are propagated. Both ways are domain consistent, so
/// the search is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegularBy {
    /// By a table of the placements ([`WordTable`]).
    Table,
    /// By the layered graph of the automaton ([`Regular`]).
    Graph,
}

/// All placements of a piece on rows of this length: the symbol `one` on its squares, and any of `others`
/// elsewhere.
fn placements(piece: &Polyomino, columns: usize, one: u8, others: &[u8]) -> Regex {
    let other = Regex::either(others.iter().map(|&symbol| Regex::Symbol(symbol)));
    Regex::either(piece.orientations().iter().map(|drawing| {
        let places = drawing.cells().iter().map(|&(r, c)| r * columns + c);
        let places: Vec<usize> = places.collect();
        let mut word = vec![other.clone().star()];
        for at in places[0]..=places[places.len() - 1] {
            word.push(if places.contains(&at) {
                Regex::Symbol(one)
            } else {
                other.clone()
            });
        }
        word.push(other.clone().star());
        Regex::sequence(word)
    }))
}

/// The basic model without `regular`, the improved model with it. For each open square, in ascending order, its
/// number and its variable.
///
/// The value of a square is the number of its piece. As in the paper, the board has an additional column of end
/// markers, so that nothing wraps around; holes have the same value.
fn model(tiling: &Tiling, regular: Option<RegularBy>) -> (ConstraintSolver, Vec<(usize, Var)>) {
    let (region, pieces) = (tiling.region(), tiling.pieces());
    let (columns, end) = (region.columns() + 1, pieces.len());
    let mut solver = ConstraintSolver::default();
    solver.learning_mut().switch(false);
    let (mut board, mut open) = (Vec::new(), Vec::new());
    for place in 0..region.rows() * columns {
        let (row, column) = (place / columns, place % columns);
        let square = region.square(row, column.min(region.columns() - 1));
        if column < region.columns() && region.is_open(square) {
            board.push(solver.variable((1 << end) - 1));
            open.push((square, board[place]));
        } else {
            board.push(solver.variable(1 << end));
        }
    }
    let Some(regular) = regular else {
        let symbols = end + 1;
        for (id, piece) in pieces.iter().enumerate() {
            let others = (0..symbols as u8).filter(|&other| usize::from(other) != id);
            let others: Vec<u8> = others.collect();
            let words = placements(&piece.shape, columns, id as u8, &others);
            let graph = words.to_dfa(symbols).unroll(board.len());
            let constraint = Regular::new(solver.store_mut(), board.clone(), &graph);
            solver.post(constraint);
        }
        return (solver, open);
    };
    // For each value, whether each square has it.
    let flags: Vec<Vec<Var>> = (0..=end)
        .map(|_| board.iter().map(|_| solver.variable(0b11)).collect())
        .collect();
    for (place, &square) in board.iter().enumerate() {
        let flags = flags.iter().map(|of_value| of_value[place]);
        solver.post(Channel::new(square, flags.collect()));
    }
    for (piece, flags) in pieces.iter().zip(flags) {
        let words = placements(&piece.shape, columns, 1, &[0]);
        let graph = words.to_dfa(2).unroll(board.len());
        let table = match regular {
            RegularBy::Table => WordTable::new(solver.store_mut(), flags.clone(), &graph),
            RegularBy::Graph => None,
        };
        match table {
            Some(table) => solver.post(table),
            None => {
                let constraint = Regular::new(solver.store_mut(), flags, &graph);
                solver.post(constraint);
            }
        }
    }
    (solver, open)
}

/// Solves by depth-first search as in the paper: squares in row-major order, the smallest value first.
pub(super) fn solve_by_constraints(
    tiling: &Tiling,
    regular: Option<RegularBy>,
    tally: &mut Tally,
    stop: &Stop,
    progress: &mut dyn FnMut(f64),
) {
    let (mut solver, open) = model(tiling, regular);
    let mut row_major = |solver: &ConstraintSolver| {
        let store = solver.store();
        let mut variables = open.iter().map(|&(_, var)| var);
        let var = variables.find(|&var| !store.is_fixed(var))?;
        Some((var, store.min(var)))
    };
    let mut visit = |solver: &ConstraintSolver| {
        let mut placed = vec![Vec::new(); tiling.pieces().len()];
        for &(square, var) in &open {
            placed[usize::from(solver.store().min(var))].push(square);
        }
        let placed = placed.iter().enumerate();
        tally.found(
            placed.map(|(piece, squares)| (squares.as_slice(), piece)),
            1,
        )
    };
    let counts = search(&mut solver, &mut row_major, stop, progress, &mut visit);
    tally.result.counts = counts;
}
