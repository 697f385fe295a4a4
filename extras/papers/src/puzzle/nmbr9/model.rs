//! The paper's constraint model (its section 3) on the kernel, for small variants: it verifies
//! [`solve`](super::solve()).
//!
//! A card has a variable for its part, one for its level, and for each level a grid with a border, whose
//! squares are 0 (empty), 1 (the part) or 2 (beside the part). A `regular` constraint for each card and
//! level says where the part may lie; its first symbol is the part, or 0 when the card is on another
//! level. Where the text leaves the deck to variables of their own, the cards are in its order here.

use std::ops::ControlFlow;
use std::sync::Arc;

use patchwork_kernel::{
    Conjunction, ConstraintSolver, LayeredGraph, Linear, Regex, Regular, Reified, Var, depth_first,
};

use super::layout::{Layout, PlacedPart};
use super::part::{Part, Turn};
use super::variant::NmbrVariant;

/// Values of a square.
const SQUARE: u64 = 0b111;
const FLAG: u64 = 0b11;
/// Maximum number of squares of a part.
const MAX_SQUARES: u64 = (1 << 11) - 1;

/// A card and its position.
struct CardVariables {
    part: Var,
    level: Var,
    /// For each level, whether the card is on it.
    on: Vec<Var>,
    /// For each level and value, whether the card is that part on that level.
    is_part_on: Vec<Vec<Var>>,
    /// For each level, 0/1 variables for the squares of its grid that are 1, and for those that are 2.
    own: Vec<Vec<Var>>,
    beside: Vec<Vec<Var>>,
}

/// The model of a variant.
pub struct NmbrModel {
    solver: ConstraintSolver,
    cards: Vec<CardVariables>,
    score: Var,
    side: usize,
    /// The squares of a grid from the middle outwards.
    spiral: Vec<usize>,
}

impl NmbrModel {
    /// Posts all constraints. Meant for scores up to 63 and up to 60 squares in use.
    pub fn new(variant: &NmbrVariant) -> Self {
        let side = variant.grid;
        let mut solver = ConstraintSolver::default();
        let graph = placements(variant);
        let cards: Vec<CardVariables> = (0..variant.cards)
            .map(|i| card(&mut solver, variant, i, &graph))
            .collect();
        let mut model = Self {
            score: solver.variable(u64::MAX),
            solver,
            cards,
            side,
            spiral: spiral(side),
        };
        model.count_copies(variant);
        for level in 0..variant.levels {
            model.connect(level, side * side);
            if level > 0 {
                model.support(level, side * side);
                model.grow(level, variant);
            }
        }
        model.add_up(variant);
        // The first card is on the first level.
        if let Some(first) = model.cards.first() {
            let _ = model.solver.store_mut().assign(first.level, 1);
        }
        model
    }

    /// Finds the best score, with a layout, by branch and bound: on the deck, then on the levels, then on squares from
    /// the middle outwards. `None` if the cards do not fit.
    pub fn optimum(&mut self) -> Option<(u32, Layout)> {
        let mut optimum = None;
        // Consequences that always hold must be drawn before anything that is undone.
        self.solver.propagate().ok()?;
        let sequence = self.branching();
        let mut branching = in_sequence(&sequence);
        loop {
            self.solver.store_mut().push_level();
            let above = optimum.as_ref().map_or(0, |(score, _)| score + 1);
            let kept = u64::MAX.checked_shl(above).unwrap_or(0);
            let score = self.score;
            let mut found = None;
            let (cards, side) = (&self.cards, self.side);
            let fits = self.solver.store_mut().keep(score, kept).is_ok();
            if fits && self.solver.propagate().is_ok() {
                depth_first(&mut self.solver, &mut branching, &mut |solver| {
                    let layout = layout(solver, cards, side);
                    found = Some((u32::from(solver.store().min(score)), layout));
                    ControlFlow::Break(())
                });
            }
            self.solver.store_mut().undo();
            if found.is_none() {
                return optimum;
            }
            optimum = found;
        }
    }

