//! Agent files: one agent per file, named after the file.

use std::path::{Path, PathBuf};

use super::extends::merged_keys;
use super::folder::{PLAIN_NAME, is_plain_name};
use super::registry::{drop_idle, idle_keys};
use super::shipped;
use super::tables;
use super::variant::Overrides;
use crate::agent::declare::IdleKey;
use crate::agent::player::Agent;
use crate::agent::settings::AgentSettings;
use crate::util::{InputError, KeyFault};

/// An agent as described by its file, or a variant of one.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentFile {
    /// The file's name without `.toml`; that of a variant has its overrides in braces.
    pub name: String,
    /// The path it was read from; that of a shipped agent begins with `<shipped>`.
    pub path: PathBuf,
    /// The description in the file.
    pub description: String,
    /// All other settings in the file and the files it extends, validated.
    pub config: AgentSettings,
    /// The keys of the settings, without overrides.
    keys: toml::Table,
    overrides: Overrides,
    /// Whether the budget is one for all agents, so that no override may set another.
    has_common_budget: bool,
}

impl AgentFile {
    /// Reads an agent file and the files that it extends.
    pub fn read(path: &Path) -> Result<Self, InputError> {
        Self::parse(path, &shipped::read(path)?)
    }

    /// Parses the text of an agent file. The path supplies the name and the folder of extended files,
    /// and is used in messages.
    pub fn parse(path: &Path, text: &str) -> Result<Self, InputError> {
        let (keys, files) = merged_keys(path, text)?;
        Self::from_keys(path, keys).map_err(|error| error.located_in(&files))
    }

    /// The error for a file whose name is not a plain name.
    pub(super) fn unnamed(path: &Path) -> InputError {
        let what = format!("an agent is named as its file: expected {PLAIN_NAME}");
        InputError::in_file(path, what)
    }

    fn from_keys(path: &Path, mut keys: toml::Table) -> Result<Self, InputError> {
        let name = path.file_stem().and_then(|stem| stem.to_str());
        let name = name.filter(|name| is_plain_name(name));
        let name = name.ok_or_else(|| Self::unnamed(path))?;
        let description = match keys.remove("description") {
            None => String::new(),
            Some(toml::Value::String(text)) => text,
            Some(other) => {
                let found = other.type_str();
                let what = format!("expected a string, found a value of type {found}");
                return Err(InputError::in_key(path, "description", what));
            }
        };
        let config = AgentSettings::of_file(path, path, keys.clone())?;
        Ok(Self {
            name: name.to_owned(),
            path: path.to_owned(),
            description,
            config,
            keys,
            overrides: Overrides::default(),
            has_common_budget: false,
        })
    }

    /// The agent with other settings and a name that shows them. Overrides of a variant replace its earlier
    /// overrides of the same keys. Keys of the agent that have no effect with the new ones are dropped.
    ///
    /// # Errors
    /// As for the settings in a file; messages have the name of the variant instead of the path. A key to be
    /// removed must exist, but need not be set.
    pub fn variant(&self, overrides: &Overrides) -> Result<Self, InputError> {
        let (stem, _) = self.name.split_once('{').unwrap_or((&self.name, ""));
        let mut all = self.overrides.then(overrides);
        let keys = all.apply(&self.keys);
        let named = |all: &Overrides, wrong| InputError::in_file(Path::new(&all.name(stem)), wrong);
        let mut keys = keys.map_err(|wrong| named(&all, wrong))?;
        let dropped = drop_idle(&mut keys, |key| overrides.state(key));
        all.drop_idle(&dropped, overrides);
        let (overrides, name) = (&all, all.name(stem));
        let label = Path::new(&name);
        for key in overrides.removed() {
            if !tables::has(&self.keys, key) {
                check_key(label, &self.keys, key)?;
            }
        }
        let config = AgentSettings::of_file(label, &self.path, keys)?;
        if self.has_common_budget && config.budget().is_some() && overrides.touches_budget() {
            let what = "expected an agent without a budget in its name";
            return Err(InputError::in_key(label, "budget", what));
        }
        Ok(Self {
            config,
            name,
            overrides: all,
            ..self.clone()
        })
    }

    /// The keys that have no effect in the variant with these overrides, whether or not they are set.
    pub fn idle_with(&self, overrides: &Overrides) -> Vec<IdleKey> {
        let keys = self.overrides.then(overrides).apply(&self.keys);
        keys.map_or_else(|_| Vec::new(), idle_keys)
    }

    /// The agent with another budget, given as a table such as `iterations = 100`, and the same name. It is that of
    /// all its variants. An agent without a budget keeps its settings.
    pub fn with_budget(&self, budget: &toml::Table) -> Result<Self, InputError> {
        let mut agent = self.clone();
        agent.has_common_budget = true;
        if self.config.budget().is_none() {
            return Ok(agent);
        }
        agent
            .keys
            .insert("budget".to_owned(), budget.clone().into());
        let name = self.name.clone();
        let agent = agent.variant(&Overrides::default())?;
        Ok(Self { name, ..agent })
    }
}

/// Checks that agents of this type have a key by setting it.
fn check_key(label: &Path, keys: &toml::Table, key: &str) -> Result<(), InputError> {
    let mut with_key = keys.clone();
    let set = tables::set(&mut with_key, key, true.into());
    set.map_err(|wrong| InputError::in_file(label, wrong))?;
    match AgentSettings::from_table(label, with_key) {
        Err(error) if matches!(error.fault, KeyFault::Unknown(_)) => Err(error),
        _ => Ok(()),
    }
}

/// Builds a player from an agent file on the disk.
pub fn load(path: impl AsRef<Path>) -> Result<Box<dyn Agent>, InputError> {
    Ok(AgentFile::read(path.as_ref())?.config.build())
}
