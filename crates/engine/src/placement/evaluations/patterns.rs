//! A learned value of the quilt after the placement: the sum of the values of its 3x3 patterns.

mod values;

use std::sync::{LazyLock, OnceLock};

use self::values::{PHASES, VALUES};
use crate::board::patterns::{CLASSES, PATTERNS as COUNT, class_counts, for_each_pattern};
use crate::board::{MAX_ORIENTATIONS, Orientation, Quilt, SHAPE_COUNT, SIDE, SQUARES, ShapeId};
use crate::game::Placement;
use crate::placement::evaluations::{Evaluation, Remembered};
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
    let shape = problem.shape();
    let covered = problem.quilt().len() + shape.shape().size();
    let values = values(covered as usize);
    let frame = Frame::new(problem.quilt(), values);
    let windows = &WINDOWS[shape.index()];
    let orientations = shape.shape().orientations();
    for (score, placement) in scores.iter_mut().zip(placements) {
        let orientation = usize::from(placement.orientation());
        let anchor = placement.anchor().index();
        let (row, column) = (anchor / SIDE, anchor % SIDE);
        let column = column - orientations[orientation].lead();
        *score = windows[orientation].loss(&frame, row, column, values);
    }
}

/// Two 3x3 patterns side by side, which are 3x4 squares: bit 3c + r is the square in row r and column c. Two flags
/// follow: a pattern around a square outside the board has no value.
type Pair = u16;
const NO_LEFT: Pair = 1 << 12;
const NO_RIGHT: Pair = 1 << 13;
const PAIRS: usize = 1 << 14;

type Values = [i16; PAIRS];

/// The board with a frame of squares around it, and one more column, where the last pair of a row may end.
const ROWS: usize = SIDE + 2;
const COLUMNS: usize = SIDE + 3;

/// The patterns around the squares of the board and its frame.
struct Frame {
    /// The pattern around each square and that around the next one.
    pairs: [[Pair; COLUMNS]; ROWS],
    /// The sum of the values of the patterns in the rows above and the columns before.
    sums: [[i32; COLUMNS + 1]; ROWS + 1],
}

impl Frame {
    fn new(quilt: Quilt, values: &Values) -> Self {
        let mut frame = Self {
            pairs: [[NO_LEFT | NO_RIGHT; COLUMNS]; ROWS],
            sums: [[0; COLUMNS + 1]; ROWS + 1],
        };
        let inside = frame.pairs[1..=SIDE].as_flattened_mut();
        let mut at = 0;
        for_each_pattern(quilt, |pattern| {
            let pattern = pattern as Pair;
            let square = at / SIDE * COLUMNS + at % SIDE + 1;
            inside[square] = inside[square] & !NO_LEFT | pattern;
            inside[square - 1] = inside[square - 1] & !NO_RIGHT | pattern << 3;
            at += 1;
        });
        for row in 0..ROWS {
            let mut sum = 0;
            for column in 0..COLUMNS {
                sum += value(values, frame.pairs[row][column] | NO_RIGHT);
                frame.sums[row + 1][column + 1] = frame.sums[row][column + 1] + sum;
            }
        }
        frame
    }

    /// The sum of the values of the patterns in a rectangle.
    fn sum(&self, row: usize, column: usize, rows: usize, columns: usize) -> i32 {
        let [above, below] = [&self.sums[row], &self.sums[row + rows]];
        let [left, right] = [column, column + columns];
        below[right] - below[left] - above[right] + above[left]
    }
}

#[inline(always)]
fn value(values: &Values, pair: Pair) -> i32 {
    values[usize::from(pair) % PAIRS].into()
}

/// What a shape in one orientation adds to the patterns around its squares and those beside them.
#[derive(Clone, Copy, Debug)]
struct Windows {
    rows: usize,
    /// Number of pairs in a row.
    pairs: usize,
    /// By row and pair.
    added: [Pair; MAX_ADDED],
}

/// A shape and the squares beside it have at most 7 rows and, in pairs, 4 columns.
const MAX_ADDED: usize = 7 * 4;

impl Windows {
    const NONE: Self = Self {
        rows: 0,
        pairs: 0,
        added: [0; MAX_ADDED],
    };

