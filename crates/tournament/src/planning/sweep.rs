//! Sweeps: many variants of a base agent that differ in some keys.
//!
//! ```toml
//! [sweep]
//! base = "mcts-fast"
//! [sweep.keys]
//! "search.exploration" = { low = 0.2, high = 3.2, steps = 5, log = true }
//! "rollout.strategy" = ["in-order/some/first", "bl/some/first"]
//! ```
//!
//! A grid has an agent for each combination of values. A sample (`method = "latin-hypercube"` or
//! `"sobol"`) has `points` agents spread over the lists and ranges.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use patchwork_engine::agent::{AgentFile, AgentPaths};
use patchwork_engine::util::InputError;
use patchwork_engine::util::config::{Count, Mistakes};
use patchwork_engine::util::rng::{Rng, stream};
use rand::RngExt as _;
use rand::seq::SliceRandom as _;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use toml::{Table, Value};

use crate::domain::{Domain, KeyValues, SettingValue, TABLE_KEYS, check_none, overrides, read_key};

/// The maximum number of agents of a sweep that needs no confirmation.
pub const MAX_SWEPT: usize = 10_000;
/// A plan numbers its agents with 16 bits.
const MAX_AGENTS: usize = u16::MAX as usize;

/// The table `[sweep]` of a tournament file.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SweepKeys {
    /// The agent whose settings are changed.
    pub(crate) base: String,
    /// Which points of the keys' ranges are taken.
    #[serde(default)]
    method: SweepMethod,
    /// Number of points of a sample.
    points: Option<Count>,
    /// Seed of a sample; that of the tournament by default.
    seed: Option<u64>,
    /// Keys of the agent, each with a list of values or a range such as `{ low = 1, high = 9, steps = 3 }`.
    #[schemars(schema_with = "axes_schema")]
    keys: Table,
}

/// A key may be dotted, or be a table of keys.
fn axes_schema(generator: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "additionalProperties": {
            "anyOf": [
                generator.subschema_for::<KeyValues>(),
                { "type": "object", "propertyNames": { "not": { "enum": TABLE_KEYS } } },
            ],
        },
    })
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum SweepMethod {
    /// All combinations of the values.
    #[default]
    Grid,
    /// A sample in which each key takes each of its values about equally often.
    LatinHypercube,
    /// A sample that fills the space evenly, by a Sobol sequence.
    Sobol,
}

/// The dotted keys of a table, each with its values.
fn dotted(table: Table) -> Vec<(String, Value)> {
    let is_values = |inner: &Table| inner.keys().any(|key| TABLE_KEYS.contains(&&**key));
    let mut all = Vec::new();
    for (key, value) in table {
        match value {
            Value::Table(inner) if !is_values(&inner) => {
                let inner = dotted(inner).into_iter();
                all.extend(inner.map(|(rest, value)| (format!("{key}.{rest}"), value)));
            }
            value => all.push((key, value)),
        }
    }
    all
}

/// Reads the values of a key, with their names. Those of a grid are a list.
fn read_values(
    name: &str,
    values: &Value,
    is_grid: bool,
) -> Result<(Domain, Vec<String>), InputError> {
    let key = read_key(name, values)?;
    if !key.when.is_empty() {
        return Err("when: requires a tuning space".into());
    }
    let labels = key.labels;
    axis(key.domain, key.steps, is_grid).map(|domain| (domain, labels))
}

