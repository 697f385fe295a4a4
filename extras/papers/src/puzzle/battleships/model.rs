//! The 2008 paper's model (section 5): a placement constraint for each ship.

use std::ops::ControlFlow;

use patchwork_engine::search::Stop;
use patchwork_kernel::{
    Channel, ConstraintSolver, Linear, Regex, Regular, SearchCounts, Var, WordTable,
};

use super::instance::{Battleships, Hint, ShipGrid};
use crate::puzzle::search::search;

/// The result of a search and its effort.
#[derive(Clone, Debug, PartialEq)]
pub struct BattleshipsResult {
    /// The solutions found, and the effort.
    pub counts: SearchCounts,
    /// The first solutions, as many as requested.
    pub grids: Vec<ShipGrid>,
    /// Whether the search was completed.
    pub complete: bool,
}

/// The words of a ship: for each square of the enlarged grid, row by row, whether the ship or its water is
/// there, and whether the ship is. A ship's water is on its right and below it, so the grid has one more row
/// and column; another last column is always empty, so that nothing wraps around.
fn ship_words(length: usize, columns: usize) -> Regex {
    let nothing = Regex::word([0, 0]);
    let (ship, water) = (Regex::word([1, 1]), Regex::word([1, 0]));
    let anywhere = |rows: &[Vec<Regex>]| {
        let mut word = vec![nothing.clone().star()];
        for (i, row) in rows.iter().enumerate() {
            if i > 0 {
                word.push(nothing.clone().repeat(columns - row.len()));
            }
            word.extend(row.iter().cloned());
        }
        word.push(nothing.clone().star());
        Regex::sequence(word)
    };
    let mut flat = vec![vec![ship.clone(); length], vec![water.clone(); length + 1]];
    flat[0].push(water.clone());
    let mut upright = vec![vec![ship, water.clone()]; length];
    upright.push(vec![water; 2]);
    if length == 1 {
        return anywhere(&flat);
    }
    Regex::either([anywhere(&flat), anywhere(&upright)])
}

/// The order of two ships of the same length: the first one's first square comes first. The words alternate
/// between the squares of both ships.
fn in_order() -> Regex {
    let any = Regex::either([Regex::Symbol(0), Regex::Symbol(1)]);
    Regex::sequence([Regex::word([0, 0]).star(), Regex::word([1, 0]), any.star()])
}

/// Posts that the squares of a grid, each with the variables of its cover and its part, hold a ship of this
/// length and its water.
fn post_ship(solver: &mut ConstraintSolver, squares: Vec<Var>, length: usize, width: usize) {
    let graph = ship_words(length, width).to_dfa(2).unroll(squares.len());
    let store = solver.store_mut();
    match WordTable::new(store, squares.clone(), &graph) {
        Some(table) => solver.post(table),
        None => {
            let regular = Regular::new(store, squares, &graph);
            solver.post(regular);
        }
    }
}

/// The model: for each ship, the longest first, its variable for each square of the board, and for each square
/// whether it holds a ship.
fn model(instance: &Battleships) -> (ConstraintSolver, Vec<Vec<Var>>, Vec<Var>) {
    let (rows, columns) = instance.size();
    // One row and column for water, and one column that stays empty.
    let (height, width) = (rows + 1, columns + 2);
    let places = height * width;
    let place = |square: usize| square / columns * width + square % columns;
    let mut solver = ConstraintSolver::default();
    solver.learning_mut().switch(false);
    let occupied: Vec<Var> = (0..rows * columns).map(|_| solver.variable(0b11)).collect();
    let nowhere = solver.variable(0b01);

    let lengths = instance.fleet.lengths();
    let (mut covers, mut all_parts): (Vec<Vec<Var>>, Vec<Vec<Var>>) = (Vec::new(), Vec::new());
    for (ship, &length) in lengths.iter().enumerate() {
        let cover: Vec<Var> = (0..places).map(|_| solver.variable(0b11)).collect();
        let mut part = vec![nowhere; places];
        for square in 0..rows * columns {
            part[place(square)] = solver.variable(0b11);
        }
        // The constraint must not contain a variable twice.
        let own = |&var: &Var| match var == nowhere {
            true => solver.variable(0b01),
            false => var,
        };
        let own: Vec<Var> = part.iter().map(own).collect();
        let both: Vec<Var> = cover.iter().zip(&own).flat_map(|(&c, &p)| [c, p]).collect();
        post_ship(&mut solver, both, length, width);
        if ship > 0 && lengths[ship - 1] == length {
            let before: &Vec<Var> = &all_parts[ship - 1];
            let squares = 0..rows * columns;
            let turns = squares.flat_map(|s| [before[place(s)], part[place(s)]]);
            let turns: Vec<Var> = turns.collect();
            let graph = in_order().to_dfa(2).unroll(turns.len());
            let regular = Regular::new(solver.store_mut(), turns, &graph);
            solver.post(regular);
        }
        covers.push(cover);
        all_parts.push(part);
    }
    // A square belongs to at most one ship with its water; the last value means none.
    for at in 0..places {
        let mut flags: Vec<Var> = covers.iter().map(|cover| cover[at]).collect();
        flags.push(solver.variable(0b11));
        let owner = solver.variable((1 << flags.len()) - 1);
        solver.post(Channel::new(owner, flags));
    }
    let parts: Vec<Vec<Var>> = all_parts
        .iter()
        .map(|part| (0..rows * columns).map(|s| part[place(s)]).collect())
        .collect();
    for square in 0..rows * columns {
        let of_ships = parts.iter().map(|part: &Vec<Var>| part[square]);
        solver.post(Linear::sum(of_ships, occupied[square]));
    }
    post_sums(&mut solver, &occupied, instance);
    post_hints(&mut solver, &occupied, instance);
    post_diagonals(&mut solver, &occupied, instance);
    (solver, parts, occupied)
}

