//! What a model says about the keys: marginal effects, interactions of pairs, importance.

use std::collections::BTreeMap;

use patchwork_engine::util::rng::stream;
use patchwork_rating::{Estimate, keys};
use serde::Serialize;

use super::history::History;
use super::landscape::Landscape;
use super::objective::expected_result;
use super::point::Point;
use super::space::{NO_START, Space};
use super::space_key::SpaceKey;
use crate::domain::SettingValue;

/// What one value of a key is worth, over random values of the other keys.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EffectRow {
    /// The key.
    pub key: String,
    /// `choice` or `number`.
    pub kind: &'static str,
    /// The share of the variance of the expected result that the key explains alone, 0 to 1: the first-order
    /// index of Sobol.
    pub importance: f64,
    /// The value; for numbers, the middle of an interval.
    pub value: SettingValue,
    /// Where the value stands in the range of the key, on its scale, 0 to 1.
    pub place: f64,
    /// The pairs of candidates with this value or the nearest level.
    pub pairs: u32,
    /// The expected result.
    #[serde(flatten, with = "keys::MarginalResult")]
    pub result: Estimate,
}

/// What two values of two keys are worth together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KeyPairRow {
    /// A key.
    pub a: String,
    /// Another key.
    pub b: String,
    /// The standard deviation of the results that the keys' own effects leave unexplained.
    pub interaction: f64,
    /// The value of `a`.
    pub a_value: SettingValue,
    /// The value of `b`.
    pub b_value: SettingValue,
    /// The expected result; `None` where no candidate has both values.
    pub result: Option<f64>,
}

/// A key with some values.
pub(crate) const CHOICE: &str = "choice";
/// A key with a range of numbers.
const NUMBER: &str = "number";

/// Number of random candidates in a mean over the space.
const SAMPLE: usize = 96;

/// The number of levels of a numeric key.
const LEVELS: usize = 9;

/// Number of random candidates in a mean for a pair of keys.
const PAIR_SAMPLE: usize = 32;
const PAIR_LEVELS: usize = 5;

/// The marginal effects of the values of all keys, by descending importance of the key.
#[must_use]
pub(crate) fn key_effects(space: &Space, history: &History, model: &Landscape) -> Vec<EffectRow> {
    let all = sample(space, SAMPLE);
    let total = variance(all.iter().map(|point| model.predict(point).0));
    let mut effects = Vec::new();
    for key in space.keys() {
        let levels = key.domain.levels(LEVELS);
        let pairs = played(history, key, &levels);
        let expected = levels.iter().map(|value| {
            let points = with_values(space, &all, &[(&key.name, value)]);
            let (mean, error) = model.predict_mean(&points);
            expected_result(mean, error)
        });
        let expected: Vec<Estimate> = expected.collect();
        let active = all.iter().filter(|point| point.get(&key.name).is_some());
        let active = active.count() as f64 / all.len().max(1) as f64;
        let own = active * variance(expected.iter().filter_map(|result| result.value));
        let importance = match total > 0.0 {
            true => (own / total).min(1.0),
            false => 0.0,
        };
        let values = levels.into_iter().zip(pairs).zip(expected);
        effects.extend(values.map(|((value, pairs), result)| EffectRow {
            key: key.name.clone(),
            kind: match key.domain.is_ordered() {
                true => NUMBER,
                false => CHOICE,
            },
            importance,
            place: key.domain.position(&value),
            value,
            pairs,
            result,
        }));
    }
    effects.sort_by(|a, b| b.importance.total_cmp(&a.importance));
    effects
}