    /// The variables in the order in which they are decided, each with whether its greatest value is first.
    fn branching(&self) -> Vec<(Var, bool)> {
        let mut variables: Vec<(Var, bool)> = Vec::new();
        variables.extend(self.cards.iter().map(|card| (card.part, false)));
        variables.extend(self.cards.iter().map(|card| (card.level, true)));
        for card in &self.cards {
            for own in &card.own {
                variables.extend(self.spiral.iter().map(|&square| (own[square], true)));
            }
        }
        variables
    }

    fn flag(&mut self) -> Var {
        self.solver.variable(FLAG)
    }

    /// A variable that is 1 if both 0/1 variables are 1.
    fn both(&mut self, one: Var, two: Var) -> Var {
        let both = self.flag();
        self.solver.post(Conjunction::new(one, two, both));
        both
    }

    /// A variable that is 1 if none of some 0/1 variables is 1; at most 63 of them are.
    fn none(&mut self, flags: Vec<Var>, domain: u64) -> Var {
        let sum = self.solver.variable(domain);
        let none = self.flag();
        self.solver.post(Linear::sum(flags, sum));
        self.solver.post(Reified::new(sum, 0, none));
        none
    }

    /// The sum is at most the total, and at least the total minus `most`.
    fn at_most(&mut self, mut terms: Vec<(i32, Var)>, total: i32, most: u32) {
        let slack = self.solver.variable(u64::MAX >> (63 - most));
        terms.push((1, slack));
        self.solver.post(Linear::new(terms, total));
    }

    /// Constraint 1: no more cards of a part than copies.
    fn count_copies(&mut self, variant: &NmbrVariant) {
        for part in Part::up_to(variant.max_value) {
            let flags = self
                .cards
                .iter()
                .flat_map(|card| card.is_part_on.iter().map(move |on| on[part.index()]));
            let terms = flags.map(|flag| (1, flag)).collect();
            let copies = variant.copies as u32;
            self.at_most(terms, copies as i32, copies);
        }
    }

    /// Constraint 9: a card touches an earlier card on its level, if there is one. Also, cards on a level do
    /// not overlap.
    fn connect(&mut self, level: usize, squares: usize) {
        for square in 0..squares {
            let own: Vec<Var> = self
                .cards
                .iter()
                .map(|card| card.own[level][square])
                .collect();
            self.at_most(own.into_iter().map(|var| (1, var)).collect(), 1, 1);
        }
        for i in 1..self.cards.len() {
            let before: Vec<Var> = self.cards[..i].iter().map(|card| card.on[level]).collect();
            let is_first = self.none(before, MAX_SQUARES << 10 | MAX_SQUARES);
            let mut contacts = Vec::new();
            for square in 0..squares {
                let near = self.cards[..i]
                    .iter()
                    .map(|card| card.beside[level][square]);
                let near: Vec<Var> = near.collect();
                let far = self.none(near, MAX_SQUARES << 10 | MAX_SQUARES);
                let close = self.flag();
                self.solver.post(Linear::new(vec![(1, far), (1, close)], 1));
                let own = self.cards[i].own[level][square];
                contacts.push(self.both(own, close));
            }
            let apart = self.none(contacts, MAX_SQUARES);
            let on = self.cards[i].on[level];
            // At most two of on, not first and apart hold.
            self.at_most(vec![(1, on), (-1, is_first), (1, apart)], 1, 2);
        }
    }

