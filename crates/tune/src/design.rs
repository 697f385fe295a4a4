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

/// The share of the variance that a key explains where it is active, 0 to 1 up to the error of the design.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct VarianceShares {
    /// By itself: the variance of the means of its values, over the values of all other keys.
    pub own: f64,
    /// With all interactions: what remains of the variance, on average, when all other keys are fixed.
    pub total: f64,
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
        let tables = tables.chunks_exact(ROWS);
        let shares = tables.map(|table| match whole < ROUNDING {
            true => VarianceShares::default(),
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

/// What share of the variance of a function each key of a space explains, in the order of the keys.
pub fn variance_shares(space: &Space, value: impl Fn(&Point) -> f64) -> Vec<VarianceShares> {
    let mut all = vec![VarianceShares::default(); space.keys().len()];
    for design in Design::all(space) {
        let values: Vec<f64> = design.points.iter().map(&value).collect();
        for (key, shares) in design.keys.iter().zip(design.shares(&values)) {
            all[*key] = shares;
        }
    }
    all
}