fn axis(domain: Domain, steps: Option<Count>, is_grid: bool) -> Result<Domain, InputError> {
    match (is_grid, steps) {
        (false, None) => Ok(domain),
        (false, Some(_)) => Err("steps requires method = \"grid\"".into()),
        (true, None) => {
            let is_log = matches!(domain.range(), Domain::Integer { log: true, .. });
            let all = domain.all(MAX_AGENTS as u64).filter(|_| !is_log);
            let what = "missing key `steps`, which a range of a grid needs";
            all.map(Domain::Choice).ok_or_else(|| what.into())
        }
        (true, Some(steps)) if steps.get() as usize > MAX_AGENTS => {
            Err(format!("{steps} steps; expected at most {MAX_AGENTS}").into())
        }
        (true, Some(steps)) => {
            let values = domain.spread(steps.get() as usize);
            match values.windows(2).find(|two| two[0] == two[1]) {
                Some(two) => Err(format!(
                    "{steps} steps are {} twice; expected fewer steps or a larger range",
                    two[0]
                )
                .into()),
                None => Ok(Domain::Choice(values)),
            }
        }
    }
}

/// The values of the keys of one agent.
pub(crate) type SweptValues = BTreeMap<String, SettingValue>;

impl SweepKeys {
    /// The agents of the sweep, at most `most`, with the values of the keys that differ; `seed` is that of the
    /// tournament.
    pub(crate) fn agents(
        self,
        file: &Path,
        paths: &AgentPaths,
        seed: u64,
        most: usize,
    ) -> Result<Vec<(AgentFile, SweptValues)>, InputError> {
        let wrong =
            |key: &str, what: String| InputError::in_key(file, &format!("sweep.{key}"), what);
        let base = &paths.load_one(file, "sweep.base", &self.base)?;
        if self.keys.is_empty() {
            return Err(wrong("keys", "none; expected at least one key".to_owned()));
        }
        let is_grid = self.method == SweepMethod::Grid;
        let mut axes = BTreeMap::new();
        let mut labels = BTreeMap::new();
        let mut mistakes = Mistakes::default();
        for (key, values) in dotted(self.keys) {
            let read = read_values(&key, &values, is_grid).map_err(|error| error.to_string());
            let domain = read.and_then(|(domain, names)| {
                check_none(base, &key, &domain).map(|()| (domain, names))
            });
            let domain = domain.map_err(|what| wrong(&format!("keys.{key}"), what));
            if let Some((domain, names)) = mistakes.take(domain) {
                labels.insert(key.clone(), names);
                axes.insert(key, domain);
            }
        }
        mistakes.none()?;
        let count = match (is_grid, self.points) {
            (true, Some(_)) => {
                let what = "requires method = \"latin-hypercube\" or \"sobol\"";
                return Err(wrong("points", what.to_owned()));
            }
            (true, None) => axes
                .values()
                .map(|axis| u128::from(axis.count().unwrap_or(1)))
                .product(),
            (false, Some(points)) => u128::from(points.get()),
            (false, None) => {
                let what = "missing key `points`, which a sample needs";
                return Err(InputError::in_key(file, "sweep", what));
            }
        };
        check_count(count, most).map_err(|what| InputError::in_key(file, "sweep", what))?;
        let points = if is_grid {
            grid(&axes)
        } else {
            let seed = self.seed.unwrap_or(seed);
            sample(&axes, count as u32, self.method, seed)
        };
        let names = short_keys(axes.keys());
        let shown = |key: &str, value: &SettingValue| {
            let place = match &axes[key] {
                Domain::Choice(values) => values.iter().position(|known| known == value),
                _ => None,
            };
            let label = place.and_then(|place| labels[key].get(place));
            let value = label.map_or_else(|| value.plain(), String::clone);
            format!("{}={value}", names[key])
        };
        distinct(file, base, points, shown, axes.keys())
    }
}

