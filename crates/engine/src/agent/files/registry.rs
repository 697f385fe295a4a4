//! The kinds of agents that this program knows, by which settings are read.

use std::path::Path;
use std::sync::{LazyLock, PoisonError, RwLock};

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};

use super::tables;
use crate::agent::declare::IdleKey;
use crate::agent::kind::AgentKind;
use crate::agent::kinds;
use crate::agent::settings::{AgentSettings, RegisteredKind};
use crate::search::{BY, FinalChoice, PlayoutPolicy, RootAllocation, SearchPart, SelectionRule};
use crate::util::InputError;
#[cfg(feature = "schema")]
use crate::util::schema::FileSchema;
use crate::util::suggest::one_of;

static KINDS: LazyLock<RwLock<Vec<RegisteredKind>>> = LazyLock::new(|| kinds::shipped().into());

/// Makes a kind of agent known to this program, from when on agents' files and stored plans can name it. The
/// kinds of this library are known from the start.
///
/// # Panics
/// If another kind has this name.
pub fn register<K: AgentKind + DeserializeOwned>() {
    add(RegisteredKind::of::<K>());
}

/// As [`register`], for a kind whose keys become part of [`agent_schema`].
#[cfg(feature = "schema")]
pub fn register_with_schema<K: AgentKind + DeserializeOwned + JsonSchema>() {
    add(RegisteredKind {
        keys: Some(|file| file.table::<K>()),
        ..RegisteredKind::of::<K>()
    });
}

fn add(kind: RegisteredKind) {
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

/// The keys that have no effect in a table of an agent's keys, with `type`; none if it does not describe an agent.
pub(super) fn idle_keys(mut keys: toml::Table) -> Vec<IdleKey> {
    let mut idle = keys_of_other_parts(&keys);
    for key in &idle {
        tables::remove(&mut keys, &key.name);
    }
    let kind = keys.remove("type");
    let kind = kind.as_ref().and_then(toml::Value::as_str);
    let kinds = registered();
    if let Some(known) = kinds.iter().find(|known| Some(known.name) == kind) {
        idle.extend((known.idle)(keys));
    }
    idle
}

/// The keys that the part named beside them does not have, but another part of its kind.
fn keys_of_other_parts(keys: &toml::Table) -> Vec<IdleKey> {
    let leaves = tables::leaves(keys);
    let mut idle = Vec::new();
    for (by, part) in &leaves {
        let table = by.strip_suffix(BY).filter(|table| table.ends_with('.'));
        let Some((table, part)) = table.zip(part.as_str()) else {
            continue;
        };
        for (name, _) in &leaves {
            let parts = name.strip_prefix(table).map(|key| parts_with(key, part));
            let parts = parts.unwrap_or_default();
            if !parts.is_empty() && !parts.contains(&part) {
                idle.push(IdleKey {
                    name: name.clone().into(),
                    with: format!("{by} = \"{}\"", parts.join("\" or \"")).into(),
                    is_refused: true,
                });
            }
        }
    }
    idle
}

/// The parts with a key, of the kinds that have a part of this name.
fn parts_with(key: &str, part: &str) -> Vec<&'static str> {
    fn of<T: SearchPart>(key: &str, part: &str) -> Vec<&'static str> {
        let parts = T::named(part).map_or_else(Vec::new, |_| T::all());
        let infos = parts.into_iter().map(SearchPart::info);
        let with_key = infos.filter(|of| of.keys.iter().any(|of| of.name == key));
        with_key.map(|of| of.name).collect()
    }
    let kinds = [
        of::<SelectionRule>,
        of::<FinalChoice>,
        of::<RootAllocation>,
        of::<PlayoutPolicy>,
    ];
    let parts = kinds.iter().flat_map(|of| of(key, part));
    parts.collect()
}

/// Removes the keys of a table that have no effect and would be refused, except those that `is_own` is true for. Returns
/// those that have no effect.
pub(super) fn drop_idle(keys: &mut toml::Table, is_own: impl Fn(&str) -> bool) -> Vec<IdleKey> {
    let mut idle = idle_keys(keys.clone());
    idle.retain(|key| key.is_refused && !is_own(&key.name));
    for key in &idle {
        tables::remove(keys, &key.name);
    }
    idle
}

/// The schema of agent files, for editors: the keys of each registered kind of agent, and files that extend others, in
/// which no key is required.
#[cfg(feature = "schema")]
pub fn agent_schema() -> serde_json::Value {
    let mut file = FileSchema::default();
    let description = serde_json::json!({ "type": "string", "description": "What the agent is for, in one sentence." });
    let kind =
        |name: &str| serde_json::json!({ "const": name, "description": "The kind of agent." });
    // A person is not described by a file.
    let mut kinds = registered();
    kinds.retain(|kind| kind.name != AgentSettings::PERSON);
    let kinds: Vec<_> = kinds
        .iter()
        .filter_map(|kind| Some((kind.name, kind.keys?)))
        .collect();
    for &(name, keys) in &kinds {
        let table = keys(&mut file);
        let table = table.with("type", true, kind(name));
        file.add(
            table
                .with("description", false, description.clone())
                .titled(name),
        );
    }
    for (name, keys) in kinds {
        let table = keys(&mut file);
        let extends = serde_json::json!({
            "type": "string",
            "description": "The name or the path of an agent file, whose keys this one changes.",
        });
        let unset = serde_json::json!({
            "type": "array",
            "items": { "type": "string" },
            "description": "Keys of the extended file that this agent does not have.",
        });
        let table = table.optional().with("type", false, kind(name));
        let table = table.with("unset", false, unset);
        let table = table.with("extends", true, extends);
        let table = table.with("description", false, description.clone());
        file.add(table.titled(&format!("extends an agent of type {name}")));
    }
    file.finish(
        "Agent of Patchwork Arena",
        "An agent file: one agent, named as its file.",
    )
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
        let settings = Self::read(label, keys, Some(file))?;
        let is_stated = |key: &IdleKey| settings.without(key).canonical() != settings.canonical();
        let mut refused = settings.idle().into_iter().filter(|key| key.is_refused);
        match refused.find(is_stated) {
            Some(key) => Err(InputError::in_file(label, key)),
            None => Ok(settings),
        }
    }

    /// The same agent without the keys that have no effect and can be left out.
    pub fn without_idle(self) -> Self {
        let idle = self.idle().into_iter();
        idle.fold(self, |settings, key| settings.without(&key))
    }

    fn without(&self, key: &IdleKey) -> Self {
        let mut table = self.table();
        tables::remove(&mut table, &key.name);
        Self::from_table(Path::new(""), table).unwrap_or_else(|_| self.clone())
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
