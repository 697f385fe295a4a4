//! Reading TOML files so that every mistake becomes one sentence with the file and the key.

use std::fmt;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use serde::de::{DeserializeOwned, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::util::suggest::nearest;

/// What is wrong with a configuration file.
#[derive(Debug, thiserror::Error)]
#[error("{}: {what}", path.display())]
pub struct ConfigError {
    /// The file.
    pub path: PathBuf,
    /// The key and what was expected there.
    pub what: String,
}

impl ConfigError {
    /// An error in this file.
    #[must_use]
    pub fn new(path: &Path, what: impl Into<String>) -> Self {
        Self {
            path: path.to_owned(),
            what: what.into(),
        }
    }

    /// An error at this key of the file.
    #[must_use]
    pub fn at(path: &Path, key: &str, what: impl fmt::Display) -> Self {
        Self::new(path, format!("{key}: {what}"))
    }
}

/// A number of things: 1 to 4294967295.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Count(NonZeroU32);

impl Count {
    /// The number.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0.get()
    }
}

impl From<NonZeroU32> for Count {
    fn from(count: NonZeroU32) -> Self {
        Self(count)
    }
}

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct CountVisitor;

        impl Visitor<'_> for CountVisitor {
            type Value = Count;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a whole number from 1 to {}", u32::MAX)
            }

            fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<Count, E> {
                let count = u32::try_from(number).ok().and_then(NonZeroU32::new);
                count
                    .map(Count)
                    .ok_or_else(|| E::invalid_value(Unexpected::Signed(number), &self))
            }

            fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<Count, E> {
                let count = u32::try_from(number).ok().and_then(NonZeroU32::new);
                count
                    .map(Count)
                    .ok_or_else(|| E::invalid_value(Unexpected::Unsigned(number), &self))
            }
        }

        from.deserialize_u32(CountVisitor)
    }
}

/// Reads a file as a table.
///
/// # Errors
/// When the file cannot be read or is not TOML.
pub fn read_table(path: &Path) -> Result<toml::Table, ConfigError> {
    let text = std::fs::read_to_string(path).map_err(|error| {
        ConfigError::new(path, format!("cannot be read as a text file: {error}"))
    })?;
    parse_table(path, &text)
}

/// Reads a text as a table; the path is for messages.
///
/// # Errors
/// When the text is not TOML.
pub fn parse_table(path: &Path, text: &str) -> Result<toml::Table, ConfigError> {
    text.parse().map_err(|error: toml::de::Error| {
        let line = error.span().map_or(0, |span| {
            text[..span.start.min(text.len())].matches('\n').count()
        });
        let what = error.message().replace('\n', ", ");
        ConfigError::new(path, format!("line {}: not valid TOML: {what}", line + 1))
    })
}

/// Turns a table into a strict structure.
///
/// # Errors
/// When a key is missing, unknown or of the wrong type.
pub fn from_table<T: DeserializeOwned>(path: &Path, table: toml::Table) -> Result<T, ConfigError> {
    serde_path_to_error::deserialize(toml::Value::Table(table)).map_err(|error| {
        let message = error.inner().message();
        let mut key = error.path().to_string();
        if message.starts_with("unknown field") {
            // The message names the last part of the path.
            key.truncate(key.rfind('.').unwrap_or(0));
        }
        match key.as_str() {
            "" | "." => ConfigError::new(path, sentence(message)),
            key => ConfigError::at(path, key, sentence(message)),
        }
    })
}

/// Serde's message on one line; for an unknown key with the nearest known one.
fn sentence(message: &str) -> String {
    let mut text = message.trim().replace('\n', ", ");
    if text.starts_with("unknown field") || text.starts_with("unknown variant") {
        let quoted: Vec<&str> = text.split('`').skip(1).step_by(2).collect();
        if let [name, known @ ..] = quoted.as_slice()
            && let Some(near) = nearest(name, known.iter().copied())
        {
            text = format!("{text}; did you mean {near}?");
        }
    }
    for (of_serde, of_toml) in [
        ("unknown field", "unknown key"),
        ("missing field", "missing key"),
        ("there are no fields", "there are no other keys"),
        ("invalid type: map", "invalid type: table"),
        ("invalid type: sequence", "invalid type: list"),
        ("expected a sequence", "expected a list"),
        ("expected u32", "expected a whole number of 0 or more"),
        ("expected u8", "expected a whole number from 0 to 255"),
        ("expected f64", "expected a number"),
        (
            "unit variant, expected string only",
            "expected a name in quotes",
        ),
    ] {
        text = text.replace(of_serde, of_toml);
    }
    // The names of structures are ours, not the file's.
    if let Some((before, after)) = text.split_once("expected struct ") {
        let rest = after.find(|c: char| !c.is_alphanumeric());
        let rest = rest.map_or("", |rest| &after[rest..]);
        text = format!("{before}expected a table{rest}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Outer {
        #[expect(dead_code, reason = "only parsed")]
        inner: Inner,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Inner {
        #[expect(dead_code, reason = "only parsed")]
        count: Count,
    }

    fn error(text: &str) -> String {
        let path = Path::new("x.toml");
        parse_table(path, text)
            .and_then(|table| from_table::<Outer>(path, table))
            .map_or_else(|error| error.to_string(), |ok| format!("{ok:?}"))
    }

    #[test]
    fn messages_name_file_and_key() {
        for (text, expected) in [
            ("inner = 3", "x.toml: inner: invalid type"),
            (
                "[inner]\ncount = 'a'",
                "x.toml: inner.count: invalid type: string \"a\"",
            ),
            (
                "[inner]\ncount = 0",
                "x.toml: inner.count: invalid value: integer `0`",
            ),
            (
                "[inner]\ncount = -1",
                "x.toml: inner.count: invalid value: integer `-1`",
            ),
            (
                "[inner]\ncount = 5000000000",
                "x.toml: inner.count: invalid value: integer `5000000000`, expected a whole number from 1 to 4294967295",
            ),
            ("[inner]\n", "x.toml: inner: missing key `count`"),
            ("a\nb", "x.toml: line 1: not valid TOML"),
            (
                "[inner]\ncount = 1\ncount = 2",
                "x.toml: line 3: not valid TOML",
            ),
        ] {
            let message = error(text);
            assert!(message.starts_with(expected), "{message}");
            assert!(!message.contains('\n'));
        }
        let message = error("[inner]\ncuont = 1");
        assert!(message.starts_with("x.toml: inner"), "{message}");
        assert!(
            message.contains("unknown key `cuont`") && message.ends_with("did you mean count?"),
            "{message}"
        );
    }
}
