//! The opponents that people choose by plain names.

use patchwork_engine::agent::{AgentFile, AgentFolder, MctsSettings, SHIPPED};

use crate::messages::{AgentView, AgentsView, LevelView};

/// A level of play.
struct Level {
    name: &'static str,
    agent: &'static str,
    /// The budget of agents that search.
    iterations: Option<u32>,
    /// Elo among the levels, with half the width of its 95% interval.
    rating: (f32, f32),
}

/// From the weakest to the strongest.
const LEVELS: [Level; 6] = [
    Level {
        name: "newcomer",
        agent: "random",
        iterations: None,
        rating: (0.0, 0.0),
    },
    Level {
        name: "beginner",
        agent: "greedy-inorder",
        iterations: None,
        rating: (0.0, 0.0),
    },
    Level {
        name: "casual",
        agent: "mcts-uniform",
        iterations: Some(1000),
        rating: (0.0, 0.0),
    },
    Level {
        name: "club",
        agent: "mcts-fast",
        iterations: Some(1000),
        rating: (0.0, 0.0),
    },
    Level {
        name: "expert",
        agent: "champion",
        iterations: Some(300),
        rating: (0.0, 0.0),
    },
    Level {
        name: "champion",
        agent: "champion",
        iterations: Some(20_000),
        rating: (0.0, 0.0),
    },
];

/// How the ratings were measured.
const SOURCE: &str = "not measured yet";

pub(crate) fn view() -> AgentsView {
    let levels = LEVELS.iter().map(|level| LevelView {
        name: level.name.to_owned(),
        agent: level.agent.to_owned(),
        iterations: level.iterations,
        rating: level.rating.0,
        margin: level.rating.1,
    });
    let agents = SHIPPED.iter().filter_map(|(name, _)| shipped(name).ok());
    AgentsView {
        levels: levels.collect(),
        source: SOURCE.to_owned(),
        agents: agents
            .map(|file| AgentView {
                searches: searches(&file).is_some(),
                name: file.name,
                description: file.description,
            })
            .collect(),
    }
}

/// The agent with this name, if it is built in.
pub(crate) fn shipped(name: &str) -> Result<AgentFile, String> {
    let folder = AgentFolder::shipped();
    let path = folder.find(name).ok_or_else(|| {
        let near = folder.did_you_mean(name);
        format!("unknown agent '{name}'; expected one of those that `agents` lists{near}")
    })?;
    AgentFile::read(&path).map_err(|error| error.to_string())
}

/// The settings of an agent that searches a tree.
pub(crate) fn searches(file: &AgentFile) -> Option<&MctsSettings> {
    file.config.downcast_ref()
}
