//! The settings of agents of any kind.

use std::any::{Any, TypeId};
use std::num::NonZeroU32;
use std::ops::{Deref, DerefMut};
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::ser::{Error as _, SerializeMap as _};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use super::declare::IdleKey;
use super::evaluation::estimator::Estimator;
use super::kind::AgentKind;
use crate::util::InputError;
use crate::util::config::from_table;
#[cfg(feature = "schema")]
use crate::util::schema::{FileSchema, SchemaTable};

/// The validated settings of an agent of any [kind](AgentKind), from which any number of players can be built.
#[derive(Debug)]
pub struct AgentSettings(Box<dyn AgentKind>);

/// A kind that agents' files and stored plans can name.
#[derive(Clone, Copy)]
pub(super) struct RegisteredKind {
    pub(super) name: &'static str,
    pub(super) settings: TypeId,
    pub(super) read: fn(&Path, toml::Table, Option<&Path>) -> Result<AgentSettings, InputError>,
    /// The keys that have no effect in a table, which need not be valid.
    pub(super) idle: fn(toml::Table) -> Vec<IdleKey>,
    /// The schema of its keys except `type`, for the schema of agents' files.
    #[cfg(feature = "schema")]
    pub(super) keys: Option<fn(&mut FileSchema) -> SchemaTable>,
}

impl RegisteredKind {
    pub(super) fn of<K: AgentKind + DeserializeOwned>() -> Self {
        Self {
            name: K::name(),
            settings: TypeId::of::<K>(),
            read: |label, keys, file| {
                let mut settings: K = from_table(label, keys)?;
                let checked = settings.check();
                let settled =
                    checked.and_then(|()| file.map_or(Ok(()), |file| settings.settle(file)));
                settled.map_err(|wrong| InputError::in_file(label, wrong))?;
                Ok(settings.into())
            },
            idle: |keys| {
                from_table(Path::new(""), keys).map_or_else(|_| Vec::new(), |it: K| it.idle())
            },
            #[cfg(feature = "schema")]
            keys: None,
        }
    }
}

impl AgentSettings {
    /// The kind of a person, and a person's name in records. Agent files cannot have it.
    pub const PERSON: &str = "human";

    /// The settings, if they are of this kind.
    pub fn downcast_ref<K: AgentKind>(&self) -> Option<&K> {
        let settings: &dyn Any = &*self.0;
        settings.downcast_ref()
    }

    /// A description of how the agent's network was made, if it has one.
    pub fn network_card(&self) -> Option<String> {
        self.clone().estimate()?.card()
    }

    /// The agent's position estimate; the linear one if the kind does not have the key.
    pub fn estimator(&self) -> Result<Estimator, InputError> {
        let estimate = self.clone().estimate().cloned();
        estimate.unwrap_or_default().estimator()
    }

    /// The same settings with locations of files that are valid from every folder, for a copy elsewhere.
    pub fn with_absolute_places(mut self) -> Self {
        self.make_places_absolute();
        self
    }

    /// The same settings with all defaults filled in: what the agent does, however its file is written.
    pub fn effective(mut self) -> Self {
        self.state_defaults();
        self
    }

    /// Whether its thinking time is processor time: it searches in one thread of this program. Agents that do not search,
    /// external programs and budgets of wall time have wall time.
    pub fn has_processor_time(&self) -> bool {
        let budget = self.budget().filter(|_| !self.is_program());
        budget.is_some_and(|budget| !budget.is_wall_time())
    }

    /// The same agent with this number of threads per decision. An agent that supports only one thread is
    /// unchanged.
    pub fn with_threads(mut self, threads: NonZeroU32) -> Self {
        self.set_threads(threads);
        self
    }

    /// A text that is equal for all settings that play alike: the effective settings, apart from the number
    /// of threads, in order of their keys, and the kind's version of play.
    pub fn canonical(&self) -> String {
        let mut settings = self.clone().with_threads(NonZeroU32::MIN).effective();
        settings.remove_places();
        let mut table = settings.table();
        if let version @ 1.. = settings.play_version() {
            let kind = format!("{} {version}", settings.kind());
            table.insert("type".to_owned(), kind.into());
        }
        table.to_string()
    }
}

impl<K: AgentKind> From<K> for AgentSettings {
    fn from(settings: K) -> Self {
        Self(Box::new(settings))
    }
}

impl Deref for AgentSettings {
    type Target = dyn AgentKind;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl DerefMut for AgentSettings {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut *self.0
    }
}

impl Clone for AgentSettings {
    fn clone(&self) -> Self {
        Self(self.boxed())
    }
}

impl PartialEq for AgentSettings {
    fn eq(&self, other: &Self) -> bool {
        self.equals(&**other)
    }
}

impl Serialize for AgentSettings {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let keys: Map<String, Value> =
            serde_json::from_str(&self.text()).map_err(S::Error::custom)?;
        let mut map = to.serialize_map(Some(1 + keys.len()))?;
        map.serialize_entry("type", self.kind())?;
        for (key, value) in &keys {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}
