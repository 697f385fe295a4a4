//! What is wrong with an input: a file, a key of it, an argument or a text.

use std::fmt::{self, Display};
use std::path::{Path, PathBuf};

use serde::de::{self, Expected, Unexpected};

use crate::util::suggest::{did_you_mean, one_of};

/// Why an input is refused, in one sentence: where, what was found, and what was expected. Values that are
/// deserialized with this error type get its sentences instead of serde's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InputError {
    /// The file; empty for the command line and for texts.
    pub path: PathBuf,
    /// The line, from 1, if it is known.
    pub line: Option<u32>,
    /// The dotted key; empty for all of what is read.
    pub key: Box<str>,
    /// What is wrong with the key.
    pub fault: KeyFault,
    /// What was found and what was expected.
    pub what: String,
    /// Further independent mistakes.
    pub others: Vec<Self>,
}

/// What is wrong with a key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum KeyFault {
    /// A key below it is missing.
    Missing,
    /// There is no key of this name below it.
    Unknown(Box<str>),
    /// Its value, or something else.
    #[default]
    Value,
}

/// Maximum number of mistakes reported at once.
pub(super) const MAX_MISTAKES: usize = 10;

impl InputError {
    /// A sentence about all of what is read.
    pub fn new(sentence: impl Into<String>) -> Self {
        Self {
            what: sentence.into(),
            ..Self::default()
        }
    }

    /// A sentence about the value of a key, or about all of what is read if the key is empty.
    pub fn at(key: &str, what: impl Display) -> Self {
        Self {
            key: key.into(),
            ..Self::new(what.to_string())
        }
    }

    /// `unknown PART 'FOUND'`, the known names, and a suggestion if one is similar.
    pub fn unknown_name(part: &str, found: &str, known: &[&str]) -> Self {
        let near = did_you_mean(found, known.iter().copied());
        let known = one_of(known);
        Self::new(format!("unknown {part} '{found}'; expected {known}{near}"))
    }

    /// What is wrong with this file.
    pub fn in_file(path: &Path, wrong: impl Into<Self>) -> Self {
        Self {
            path: path.to_owned(),
            ..wrong.into()
        }
    }

    /// What is wrong with this key of the file, or with the file if the key is empty.
    pub fn in_key(path: &Path, key: &str, what: impl Display) -> Self {
        Self::in_file(path, Self::at(key, what))
    }

    /// What is wrong, without where and without further mistakes.
    pub fn without_place(self) -> Self {
        Self {
            path: PathBuf::new(),
            line: None,
            others: Vec::new(),
            ..self
        }
    }

    /// A key is missing.
    pub fn missing(name: &str) -> Self {
        Self {
            fault: KeyFault::Missing,
            ..Self::new(format!("missing key `{name}`"))
        }
    }

    /// A key is not one of those that are known.
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
            ..Self::new(what)
        }
    }

    /// The value of a key is not one of the names that are known.
    pub fn unknown_value(key: &str, name: &str, known: &[&str]) -> Self {
        let near = did_you_mean(name, known.iter().copied());
        let expected = one_of(known);
        Self::at(
            key,
            format_args!("unknown value \"{name}\"; expected {expected}{near}"),
        )
    }

    /// The first mistake.
    fn sentence(&self) -> String {
        let place = match (self.path.display(), self.line) {
            _ if self.path.as_os_str().is_empty() => String::new(),
            (path, Some(line)) => format!("{path}:{line}: "),
            (path, None) => format!("{path}: "),
        };
        let key = match &*self.key {
            "" => String::new(),
            key => format!("{key}: "),
        };
        format!("{place}{key}{}", self.what)
    }
}

/// A single mistake on its own line, or several mistakes on lines below their number.
impl Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut all: Vec<String> = Vec::new();
        for one in std::iter::once(self)
            .chain(&self.others)
            .map(Self::sentence)
        {
            if !all.contains(&one) {
                all.push(one);
            }
        }
        if let [only] = &all[..] {
            return f.write_str(only);
        }
        write!(f, "{} mistakes", all.len())?;
        for one in all.iter().take(MAX_MISTAKES) {
            write!(f, "\n  {one}")?;
        }
        if all.len() > MAX_MISTAKES {
            write!(f, "\n  and {} more", all.len() - MAX_MISTAKES)?;
        }
        Ok(())
    }
}

impl std::error::Error for InputError {}

impl From<String> for InputError {
    fn from(what: String) -> Self {
        Self::new(what)
    }
}

impl From<&str> for InputError {
    fn from(what: &str) -> Self {
        Self::new(what)
    }
}

impl de::Error for InputError {
    fn custom<T: Display>(what: T) -> Self {
        Self::new(what.to_string())
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
