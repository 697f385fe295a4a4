//! A learned value of the quilt after the placement: the sum of the values of its 3x3 patterns.

mod values;

use std::sync::LazyLock;

use self::values::{PHASES, VALUES};
use crate::board::patterns::{CLASSES, PATTERNS as COUNT, class_counts, for_each_pattern};
use crate::board::{MAX_ORIENTATIONS, Orientation, Quilt, SHAPE_COUNT, SIDE, SQUARES, ShapeId};
use crate::game::Placement;
use crate::placement::evaluation::{Evaluation, Remembered};
use crate::placement::problem::Problem;

/// Prefers quilts whose 3x3 patterns are worth more.
pub(super) static PATTERNS: Evaluation = Evaluation {
    remembered: Remembered::ByQuilt,
    // They make the same patterns, mostly because one is a reflection of the other.
    merges_equals: true,
    ..Evaluation::new(
        "patterns",
        "greatest learned value of the 3x3 patterns of the quilt afterwards",
        |problem, placements, _, scores| score(problem, placements, scores),
    )
};

fn score(problem: &Problem<'_>, placements: &[Placement], scores: &mut [i32]) {
    let tables = &*TABLES;
    let covered = problem.quilt().len() + problem.shape().shape().size();
    let values = &tables.values[(covered as usize).min(SQUARES)];
    let before = patterns(problem.quilt());
    let known = before.map(|pattern| values[usize::from(pattern)]);
    let shape = problem.shape();
    for (score, placement) in scores.iter_mut().zip(placements) {
        let orientation = usize::from(placement.orientation());
        let changes = tables.changes[shape.index()][orientation].all();
        let lead = shape.shape().orientations()[orientation].lead();
        let anchor = placement.anchor().index();
        let corner = anchor / SIDE * STRIDE + anchor % SIDE - lead;
        let mut sum = 0;
        for &Change { at, more } in changes {
            let at = corner + usize::from(at);
            sum += i32::from(known[at]) - i32::from(values[usize::from(before[at] | more)]);
        }
        *score = sum;
    }
}

/// The pattern around a square outside the board, which has no value.
const OUTSIDE: u16 = COUNT as u16;
/// The board with a frame of squares around it.
const STRIDE: usize = SIDE + 2;

/// The pattern around each square of the board and its frame.
fn patterns(quilt: Quilt) -> [u16; STRIDE * STRIDE] {
    let mut patterns = [OUTSIDE; STRIDE * STRIDE];
    let mut square = 0;
    for_each_pattern(quilt, |pattern| {
        let (row, column) = (square / SIDE, square % SIDE);
        patterns[(row + 1) * STRIDE + column + 1] = pattern as u16;
        square += 1;
    });
    patterns
}

/// What a placement changes: squares of the pattern at this distance from that beside the corner of its bounding box.
#[derive(Clone, Copy, Debug)]
struct Change {
    at: u8,
    more: u16,
}

/// The changes by a shape in one orientation.
#[derive(Clone, Copy, Debug)]
struct Changes {
    all: [Change; MOST_CHANGES],
    len: usize,
}

/// A shape and the squares beside it are at most 5 x 7 squares.
const MOST_CHANGES: usize = 35;

impl Changes {
    const NONE: Self = Self {
        all: [Change { at: 0, more: 0 }; MOST_CHANGES],
        len: 0,
    };

    fn by(orientation: &Orientation) -> Self {
        let mut patterns = [0; STRIDE * STRIDE];
        for (column, row) in orientation.cells() {
            for square in 0..9 {
                // The square is this one in the pattern around another.
                let at = (row + 2 - square % 3) * STRIDE + column + 2 - square / 3;
                patterns[at] |= 1 << square;
            }
        }
        let mut changes = Self::NONE;
        for (at, more) in (0..).zip(patterns).filter(|&(_, more)| more != 0) {
            changes.all[changes.len] = Change { at, more };
            changes.len += 1;
        }
        changes
    }

    fn all(&self) -> &[Change] {
        &self.all[..self.len]
    }
}

