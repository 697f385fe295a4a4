//! Values of settings.

use std::cmp::Ordering;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The value of a key: a truth value, a number, a text, or none.
///
/// Values have a total order: by kind, then by value. A whole real number such as 1.0 differs from the
/// integer 1.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum SettingValue {
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Integer(i64),
    /// A real number.
    Real(f64),
    /// A text, such as the name of a strategy.
    Text(String),
    /// The agent does not have the key, such as that of a limit; `null` in JSON.
    #[schemars(skip)]
    None,
}

impl SettingValue {
    /// The value as a number, if it is one.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Integer(value) => Some(*value as f64),
            Self::Real(value) => Some(*value),
            Self::Bool(_) | Self::Text(_) | Self::None => None,
        }
    }

    /// The value in an agent file; `None` for a key that the agent does not have.
    pub(crate) fn toml(&self) -> Option<toml::Value> {
        Some(match self {
            Self::Bool(value) => toml::Value::Boolean(*value),
            Self::Integer(value) => toml::Value::Integer(*value),
            Self::Real(value) => toml::Value::Float(*value),
            Self::Text(value) => toml::Value::String(value.clone()),
            Self::None => return None,
        })
    }

    /// The value without quotes, as people read it.
    pub fn plain(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            other => other.to_string(),
        }
    }

    /// Whether both mean the same in an agent file: the same value, or the same number.
    pub fn means(&self, other: &Self) -> bool {
        match (self.number(), other.number()) {
            (Some(one), Some(two)) => one == two,
            _ => self == other,
        }
    }
}

impl From<f64> for SettingValue {
    fn from(value: f64) -> Self {
        // Negative zero is written differently but means the same.
        Self::Real(value + 0.0)
    }
}

impl From<i64> for SettingValue {
    fn from(value: i64) -> Self {
        Self::Integer(value)
    }
}

impl From<i32> for SettingValue {
    fn from(value: i32) -> Self {
        Self::Integer(value.into())
    }
}

impl From<bool> for SettingValue {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<&str> for SettingValue {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

impl TryFrom<&toml::Value> for SettingValue {
    type Error = String;

    fn try_from(value: &toml::Value) -> Result<Self, String> {
        match value {
            toml::Value::Boolean(value) => Ok(Self::Bool(*value)),
            toml::Value::Integer(value) => Ok(Self::Integer(*value)),
            toml::Value::Float(value) if value.is_finite() => Ok((*value).into()),
            toml::Value::Float(value) => Err(format!("found {value}, expected a finite number")),
            toml::Value::String(value) => Ok(Self::Text(value.clone())),
            other => Err(format!(
                "found {other}, expected a text, a number, true or false"
            )),
        }
    }
}

/// The value as TOML, or `none`.
impl fmt::Display for SettingValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.toml() {
            Some(value) => value.fmt(f),
            None => f.write_str("none"),
        }
    }
}

impl Ord for SettingValue {
    fn cmp(&self, other: &Self) -> Ordering {
        let kind = |value: &Self| match value {
            Self::Bool(_) => 0,
            Self::Integer(_) => 1,
            Self::Real(_) => 2,
            Self::Text(_) => 3,
            Self::None => 4,
        };
        match (self, other) {
            (Self::Bool(a), Self::Bool(b)) => a.cmp(b),
            (Self::Integer(a), Self::Integer(b)) => a.cmp(b),
            (Self::Real(a), Self::Real(b)) => a.total_cmp(b),
            (Self::Text(a), Self::Text(b)) => a.cmp(b),
            _ => kind(self).cmp(&kind(other)),
        }
    }
}

impl PartialOrd for SettingValue {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for SettingValue {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for SettingValue {}