    fn of(orientation: &Orientation) -> Self {
        let (columns, rows) = orientation.size();
        let (rows, pairs) = (rows + 2, (columns + 2).div_ceil(2));
        let mut windows = Self {
            rows,
            pairs,
            ..Self::NONE
        };
        for (column, row) in orientation.cells() {
            for (i, added) in windows.added[..rows * pairs].iter_mut().enumerate() {
                // The square as one of the 3x4 squares of the pair, if it is one.
                let down = (row + 2).wrapping_sub(i / pairs);
                let along = (column + 2).wrapping_sub(i % pairs * 2);
                if down < 3 && along < 4 {
                    *added |= 1 << (3 * along + down);
                }
            }
        }
        windows
    }

    /// The value that is lost by a placement whose bounding box begins in this row and column of the board.
    #[inline(always)]
    fn loss(&self, frame: &Frame, row: usize, column: usize, values: &Values) -> i32 {
        let before = frame.sum(row, column, self.rows, 2 * self.pairs);
        let rows = &frame.pairs[row..row + self.rows];
        before
            - match self.pairs {
                2 => self.value_after::<2>(rows, column, values),
                3 => self.value_after::<3>(rows, column, values),
                _ => self.value_after::<4>(rows, column, values),
            }
    }

    /// The value of the patterns afterwards.
    #[inline(always)]
    fn value_after<const N: usize>(
        &self,
        rows: &[[Pair; COLUMNS]],
        column: usize,
        values: &Values,
    ) -> i32 {
        let (added, _) = self.added.as_chunks::<N>();
        let mut sum = 0;
        for (row, added) in rows.iter().zip(added) {
            let row = &row[column..column + 2 * N - 1];
            for (i, added) in added.iter().enumerate() {
                sum += value(values, row[2 * i] | added);
            }
        }
        sum
    }
}

/// By shape and orientation.
static WINDOWS: LazyLock<[[Windows; MAX_ORIENTATIONS]; SHAPE_COUNT]> = LazyLock::new(|| {
    let mut all = [[Windows::NONE; MAX_ORIENTATIONS]; SHAPE_COUNT];
    for shape in ShapeId::all() {
        let orientations = shape.shape().orientations();
        for (windows, orientation) in all[shape.index()].iter_mut().zip(orientations) {
            *windows = Windows::of(orientation);
        }
    }
    all
});

/// The values where this number of squares is covered, computed at the first call.
fn values(covered: usize) -> &'static Values {
    static ALL: LazyLock<Vec<OnceLock<Values>>> =
        LazyLock::new(|| (0..=SQUARES).map(|_| OnceLock::new()).collect());
    ALL[covered.min(SQUARES)].get_or_init(|| {
        let weights = weights(covered);
        let value = |pattern: usize| -> i16 {
            let class = usize::from(CLASSES[pattern]);
            let parts = VALUES.iter().zip(weights);
            let parts = parts.map(|(values, weight)| f64::from(values[class]) * weight);
            parts.sum::<f64>().round() as i16
        };
        let single: [i16; COUNT] = std::array::from_fn(value);
        std::array::from_fn(|pair| {
            let left = single[pair % COUNT] * i16::from(pair as Pair & NO_LEFT == 0);
            let right = single[(pair >> 3) % COUNT] * i16::from(pair as Pair & NO_RIGHT == 0);
            left + right
        })
    })
}

/// The number of covered squares from which the last phase is the only one.
const LAST_PHASE: usize = 60;

/// The weights of the phases with this number of covered squares, which add up to 1.
fn weights(covered: usize) -> [f64; PHASES] {
    let at = covered.min(LAST_PHASE) as f64 * (PHASES - 1) as f64 / LAST_PHASE as f64;
    std::array::from_fn(|phase| (1.0 - (at - phase as f64).abs()).max(0.0))
}

/// The numbers that the values of the evaluation `patterns` multiply, by phase and then by class: how many 3x3
/// patterns of the class a quilt has, times the weight of the phase.
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
    use crate::testing::random_games;
    use crate::util::rng::stream;

    fn whole(quilt: Quilt) -> i32 {
        let values = values(quilt.len() as usize);
        let mut sum = 0;
        for_each_pattern(quilt, |pattern| {
            sum += value(values, pattern as Pair | NO_RIGHT);
        });
        sum
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
                let sums: Vec<i32> = sums.map(|(one, score)| score + whole(after(one))).collect();
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