/// The joint effects of the values of all pairs of keys, by descending interaction.
#[must_use]
pub(crate) fn pair_effects(space: &Space, model: &Landscape) -> Vec<KeyPairRow> {
    let all = sample(space, PAIR_SAMPLE);
    let keys = space.keys();
    let mut effects = Vec::new();
    for (i, one) in keys.iter().enumerate() {
        for two in &keys[i + 1..] {
            let values = [&one.domain, &two.domain].map(|domain| domain.levels(PAIR_LEVELS));
            let cell = |a: &SettingValue, b: &SettingValue| {
                let points = with_values(space, &all, &[(&one.name, a), (&two.name, b)]);
                let values = points.iter().map(|point| model.expected(point));
                (!points.is_empty()).then(|| values.sum::<f64>() / points.len() as f64)
            };
            let expected: Vec<Vec<Option<f64>>> = values[0]
                .iter()
                .map(|a| values[1].iter().map(|b| cell(a, b)).collect())
                .collect();
            let interaction = interaction(&expected);
            for (a_value, results) in values[0].iter().zip(expected) {
                let cells = values[1].iter().zip(results);
                effects.extend(cells.map(|(b_value, result)| KeyPairRow {
                    a: one.name.clone(),
                    b: two.name.clone(),
                    interaction,
                    a_value: a_value.clone(),
                    b_value: b_value.clone(),
                    result: result.map(|result| result.clamp(0.0, 1.0)),
                }));
            }
        }
    }
    effects.sort_by(|a, b| b.interaction.total_cmp(&a.interaction));
    effects
}

/// Random points, the same each time.
fn sample(space: &Space, count: usize) -> Vec<Point> {
    let mut rng = stream(&[0x6566_6665]);
    (0..count).map(|_| space.sample(&mut rng)).collect()
}

/// The points with these values for some keys, where the keys are then active.
fn with_values(space: &Space, points: &[Point], values: &[(&str, &SettingValue)]) -> Vec<Point> {
    let mut all = Vec::new();
    for point in points {
        let given: BTreeMap<&str, &SettingValue> = values.iter().copied().collect();
        let changed = space.point_of(NO_START, |key| {
            let middle = || Some(space.domain(key)?.value_at(0.5));
            let value = given.get(key).copied().or_else(|| point.get(key));
            value.cloned().or_else(middle)
        });
        let changed = changed.ok().filter(|changed| {
            let mut given = values.iter();
            given.all(|(key, value)| changed.get(key) == Some(value))
        });
        all.extend(changed);
    }
    all
}

/// The number of pairs of the candidates nearest to each level of a key.
fn played(history: &History, key: &SpaceKey, levels: &[SettingValue]) -> Vec<u32> {
    let mut pairs = vec![0; levels.len()];
    for (point, results) in history.tried() {
        let Some(value) = point.get(&key.name) else {
            continue;
        };
        let far = |i: &usize| (key.domain.position(&levels[*i]) - key.domain.position(value)).abs();
        let near = (0..levels.len()).min_by(|a, b| far(a).total_cmp(&far(b)));
        if let Some(near) = near {
            pairs[near] += results.len() as u32;
        }
    }
    pairs
}

/// The variance of values.
fn variance(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let count = values.clone().count() as f64;
    if count <= 0.0 {
        return 0.0;
    }
    let mean = values.clone().sum::<f64>() / count;
    values.map(|value| (value - mean).powi(2)).sum::<f64>() / count
}

/// The standard deviation of the cells around the sum of the means of their row and column.
fn interaction(cells: &[Vec<Option<f64>>]) -> f64 {
    let mean = |values: Vec<f64>| values.iter().sum::<f64>() / values.len().max(1) as f64;
    let all = mean(cells.iter().flatten().flatten().copied().collect());
    let columns = cells.first().map_or(0, Vec::len);
    let row = |i: usize| mean(cells[i].iter().flatten().copied().collect());
    let column = |j: usize| mean(cells.iter().filter_map(|row| row[j]).collect());
    let (rows, columns): (Vec<f64>, Vec<f64>) = (
        (0..cells.len()).map(row).collect(),
        (0..columns).map(column).collect(),
    );
    let mut rest = Vec::new();
    for (i, cells) in cells.iter().enumerate() {
        for (j, cell) in cells.iter().enumerate() {
            rest.extend(cell.map(|cell| cell - rows[i] - columns[j] + all));
        }
    }
    variance(rest.iter().copied()).sqrt()
}
