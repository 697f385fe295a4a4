//! Keys of a space, and reading them from TOML.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::domain::Domain;
use super::value::SettingValue;

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
    #[must_use]
    pub fn new(name: impl Into<String>, domain: Domain) -> Self {
        Self {
            name: name.into(),
            domain,
            when: BTreeMap::new(),
        }
    }

    /// Adds a condition: the key is active only if the other key has one of the values.
    #[must_use]
    pub fn when(
        mut self,
        other: impl Into<String>,
        values: impl IntoIterator<Item = SettingValue>,
    ) -> Self {
        self.when.insert(other.into(), values.into_iter().collect());
        self
    }
}

impl SpaceKey {
    /// The key's domain and conditions, as in a TOML table.
    #[must_use]
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

/// The table of a key.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct KeyTable {
    /// All values.
    #[schemars(with = "Option<Vec<SettingValue>>")]
    values: Option<Vec<toml::Value>>,
    /// The smallest value of a range, whole if all are.
    #[schemars(with = "Option<f64>")]
    low: Option<toml::Value>,
    /// The largest value.
    #[schemars(with = "Option<f64>")]
    high: Option<toml::Value>,
    /// The distance between values.
    #[schemars(with = "Option<f64>")]
    step: Option<toml::Value>,
    /// Whether the logarithms of the values are spread evenly.
    log: Option<bool>,
    /// The key matters only if each of these keys has this value, or one of these.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, OneOrMore>")]
    when: BTreeMap<String, toml::Value>,
}

/// The values of a key, as tuning files have them.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "describes files")]
pub(super) enum KeyValues {
    List(Vec<SettingValue>),
    Table(KeyTable),
}

/// One value or several.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "describes files")]
enum OneOrMore {
    One(SettingValue),
    More(Vec<SettingValue>),
}

/// Reads a key of the table of a space.
///
/// # Errors
/// A sentence about what is wrong.
pub(super) fn read_key(name: &str, value: &toml::Value) -> Result<SpaceKey, String> {
    let list = |values: &[toml::Value]| -> Result<Vec<SettingValue>, String> {
        values.iter().map(SettingValue::try_from).collect()
    };
    let table = match value {
        toml::Value::Array(values) => {
            let values = list(values)?;
            return Ok(SpaceKey::new(name, Domain::Choice(values)));
        }
        toml::Value::Table(table) => table.clone(),
        other => {
            let what = format!(
                "found {other}, expected a list of values or a table such as {{ low = 0.1, high = 1.0 }}"
            );
            return Err(what);
        }
    };
    let nested = |value: &toml::Value| value.is_table() || value.is_array();
    let known = ["values", "low", "high", "step", "log", "when"];
    if let Some((inner, _)) = table
        .iter()
        .find(|(key, v)| nested(v) && !known.contains(&key.as_str()))
    {
        let what = format!(
            "unknown key `{inner}`; a dotted key of the agent must be in quotes: \"{name}.{inner}\""
        );
        return Err(what);
    }
    let table: KeyTable =
        toml::Value::Table(table)
            .try_into()
            .map_err(|error: toml::de::Error| {
                let what = error.message().trim().replace('\n', ", ");
                what.replace("unknown field", "unknown key")
            })?;
    let domain = domain(&table, list)?;
    let mut key = SpaceKey::new(name, domain);
    for (parent, values) in &table.when {
        let one = std::slice::from_ref(values);
        let values = list(values.as_array().map_or(one, Vec::as_slice));
        let values = values.map_err(|what| format!("when: \"{parent}\": {what}"))?;
        key = key.when(parent, values);
    }
    Ok(key)
}

fn domain(
    table: &KeyTable,
    list: impl Fn(&[toml::Value]) -> Result<Vec<SettingValue>, String>,
) -> Result<Domain, String> {
    if let Some(values) = &table.values {
        let also = [
            ("low", table.low.is_some()),
            ("high", table.high.is_some()),
            ("step", table.step.is_some()),
            ("log", table.log.is_some()),
        ];
        return match also.iter().find(|(_, given)| *given) {
            Some((other, _)) => Err(format!("`values` and `{other}` cannot be combined")),
            None => Ok(Domain::Choice(list(values)?)),
        };
    }
    let number = |name: &str, value: &Option<toml::Value>| match value {
        None => Ok(None),
        Some(toml::Value::Integer(whole)) => Ok(Some(SettingValue::Integer(*whole))),
        Some(toml::Value::Float(real)) => Ok(Some(SettingValue::Real(*real))),
        Some(other) => Err(format!("{name} is {other}, expected a number")),
    };
    let log = table.log.unwrap_or(false);
    let (low, high) = (number("low", &table.low)?, number("high", &table.high)?);
    let step = number("step", &table.step)?;
    let missing =
        |name: &str| format!("`{name}` is missing; expected `values`, or `low` and `high`");
    let low = low.ok_or_else(|| missing("low"))?;
    let high = high.ok_or_else(|| missing("high"))?;
    match (&low, &high, &step) {
        (
            SettingValue::Integer(low),
            SettingValue::Integer(high),
            None | Some(SettingValue::Integer(_)),
        ) => {
            let step = match step {
                Some(SettingValue::Integer(step)) => step,
                _ => 1,
            };
            Ok(Domain::Integer {
                low: *low,
                high: *high,
                step,
                log,
            })
        }
        _ => Ok(Domain::Real {
            low: low.number().unwrap_or(f64::NAN),
            high: high.number().unwrap_or(f64::NAN),
            step: step.and_then(|step| step.number()),
            log,
        }),
    }
}
