//! The opponents that people choose by plain names.

use patchwork_engine::agent::{AgentFile, AgentFolder, MctsSettings, SHIPPED};

use crate::messages::{AgentView, AgentsView, LevelView};

/// A level of play.
struct Level {
    name: &'static str,
    agent: &'static str,
    /// The budget of agents that search.
    iterations: Option<u32>,
    /// Elo in the tournament, and how far its 95% interval reaches down.
    rating: (f32, f32),
}

/// From the weakest to the strongest.
const LEVELS: [Level; 7] = [
    Level {
        name: "newcomer",
        agent: "random",
        iterations: None,
        rating: (-1467.0, 262.0),
    },
    Level {
        name: "beginner",
        agent: "greedy-inorder",
        iterations: None,
        rating: (-977.0, 146.0),
    },
    Level {
        name: "casual",
        agent: "mcts-fast",
        iterations: Some(30),
        rating: (-486.0, 112.0),
    },
    Level {
        name: "club",
        agent: "mcts-fast",
        iterations: Some(150),
        rating: (-145.0, 88.0),
    },
    Level {
        name: "expert",
        agent: "mcts-fast",
        iterations: Some(1000),
        rating: (265.0, 83.0),
    },
    Level {
        name: "master",
        agent: "champion",
        iterations: Some(200),
        rating: (720.0, 98.0),
    },
    Level {
        name: "champion",
        agent: "champion",
        iterations: Some(10_000),
        rating: (1106.0, 118.0),
    },
];

/// A former champion, for comparisons: its network is not in WebAssembly.
const LEFT_OUT: &str = "champion-2";

/// How the ratings were measured.
const SOURCE: &str = "a round-robin of eleven agents, 2,200 games (tournaments/levels.toml)";

pub(crate) fn view() -> AgentsView {
    let levels = LEVELS.iter().map(|level| LevelView {
        name: level.name.to_owned(),
        agent: level.agent.to_owned(),
        iterations: level.iterations,
        rating: level.rating.0,
        margin: level.rating.1,
    });
    let agents = SHIPPED.iter().filter(|(name, _)| *name != LEFT_OUT);
    let agents = agents.filter_map(|(name, _)| shipped(name).ok());
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