/// The agents with these values, each once: keys that have no effect are left out. `shown` is how a value is called.
fn distinct<'a>(
    file: &Path,
    base: &AgentFile,
    points: Vec<SweptValues>,
    shown: impl Fn(&str, &SettingValue) -> String,
    mut keys: impl Iterator<Item = &'a String>,
) -> Result<Vec<(AgentFile, SweptValues)>, InputError> {
    let mut all: Vec<(AgentFile, SweptValues)> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    let mut idle = Vec::new();
    for mut values in points {
        let wrong = |error: InputError| InputError::in_key(file, "sweep", error.to_string());
        idle = base.idle_with(&overrides(&values).map_err(wrong)?);
        let all_keys = values.len();
        values.retain(|key, _| !idle.iter().any(|of| of.has(key)));
        let name = values.iter().map(|(key, value)| shown(key, value));
        let name = name.collect::<Vec<_>>().join(" ");
        let agent = base.variant(&overrides(&values).map_err(wrong)?);
        let mut agent = agent.map_err(wrong)?;
        agent.name = name;
        let at = *known.entry(agent.config.canonical()).or_insert(all.len());
        match all.get(at) {
            None => all.push((agent, values)),
            Some((_, same)) if *same == values && values.len() < all_keys => {}
            Some((same, _)) => {
                let what = format!(
                    "the agents {} and {} have the same settings; expected values that differ",
                    same.name, agent.name
                );
                return Err(InputError::in_key(file, "sweep", what));
            }
        }
    }
    // A key may have no effect with some values of another, but not with all.
    let never = |key: &&String| all.iter().all(|(_, values)| !values.contains_key(*key));
    let lost = keys.find_map(|key| {
        let of = idle.iter().find(|of| of.has(key)).filter(|_| never(&key));
        of.map(|of| (key, format!("requires {}", of.with)))
    });
    match lost {
        Some((key, what)) => Err(InputError::in_key(file, &format!("sweep.keys.{key}"), what)),
        None => Ok(all),
    }
}

fn check_count(count: u128, most: usize) -> Result<(), String> {
    if count > MAX_AGENTS as u128 {
        return Err(format!("{count} agents; expected at most {MAX_AGENTS}"));
    }
    if count > most as u128 {
        return Err(format!(
            "{count} agents, more than {most}; add --yes if that is intended"
        ));
    }
    Ok(())
}

fn grid(axes: &BTreeMap<String, Domain>) -> Vec<SweptValues> {
    let mut points = vec![SweptValues::new()];
    for (key, axis) in axes {
        let values = axis.all(u64::MAX).unwrap_or_default();
        let with = |point: &SweptValues, value: &SettingValue| {
            let mut point = point.clone();
            point.insert(key.clone(), value.clone());
            point
        };
        points = points
            .iter()
            .flat_map(|point| values.iter().map(move |value| with(point, value)))
            .collect();
    }
    points
}

/// Points spread over the axes: one in each of `count` layers of each axis, or the first of a
/// scrambled Sobol sequence.
fn sample(
    axes: &BTreeMap<String, Domain>,
    count: u32,
    method: SweepMethod,
    seed: u64,
) -> Vec<SweptValues> {
    let mut points = vec![SweptValues::new(); count as usize];
    for (dimension, (key, axis)) in (0..).zip(axes) {
        let mut rng: Rng = stream(&[seed, u64::from(dimension)]);
        let mut layers: Vec<u32> = (0..count).collect();
        layers.shuffle(&mut rng);
        for (i, point) in points.iter_mut().enumerate() {
            let place = match method {
                SweepMethod::Sobol => {
                    f64::from(sobol_burley::sample(i as u32, dimension, seed as u32))
                }
                _ => (f64::from(layers[i]) + rng.random::<f64>()) / f64::from(count),
            };
            point.insert(key.clone(), axis.value_at(place));
        }
    }
    points
}

/// The last word of each key where that is unambiguous, otherwise the whole key.
fn short_keys<'a>(keys: impl Iterator<Item = &'a String> + Clone) -> HashMap<&'a str, &'a str> {
    let last = |key: &'a str| key.rsplit('.').next().unwrap_or(key);
    let short = |key: &'a String| {
        let same = keys.clone().filter(|other| last(other) == last(key));
        let name = if same.count() == 1 { last(key) } else { key };
        (key.as_str(), name)
    };
    keys.clone().map(short).collect()
}

#[cfg(test)]
mod tests;
