//! The kinds of agents that this program knows, by which settings are read.

use std::path::Path;
use std::sync::{LazyLock, PoisonError, RwLock};

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};

use super::kind::AgentKind;
use super::kinds;
use super::settings::{AgentSettings, RegisteredKind};
use crate::util::InputError;
use crate::util::suggest::one_of;

static KINDS: LazyLock<RwLock<Vec<RegisteredKind>>> = LazyLock::new(|| kinds::shipped().into());

/// Makes a kind of agent known to this program, from when on agents' files and stored plans can name it. The
/// kinds of this library are known from the start.
///
/// # Panics
/// If another kind has this name.
pub fn register<K: AgentKind + DeserializeOwned>() {
    let kind = RegisteredKind::of::<K>();
    let mut kinds = KINDS.write().unwrap_or_else(PoisonError::into_inner);
    match kinds.iter().find(|known| known.name == kind.name) {
        None => kinds.push(kind),
        Some(known) => assert!(
            known.settings == kind.settings,
            "{}: another kind of agent has this name",
            kind.name
        ),
    }
}

/// The kinds that this program knows.
pub(super) fn registered() -> Vec<RegisteredKind> {
    let kinds = KINDS.read().unwrap_or_else(PoisonError::into_inner);
    kinds.clone()
}

impl AgentSettings {
    /// Reads a table with the key `type` and the keys of that kind; the path is used in messages.
    pub fn from_table(path: &Path, table: toml::Table) -> Result<Self, InputError> {
        Self::read(path, table, None)
    }

    /// Reads the keys of a file, or of a variant of its agent, and completes them with what is beside the file. The
    /// label is used in messages.
    pub(super) fn of_file(
        label: &Path,
        file: &Path,
        keys: toml::Table,
    ) -> Result<Self, InputError> {
        Self::read(label, keys, Some(file))
    }

    fn read(label: &Path, mut keys: toml::Table, file: Option<&Path>) -> Result<Self, InputError> {
        let kinds = registered();
        let names = kinds.iter().map(|kind| kind.name);
        let names: Vec<&str> = names.filter(|name| *name != Self::PERSON).collect();
        let expected = one_of(&names);
        let kind = match keys.remove("type") {
            Some(toml::Value::String(kind)) => kind,
            Some(other) => {
                let found = other.type_str();
                let what = format!("expected {expected}, found a value of type {found}");
                return Err(InputError::in_key(label, "type", what));
            }
            None => {
                let mut missing = InputError::missing("type");
                missing.what += &format!("; expected {expected}");
                return Err(InputError::in_file(label, missing));
            }
        };
        match kinds.iter().find(|known| known.name == kind) {
            Some(known) => (known.read)(label, keys, file),
            None => {
                let wrong = InputError::unknown_value("type", &kind, &names);
                Err(InputError::in_file(label, wrong))
            }
        }
    }
}

impl<'de> Deserialize<'de> for AgentSettings {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let table = toml::Table::deserialize(from)?;
        Self::from_table(Path::new(""), table)
            .map_err(|error| D::Error::custom(error.without_place()))
    }
}