    /// Constraints 10 and 11: on a level above the first, a card rests on at least two earlier ones.
    fn support(&mut self, level: usize, squares: usize) {
        for i in 0..self.cards.len() {
            let mut missed = Vec::new();
            let mut under = vec![Vec::new(); squares];
            for j in 0..i {
                let mut shared = Vec::new();
                for (square, under) in under.iter_mut().enumerate() {
                    let (upper, lower) = (&self.cards[i], &self.cards[j]);
                    let (own, below) = (upper.own[level][square], lower.own[level - 1][square]);
                    let both = self.both(own, below);
                    under.push((-1, both));
                    shared.push(both);
                }
                missed.push((1, self.none(shared, MAX_SQUARES)));
            }
            for (square, mut terms) in under.into_iter().enumerate() {
                // A square of the card is shared with exactly one card below.
                terms.push((1, self.cards[i].own[level][square]));
                self.solver.post(Linear::new(terms, 0));
            }
            missed.push((2, self.cards[i].on[level]));
            self.at_most(missed, i as i32, i as u32);
        }
    }

    /// An implied constraint from the paper: a level is not larger than the one below.
    fn grow(&mut self, level: usize, variant: &NmbrVariant) {
        let mut terms = Vec::new();
        for card in &self.cards {
            for part in Part::up_to(variant.max_value) {
                let area = part.area() as i32;
                terms.push((area, card.is_part_on[level][part.index()]));
                terms.push((-area, card.is_part_on[level - 1][part.index()]));
            }
        }
        self.at_most(terms, 0, 60);
    }

    /// Constraint 12: the score.
    fn add_up(&mut self, variant: &NmbrVariant) {
        let mut terms = vec![(-1, self.score)];
        for card in &self.cards {
            for (level, on) in card.is_part_on.iter().enumerate().skip(1) {
                let parts = Part::up_to(variant.max_value).skip(1);
                terms.extend(
                    parts.map(|part| (part.value() as i32 * level as i32, on[part.index()])),
                );
            }
        }
        self.solver.post(Linear::new(terms, 0));
    }
}

/// The layout of a solution, in which all squares are fixed.
fn layout(solver: &ConstraintSolver, cards: &[CardVariables], side: usize) -> Layout {
    let store = solver.store();
    let placed = cards.iter().filter_map(|card| {
        let part = Part::new(store.value(card.part)?)?;
        let level = store.value(card.level)?;
        let own = &card.own[usize::from(level) - 1];
        let squares = (0..side * side).filter(|&square| store.value(own[square]) == Some(1));
        let squares: Vec<(usize, usize)> = squares.map(|at| (at / side, at % side)).collect();
        let row = squares.iter().map(|square| square.0).min()?;
        let column = squares.iter().map(|square| square.1).min()?;
        let cells: Vec<(u8, u8)> = squares
            .iter()
            .map(|&(r, c)| ((r - row) as u8, (c - column) as u8))
            .collect();
        let turn = part.turns().iter().position(|turn| turn.cells == cells)?;
        Some(PlacedPart {
            part,
            turn: turn as u8,
            level,
            // Without the border.
            row: row.checked_sub(1)? as u8,
            column: column.checked_sub(1)? as u8,
        })
    });
    Layout {
        parts: placed.collect(),
    }
}

/// The variables of a card, their channels, and its possible positions (constraints 2 to 8).
fn card(
    solver: &mut ConstraintSolver,
    variant: &NmbrVariant,
    i: usize,
    graph: &Arc<LayeredGraph>,
) -> CardVariables {
    let values = 1u64 << (variant.max_value + 1);
    let given = variant.deck.as_ref().and_then(|deck| deck.get(i));
    let given = given.map(|part| 1 << part.index());
    let part = solver.variable(given.unwrap_or(values - 1));
    let level = solver.variable((1 << (variant.levels + 1)) - 2);
    let is_part: Vec<Var> = Part::up_to(variant.max_value)
        .map(|value| reified(solver, part, value.value() as u8))
        .collect();
    let mut card = CardVariables {
        part,
        level,
        on: Vec::new(),
        is_part_on: Vec::new(),
        own: Vec::new(),
        beside: Vec::new(),
    };
    let side = variant.grid;
    for number in 1..=variant.levels as u8 {
        let on = reified(solver, level, number);
        // 0 means another level; otherwise the value of the part plus one.
        let control = solver.variable((values << 1) - 1);
        let flags = is_part.iter().zip(1..).map(|(&is_part, symbol)| {
            let both = reified(solver, control, symbol);
            solver.post(Conjunction::new(on, is_part, both));
            both
        });
        card.is_part_on.push(flags.collect());
        card.on.push(on);
        let grid: Vec<Var> = (0..side * side)
            .map(|square| {
                let is_border = |at: usize| at == 0 || at + 1 == side;
                let border = is_border(square / side) || is_border(square % side);
                solver.variable(if border { 0b101 } else { SQUARE })
            })
            .collect();
        let word = [control].into_iter().chain(grid.iter().copied()).collect();
        let regular = Regular::new(solver.store_mut(), word, graph);
        solver.post(regular);
        let mut squares = |value| {
            grid.iter()
                .map(|&square| reified(solver, square, value))
                .collect()
        };
        card.own.push(squares(1));
        card.beside.push(squares(2));
    }
    card
}

