//! Points of a space.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use patchwork_tournament::domain::SettingValue;

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
