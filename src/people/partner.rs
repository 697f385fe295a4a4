//! An agent at a table: the opponent of a person, or an adviser.

use std::time::{Duration, Instant};

use super::table::Table;
use crate::agent::{Agent, AgentFile, Decision, Limit};
use crate::game::Action;
use crate::search::Stop;
use crate::util::rng::stream;

/// An agent that follows a game, also when moves are taken back.
pub struct Partner {
    name: String,
    agent: Box<dyn Agent>,
    seed: u64,
    /// How many games it has been started for.
    starts: u64,
    /// The actions it has observed since then.
    seen: Vec<Action>,
}

impl Partner {
    /// An agent; the seed is that of its random choices.
    #[must_use]
    pub fn new(file: &AgentFile, seed: u64) -> Self {
        Self {
            name: file.name.clone(),
            agent: file.config.build(),
            seed,
            starts: 0,
            seen: Vec::new(),
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the agent would play, as the player to move, and the time it took. `None` when it was stopped.
    ///
    /// # Panics
    /// If the game is over.
    pub fn decide(&mut self, table: &Table, stop: &Stop) -> Option<(Decision, Duration)> {
        let actions = table.actions();
        if self.starts == 0 || !actions.starts_with(&self.seen) {
            self.starts += 1;
            self.seen.clear();
            let rng = stream(&[self.seed, self.starts]);
            self.agent.start(table.setup(), rng);
        }
        for &action in &actions[self.seen.len()..] {
            self.agent.observe(action);
        }
        self.seen = actions;
        let start = Instant::now();
        let decision = self.agent.decide(table.setup(), table.state(), Limit::own(stop));
        let time = start.elapsed();
        (!stop.is_set()).then_some((decision, time))
    }
}