/// What is computed once.
struct Tables {
    /// By the number of covered squares and the pattern; patterns from [`OUTSIDE`] on have no value.
    values: [[i16; 2 * COUNT]; SQUARES + 1],
    /// By shape and orientation.
    changes: [[Changes; MAX_ORIENTATIONS]; SHAPE_COUNT],
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let mut tables = Tables {
        values: [[0; 2 * COUNT]; SQUARES + 1],
        changes: [[Changes::NONE; MAX_ORIENTATIONS]; SHAPE_COUNT],
    };
    for (covered, values) in tables.values.iter_mut().enumerate() {
        let weights = weights(covered);
        for (value, &class) in values.iter_mut().zip(CLASSES.iter()) {
            let parts = VALUES.iter().zip(weights);
            let parts =
                parts.map(|(values, weight)| f64::from(values[usize::from(class)]) * weight);
            *value = parts.sum::<f64>().round() as i16;
        }
    }
    for shape in ShapeId::all() {
        let all = &mut tables.changes[shape.index()];
        for (changes, orientation) in all.iter_mut().zip(shape.shape().orientations()) {
            *changes = Changes::by(orientation);
        }
    }
    tables
});

/// The number of covered squares from which the last phase is the only one.
const LAST_PHASE: usize = 60;

/// The weights of the phases with this number of covered squares, which add up to 1.
fn weights(covered: usize) -> [f64; PHASES] {
    let at = covered.min(LAST_PHASE) as f64 * (PHASES - 1) as f64 / LAST_PHASE as f64;
    std::array::from_fn(|phase| (1.0 - (at - phase as f64).abs()).max(0.0))
}

/// The numbers that the values of the evaluation `patterns` multiply, by phase and then by class: how many 3x3
/// patterns of the class a quilt has, times the weight of the phase.
#[must_use]
pub fn pattern_counts(quilt: Quilt) -> Vec<f64> {
    let counts = class_counts(quilt);
    let weights = weights(quilt.len() as usize).into_iter();
    weights
        .flat_map(|weight| counts.map(|count| weight * f64::from(count)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::patterns::PATTERN_CLASSES;
    use crate::placement::{Available, Candidates, Scratch, Strategy};
    use crate::support::positions::random_games;
    use crate::util::rng::stream;

    fn value(quilt: Quilt) -> i32 {
        let values = &TABLES.values[quilt.len() as usize];
        patterns(quilt)
            .iter()
            .map(|&pattern| i32::from(values[usize::from(pattern)]))
            .sum()
    }

    #[test]
    fn scores_are_differences_of_whole_values() {
        random_games(3, |_, state| {
            let quilt = state.quilt(state.mover());
            for shape in ShapeId::all() {
                let all = Candidates::all(shape, quilt);
                let placements: Vec<Placement> = all.placements().collect();
                let mut scores = vec![0; placements.len()];
                score(
                    &Problem::new(quilt, shape, Available::NONE),
                    &placements,
                    &mut scores,
                );
                let after = |placement: &Placement| quilt.union(placement.squares(shape));
                // The values before depend on the squares covered afterwards: the same for all placements.
                let sums = placements.iter().zip(&scores);
                let sums: Vec<i32> = sums.map(|(one, score)| score + value(after(one))).collect();
                assert!(
                    sums.windows(2).all(|two| two[0] == two[1]),
                    "{quilt:?} {shape:?}"
                );
            }
        });
    }

    #[test]
    fn a_ranking_has_one_of_the_placements_that_are_alike() {
        let strategy: Strategy = "all/every/patterns".parse().expect("a strategy");
        let ranked = |quilt, shape, most| {
            let problem = Problem::new(quilt, shape, Available::NONE);
            let mut out = Vec::new();
            let (mut rng, mut scratch) = (stream(&[1]), Scratch::default());
            let all = strategy.rank(&problem, &mut rng, &mut scratch, most, &mut out);
            (all, out)
        };
        // On an empty quilt each placement has up to seven reflections and rotations.
        let (all, out) = ranked(Quilt::EMPTY, ShapeId::SINGLE, usize::MAX);
        assert_eq!(all, 81);
        assert!(out.len() <= 15, "{}", out.len());
        assert_eq!(ranked(Quilt::EMPTY, ShapeId::SINGLE, 2).1, out[..2]);
    }

    #[test]
    fn counts_add_up() {
        let counts = pattern_counts(Quilt::EMPTY);
        assert_eq!(counts.len(), PHASES * PATTERN_CLASSES);
        assert_eq!(counts.iter().sum::<f64>(), 81.0);
        assert_eq!(
            counts[PATTERN_CLASSES..].iter().sum::<f64>(),
            0.0,
            "only the first phase counts"
        );
    }
}
