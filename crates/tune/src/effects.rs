//! What a model says about the keys: marginal effects and importance.

use patchwork_engine::util::rng::stream;
use patchwork_rating::Estimate;
use serde::Serialize;

use super::history::History;
use super::landscape::Landscape;
use super::objective::expected_result;
use super::space::{NO_START, Point, Space, SpaceKey};
use patchwork_tournament::domain::SettingValue;

/// What one value of a key is worth, over random values of the other keys.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct EffectRow {
    pub(crate) key: String,
    /// `choice` or `number`.
    pub(crate) kind: &'static str,
    /// The share of the variance of the expected result that the key explains alone, 0 to 1: the first-order
    /// index of Sobol.
    pub(crate) importance: f64,
    /// The value; for numbers, the middle of an interval.
    pub(crate) value: SettingValue,
    /// Where the value stands in the range of the key, on its scale, 0 to 1.
    pub(crate) place: f64,
    /// The pairs of candidates with this value or the nearest level.
    pub(crate) pairs: u32,
    pub(crate) result: Estimate,
}

/// A key with some values.
pub(crate) const CHOICE: &str = "choice";
/// A key with a range of numbers.
const NUMBER: &str = "number";

/// Number of random candidates in a mean over the space.
const SAMPLE: usize = 96;

/// The number of levels of a numeric key.
const LEVELS: usize = 9;

/// The marginal effects of the values of all keys, by descending importance of the key.
pub(crate) fn key_effects(space: &Space, history: &History, model: &Landscape) -> Vec<EffectRow> {
    let all = sample(space);
    let total = variance(all.iter().map(|point| model.predict(point).0));
    let mut effects = Vec::new();
    for key in space.keys() {
        let levels = key.domain.levels(LEVELS);
        let pairs = played(history, key, &levels);
        let expected = levels.iter().map(|value| {
            let points = with_value(space, &all, &key.name, value);
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

/// Random points, the same each time.
fn sample(space: &Space) -> Vec<Point> {
    let mut rng = stream(&[0x6566_6665]);
    (0..SAMPLE).map(|_| space.sample(&mut rng)).collect()
}

/// The points with this value for a key, where the key is then active.
fn with_value(space: &Space, points: &[Point], key: &str, value: &SettingValue) -> Vec<Point> {
    let changed = points.iter().filter_map(|point| {
        let changed = space.point_of(NO_START, |name| {
            let middle = || Some(space.domain(name)?.value_at(0.5));
            let value = if name == key {
                Some(value)
            } else {
                point.get(name)
            };
            value.cloned().or_else(middle)
        });
        changed.ok()
    });
    changed
        .filter(|point| point.get(key) == Some(value))
        .collect()
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

fn variance(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let count = values.clone().count() as f64;
    if count <= 0.0 {
        return 0.0;
    }
    let mean = values.clone().sum::<f64>() / count;
    values.map(|value| (value - mean).powi(2)).sum::<f64>() / count
}
