//! The agents that a browser can run.

use patchwork_engine::agent::{Agent, AgentFile, CheckedSettings, MctsSettings};
use patchwork_engine::util::suggest::did_you_mean;
use serde::Deserialize;

use crate::messages::AgentView;

/// The agents, made from their files by `UPDATE_AGENTS=1 cargo test -p patchwork-board agents`. What reads and checks files
/// would be a third of the module.
const AGENTS: &str = include_str!("agents.json");

/// An agent that is built in, with its checked settings.
#[derive(Deserialize)]
pub(crate) struct BuiltInAgent {
    pub(crate) name: String,
    description: String,
    settings: CheckedSettings,
}

/// All agents in order of name.
pub(crate) fn all() -> Vec<BuiltInAgent> {
    serde_json::from_str(AGENTS).expect("the agents of this program")
}

pub(crate) fn named(name: &str) -> Result<BuiltInAgent, String> {
    let (found, others): (Vec<_>, Vec<_>) = all().into_iter().partition(|one| one.name == name);
    found.into_iter().next().ok_or_else(|| {
        let near = did_you_mean(name, others.iter().map(|one| &*one.name));
        format!("unknown agent '{name}'; expected one of those that `agents` lists{near}")
    })
}

impl BuiltInAgent {
    pub(crate) fn player(&self) -> Box<dyn Agent> {
        self.settings.build()
    }

    /// The settings of an agent that searches a tree.
    pub(crate) fn searches(&self) -> Option<&MctsSettings> {
        self.settings.downcast_ref()
    }
}

impl From<BuiltInAgent> for AgentView {
    fn from(agent: BuiltInAgent) -> Self {
        Self {
            searches: agent.searches().is_some(),
            name: agent.name,
            description: agent.description,
        }
    }
}

impl From<AgentFile> for AgentView {
    fn from(file: AgentFile) -> Self {
        Self {
            searches: file.config.downcast_ref::<MctsSettings>().is_some(),
            name: file.name,
            description: file.description,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use patchwork_engine::agent::{AgentFolder, AgentSettings, SHIPPED};
    use serde_json::json;

    use super::*;

    /// A browser does not compare the agents of the quickstart.
    const NATIVE: [&str; 5] = [
        "champion-1-at-30",
        "cheap-cheap",
        "cheap-expensive",
        "expensive-cheap",
        "expensive-expensive",
    ];

    fn files() -> Vec<AgentFile> {
        let names = SHIPPED.iter().map(|(name, _)| *name);
        let names = names.filter(|name| !NATIVE.contains(name));
        let files = names.map(|name| {
            let path = AgentFolder::shipped().find(name).expect("a shipped agent");
            AgentFile::read(&path).expect("an agent")
        });
        files.collect()
    }

    #[test]
    fn the_agents_are_those_of_the_files() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/agents.json");
        let lines = files().into_iter().map(|file| {
            let mut keys = serde_json::to_value(&file.config).expect("settings");
            keys.as_object_mut().expect("keys").shift_remove("type");
            let settings = json!({ file.config.kind(): keys });
            let (name, about) = (file.name, file.description);
            json!({ "name": name, "description": about, "settings": settings }).to_string()
        });
        let text = format!("[\n{}\n]\n", lines.collect::<Vec<_>>().join(",\n"));
        if std::env::var_os("UPDATE_AGENTS").is_some() {
            std::fs::write(&path, &text).expect("written");
        }
        let there = std::fs::read_to_string(path).expect("src/agents.json");
        assert_eq!(there, text, "UPDATE_AGENTS=1 writes them again");
    }

    #[test]
    fn their_settings_are_those_that_the_files_are_read_as() {
        let files = files();
        assert_eq!(all().len(), files.len());
        for (agent, file) in all().into_iter().zip(files) {
            let settings = AgentSettings::from(agent.settings);
            assert_eq!((agent.name, settings), (file.name, file.config));
        }
    }
}
