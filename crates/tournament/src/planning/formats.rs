//! Tournament formats: which agents meet.
//!
//! To add a format, create a file with a type that implements the trait in `format.rs`, and add a
//! line to the list below.

use std::path::Path;

use patchwork_engine::util::schema::{FileSchema, SchemaTable};
use patchwork_engine::util::{InputError, KeyFault};
use serde::{Deserialize, Serialize};

use super::format::{Entrants, FormatInfo, TournamentFormat};
use super::pairings::Pairings;

/// Reads a format's settings from its own keys of a tournament file.
type FormatReader = fn(toml::Table, &mut Entrants<'_>) -> Result<Format, InputError>;

/// Declares the module of each format and the enum of all of them; the formats listed first have no settings.
macro_rules! formats {
    (
        $($plain:ident: $Plain:ident = $plain_about:literal,)+;
        $($file:ident: $Type:ident = $about:literal,)+
    ) => {
        $(mod $plain;)+
        $(mod $file;)+
        $(use $plain::$Plain;)+
        $(pub use $file::$Type;)+

        /// Which agents meet. Agents are given by name.
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum Format {
            $(#[doc = $plain_about] $Plain,)+
            $(#[doc = $about] $Type($Type),)+
        }

        impl Format {
            /// The fixed properties of each format, and its reader; the default comes first.
            fn all() -> Vec<(FormatInfo, FormatReader)> {
                vec![
                    $(($Plain::info(), |keys, entrants| {
                        $Plain::read(keys, entrants).map(|_| Self::$Plain)
                    }),)+
                    $(($Type::info(), |keys, entrants| {
                        $Type::read(keys, entrants).map(Self::$Type)
                    }),)+
                ]
            }

            /// The own keys of each format; the default comes first.
            pub(in crate) fn schemas(file: &mut FileSchema) -> Vec<(FormatInfo, SchemaTable)> {
                vec![
                    $(($Plain::info(), $Plain::schema(file)),)+
                    $(($Type::info(), $Type::schema(file)),)+
                ]
            }

            /// The keys of all formats.
            pub(in crate) fn keys() -> Vec<&'static str> {
                let all = Self::all().into_iter();
                all.flat_map(|(info, _)| info.keys).copied().collect()
            }

            pub(in crate) fn info(&self) -> FormatInfo {
                match self {
                    $(Self::$Plain => $Plain::info(),)+
                    $(Self::$Type(_) => $Type::info()),+
                }
            }

            /// The pairings of the agents with these names, which are sorted.
            pub(in crate) fn pairings(&self, names: &[&str]) -> Pairings {
                match self {
                    $(Self::$Plain => $Plain.pairings(names),)+
                    $(Self::$Type(format) => format.pairings(names)),+
                }
            }

            pub(in crate) fn check(&mut self, names: &[&str]) -> Result<(), InputError> {
                match self {
                    $(Self::$Plain => $Plain.check(names),)+
                    $(Self::$Type(format) => format.check(names)),+
                }
            }
        }

        $(impl From<$Type> for Format {
            fn from(format: $Type) -> Self {
                Self::$Type(format)
            }
        })+
    };
}

formats! {
    round_robin: RoundRobin = "Every agent plays every other agent.",
    ;
    gauntlet: Gauntlet = "Some agents against all others.",
}

impl Format {
    /// The format's name in tournament files.
    pub fn name(&self) -> &'static str {
        self.info().name
    }

    /// A gauntlet of some agents, given by name, against all others.
    pub fn gauntlet(challengers: impl IntoIterator<Item = String>) -> Self {
        let challengers = challengers.into_iter().collect();
        Gauntlet { challengers }.into()
    }

    /// Checks that pairings of this format may be ended by a sequential test.
    pub(crate) fn check_testable(&self) -> Result<(), InputError> {
        if self.info().is_testable {
            return Ok(());
        }
        let what = only_with(self.name(), |info| info.is_testable);
        Err(InputError::at("sprt", what))
    }

    /// Removes `format` and the format's own keys from the table of a tournament file, and returns the properties of the
    /// format and its keys.
    pub(crate) fn take_keys(
        file: &Path,
        table: &mut toml::Table,
    ) -> Result<(FormatInfo, toml::Table), InputError> {
        let all = Self::all();
        let name = match table.remove("format") {
            None => all[0].0.name.to_owned(),
            Some(toml::Value::String(name)) => name,
            Some(other) => {
                let what = format!("found {other}; expected the name of a format in quotes");
                return Err(InputError::in_key(file, "format", what));
            }
        };
        let Some((info, _)) = all.iter().find(|(info, _)| info.name == name) else {
            let names: Vec<&str> = all.iter().map(|(info, _)| info.name).collect();
            let wrong = InputError::unknown_value("format", &name, &names);
            return Err(InputError::in_file(file, wrong));
        };
        let mut keys = toml::Table::new();
        for key in all.iter().flat_map(|(info, _)| info.keys) {
            let Some(value) = table.remove(*key) else {
                continue;
            };
            if !info.keys.contains(key) {
                let what = only_with(&name, |other| other.keys.contains(key));
                return Err(InputError::in_key(file, key, what));
            }
            keys.insert((*key).to_owned(), value);
        }
        Ok((*info, keys))
    }

    /// Reads the settings of the format with this name from its own keys.
    pub(crate) fn read(
        name: &str,
        keys: toml::Table,
        entrants: &mut Entrants<'_>,
    ) -> Result<Self, InputError> {
        let file = entrants.file;
        let mut all = Self::all().into_iter();
        let (_, read) = all.find(|(info, _)| info.name == name).expect("a format");
        read(keys, entrants).map_err(|mut error| {
            if error.path == file && error.fault == KeyFault::Missing {
                error.what += &format!(", which format = \"{name}\" needs");
            }
            error
        })
    }
}

/// The message for a key that belongs to some formats but not to this one.
fn only_with(name: &str, goes: impl Fn(&FormatInfo) -> bool) -> String {
    let all = Format::all();
    let names = all.iter().filter(|(info, _)| goes(info));
    let names: Vec<String> = names
        .map(|(info, _)| format!("\"{}\"", info.name))
        .collect();
    format!(
        "requires format = {}, and the format is \"{name}\"",
        names.join(" or ")
    )
}
