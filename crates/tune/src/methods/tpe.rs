//! Tree-structured Parzen estimators, by the crate `optimizer`.

use std::collections::HashMap;
use std::fmt;

use optimizer::distribution::{CategoricalDistribution, Distribution, FloatDistribution};
use optimizer::parameter::{ParamId, ParamValue};
use optimizer::sampler::{CompletedTrial, Sampler as _, TpeSampler};
use patchwork_engine::util::rng::Rng;
use rand::RngExt as _;

use super::super::method::{Searcher, View};
use super::super::point::Point;
use super::ntbea::finalists;
use patchwork_tournament::domain::Domain;
use patchwork_tournament::domain::SettingValue;

/// Number of trials before the estimators are used.
const STARTUP: usize = 20;

/// One estimator per key, created for the first batch.
///
/// The crate's sampler identifies keys by the shape of their domains and so confuses keys with equal domains;
/// here each key has its own sampler and history.
#[derive(Default)]
pub(in super::super) struct Tpe {
    keys: Vec<(ParamId, TpeSampler)>,
}

impl fmt::Debug for Tpe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tpe").finish_non_exhaustive()
    }
}

impl Searcher for Tpe {
    fn propose(&mut self, view: View<'_>, rng: &mut Rng) -> Vec<(Point, u32)> {
        let keys = view.space.keys();
        while self.keys.len() < keys.len() {
            let sampler = TpeSampler::builder()
                .n_startup_trials(STARTUP)
                .seed(rng.random());
            // The settings are within their ranges, so this is never the default.
            let sampler = sampler.build().unwrap_or_default();
            self.keys.push((ParamId::new(), sampler));
        }
        let pairs = view.pairs_for(200);
        let candidates = view.history.candidates();
        let units: Vec<_> = candidates
            .iter()
            .map(|(point, sums)| (view.space.to_unit(point), sums.mean().unwrap_or_default()))
            .collect();
        let mut all: Vec<Vec<CompletedTrial>> = Vec::new();
        for (i, (id, _)) in self.keys.iter().enumerate() {
            let form = distribution(&keys[i].domain);
            let trial = |(number, (unit, mean)): (usize, &(Vec<Option<f64>>, f64))| {
                let mut values = HashMap::new();
                let mut forms = HashMap::new();
                if let Some(position) = unit[i] {
                    values.insert(*id, place(&keys[i].domain, position));
                    forms.insert(*id, form.clone());
                }
                CompletedTrial::new(number as u64, values, forms, HashMap::new(), -mean)
            };
            all.push(units.iter().enumerate().map(trial).collect());
        }
        let tried = view.history.tried().len() as u64;
        let mut chosen = Vec::new();
        for slot in 0..u64::from(view.batch) {
            let drawn: Vec<f64> = self
                .keys
                .iter()
                .zip(&all)
                .zip(keys)
                .map(|(((_, sampler), history), key)| {
                    let form = distribution(&key.domain);
                    match sampler.sample(&form, tried + slot, history) {
                        ParamValue::Float(position) => position,
                        ParamValue::Int(index) => index as f64,
                        ParamValue::Categorical(index) => {
                            let count = key.domain.count().unwrap_or(1);
                            (index as f64 + 0.5) / count as f64
                        }
                    }
                })
                .collect();
            let point = view.space.at_unit(&drawn);
            let start = view.start.filter(|_| tried + slot == 0);
            let point = start.cloned().unwrap_or(point);
            chosen.push((point, pairs));
        }
        chosen
    }

    fn finalists(&mut self, view: View<'_>, most: usize, rng: &mut Rng) -> Vec<Point> {
        finalists(view, most, rng)
    }
}

/// The distribution of a domain: numbers are positions from 0 to 1.
fn distribution(domain: &Domain) -> Distribution {
    match domain {
        Domain::Choice(values) => Distribution::Categorical(CategoricalDistribution {
            n_choices: values.len(),
        }),
        _ => Distribution::Float(FloatDistribution {
            low: 0.0,
            high: 1.0,
            log_scale: false,
            step: None,
        }),
    }
}

fn place(domain: &Domain, position: f64) -> ParamValue {
    match domain {
        Domain::Choice(values) => {
            let value: SettingValue = domain.value_at(position);
            let index = values.iter().position(|known| *known == value);
            ParamValue::Categorical(index.unwrap_or(0))
        }
        _ => ParamValue::Float(position),
    }
}
