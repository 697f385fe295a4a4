//! What a model says about the keys: marginal effects, interactions of pairs, importance.

use std::collections::BTreeMap;

use patchwork_engine::util::rng::stream;
use patchwork_rating::Estimate;

use super::history::{History, Sums};
use super::landscape::Landscape;
use super::objective::expected_result;
use super::point::Point;
use super::space::{NO_START, Space};
use crate::domain::SettingValue;

/// The effect of one value of a key.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueEffect {
    /// The value; for numbers, the middle of an interval.
    pub value: SettingValue,
    /// Number of pairs played by candidates with this value, or with this as the nearest level.
    pub pairs: u32,
    /// The mean of their results, which also depends on the candidates' other settings.
    pub mean: Option<f64>,
    /// The expected result of a random candidate with this value, by the model, with its 95%
    /// credible interval.
    pub expected: Estimate,
}

/// The marginal effect of a key.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyEffect {
    /// The key.
    pub key: String,
    /// Its values in order.
    pub values: Vec<ValueEffect>,
    /// The share of the variance of the expected result over the space that this key explains alone,
    /// 0 to 1: the first-order index of Sobol.
    pub importance: f64,
}

/// The joint effect of two keys.
#[derive(Clone, Debug, PartialEq)]
pub struct PairEffect {
    /// The two keys.
    pub keys: [String; 2],
    /// The values of each.
    pub values: [Vec<SettingValue>; 2],
    /// The expected result of a random candidate with both values: a row for each value of the first
    /// key. `None` where no candidate has both.
    pub expected: Vec<Vec<Option<f64>>>,
    /// The standard deviation of what the sum of the two marginal effects leaves unexplained.
    pub interaction: f64,
}

/// Number of random candidates in a mean over the space.
const SAMPLE: usize = 96;

/// The number of levels of a numeric key.
const LEVELS: usize = 9;

/// Number of random candidates in a mean for a pair of keys.
const PAIR_SAMPLE: usize = 32;
const PAIR_LEVELS: usize = 5;

/// The marginal effects of all keys, by descending importance.
#[must_use]
pub(crate) fn key_effects(space: &Space, history: &History, model: &Landscape) -> Vec<KeyEffect> {
    let all = sample(space, SAMPLE);
    let total = variance(all.iter().map(|point| (1.0, model.predict(point).0)));
    let mut effects: Vec<KeyEffect> = space
        .keys()
        .iter()
        .map(|key| {
            let levels = key.domain.levels(LEVELS);
            let tables = played(space, history, &key.name, &levels);
            let values: Vec<ValueEffect> = levels
                .into_iter()
                .enumerate()
                .map(|(i, value)| {
                    let points = with_values(space, &all, &[(&key.name, &value)]);
                    let (mean, error) = model.predict_mean(&points);
                    ValueEffect {
                        value,
                        pairs: tables[i].pairs,
                        mean: tables[i].mean(),
                        expected: expected_result(mean, error),
                    }
                })
                .collect();
            let active = all.iter().filter(|point| point.get(&key.name).is_some());
            let active = active.count() as f64 / all.len().max(1) as f64;
            let expected = values.iter().filter_map(|value| value.expected.value);
            let own = active * variance(expected.map(|value| (1.0, value)));
            KeyEffect {
                key: key.name.clone(),
                values,
                importance: if total > 0.0 {
                    (own / total).min(1.0)
                } else {
                    0.0
                },
            }
        })
        .collect();
    effects.sort_by(|a, b| b.importance.total_cmp(&a.importance));
    effects
}

/// The joint effects of all pairs of keys, by descending interaction.
#[must_use]
pub(crate) fn pair_effects(space: &Space, model: &Landscape) -> Vec<PairEffect> {
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
            effects.push(PairEffect {
                keys: [one.name.clone(), two.name.clone()],
                interaction: interaction(&expected),
                values,
                expected,
            });
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

/// The results of candidates, grouped by the level of a key nearest to their value.
fn played(space: &Space, history: &History, key: &str, levels: &[SettingValue]) -> Vec<Sums> {
    let mut tables = vec![Sums::default(); levels.len()];
    let Some(domain) = space.domain(key) else {
        return tables;
    };
    for tried in history.tried() {
        let Some(value) = tried.point.get(key) else {
            continue;
        };
        let far = |i: &usize| (domain.position(&levels[*i]) - domain.position(value)).abs();
        let near = (0..levels.len()).min_by(|a, b| far(a).total_cmp(&far(b)));
        if let Some(near) = near {
            tables[near].join(&tried.results.iter().copied().collect());
        }
    }
    tables
}

/// The variance of weighted values.
fn variance(values: impl Iterator<Item = (f64, f64)> + Clone) -> f64 {
    let total: f64 = values.clone().map(|(weight, _)| weight).sum();
    if total <= 0.0 {
        return 0.0;
    }
    let mean = values
        .clone()
        .map(|(weight, value)| weight * value)
        .sum::<f64>()
        / total;
    values
        .map(|(weight, value)| weight * (value - mean).powi(2))
        .sum::<f64>()
        / total
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
            rest.extend(cell.map(|cell| (1.0, cell - rows[i] - columns[j] + all)));
        }
    }
    variance(rest.iter().copied()).sqrt()
}
