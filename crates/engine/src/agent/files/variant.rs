//! Variants of agents: settings that differ from those of a file, and the names of such agents.
//!
//! A variant is written `mcts-fast{search.exploration=1.0, budget.milliseconds=100}`: the name of an agent,
//! then keys as in its file with other values. A value is a TOML value, or a word such as `puct` or
//! `bl-lb/every/regret`; an empty value removes the key. A unit of the budget replaces the unit in the file.
//!
//! ```
//! use patchwork_engine::agent::{AgentFile, Overrides};
//!
//! let agent = AgentFile::read("agents/mcts-fast.toml".as_ref())?;
//! let overrides: Overrides = "search.select=puct, budget.milliseconds=100".parse()?;
//! let variant = agent.variant(&overrides)?;
//! assert_eq!(variant.name, "mcts-fast{budget.milliseconds=100,search.select=puct}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use toml::{Table, Value};

use super::tables;
use crate::agent::declare::IdleKey;
use crate::util::InputError;

/// Settings that differ from those of an agent file: keys such as `search.exploration`, each with a value or
/// marked for removal.
///
/// The text is `KEY=VALUE` separated by commas. The text of [`Display`](fmt::Display) is canonical: the keys
/// are sorted, tables are written as their keys, and there are no spaces.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overrides(BTreeMap<String, Option<Value>>);

impl Overrides {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a key with its value, or a key to be removed. The keys of a table are added one by one.
    pub fn insert(&mut self, key: &str, value: Option<Value>) -> Result<(), InputError> {
        if let Some(Value::Table(table)) = &value
            && !table.is_empty()
        {
            for (rest, value) in tables::leaves(table) {
                self.insert(&format!("{key}.{rest}"), Some(value))?;
            }
            return Ok(());
        }
        if !key.split('.').all(is_bare_key) {
            return Err(InputError::new(format!(
                "'{key}' is not a key; expected one such as search.exploration"
            )));
        }
        if self.0.insert(key.to_owned(), value).is_some() {
            return Err(InputError::new(format!(
                "{key}: is given twice; expected each key once"
            )));
        }
        Ok(())
    }

    /// These overrides and others.
    pub fn and(mut self, others: Self) -> Result<Self, InputError> {
        for (key, value) in others.0 {
            self.insert(&key, value)?;
        }
        Ok(self)
    }

    /// These overrides, then later ones, which replace those of the same keys.
    pub fn then(&self, later: &Self) -> Self {
        let is_table = |key: &String| matches!(later.0.get(key), Some(Some(Value::Table(_))));
        let replaces = |new: &String, key: &String| {
            (new == key || tables::is_below(key, new)) && !is_table(new)
        };
        let is_replaced = |key: &String| {
            later.0.keys().any(|new| replaces(new, key))
                || later.sets_budget() && tables::is_budget(key)
        };
        let mut all = self.0.clone();
        all.retain(|key, _| !is_replaced(key));
        all.extend(later.0.clone());
        Self(all)
    }

    /// These overrides, without those of the budget.
    #[cfg(feature = "files")]
    pub(super) fn without_budget(&self) -> Self {
        let mut others = self.clone();
        others.0.retain(|key, _| !tables::is_budget(key));
        others
    }

    /// Whether the budget is set or removed.
    pub(super) fn touches_budget(&self) -> bool {
        self.0.keys().any(|key| tables::is_budget(key))
    }

    fn sets_budget(&self) -> bool {
        let mut keys = self.0.iter();
        keys.any(|(key, value)| value.is_some() && tables::is_budget(key))
    }

    /// Whether these give the key, or one in the table, a value.
    pub(super) fn state(&self, name: &str) -> bool {
        let mut keys = self.0.iter().filter(|(_, value)| value.is_some());
        keys.any(|(key, _)| key == name || tables::is_below(key, name))
    }

    /// Removes keys that have no effect, except those of `own`.
    pub(super) fn drop_idle(&mut self, idle: &[IdleKey], own: &Self) {
        let is_idle = |key: &str| idle.iter().any(|idle| idle.has(key));
        self.0
            .retain(|key, _| own.0.contains_key(key) || !is_idle(key));
    }

    pub(super) fn removed(&self) -> impl Iterator<Item = &str> {
        let keys = self.0.iter().filter(|(_, value)| value.is_none());
        keys.map(|(key, _)| key.as_str())
    }

    /// The table of an agent with these settings.
    pub(in crate::agent) fn apply(&self, table: &Table) -> Result<Table, InputError> {
        let mut table = table.clone();
        if self.sets_budget() {
            tables::clear_budget(&mut table);
        }
        // A table comes before its keys, which are set after the table is removed.
        for (key, value) in &self.0 {
            match value {
                Some(value) => tables::set(&mut table, key, value.clone())?,
                None => drop(tables::remove(&mut table, key)),
            }
        }
        Ok(table)
    }

    /// The name of the variant of an agent.
    pub(super) fn name(&self, agent: &str) -> String {
        if self.is_empty() {
            agent.to_owned()
        } else {
            format!("{agent}{{{self}}}")
        }
    }

