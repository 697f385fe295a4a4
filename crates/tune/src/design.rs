//! What share of the variance of a function of the settings each key explains: the indices of Sobol, from the values
//! of the function at the points of a balanced design (Saltelli et al. 2010, *Variance based sensitivity analysis of
//! model output*, with the estimators of Jansen 1999).

use patchwork_tournament::domain::SettingValue;

use super::space::{Needs, Point, Space};

/// Number of rows of each table of a design, a power of two.
const ROWS: usize = 1024;

/// The seed of the sequence of Sobol that has the rows, with small errors for the functions of the
/// tests and products of two keys, among 3 to 12 keys.
const SEED: u32 = 20;

/// The number of intervals into which a range is divided; their middles are the levels.
const INTERVALS: f64 = 32.0;

/// A variance of results, which are from 0 to 1, that is only the rounding of numbers.
const ROUNDING: f64 = 1e-18;

/// Points at which a function is to be known for the shares of some keys: those that are active under one condition.
///
/// There are two independent tables of points, A and B, and for each key the table A with the values that B has for this
/// key. In each table, the values of all keys are spread evenly, those of two keys together as well.
pub(crate) struct Design {
    /// The values that the condition allows for other keys.
    needs: Needs,
    /// The indices of the keys.
    pub(crate) keys: Vec<usize>,
    /// A, B and the table of each key, one after the other.
    pub(crate) points: Vec<Point>,
}

/// The share of the variance that a key explains, 0 to 1 up to the error of the design.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct VarianceShares {
    /// By itself: the variance of the means of its values, over the values of all other keys.
    pub(crate) own: f64,
    /// With all interactions: what remains of the variance, on average, when all other keys are fixed.
    pub(crate) total: f64,
}

impl Design {
    /// The designs for all keys, one for each condition. Under a condition, the other keys have the values that it allows.
    pub(crate) fn all(space: &Space) -> Vec<Self> {
        let mut groups: Vec<(&Needs, Vec<usize>)> = Vec::new();
        for (key, needs) in space.needs().iter().enumerate() {
            match groups.iter_mut().find(|(known, _)| *known == needs) {
                Some((_, keys)) => keys.push(key),
                None => groups.push((needs, vec![key])),
            }
        }
        let groups = groups.into_iter();
        groups
            .map(|(needs, keys)| Self::new(space, needs, keys))
            .collect()
    }

    fn new(space: &Space, needs: &Needs, keys: Vec<usize>) -> Self {
        let count = space.keys().len();
        // A table of points whose keys have the values of A or of B.
        let table = |is_b: &dyn Fn(usize) -> bool| {
            let column = |key| if is_b(key) { count + key } else { key };
            let point = |row| space.at_shares(needs, |key| share(row, column(key)));
            (0..ROWS).map(point).collect::<Vec<_>>()
        };
        let mut points = table(&|_| false);
        points.extend(table(&|_| true));
        for &own in &keys {
            points.extend(table(&|key| key == own));
        }
        Self {
            needs: needs.clone(),
            keys,
            points,
        }
    }

    /// The first points of A with another value of a key, of those at which it then has an effect.
    pub(crate) fn with_value(
        &self,
        space: &Space,
        key: usize,
        value: &SettingValue,
        count: usize,
    ) -> Vec<Point> {
        let mut needs = self.needs.clone();
        needs.insert(key, vec![value.clone()]);
        let points = (0..ROWS).map(|row| space.at_shares(&needs, |key| share(row, key)));
        let has_value = |point: &Point| point.get(&space.keys()[key].name) == Some(value);
        points.filter(has_value).take(count).collect()
    }

    /// The shares of the keys, in their order, of a function with these values at the points. Without variance, they are 0.
    pub(crate) fn shares(&self, values: &[f64]) -> Vec<VarianceShares> {
        let (a, rest) = values.split_at(ROWS);
        let (b, tables) = rest.split_at(ROWS);
        let apart = |table: &[f64], other: &[f64]| {
            let squares = table
                .iter()
                .zip(other)
                .map(|(one, other)| (one - other).powi(2));
            squares.sum::<f64>() / (2.0 * ROWS as f64)
        };
        // The variance.
        let whole = apart(a, b);
        let shares = tables
            .chunks_exact(ROWS)
            .map(|table| match whole < ROUNDING {
                true => VarianceShares {
                    own: 0.0,
                    total: 0.0,
                },
                false => VarianceShares {
                    own: 1.0 - apart(table, b) / whole,
                    total: apart(table, a) / whole,
                },
            });
        shares.collect()
    }
}