fn post_sums(solver: &mut ConstraintSolver, occupied: &[Var], instance: &Battleships) {
    for (squares, sum) in instance.lines() {
        let terms = squares.into_iter().map(|square| (1, occupied[square]));
        solver.post(Linear::new(terms.collect(), sum as i32));
    }
}

fn post_hints(solver: &mut ConstraintSolver, occupied: &[Var], instance: &Battleships) {
    for (square, &hint) in instance.hints.iter().enumerate() {
        let Some(hint) = hint else { continue };
        let mut fix = |square: usize, is_ship: bool| {
            let one = vec![(1, occupied[square])];
            solver.post(Linear::new(one, i32::from(is_ship)));
        };
        fix(square, hint != Hint::Water);
        let around = instance.around(square);
        if let Some(sides) = hint.around() {
            for (side, is_ship) in around.into_iter().zip(sides) {
                if let Some(side) = side {
                    fix(side, is_ship);
                }
            }
        }
        if hint == Hint::Middle {
            // Above and below are equal, left and right are equal, and one of the two pairs is occupied.
            let term = |factor, side: Option<usize>| Some((factor, occupied[side?]));
            let [up, left, right, down, ..] = around;
            for (terms, total) in [
                ([term(1, up), term(-1, down)], 0),
                ([term(1, left), term(-1, right)], 0),
                ([term(1, up), term(1, left)], 1),
            ] {
                let terms = terms.into_iter().flatten().collect();
                solver.post(Linear::new(terms, total));
            }
        }
    }
}

/// Implied: of two diagonally adjacent squares, one is water.
fn post_diagonals(solver: &mut ConstraintSolver, occupied: &[Var], instance: &Battleships) {
    for square in 0..occupied.len() {
        // The two diagonal neighbours below.
        for diagonal in instance.around(square)[6..].iter().flatten() {
            let spare = solver.variable(0b11);
            let three = [occupied[square], occupied[*diagonal], spare];
            let terms = three.into_iter().map(|var| (1, var));
            solver.post(Linear::new(terms.collect(), 1));
        }
    }
}

impl Battleships {
    /// Searches until `most` solutions or all of them are found, or `stop` is set; `progress` gets the
    /// completed share of the search tree. `kept` grids are returned.
    pub fn solve(
        &self,
        most: u64,
        kept: usize,
        stop: &Stop,
        progress: &mut dyn FnMut(f64),
    ) -> BattleshipsResult {
        let (mut solver, parts, occupied) = model(self);
        let columns = self.size().1;
        // The longest ship first, on the square whose row and column have the largest sums.
        let sum = |square: usize| self.rows[square / columns] + self.columns[square % columns];
        let mut longest_first = |solver: &ConstraintSolver| {
            parts.iter().find_map(|part| {
                let squares = part.iter().enumerate();
                let open = squares.filter(|(_, var)| !solver.store().is_fixed(**var));
                let (_, &var) = open.max_by_key(|&(square, _)| sum(square))?;
                Some((var, 1))
            })
        };
        let (mut left, mut grids) = (most, Vec::new());
        let mut visit = |solver: &ConstraintSolver| {
            left -= 1;
            if grids.len() < kept {
                let ships = occupied.iter().map(|&var| solver.store().min(var) == 1);
                grids.push(ShipGrid::new(ships.collect(), columns));
            }
            if left == 0 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let counts = search(&mut solver, &mut longest_first, stop, progress, &mut visit);
        BattleshipsResult {
            counts,
            grids,
            complete: counts.solutions == most || !stop.is_set(),
        }
    }
}