    /// Splits `NAME{KEY=VALUE, ...}` into its name and its overrides; there are none without braces.
    pub fn split(text: &str) -> Result<(&str, Self), InputError> {
        let Some((name, rest)) = text.split_once('{') else {
            return Ok((text, Self::default()));
        };
        match rest.trim_end().strip_suffix('}') {
            Some(inside) => {
                let wrong = |error| InputError::new(format!("'{text}': {error}"));
                Ok((name.trim_end(), inside.parse().map_err(wrong)?))
            }
            // A folder may have a brace in its name.
            None if text.ends_with(".toml") => Ok((text, Self::default())),
            None => Err(InputError::new(format!(
                "'{text}': expected NAME{{KEY=VALUE, ...}} with a brace at the end"
            ))),
        }
    }
}

/// The name of an agent in its canonical form, in which overrides are sorted by key. A text that is not a
/// name with overrides is returned unchanged.
pub fn canonical_name(text: &str) -> String {
    let split = Overrides::split(text);
    split.map_or_else(|_| text.to_owned(), |(name, all)| all.name(name))
}

impl FromStr for Overrides {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Self, InputError> {
        let mut overrides = Self::default();
        if text.trim().is_empty() {
            return Ok(overrides);
        }
        if text.contains(['\n', '\r']) {
            return Err(InputError::new(format!(
                "{text:?}: expected overrides on one line"
            )));
        }
        let mut left = Some(text);
        while let Some(item) = left {
            let first = item.split(',').next().unwrap_or_default();
            let Some((key, found)) = first.split_once('=') else {
                return Err(InputError::new(format!(
                    "expected KEY=VALUE, found '{}'",
                    first.trim()
                )));
            };
            let (key, values) = (key.trim(), &item[key.len() + 1..]);
            // A value may have commas: it ends at the first comma before which it is whole.
            let commas = values.match_indices(',').map(|(at, _)| at);
            let mut ends = commas.chain([values.len()]);
            let whole = ends.find_map(|end| Some((end, parse_value(values[..end].trim())?)));
            let (end, value) = whole.ok_or_else(|| {
                let expected = "expected a number, a word, or a text in quotes";
                InputError::new(format!("{key}: {expected}, found {}", found.trim()))
            })?;
            overrides.insert(key, value)?;
            left = values.get(end + 1..);
        }
        Ok(overrides)
    }
}

/// Parses a TOML value or a word; an empty text removes the key. `None` if it is none of them.
fn parse_value(text: &str) -> Option<Option<Value>> {
    let word = || is_word(text).then(|| Value::String(text.to_owned()));
    match text {
        "" => Some(None),
        _ => parse_toml(text).or_else(word).map(Some),
    }
}

/// A text as a TOML value, if it is one.
fn parse_toml(text: &str) -> Option<Value> {
    // As an element, it cannot have a comment.
    let mut table: Table = format!("value = [{text}]").parse().ok()?;
    let Some(Value::Array(mut values)) = table.remove("value") else {
        return None;
    };
    values.pop().filter(|_| values.is_empty())
}

fn is_bare_key(part: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    !part.is_empty() && part.chars().all(plain)
}

/// Whether a text that is not a TOML value is read as a string without quotes.
fn is_word(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./+".contains(c);
    !text.is_empty() && text.chars().all(plain)
}

impl fmt::Display for Overrides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (key, value)) in self.0.iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            write!(f, "{comma}{key}=")?;
            match value {
                None => {}
                Some(Value::String(word)) if is_word(word) && parse_toml(word).is_none() => {
                    f.write_str(word)?;
                }
                Some(value) => write_value(f, value)?,
            }
        }
        Ok(())
    }
}

/// Writes a value as TOML on one line.
fn write_value(f: &mut fmt::Formatter<'_>, value: &Value) -> fmt::Result {
    match value {
        Value::String(text) => write_string(f, text),
        Value::Integer(number) => write!(f, "{number}"),
        Value::Float(number) if number.is_nan() => f.write_str("nan"),
        Value::Float(number) => write!(f, "{number:?}"),
        Value::Boolean(value) => write!(f, "{value}"),
        Value::Datetime(time) => write!(f, "{time}"),
        Value::Array(values) => {
            f.write_str("[")?;
            for (i, value) in values.iter().enumerate() {
                f.write_str(if i == 0 { "" } else { "," })?;
                write_value(f, value)?;
            }
            f.write_str("]")
        }
        Value::Table(table) => {
            f.write_str("{")?;
            for (i, (key, value)) in table.iter().enumerate() {
                f.write_str(if i == 0 { "" } else { "," })?;
                write_string(f, key)?;
                f.write_str("=")?;
                write_value(f, value)?;
            }
            f.write_str("}")
        }
    }
}

fn write_string(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_str("\"")?;
    for c in text.chars() {
        match c {
            '"' | '\\' => write!(f, "\\{c}")?,
            c if c.is_control() => write!(f, "\\u{:04X}", u32::from(c))?,
            c => write!(f, "{c}")?,
        }
    }
    f.write_str("\"")
}

#[cfg(test)]
mod tests;
