//! Reading the values of a key from TOML.

use std::collections::BTreeMap;

use patchwork_engine::agent::{PLAIN_NAME, is_plain_name};
use patchwork_engine::util::InputError;
use patchwork_engine::util::config::{Count, from_value};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Domain, SettingValue};

/// The table of a key.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KeyTable {
    /// All values.
    #[schemars(with = "Option<Vec<SettingValue>>")]
    values: Option<Vec<toml::Value>>,
    /// A name for each of the values, by which agents are shown; only in sweeps.
    labels: Option<Vec<String>>,
    /// The smallest value of a range, whole if all are.
    #[schemars(with = "Option<f64>")]
    low: Option<toml::Value>,
    /// The largest value.
    #[schemars(with = "Option<f64>")]
    high: Option<toml::Value>,
    /// The distance between values.
    #[schemars(with = "Option<f64>")]
    step: Option<toml::Value>,
    /// The number of values of a grid, spread evenly over the range; only in sweeps.
    steps: Option<Count>,
    /// Whether the logarithms of the values are spread evenly.
    log: Option<bool>,
    /// Whether `none` is a value, too: the agent does not have the key, so that nothing is limited by it.
    none: Option<bool>,
    /// The key matters only if each of these keys has this value, or one of these; only in tuning spaces.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, OneOrMore>")]
    when: BTreeMap<String, toml::Value>,
}

/// The values of a key, as files have them.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(missing_docs, reason = "a comment would stand in the schema")]
pub enum KeyValues {
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

/// The keys of a table of values, which files can have.
pub const TABLE_KEYS: [&str; 9] = [
    "values", "labels", "low", "high", "step", "steps", "log", "none", "when",
];

/// A key as a file has it.
pub struct FileKey {
    /// Its values, which are not empty, do not repeat, and ascend.
    pub domain: Domain,
    /// The names of the values; empty for none.
    pub labels: Vec<String>,
    /// The number of values of a grid.
    pub steps: Option<Count>,
    /// The conditions of the key.
    pub when: Conditions,
}

/// The values of other keys on which a key depends: it matters only if each of these keys has one of these values.
pub(crate) type Conditions = BTreeMap<String, Vec<SettingValue>>;

/// Reads the values of a key, with what else a file says of it.
pub fn read_key(name: &str, value: &toml::Value) -> Result<FileKey, InputError> {
    let table = match value {
        toml::Value::Array(values) => KeyTable {
            values: Some(values.clone()),
            ..KeyTable::default()
        },
        toml::Value::Table(table) => {
            let nested = |value: &toml::Value| value.is_table() || value.is_array();
            let is_inner =
                |key: &str, value: &toml::Value| nested(value) && !TABLE_KEYS.contains(&key);
            if let Some((inner, _)) = table.iter().find(|(key, value)| is_inner(key, value)) {
                let what = format!(
                    "unknown key `{inner}`; a dotted key of the agent must be in quotes: \"{name}.{inner}\""
                );
                return Err(what.into());
            }
            from_value(value.clone())?
        }
        other => {
            let what = "expected a list of values or a table such as { low = 0.1, high = 1.0 }";
            return Err(format!("found {other}, {what}").into());
        }
    };
    let domain = table.domain()?;
    domain.check()?;
    let mut when = Conditions::new();
    for (parent, values) in &table.when {
        let one = std::slice::from_ref(values);
        let values = list(values.as_array().map_or(one, Vec::as_slice));
        let values = values.map_err(|what| format!("when: \"{parent}\": {what}"))?;
        when.insert(parent.clone(), values);
    }
    let labels = table.labels.unwrap_or_default();
    check_labels(&labels, table.values.as_ref().map_or(0, Vec::len))?;
    Ok(FileKey {
        domain,
        labels,
        steps: table.steps,
        when,
    })
}

/// Checks the names of this many values.
fn check_labels(labels: &[String], values: usize) -> Result<(), String> {
    if labels.is_empty() {
        return Ok(());
    }
    if labels.len() != values {
        return Err(format!(
            "labels: found {}, expected one for each of `values`, of which there are {values}",
            labels.len()
        ));
    }
    for (place, label) in labels.iter().enumerate() {
        if !is_plain_name(label) {
            return Err(format!("labels: \"{label}\"; expected {PLAIN_NAME}"));
        }
        if labels[..place].contains(label) {
            return Err(format!("labels: \"{label}\" is there twice"));
        }
    }
    Ok(())
}

fn list(values: &[toml::Value]) -> Result<Vec<SettingValue>, String> {
    values.iter().map(SettingValue::try_from).collect()
}

impl KeyTable {
    fn domain(&self) -> Result<Domain, String> {
        let has_none = self.none.unwrap_or(false);
        if let Some(values) = &self.values {
            let also = [
                ("low", self.low.is_some()),
                ("high", self.high.is_some()),
                ("step", self.step.is_some()),
                ("steps", self.steps.is_some()),
                ("log", self.log.is_some()),
            ];
            return match also.iter().find(|(_, given)| *given) {
                Some((other, _)) => Err(format!("`values` and `{other}` cannot be combined")),
                None => {
                    let none = has_none.then_some(SettingValue::None);
                    Ok(Domain::Choice(
                        list(values)?.into_iter().chain(none).collect(),
                    ))
                }
            };
        }
        let number = |name: &str, value: &Option<toml::Value>| match value {
            None => Ok(None),
            Some(toml::Value::Integer(whole)) => Ok(Some(SettingValue::Integer(*whole))),
            Some(toml::Value::Float(real)) => Ok(Some(SettingValue::Real(*real))),
            Some(other) => Err(format!("{name} is {other}, expected a number")),
        };
        let log = self.log.unwrap_or(false);
        let (low, high) = (number("low", &self.low)?, number("high", &self.high)?);
        let step = number("step", &self.step)?;
        let missing =
            |name: &str| format!("`{name}` is missing; expected `values`, or `low` and `high`");
        let low = low.ok_or_else(|| missing("low"))?;
        let high = high.ok_or_else(|| missing("high"))?;
        let whole_step = match step {
            None => Some(1),
            Some(SettingValue::Integer(step)) => Some(step),
            Some(_) => None,
        };
        let range = match (&low, &high, whole_step) {
            (SettingValue::Integer(low), SettingValue::Integer(high), Some(step)) => {
                Domain::Integer {
                    low: *low,
                    high: *high,
                    step,
                    log,
                }
            }
            _ => Domain::Real {
                low: low.number().unwrap_or(f64::NAN),
                high: high.number().unwrap_or(f64::NAN),
                step: step.and_then(|step| step.number()),
                log,
            },
        };
        Ok(match has_none {
            true => Domain::OrNone(Box::new(range)),
            false => range,
        })
    }
}
