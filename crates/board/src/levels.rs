//! The opponents that people choose by plain names.

use crate::messages::{LevelView, LevelsView};

/// How the ratings were measured.
const SOURCE: &str = "a round-robin of eleven agents, 2,200 games (tournaments/levels.toml)";

pub(crate) fn view() -> LevelsView {
    let level = |name: &str, agent: &str, iterations, rating, margin| LevelView {
        name: name.to_owned(),
        agent: agent.to_owned(),
        iterations,
        rating,
        margin,
    };
    LevelsView {
        levels: vec![
            level("newcomer", "random", None, -1495.0, 267.0),
            level("beginner", "greedy-inorder", None, -1004.0, 160.0),
            level("casual", "mcts-fast", Some(30), -440.0, 116.0),
            level("club", "mcts-fast", Some(150), -45.0, 87.0),
            level("expert", "mcts-fast", Some(1000), 363.0, 90.0),
            level("master", "champion", Some(200), 698.0, 98.0),
            level("champion", "champion", Some(10_000), 1057.0, 118.0),
        ],
        source: SOURCE.to_owned(),
    }
}
