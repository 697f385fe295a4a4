//! The time of the base: that of its decisions, which is the budget of a search at equal time and therefore kept, and that
//! of its games.

use std::iter::once;
use std::path::Path;
use std::time::Duration;

use patchwork_engine::util::InputError;
use patchwork_engine::util::clock::processor_time;
use patchwork_tournament::{AgentId, GameTimes, ledger, sample_time};
use serde::{Deserialize, Serialize};

use super::tuning::{Tuning, budget_table, whole_milliseconds};

/// The longest time in which games are played to measure the base.
const LONGEST: Duration = Duration::from_secs(1);

/// The name of the file with the measured time, in the folder of a search. With it, a search that goes on has the agents
/// that it had.
const FILE: &str = "equal-time.json";

/// What a decision of the base takes.
#[derive(Serialize, Deserialize)]
struct EqualTime {
    /// The settings of the base with its own budget.
    base: String,
    processor_milliseconds: u32,
}

impl Tuning {
    /// The search with its budget of processor time, if all candidates are to have the same: the time that the base takes
    /// for a decision, measured in up to a second or taken from the folder of a search that goes on.
    pub fn with_equal_time(mut self, dir: &Path) -> Result<Self, InputError> {
        if self.equal_to.is_none() {
            return Ok(self);
        }
        let own = self.base.config.canonical();
        let known = std::fs::read(dir.join(FILE)).ok();
        let known = known.and_then(|json| serde_json::from_slice::<EqualTime>(&json).ok());
        let time = known.filter(|time| time.base == own).unwrap_or_else(|| {
            let rules = self.track.into();
            let (_, decision) = sample_time(&self.base.config, rules, LONGEST, processor_time);
            EqualTime {
                base: own,
                processor_milliseconds: whole_milliseconds(decision.as_secs_f64()),
            }
        });
        let budget = budget_table("processor_milliseconds", time.processor_milliseconds);
        self.base = self.base.with_budget(&budget)?;
        if self.has_common_budget {
            for opponent in &mut self.opponents {
                *opponent = opponent.with_budget(&budget)?;
            }
        }
        self.equal_time = Some(serde_json::to_vec(&time).unwrap_or_default());
        Ok(self)
    }

    /// Keeps the measured time in the folder of the search.
    pub(super) fn save_equal_time(&self, dir: &Path) -> Result<(), ledger::TournamentError> {
        match &self.equal_time {
            Some(json) => ledger::write_file(&dir.join(FILE), json),
            None => Ok(()),
        }
    }

    /// The time of both players in a game of the base against an opponent and against itself, as games of each agent
    /// against itself tell.
    pub fn game_times(&self) -> [Duration; 2] {
        let agents = once(&self.base).chain(&self.opponents);
        let agents = agents.map(|agent| (AgentId::new(&agent.config, 0), &agent.config));
        let mut times = GameTimes::default();
        times.sample(agents.clone(), self.track.into());
        let base = AgentId::new(&self.base.config, 0);
        let time = |agent| times.game([base, agent]).unwrap_or_default();
        let opponents: Duration = agents.skip(1).map(|(agent, _)| time(agent)).sum();
        [opponents / self.opponents.len().max(1) as u32, time(base)]
    }
}
