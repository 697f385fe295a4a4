//! Spaces of settings: named keys, their domains, and conditions between them.

use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::sync::{Arc, Mutex, PoisonError};

use patchwork_engine::agent::{AgentFile, IdleKey, Overrides};
use patchwork_engine::util::InputError;
use patchwork_engine::util::rng::{Rng, below};
use patchwork_engine::util::suggest::did_you_mean;
use rand::RngExt as _;
use serde::{Deserialize, Serialize};

use patchwork_tournament::domain::{Domain, SettingValue, overrides, read_key};

/// The error of a key of a space, which is in quotes as in files. The error of a space as a whole has no key.
pub(super) fn wrong_key(key: &str, what: impl Display) -> InputError {
    InputError::at(&format!("\"{key}\""), what)
}

/// What is wrong with a key that has no value where a search starts.
pub(super) const NO_START: &str = "there is no value to start from";

/// A key of a space.
#[derive(Clone, Debug, PartialEq)]
pub struct SpaceKey {
    /// The dotted path in the agent file.
    pub name: String,
    /// Its values.
    pub domain: Domain,
    /// The key is active only if each of these keys is active and has one of its values.
    pub when: BTreeMap<String, Vec<SettingValue>>,
}

impl SpaceKey {
    /// Reads a key of the table of a space.
    fn read(name: &str, value: &toml::Value) -> Result<Self, InputError> {
        let key = read_key(name, value)?;
        if key.steps.is_some() {
            return Err("steps: requires a sweep; `step` is the distance between values".into());
        }
        if !key.labels.is_empty() {
            return Err("labels: requires a sweep".into());
        }
        Ok(Self {
            name: name.to_owned(),
            domain: key.domain,
            when: key.when,
        })
    }

    /// The condition under which the key is active, in words; empty without one.
    pub(crate) fn condition(&self) -> String {
        let parts = self.when.iter().map(|(parent, values)| {
            let values: Vec<String> = values.iter().map(SettingValue::plain).collect();
            format!("{parent} = {}", values.join(" or "))
        });
        parts.collect::<Vec<_>>().join(", ")
    }

    /// The key's domain and conditions, as in a TOML table.
    pub fn to_json(&self) -> serde_json::Value {
        let mut json = match self.domain.range() {
            choice @ Domain::Choice(_) => serde_json::json!({ "values": choice }),
            range => serde_json::json!(range),
        };
        if matches!(self.domain, Domain::OrNone(_)) {
            json["none"] = true.into();
        }
        if !self.when.is_empty() {
            json["when"] = serde_json::json!(self.when);
        }
        json
    }
}

/// The settings that a search may change.
///
/// Keys are ordered so that a key comes after those it depends on, otherwise by name.
///
/// ```
/// use patchwork_tune::Space;
///
/// let space = Space::parse(r#"
///     "search.select" = ["ucb1", "puct"]
///     "search.exploration" = { low = 0.05, high = 5.0, log = true, when = { "search.select" = ["ucb1"] } }
/// "#)?;
/// assert_eq!(space.keys().len(), 2);
/// # Ok::<(), patchwork_engine::util::InputError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Space {
    keys: Vec<SpaceKey>,
    /// The agent whose settings these are: a key is also inactive where it has no effect in the agent.
    base: Option<AgentFile>,
    /// The keys without effect at points that were looked at.
    known_idle: Arc<Mutex<BTreeMap<Point, Vec<IdleKey>>>>,
    /// For each key, the values that other keys have wherever it is active.
    needs: Vec<Needs>,
}

/// The values that keys have where others are active, by index.
pub(crate) type Needs = BTreeMap<usize, Vec<SettingValue>>;

impl Space {
    /// The space of these keys.
    pub fn new(keys: Vec<SpaceKey>) -> Result<Self, InputError> {
        if keys.is_empty() {
            return Err("there are no keys, expected at least one".into());
        }
        check_names(&keys)?;
        for key in &keys {
            let wrong = |what: String| wrong_key(&key.name, what);
            key.domain.check().map_err(wrong)?;
            if let Domain::Choice(values) = &key.domain
                && let [only] = &values[..]
            {
                let what = format!("{only} is the only value; set it in the agent instead");
                return Err(wrong(what));
            }
        }
        let mut keys = ordered(keys)?;
        let mut needs: Vec<Needs> = Vec::new();
        for i in 0..keys.len() {
            let mut own = Needs::new();
            let name = keys[i].name.clone();
            for (parent, values) in std::mem::take(&mut keys[i].when) {
                let index = keys.iter().position(|key| key.name == parent);
                let index = index.expect("conditions are on keys of the space");
                let values = condition(&keys[index].domain, &values)
                    .map_err(|what| wrong_key(&name, format!("when: \"{parent}\": {what}")))?;
                own.insert(index, values.clone());
                keys[i].when.insert(parent, values);
            }
            needs.push(inherited(own, &needs).map_err(|parent| {
                let parent = &keys[parent].name;
                let what = format!(
                    "can never be active: its conditions on \"{parent}\" contradict each other"
                );
                wrong_key(&name, what)
            })?);
        }
        Ok(Self {
            keys,
            needs,
            base: None,
            known_idle: Arc::default(),
        })
    }

