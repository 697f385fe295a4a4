//! TOML files. Every mistake is reported in one sentence with the file, the line and the key.

use std::collections::VecDeque;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use toml::de::{DeTable, DeValue};

use self::reader::FileValue;
use crate::util::input_error::MAX_MISTAKES;
use crate::util::limits;
use crate::util::{InputError, KeyFault};

/// Collects mistakes in order to report them together.
#[derive(Debug, Default)]
pub struct Mistakes(Vec<InputError>);

impl Mistakes {
    /// Adds a mistake.
    pub fn add(&mut self, mut error: InputError) {
        let others = std::mem::take(&mut error.others);
        self.0.push(error);
        self.0.extend(others);
    }

    /// Whether there are none so far.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value, if it is valid; otherwise the mistake is added.
    pub fn take<T>(&mut self, found: Result<T, InputError>) -> Option<T> {
        found.map_err(|error| self.add(error)).ok()
    }

    /// Fails if there are mistakes.
    pub fn none(&mut self) -> Result<(), InputError> {
        let mut all = std::mem::take(&mut self.0).into_iter();
        match all.next() {
            None => Ok(()),
            Some(first) => Err(InputError {
                others: all.collect(),
                ..first
            }),
        }
    }

    /// The value, if there are no mistakes.
    pub fn checked<T>(&mut self, found: Option<T>) -> Result<T, InputError> {
        self.none()?;
        Ok(found.expect("a value is missing only where there is a mistake"))
    }
}

impl InputError {
    /// The same error and those collected with it, each with its line. Of several files with their texts, it is
    /// the first of those that contain the longest part of the key. An error in another file is unchanged.
    pub(crate) fn located_in(mut self, files: &[(impl AsRef<Path>, impl AsRef<str>)]) -> Self {
        let others = std::mem::take(&mut self.others).into_iter();
        self.others = others.map(|error| error.located_in(files)).collect();
        let mut paths = files.iter().map(|(path, _)| path.as_ref());
        if self.line.is_some() || !paths.any(|path| path == self.path) {
            return self;
        }
        let places = files.iter().rev().filter_map(|(path, text)| {
            let (depth, line) = self.place_in(text.as_ref())?;
            Some((depth, path.as_ref(), line))
        });
        if let Some((_, path, line)) = places.max_by_key(|&(depth, ..)| depth) {
            (self.path, self.line) = (path.to_owned(), Some(line));
        }
        self
    }

    /// How many parts of the error's key a text contains, and the line of the innermost one.
    fn place_in(&self, text: &str) -> Option<(usize, u32)> {
        let unknown = match &self.fault {
            KeyFault::Unknown(name) => Some(&**name),
            KeyFault::Missing | KeyFault::Value => None,
        };
        // An element of a list is found where the list begins.
        let keys = self.key.split('.');
        let keys = keys.filter_map(|key| key.split('[').next());
        let keys = keys.chain(unknown).filter(|key| !key.is_empty());
        let table = DeTable::parse(text).ok()?;
        let (depth, offset) = offset_of(keys, table.get_ref())?;
        Some((depth, line_at(text, offset)))
    }
}

/// How many of these nested keys the table contains, and where the innermost of them begins. A table may
/// contain the last keys as a single quoted key with dots.
fn offset_of<'a>(
    keys: impl Iterator<Item = &'a str>,
    table: &DeTable<'_>,
) -> Option<(usize, usize)> {
    let keys: Vec<&str> = keys.collect();
    let mut table = Some(table);
    let mut offset = None;
    for (depth, key) in keys.iter().enumerate() {
        let joined = keys[depth..].join(".");
        let found = table.and_then(|table| {
            let whole = table.get_key_value(joined.as_str());
            whole.or_else(|| table.get_key_value(*key))
        });
        let Some((name, value)) = found else {
            break;
        };
        offset = Some((depth, name.span().start));
        table = value.get_ref().as_table();
    }
    offset
}

/// The number of the line, from 1, that contains this byte.
fn line_at(text: &str, offset: usize) -> u32 {
    let before = &text.as_bytes()[..offset.min(text.len())];
    let ends = before.iter().filter(|&&byte| byte == b'\n').count();
    u32::try_from(1 + ends).unwrap_or(u32::MAX)
}

/// A whole number from 1.
pub type Count = NonZeroU32;

/// Reads a file and converts its table; errors get the line of their key.
pub fn read<T>(
    path: &Path,
    check: impl FnOnce(toml::Table) -> Result<T, InputError>,
) -> Result<T, InputError> {
    parse(path, &read_text(path)?, check)
}

/// The kinds of files, a key by which each is known, and the command that reads it.
const KINDS: [(&str, &str, &str); 4] = [
    ("agent", "type", "match"),
    ("self-play", "agent", "learn selfplay"),
    ("tournament", "agents", "run"),
    ("tuning", "space", "tune"),
];

/// Refuses a file that is known as one of another kind.
pub fn check_kind(path: &Path, table: &toml::Table, kind: &str) -> Result<(), InputError> {
    // A list of one agent is one of agents.
    let is_key = |key: &str, value: &toml::Value| key != "agent" || !value.is_array();
    let known = |(_, key, _): &&(&str, &str, &str)| {
        let value = table.get(*key);
        value.is_some_and(|value| is_key(key, value))
    };
    match KINDS.iter().find(known) {
        Some((other, key, command)) if !KINDS.iter().filter(known).any(|(of, ..)| *of == kind) => {
            let what = format!(
                "a key of {other} files, which `patchwork-arena {command}` reads; expected a {kind} file"
            );
            Err(InputError::in_key(path, key, what))
        }
        _ => Ok(()),
    }
}

