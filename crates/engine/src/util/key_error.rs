//! What is wrong with a key of a file, or with its value.

use std::fmt::{self, Display};

use serde::de::{self, Expected, Unexpected};

use crate::util::suggest::{did_you_mean, one_of};

/// What is wrong with a key or its value. Values that are deserialized with this error type get its sentences
/// instead of serde's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyError {
    /// The dotted key; empty for all of what is read.
    pub key: String,
    /// What is wrong.
    pub fault: KeyFault,
    /// What was found and what was expected.
    pub what: String,
}

/// What is wrong with a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyFault {
    /// A key below it is missing.
    Missing,
    /// There is no key of this name below it.
    Unknown(Box<str>),
    /// Its value, or something else.
    Value,
}

impl KeyError {
    /// A sentence about the value of a key, or about all of what is read if the key is empty.
    #[must_use]
    pub fn at(key: &str, what: impl Display) -> Self {
        Self {
            key: key.to_owned(),
            fault: KeyFault::Value,
            what: what.to_string(),
        }
    }

    /// A key is missing.
    #[must_use]
    pub fn missing(name: &str) -> Self {
        Self {
            fault: KeyFault::Missing,
            ..Self::at("", format_args!("missing key `{name}`"))
        }
    }

    /// A key is not one of those that are known.
    #[must_use]
    pub fn unknown(name: &str, known: &[&str]) -> Self {
        let what = match known {
            [] => format!("unknown key `{name}`; there are no other keys"),
            _ => {
                let near = did_you_mean(name, known.iter().copied());
                format!("unknown key `{name}`; expected {}{near}", one_of(known))
            }
        };
        Self {
            fault: KeyFault::Unknown(name.into()),
            ..Self::at("", what)
        }
    }

    /// The value of a key is not one of the names that are known.
    #[must_use]
    pub fn unknown_value(key: &str, name: &str, known: &[&str]) -> Self {
        let near = did_you_mean(name, known.iter().copied());
        let expected = one_of(known);
        Self::at(
            key,
            format_args!("unknown value \"{name}\"; expected {expected}{near}"),
        )
    }
}

impl Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.key.is_empty() {
            write!(f, "{}: ", self.key)?;
        }
        f.write_str(&self.what)
    }
}

impl std::error::Error for KeyError {}

impl From<String> for KeyError {
    fn from(what: String) -> Self {
        Self::at("", what)
    }
}

impl From<&str> for KeyError {
    fn from(what: &str) -> Self {
        Self::at("", what)
    }
}

impl de::Error for KeyError {
    fn custom<T: Display>(what: T) -> Self {
        Self::at("", what)
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let expected = expected.to_string();
        let expected = kind(&expected);
        Self::from(match found {
            // The type that serde found where a table was expected is not one of a file.
            Unexpected::UnitVariant => format!("expected {expected}"),
            found => format!("expected {expected}, found {}", value(found)),
        })
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::invalid_type(found, expected)
    }

    fn unknown_variant(name: &str, known: &'static [&'static str]) -> Self {
        Self::unknown_value("", name, known)
    }

    fn unknown_field(name: &str, known: &'static [&'static str]) -> Self {
        Self::unknown(name, known)
    }

    fn missing_field(name: &'static str) -> Self {
        Self::missing(name)
    }
}

/// A kind of value that serde expected, in terms of files.
fn kind(expected: &str) -> &str {
    match expected {
        "a sequence" => "a list",
        "a map" => "a table",
        "a nonzero u32" => "a whole number from 1 to 4294967295",
        "u32" => "a whole number of 0 or more",
        // TOML has no greater ones.
        "u64" => "a whole number from 0 to 9223372036854775807",
        "u8" => "a whole number from 0 to 255",
        "f32" | "f64" => "a number",
        "unit" => "a name in quotes",
        // Names of structures mean nothing to the reader of the message.
        other if other.starts_with("struct ") => "a table",
        other => other,
    }
}

/// A value that serde found, without its type where the value makes it obvious.
fn value(found: Unexpected<'_>) -> String {
    match found {
        Unexpected::Bool(value) => value.to_string(),
        Unexpected::Unsigned(number) => number.to_string(),
        Unexpected::Signed(number) => number.to_string(),
        Unexpected::Float(number) if number.is_finite() && number.fract() == 0.0 => {
            format!("{number:.1}")
        }
        Unexpected::Float(number) => number.to_string(),
        Unexpected::Str(text) => format!("{text:?}"),
        Unexpected::Unit => "nothing".to_owned(),
        Unexpected::Map => "a table".to_owned(),
        Unexpected::Seq => "a list".to_owned(),
        other => other.to_string(),
    }
}