    /// Reads the keys of a `[space]` table.
    pub fn from_table(table: &toml::Table) -> Result<Self, InputError> {
        let keys = table.iter().map(|(name, value)| {
            let key = SpaceKey::read(name, value);
            key.map_err(|wrong| wrong_key(name, wrong.to_string()))
        });
        Self::new(keys.collect::<Result<_, _>>()?)
    }

    /// Reads a space from TOML: the content of a `[space]` table.
    pub fn parse(text: &str) -> Result<Self, InputError> {
        let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
            format!("not valid TOML: {}", error.message().replace('\n', ", "))
        })?;
        Self::from_table(&table)
    }

    /// The space of the settings of this agent.
    pub(crate) fn of(self, base: &AgentFile) -> Self {
        Self {
            base: Some(base.clone()),
            known_idle: Arc::default(),
            ..self
        }
    }

    /// The keys that have no effect in the agent with the settings of a point.
    pub(crate) fn idle(&self, point: &Point) -> Vec<IdleKey> {
        let Some(base) = &self.base else {
            return Vec::new();
        };
        // Reading settings takes long. Conditions ask of a real number only if it is 0 or the least or greatest one.
        let is_special = |key: &str, value: &SettingValue| match self.domain(key).map(Domain::range)
        {
            Some(Domain::Real { low, high, .. }) => value
                .number()
                .is_none_or(|number| [0.0, *low, *high].contains(&number)),
            _ => true,
        };
        let switches = point
            .iter()
            .map(|(key, value)| match is_special(key, value) {
                true => (key, value.clone()),
                false => (key, "between".into()),
            });
        let mut known = self
            .known_idle
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let idle = known.entry(switches.collect()).or_insert_with(|| {
            let overrides = point.overrides();
            overrides.map_or_else(|_| Vec::new(), |overrides| base.idle_with(&overrides))
        });
        idle.clone()
    }

    /// A point without the keys that have no effect.
    fn settled(&self, mut point: Point) -> Point {
        let idle = self.idle(&point);
        point
            .0
            .retain(|key, _| !idle.iter().any(|idle| idle.has(key)));
        point
    }

    /// The keys; each comes after the keys it depends on.
    pub fn keys(&self) -> &[SpaceKey] {
        &self.keys
    }

    /// The values that a key can take; `None` if there is no such key.
    pub fn domain(&self, key: &str) -> Option<&Domain> {
        let known = self.keys.iter().find(|known| known.name == key);
        known.map(|known| &known.domain)
    }

    /// Whether a key is active, given the values of the keys before it.
    fn is_active(&self, key: usize, point: &Point) -> bool {
        self.needs[key].iter().all(|(parent, values)| {
            let value = point.get(&self.keys[*parent].name);
            value.is_some_and(|value| values.contains(value))
        })
    }

    /// Builds a point key by key: the function is called with the index of each active key.
    fn build(&self, mut value: impl FnMut(usize) -> SettingValue) -> Point {
        let mut point = Point::default();
        for (i, key) in self.keys.iter().enumerate() {
            if self.is_active(i, &point) {
                point.set(&key.name, value(i));
            }
        }
        self.settled(point)
    }

    /// For each key, the values that other keys have wherever it is active.
    pub(crate) fn needs(&self) -> &[Needs] {
        &self.needs
    }

    /// The point with these shares of the random values of each key, 0 to 1, of those that `needs` allows.
    pub(crate) fn at_shares(&self, needs: &Needs, shares: impl Fn(usize) -> f64) -> Point {
        self.build(|key| match needs.get(&key) {
            Some(values) => values[(shares(key) * values.len() as f64) as usize].clone(),
            None => self.keys[key].domain.quantile(shares(key)),
        })
    }

    /// A random point; each active key is uniform on its scale.
    pub fn sample(&self, rng: &mut Rng) -> Point {
        self.build(|key| self.keys[key].domain.sample(rng))
    }

    /// The point at a place in the unit cube, given as one number from 0 to 1 for each key. Numbers for
    /// inactive keys are ignored, and missing numbers count as 0.5.
    pub fn at_unit(&self, unit: &[f64]) -> Point {
        self.build(|key| {
            let position = unit.get(key).copied().unwrap_or(0.5);
            self.keys[key].domain.value_at(position)
        })
    }

    /// The place of a point in the unit cube; inactive keys are `None`.
    pub fn to_unit(&self, point: &Point) -> Vec<Option<f64>> {
        let keys = self.keys.iter();
        keys.map(|key| point.get(&key.name).map(|value| key.domain.position(value)))
            .collect()
    }

    /// The point in the middle: the first value of every choice and the middle of every range.
    pub fn middle(&self) -> Point {
        self.build(|key| match &self.keys[key].domain {
            Domain::Choice(values) => values[0].clone(),
            range => range.value_at(0.5),
        })
    }

    /// The point with the values that `given` has for the active keys, such as those of an agent. The error for a
    /// key without a value says that it is `missing`.
    pub(crate) fn point_of(
        &self,
        missing: &str,
        given: impl Fn(&str) -> Option<SettingValue>,
    ) -> Result<Point, InputError> {
        let (mut point, mut without_value) = (Point::default(), Vec::new());
        for (i, key) in self.keys.iter().enumerate() {
            if !self.is_active(i, &point) {
                continue;
            }
            match given(&key.name).map(|value| key.domain.accept(&value)) {
                Some(Ok(value)) => point.set(&key.name, value),
                Some(Err(what)) if without_value.is_empty() => {
                    return Err(wrong_key(&key.name, what));
                }
                _ => without_value.push(&key.name),
            }
        }
        let idle = self.idle(&point);
        let is_idle = |key: &str| idle.iter().any(|idle| idle.has(key));
        match without_value.into_iter().find(|key| !is_idle(key)) {
            Some(key) => Err(wrong_key(key, missing)),
            None => Ok(self.settled(point)),
        }
    }

    /// The values that a key of the space can take.
    fn known(&self, key: &str) -> Result<&Domain, InputError> {
        self.domain(key).ok_or_else(|| {
            let near = did_you_mean(key, self.keys.iter().map(|key| key.name.as_str()));
            wrong_key(key, format!("the space has no such key{near}"))
        })
    }

    /// Checks the values of a table whose keys are keys of the space, whether active or not.
    pub(crate) fn check_values(&self, given: &toml::Table) -> Result<(), InputError> {
        for (key, value) in given {
            let domain = self.known(key)?;
            let value = SettingValue::try_from(value);
            let checked = value.and_then(|value| domain.accept(&value));
            checked.map_err(|what| wrong_key(key, what))?;
        }
        Ok(())
    }

    /// Checks a point from outside, and returns it with the values as the space writes them.
    pub fn check(&self, point: &Point) -> Result<Point, InputError> {
        for (key, _) in point.iter() {
            self.known(key)?;
        }
        let checked = self.point_of("the value is missing", |key| point.get(key).cloned())?;
        let idle = self.idle(&checked);
        let is_idle = |key: &str| idle.iter().any(|idle| idle.has(key));
        let mut keys = point.iter();
        match keys.find(|(key, _)| checked.get(key).is_none() && !is_idle(key)) {
            Some((key, _)) => Err(wrong_key(key, "has a value although it is not active here")),
            None => Ok(checked),
        }
    }

    /// A different point nearby: one random key changes its value, and keys that become active get random
    /// values. Numbers move by a small step or, one time in three, anywhere.
    pub fn mutate(&self, point: &Point, rng: &mut Rng) -> Point {
        for _ in 0..64 {
            let active: Vec<usize> = (0..self.keys.len())
                .filter(|&key| point.get(&self.keys[key].name).is_some())
                .collect();
            let changed = active[below(active.len() as u32, rng) as usize];
            let value = self.another(changed, point, rng);
            let mutant = self.build(|key| {
                if key == changed {
                    return value.clone();
                }
                let key = &self.keys[key];
                let old = point.get(&key.name).cloned();
                old.unwrap_or_else(|| key.domain.sample(rng))
            });
            if mutant != *point {
                return mutant;
            }
        }
        self.sample(rng)
    }

    /// A value for a key near its value in a point.
    fn another(&self, key: usize, point: &Point, rng: &mut Rng) -> SettingValue {
        let key = &self.keys[key];
        match (&key.domain, point.get(&key.name)) {
            (domain, Some(value)) if domain.is_ordered() && below(3, rng) > 0 => {
                // The sum of three uniform numbers is nearly normal; its deviation is 0.15 here.
                let sum: f64 = (0..3).map(|_| rng.random::<f64>() - 0.5).sum();
                domain.value_at(reflect(domain.position(value) + 0.3 * sum))
            }
            (domain, _) => domain.sample(rng),
        }
    }
}