/// Reads the text of a file.
pub fn read_text(path: &Path) -> Result<String, InputError> {
    limits::CONFIGURATION
        .read_text(path)
        .map_err(|error| InputError::in_file(path, format!("cannot be read: {error}")))
}

/// Like [`read`], but with the text of the file; the path is for messages.
pub fn parse<T>(
    path: &Path,
    text: &str,
    check: impl FnOnce(toml::Table) -> Result<T, InputError>,
) -> Result<T, InputError> {
    check(parse_table(path, text)?).map_err(|error| error.located_in(&[(path, text)]))
}

/// Reads a text as a table; the path is for messages.
pub(crate) fn parse_table(path: &Path, text: &str) -> Result<toml::Table, InputError> {
    text.parse().map_err(|error: toml::de::Error| {
        if let Some(error) = out_of_range(path, text) {
            return error;
        }
        let what = error.message().replace('\n', ", ");
        let line = error.span().map_or(1, |span| line_at(text, span.start));
        InputError {
            line: Some(line),
            ..InputError::in_file(path, format!("not valid TOML: {what}"))
        }
    })
}

/// The whole numbers of a text that are too large for TOML, as an error.
fn out_of_range(path: &Path, text: &str) -> Option<InputError> {
    let table = DeTable::parse(text).ok()?;
    let mut mistakes = Mistakes::default();
    let below = |key: String, table| -> Vec<_> {
        let values = DeTable::iter(table);
        let values = values.map(|(name, value)| (format!("{key}{}", name.get_ref()), value));
        values.collect()
    };
    let mut values = VecDeque::from(below(String::new(), table.get_ref()));
    while let Some((key, value)) = values.pop_front() {
        match value.get_ref() {
            DeValue::Integer(number)
                if i64::from_str_radix(number.as_str(), number.radix()).is_err() =>
            {
                let what = format!(
                    "{number} is out of range; expected a whole number from 0 to {}",
                    i64::MAX
                );
                mistakes.add(InputError {
                    line: Some(line_at(text, value.span().start)),
                    ..InputError::in_key(path, &key, what)
                });
            }
            DeValue::Array(list) => values.extend(list.iter().map(|value| (key.clone(), value))),
            DeValue::Table(inner) => values.extend(below(format!("{key}."), inner)),
            _ => {}
        }
    }
    mistakes.none().err()
}

/// Deserializes a table into a strict structure.
pub fn from_table<T: DeserializeOwned>(path: &Path, table: toml::Table) -> Result<T, InputError> {
    let mut removed: Vec<Vec<String>> = Vec::new();
    let mut mistakes = Mistakes::default();
    let mut left = table;
    loop {
        let (wrong, steps) = match read_value(left.clone().into()) {
            Ok(value) if mistakes.is_empty() => return Ok(value),
            Ok(_) => break,
            Err(error) => *error,
        };
        // A table may be wrong only because a key inside it was removed.
        if !removed.iter().any(|key| key.starts_with(&steps)) {
            mistakes.add(InputError::in_file(path, wrong));
        }
        // Once the key is removed, the next mistake shows.
        if removed.len() == MAX_MISTAKES || !remove(&mut left, &steps) {
            break;
        }
        removed.push(steps);
    }
    mistakes.checked(None)
}

/// Removes the value that these steps lead to from a table; returns whether it was there.
fn remove(table: &mut toml::Table, steps: &[String]) -> bool {
    let [key, rest @ ..] = steps else {
        return false;
    };
    match table.get_mut(key) {
        Some(toml::Value::Table(inner)) if !rest.is_empty() => remove(inner, rest),
        // For an element of a list, the whole list is removed.
        Some(_) => table.remove(key).is_some(),
        None => false,
    }
}

/// Deserializes a value into a strict structure.
pub fn from_value<T: DeserializeOwned>(value: toml::Value) -> Result<T, InputError> {
    read_value(value).map_err(|error| error.0)
}

/// Deserializes a value up to the first mistake, which is returned with the steps to its key.
fn read_value<T: DeserializeOwned>(
    value: toml::Value,
) -> Result<T, Box<(InputError, Vec<String>)>> {
    serde_path_to_error::deserialize(FileValue(value)).map_err(|error| {
        let steps: Vec<String> = error.path().iter().map(ToString::to_string).collect();
        let path = error.path().to_string();
        let mut wrong = error.into_inner();
        if !steps.is_empty() {
            let mut key = path.as_str();
            if let KeyFault::Unknown(name) = &wrong.fault
                && let Some(outer) = key.strip_suffix(&**name)
            {
                // The sentence names the last part of the path.
                key = outer.trim_end_matches('.');
            }
            wrong.key = key.into();
        }
        Box::new((wrong, steps))
    })
}

/// The absolute path of a file or folder; unchanged if the current folder is unknown.
pub fn absolute(path: &Path) -> PathBuf {
    path.canonicalize()
        .or_else(|_| std::path::absolute(path))
        .unwrap_or_else(|_| path.to_owned())
}

mod reader;

#[cfg(test)]
mod tests;