/// A number from 0 to 1: that of a row in a column.
fn share(row: usize, column: usize) -> f64 {
    let share = f64::from(sobol_burley::sample(row as u32, column as u32, SEED));
    (libm::floor(INTERVALS * share) + 0.5) / INTERVALS
}

/// The shares of all keys of a function of points, by index, from the design.
#[cfg(test)]
pub(crate) fn shares_of(space: &Space, value: impl Fn(&Point) -> f64) -> Vec<VarianceShares> {
    let mut all = vec![None; space.keys().len()];
    for design in Design::all(space) {
        let values: Vec<f64> = design.points.iter().map(&value).collect();
        for (key, shares) in design.keys.iter().zip(design.shares(&values)) {
            all[*key] = Some(shares);
        }
    }
    all.into_iter()
        .map(|of| of.expect("every key has a design"))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use super::*;

    /// Four ranges, of which functions use three.
    const CUBE: &str = "a = { low = 0.0, high = 1.0 }\nb = { low = 0.0, high = 1.0 }\nc = { low = 0.0, high = 1.0 }\n\
                        d = { low = 1.0, high = 100.0, log = true }";

    /// Checks the own and total shares of a function of three numbers, which is given where a key is not active, too.
    fn check(space: &str, value: impl Fn([f64; 3]) -> f64, expected: &[(f64, f64)]) {
        let space = Space::parse(space).expect("a space");
        let number = |point: &Point, key| point.get(key).and_then(SettingValue::number);
        let found = shares_of(&space, |point| {
            value(["a", "b", "c"].map(|key| number(point, key).unwrap_or(f64::NAN)))
        });
        assert_eq!(found.len(), expected.len());
        for ((key, of), (own, total)) in space.keys().iter().zip(&found).zip(expected) {
            let far = (of.own - own).abs().max((of.total - total).abs());
            assert!(far < 0.01, "{}: {of:?}, not {own} and {total}", key.name);
        }
        // A key without effect explains nothing at all.
        if expected.last() == Some(&(0.0, 0.0)) {
            let last = found.last().expect("keys");
            assert_eq!((last.own, last.total), (0.0, 0.0));
        }
    }

    #[test]
    fn own_shares_of_a_sum_add_up_to_one() {
        // The variances are in the ratio of 1, 4 and 1.
        let sum = |[a, b, c]: [f64; 3]| a + 2.0 * b + 2.0 * (c - 0.5).abs();
        let [one, four] = [1.0 / 6.0, 4.0 / 6.0].map(|share| (share, share));
        check(CUBE, sum, &[one, four, one, (0.0, 0.0)]);
    }

    #[test]
    fn shares_of_ishigamis_function_are_known() {
        // Ishigami and Homma 1990, with a = 7 and b = 0.1.
        let value = |numbers: [f64; 3]| {
            let [a, b, c] = numbers.map(|number| TAU * (number - 0.5));
            libm::sin(a) * (1.0 + 0.1 * c.powi(4)) + 7.0 * libm::sin(b).powi(2)
        };
        let expected = [
            (0.3139, 0.5576),
            (0.4424, 0.4424),
            (0.0, 0.2437),
            (0.0, 0.0),
        ];
        check(CUBE, value, &expected);
    }

    #[test]
    fn a_product_has_a_share_that_no_key_explains_alone() {
        let both = (3.0 / 7.0, 4.0 / 7.0);
        check(
            CUBE,
            |[a, b, _]| a * b,
            &[both, both, (0.0, 0.0), (0.0, 0.0)],
        );
    }

    #[test]
    fn shares_under_a_condition_are_of_the_variance_there() {
        // Where a is 1, the variance is that of b; elsewhere b is not active.
        let space = "a = [1, 2]\nb = { low = 0.0, high = 1.0, when = { a = 1 } }";
        let value = |[a, b, _]: [f64; 3]| if a < 1.5 { b } else { 0.5 };
        // b has the variance 1 / 12 in half of the space.
        check(space, value, &[(0.0, 0.5), (1.0, 1.0)]);
        let apart = |[a, b, _]: [f64; 3]| if a < 1.5 { b } else { 1.0 };
        // The means are 1/2 and 1; given b, the variance is a quarter of the square of the difference.
        check(space, apart, &[(0.6, 0.8), (1.0, 1.0)]);
    }

    #[test]
    fn a_constant_has_no_shares() {
        check(
            "a = [1, 2]\nb = [3, 4, 5]",
            |_| 0.7,
            &[(0.0, 0.0), (0.0, 0.0)],
        );
    }
}