/// The conditions of a key with those of its ancestors, of which `all` has the conditions; the error is the index of a key
/// that would have no value.
fn inherited(mut needs: Needs, all: &[Needs]) -> Result<Needs, usize> {
    let parents: Vec<usize> = needs.keys().copied().collect();
    for (&key, values) in parents.into_iter().flat_map(|parent| &all[parent]) {
        let both = needs.entry(key).or_insert_with(|| values.clone());
        both.retain(|value| values.contains(value));
        if both.is_empty() {
            return Err(key);
        }
    }
    Ok(needs)
}

/// Reflects a number at 0 and 1 back into that range.
fn reflect(position: f64) -> f64 {
    let folded = position.abs() % 2.0;
    if folded > 1.0 { 2.0 - folded } else { folded }
}

fn check_names(keys: &[SpaceKey]) -> Result<(), InputError> {
    let mut checked = Overrides::default();
    for SpaceKey { name, .. } in keys {
        checked.insert(name, None)?;
        let is_table = |other: &str| {
            let rest = name.strip_prefix(other);
            rest.is_some_and(|rest| rest.starts_with('.'))
        };
        if let Some(table) = keys.iter().find(|key| is_table(&key.name)) {
            let table = &table.name;
            let what = format!("the key is inside \"{table}\", which is also a key of the space");
            return Err(wrong_key(name, what));
        }
    }
    Ok(())
}

