//! An agent that plays with a person, as the opponent or as an adviser.

use std::time::Duration;

use super::files::agent_file::AgentFile;
use super::player::{Agent, Decision, Limit};
use crate::game::{Action, Setup, State};
use crate::util::clock::Instant;
use crate::util::rng::stream;

/// An agent that follows a game, even when moves are taken back.
pub struct Partner {
    name: String,
    agent: Box<dyn Agent>,
    seed: u64,
    /// Number of games for which it has been started.
    starts: u64,
    /// The actions that it has observed since then.
    seen: Vec<Action>,
}

impl Partner {
    /// A partner that is this agent; the seed determines its random choices.
    pub fn new(file: &AgentFile, seed: u64) -> Self {
        Self::of(file.name.clone(), file.config.build(), seed)
    }

    /// A partner that is this player.
    pub fn of(name: String, agent: Box<dyn Agent>, seed: u64) -> Self {
        Self {
            name,
            agent,
            seed,
            starts: 0,
            seen: Vec::new(),
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The agent's choice for the player to move after these actions of one game, and the time it took.
    ///
    /// # Errors
    /// A clause, when it was stopped, or is an external program and fails.
    ///
    /// # Panics
    /// If the game is over.
    pub fn decide(
        &mut self,
        setup: &Setup,
        actions: &[Action],
        state: &State,
        limit: Limit<'_>,
    ) -> Result<(Decision, Duration), String> {
        if self.starts == 0 || !actions.starts_with(&self.seen) {
            self.starts += 1;
            self.seen.clear();
            let rng = stream(&[self.seed, self.starts]);
            self.agent.start(setup, rng);
        }
        for &action in &actions[self.seen.len()..] {
            self.agent.observe(action);
        }
        self.seen = actions.to_vec();
        let start = Instant::now();
        let decision = self.agent.decide(setup, state, limit);
        let called = start.elapsed();
        if limit.stop.is_set() {
            return Err("stopped".to_owned());
        }
        let decision = decision.map_err(|fault| fault.to_string())?;
        Ok((decision, decision.time.unwrap_or(called)))
    }
}
