//! An agent of a plan.

use std::collections::BTreeMap;

use patchwork_engine::agent::{AgentFile, AgentSettings};
use serde::{Deserialize, Serialize};

use crate::domain::SettingValue;

/// An agent of a plan.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PlannedAgent {
    /// Its name.
    pub name: String,
    /// Its settings.
    pub config: AgentSettings,
    /// The values of the keys that differ in a sweep; empty for an agent that is not part of one.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub swept: BTreeMap<String, SettingValue>,
    /// The agent whose keys differ in the sweep.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// The description in its file. It does not change the games, so it is not part of the plan; a
    /// [`Manifest`](crate::Manifest) stores it.
    #[serde(skip)]
    pub description: String,
}

/// Descriptions are ignored: agents that differ only in them play the same games.
impl PartialEq for PlannedAgent {
    fn eq(&self, other: &Self) -> bool {
        let Self {
            name,
            config,
            swept,
            base,
            description: _,
        } = self;
        (name, config, swept, base) == (&other.name, &other.config, &other.swept, &other.base)
    }
}

impl PlannedAgent {
    /// An agent with this name and these settings.
    pub fn new(name: impl Into<String>, config: AgentSettings) -> Self {
        Self {
            name: name.into(),
            config,
            swept: BTreeMap::new(),
            base: None,
            description: String::new(),
        }
    }
}

impl From<AgentFile> for PlannedAgent {
    fn from(file: AgentFile) -> Self {
        Self {
            description: file.description,
            ..Self::new(file.name, file.config)
        }
    }
}