/// Sorts keys by name, but each after those it depends on.
fn ordered(mut keys: Vec<SpaceKey>) -> Result<Vec<SpaceKey>, InputError> {
    keys.sort_by(|a, b| a.name.cmp(&b.name));
    let names: Vec<String> = keys.iter().map(|key| key.name.clone()).collect();
    for key in &keys {
        for parent in key.when.keys() {
            if !names.contains(parent) {
                let near = did_you_mean(parent, names.iter().map(String::as_str));
                let what = format!("when: the space has no key \"{parent}\"{near}");
                return Err(wrong_key(&key.name, what));
            }
        }
    }
    let mut done: Vec<SpaceKey> = Vec::new();
    while !keys.is_empty() {
        let is_done = |parent: &String| done.iter().any(|key| key.name == *parent);
        let ready = keys.iter().position(|key| key.when.keys().all(is_done));
        let Some(ready) = ready else {
            let what = "when: the key depends on itself, or on a key that does";
            return Err(wrong_key(&keys[0].name, what));
        };
        done.push(keys.remove(ready));
    }
    Ok(done)
}

/// The values of a condition, as the other key's domain writes them.
fn condition(domain: &Domain, values: &[SettingValue]) -> Result<Vec<SettingValue>, String> {
    if values.is_empty() {
        return Err("the list of values is empty".to_owned());
    }
    if domain.count().is_none() {
        let what = "a condition needs a key with single values, and this one has a real range";
        return Err(what.to_owned());
    }
    let mut accepted = Vec::new();
    for value in values {
        let value = domain.accept(value)?;
        if accepted.contains(&value) {
            return Err(format!("the value {value} is given twice"));
        }
        accepted.push(value);
    }
    Ok(accepted)
}

/// The values of the active keys: one candidate.
///
/// ```
/// use patchwork_tune::Point;
///
/// let point: Point = [("search.exploration", 1.0.into()), ("rollout.depth", 2.into())]
///     .into_iter()
///     .collect();
/// assert_eq!(point.to_string(), "rollout.depth=2, search.exploration=1.0");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Point(BTreeMap<String, SettingValue>);

impl Point {
    /// The value of a key; `None` if the key is not active.
    pub fn get(&self, key: &str) -> Option<&SettingValue> {
        self.0.get(key)
    }

    /// The keys and their values, by key.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &SettingValue)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value))
    }

    /// These settings as changes of an agent.
    pub(super) fn overrides(&self) -> Result<Overrides, InputError> {
        overrides(&self.0)
    }

    pub(super) fn set(&mut self, key: &str, value: SettingValue) {
        self.0.insert(key.to_owned(), value);
    }
}

impl<K: Into<String>> FromIterator<(K, SettingValue)> for Point {
    fn from_iter<I: IntoIterator<Item = (K, SettingValue)>>(values: I) -> Self {
        let values = values.into_iter();
        Self(values.map(|(key, value)| (key.into(), value)).collect())
    }
}

/// The canonical text: keys in alphabetical order, with their values as TOML.
impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (key, value)) in self.0.iter().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            write!(f, "{comma}{key}={value}")?;
        }
        Ok(())
    }
}
