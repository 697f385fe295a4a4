//! Keys of a space.

use std::collections::BTreeMap;

use patchwork_engine::util::InputError;

use patchwork_tournament::domain::{Domain, SettingValue, read_key};

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
    /// A key that is always active.
    pub fn new(name: impl Into<String>, domain: Domain) -> Self {
        Self {
            name: name.into(),
            domain,
            when: BTreeMap::new(),
        }
    }

    /// Adds a condition: the key is active only if the other key has one of the values.
    pub fn when(
        mut self,
        other: impl Into<String>,
        values: impl IntoIterator<Item = SettingValue>,
    ) -> Self {
        self.when.insert(other.into(), values.into_iter().collect());
        self
    }

    /// Reads a key of the table of a space.
    pub(super) fn read(name: &str, value: &toml::Value) -> Result<Self, InputError> {
        let key = read_key(name, value)?;
        if key.steps.is_some() {
            return Err("steps: requires a sweep; `step` is the distance between values".into());
        }
        if !key.labels.is_empty() {
            return Err("labels: requires a sweep".into());
        }
        Ok(Self {
            when: key.when,
            ..Self::new(name, key.domain)
        })
    }

    /// The key's domain and conditions, as in a TOML table.
    pub fn to_json(&self) -> serde_json::Value {
        let mut json = match &self.domain {
            Domain::Choice(values) => serde_json::json!({ "values": values }),
            Domain::Integer {
                low,
                high,
                step,
                log,
            } => serde_json::json!({ "low": low, "high": high, "step": step, "log": log }),
            Domain::Real {
                low,
                high,
                step,
                log,
            } => serde_json::json!({ "low": low, "high": high, "step": step, "log": log }),
        };
        if !self.when.is_empty() {
            json["when"] = serde_json::json!(self.when);
        }
        json
    }
}