/// A 0/1 variable that is 1 when the variable has the value.
fn reified(solver: &mut ConstraintSolver, var: Var, value: u8) -> Var {
    let flag = solver.variable(FLAG);
    solver.post(Reified::new(var, value, flag));
    flag
}

/// All placements of all parts, each preceded by its symbol, and the empty grid preceded by 0.
fn placements(variant: &NmbrVariant) -> Arc<LayeredGraph> {
    let side = variant.grid;
    let zeros = || Regex::Symbol(0).star();
    let parts = Part::up_to(variant.max_value).map(|part| {
        let turns = part
            .turns()
            .iter()
            .map(|turn| Regex::word(surrounded(turn, side)));
        let symbol = Regex::Symbol(part.value() as u8 + 1);
        Regex::sequence([symbol, zeros(), Regex::either(turns), zeros()])
    });
    let none = Regex::Symbol(0).repeat(1 + side * side);
    let symbols = usize::from(variant.max_value) + 2;
    let expression = Regex::either(parts.chain([none]));
    expression.to_dfa(symbols.max(3)).unroll(1 + side * side)
}

/// The squares of a turn (1) and those adjacent to it (2), row by row on a grid, from the first to the last.
fn surrounded(turn: &Turn, side: usize) -> Vec<u8> {
    let (height, width) = (usize::from(turn.height) + 2, usize::from(turn.width) + 2);
    let mut word = vec![0; height * side.max(width)];
    let place = |row: usize, column: usize| row * side + column;
    for &(r, c) in &turn.cells {
        let (row, column) = (usize::from(r) + 1, usize::from(c) + 1);
        for (row, column) in [
            (row - 1, column),
            (row + 1, column),
            (row, column - 1),
            (row, column + 1),
        ] {
            word[place(row, column)] = 2;
        }
    }
    for &(r, c) in &turn.cells {
        word[place(usize::from(r) + 1, usize::from(c) + 1)] = 1;
    }
    let is_used = |symbol: &u8| *symbol != 0;
    let first = word.iter().position(is_used).unwrap_or(0);
    let last = word.iter().rposition(is_used).unwrap_or(0);
    word[first..=last].to_vec()
}

/// Squares by their distance from the centre.
fn spiral(side: usize) -> Vec<usize> {
    let mut squares: Vec<usize> = (0..side * side).collect();
    let distance = |at: usize| (2 * at + 1).abs_diff(side);
    squares.sort_by_key(|square| {
        let (row, column) = (distance(square / side), distance(square % side));
        (row.max(column), row.min(column))
    });
    squares
}

/// Branches on variables one after another, each with its greatest or its least value first.
fn in_sequence(variables: &[(Var, bool)]) -> impl Fn(&ConstraintSolver) -> Option<(Var, u8)> {
    |solver| {
        let store = solver.store();
        let open = variables.iter().find(|(var, _)| !store.is_fixed(*var));
        open.map(|&(var, greatest)| match greatest {
            true => (var, store.max(var)),
            false => (var, store.min(var)),
        })
    }
}
