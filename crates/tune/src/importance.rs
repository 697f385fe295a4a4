//! What a model says about the keys: which of them matter, and what each of their values is worth.

use patchwork_rating::Estimate;
use serde::Serialize;

use super::design::{Design, VarianceShares};
use super::history::History;
use super::landscape::Landscape;
use super::objective::expected_result;
use super::posterior::draws;
use super::space::{Space, SpaceKey};
use patchwork_tournament::domain::SettingValue;

/// How much of the variance of the expected result a key explains.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KeyRow {
    /// The dotted key.
    pub key: String,
    /// The condition under which the key is active and to which its shares refer; empty without a condition.
    pub condition: String,
    /// The share that it explains by itself: the first-order index of Sobol.
    pub own: Estimate,
    /// The share that it explains with its interactions: the total index.
    pub total: Estimate,
}

/// What one value of a key is worth, over random values of the other keys under the key's condition.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EffectRow {
    /// The dotted key.
    pub key: String,
    /// `choice` or `number`.
    pub kind: &'static str,
    /// The value, or the middle of an interval.
    pub value: SettingValue,
    /// The smallest value of the interval.
    pub from: SettingValue,
    /// Its largest value.
    pub to: SettingValue,
    /// Where the value stands in the range of the key, on its scale, 0 to 1.
    pub place: f64,
    /// The pairs of the candidates that have the value, or one in the interval.
    pub pairs: u32,
    /// The expected result.
    pub result: Estimate,
}

/// A key with some values.
pub(crate) const CHOICE: &str = "choice";
/// A key with a range of numbers.
const NUMBER: &str = "number";

/// The largest number of values of a key of which each has a row of its own.
const SINGLE: u64 = 16;
/// The number of intervals of a range with more values.
const INTERVALS: usize = 8;
/// Number of points over which the result of a value is the mean.
const SAMPLE: usize = 96;

/// What the results of a search say about the keys of its space: the most important first, and their values in the same
/// order.
pub fn importance(space: &Space, history: &History) -> (Vec<KeyRow>, Vec<EffectRow>) {
    let model = Landscape::fit(space, history, None);
    let mut keys = Vec::new();
    for design in Design::all(space) {
        for (index, [own, total]) in shares(&model, &design) {
            let key = &space.keys()[index];
            let row = KeyRow {
                key: key.name.clone(),
                condition: key.condition(),
                own,
                total,
            };
            let result = |value: &SettingValue| {
                let points = design.with_value(space, index, value, SAMPLE);
                let (mean, error) = model.predict_mean(&points);
                expected_result(mean, error)
            };
            keys.push((row, effects(key, history, &result)));
        }
    }
    let total = |(row, _): &(KeyRow, _)| row.total.value.unwrap_or_default();
    keys.sort_by(|one, other| total(other).total_cmp(&total(one)));
    let (keys, effects): (_, Vec<_>) = keys.into_iter().unzip();
    (keys, effects.concat())
}

/// The keys of a design by index, each with its own and its total share: the means of draws, and the range of 95% of them.
fn shares(model: &Landscape, design: &Design) -> Vec<(usize, [Estimate; 2])> {
    let draws = draws(model, &design.points);
    let draws: Vec<Vec<VarianceShares>> =
        draws.iter().map(|values| design.shares(values)).collect();
    let keys = design.keys.iter().enumerate();
    keys.map(|(i, key)| {
        let of = [|of: &VarianceShares| of.own, |of: &VarianceShares| of.total];
        (
            *key,
            of.map(|share| estimate(draws.iter().map(|draw| share(&draw[i])))),
        )
    })
    .collect()
}

/// The mean of draws, and the range of 95% of them.
fn estimate(draws: impl Iterator<Item = f64>) -> Estimate {
    let mut draws: Vec<f64> = draws.collect();
    draws.sort_by(f64::total_cmp);
    let beyond = draws.len() / 40;
    Estimate {
        value: Some(draws.iter().sum::<f64>() / draws.len().max(1) as f64),
        low: draws.get(beyond).copied(),
        high: draws.iter().nth_back(beyond).copied(),
        error: None,
    }
}

/// The values of a key, with their expected results.
fn effects(
    key: &SpaceKey,
    history: &History,
    result: &dyn Fn(&SettingValue) -> Estimate,
) -> Vec<EffectRow> {
    let row = |value: SettingValue, [from, to]: [_; 2], has: &dyn Fn(&SettingValue) -> bool| {
        let tried = history.tried().iter();
        let own = tried.filter(|(point, _)| point.get(&key.name).is_some_and(has));
        EffectRow {
            key: key.name.clone(),
            kind: match key.domain.is_ordered() {
                true => NUMBER,
                false => CHOICE,
            },
            place: key.domain.position(&value),
            result: result(&value),
            value,
            from,
            to,
            pairs: own.map(|(_, results)| results.len() as u32).sum(),
        }
    };
    let single = |value: SettingValue| {
        let ends = [value.clone(), value.clone()];
        row(value.clone(), ends, &|tried| *tried == value)
    };
    let most = match key.domain.is_ordered() {
        true => SINGLE,
        false => u64::MAX,
    };
    if let Some(values) = key.domain.all(most) {
        return values.into_iter().map(single).collect();
    }
    let range = key.domain.range();
    let at = |part: f64| range.value_at(part / INTERVALS as f64);
    let intervals = (0..INTERVALS).map(|i| {
        let [from, to] = [i, i + 1].map(|i| at(i as f64));
        let ends = [&from, &to].map(|end| range.position(end));
        row(at(i as f64 + 0.5), [from, to], &|tried| {
            let place = range.position(tried);
            let is_below = place < ends[1] || i + 1 == INTERVALS;
            *tried != SettingValue::None && place >= ends[0] && is_below
        })
    });
    let none = key.domain.has_none().then(|| single(SettingValue::None));
    intervals.chain(none).collect()
}
