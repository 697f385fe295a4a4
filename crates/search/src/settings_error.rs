//! What is wrong with settings.

use std::error::Error;
use std::fmt;

/// Why there is no search, or no part, with these settings.
#[derive(Clone, Debug, PartialEq)]
pub enum SettingsError {
    /// No part of the kind has this name.
    UnknownPart {
        /// The name.
        found: String,
        /// The names of all parts of the kind.
        known: Vec<&'static str>,
    },
    /// A part has no such key.
    UnknownKey {
        /// The key.
        found: String,
        /// The keys of the part, after that of its name.
        known: Vec<&'static str>,
    },
    /// A number is not in its range.
    Range {
        /// The key that has it.
        key: &'static str,
        /// The number.
        found: f64,
        /// The least and the greatest value of the key.
        range: [f64; 2],
    },
    /// A setting cannot be combined with others, or the game lacks what it requires.
    Conflict {
        /// The setting.
        key: &'static str,
        /// What it requires, or excludes.
        why: &'static str,
    },
    /// A search has from 1 to 256 threads, not this many.
    Threads(usize),
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownPart { found, known } => {
                let known = known.join("`, `");
                write!(f, "unknown variant `{found}`, expected one of `{known}`")
            }
            Self::UnknownKey { found, known } => {
                let known = known.join("` or `");
                write!(f, "unknown key `{found}`, expected `{known}`")
            }
            Self::Range { key, found, range } => {
                let [least, most] = range;
                write!(
                    f,
                    "{key}: expected a number from {least} to {most}, found {found}"
                )
            }
            Self::Conflict { key, why } => write!(f, "{key}: {why}"),
            Self::Threads(found) => write!(f, "expected from 1 to 256 threads, found {found}"),
        }
    }
}

impl Error for SettingsError {}

/// Checks that a number is in its range.
pub(crate) fn check_range(
    key: &'static str,
    found: f64,
    range: [f64; 2],
) -> Result<(), SettingsError> {
    match found >= range[0] && found <= range[1] {
        true => Ok(()),
        false => Err(SettingsError::Range { key, found, range }),
    }
}
