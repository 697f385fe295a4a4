//! Equal processor time: settings that change the cost of an iteration are compared at the time that the base takes.

use std::path::Path;
use std::time::Duration;

use patchwork_engine::agent::AgentFile;
use patchwork_engine::util::InputError;
use patchwork_engine::util::clock::{processor_time, wall_time};
use patchwork_tournament::{OVERHEAD, ledger, sample_time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::candidates::check_corners;
use super::cost::GameCosts;
use super::point::Point;
use super::space::Space;
use super::tuning::Tuning;

/// What all candidates have alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Equal {
    /// The processor time for a decision: that which the base takes for its budget.
    ProcessorTime,
    /// The budget, whatever it costs.
    Budget,
}

/// The keys that change the time of an iteration little or not at all.
const SAME_COST: &[&str] = &[
    "expansion.prior.decay",
    "expansion.prior.temperature",
    "rollout.temperature",
    "search.choice",
    "search.confidence",
    "search.confidence_power",
    "search.exploration",
    "search.first_play",
    "search.margin_scale",
    "search.value",
    "search.win_weight",
];

impl Equal {
    /// What a space asks for: equal time if it changes the cost of an iteration and all its agents can have budgets of
    /// processor time.
    pub(super) fn of(base: &AgentFile, space: &Space) -> Self {
        let is_costly = |name: &str| !SAME_COST.contains(&name);
        let can_be_equal = || {
            let timed = base.with_budget(&budget_table("processor_milliseconds", 1));
            timed.is_ok_and(|base| check_corners(&base, space).is_ok())
        };
        match space.keys().iter().any(|key| is_costly(&key.name)) && can_be_equal() {
            true => Self::ProcessorTime,
            false => Self::Budget,
        }
    }
}

/// A budget with this amount of a unit.
pub(super) fn budget_table(unit: &str, amount: u32) -> toml::Table {
    toml::Table::from_iter([(unit.to_owned(), i64::from(amount).into())])
}

/// Seconds in whole milliseconds, at least one.
pub(super) fn whole_milliseconds(seconds: f64) -> u32 {
    (1000.0 * seconds).ceil().max(1.0) as u32
}

/// The longest time in which games are played to measure the base.
const LONGEST: Duration = Duration::from_secs(1);

/// The name of the file with the measured time, in the folder of a search. With it, a search that goes on has the agents
/// that it had.
pub(super) const FILE: &str = "equal-time.json";

/// What a decision of the base takes.
#[derive(Serialize, Deserialize)]
pub(super) struct EqualTime {
    /// The settings of the base with its own budget.
    base: String,
    processor_milliseconds: u32,
}

impl Tuning {
    /// The search with its budget of processor time, if all candidates are to have the same: the time that the base takes
    /// for a decision, measured in up to a second or taken from the folder of a search that goes on.
    ///
    /// # Errors
    /// When an agent cannot have such a budget.
    pub fn with_equal_time(mut self, dir: &Path) -> Result<Self, InputError> {
        if self.equal_to.is_none() {
            return Ok(self);
        }
        let own = self.base.config.canonical();
        let known = std::fs::read(dir.join(FILE)).ok();
        let known = known.and_then(|json| serde_json::from_slice::<EqualTime>(&json).ok());
        let time = known.filter(|time| time.base == own).unwrap_or_else(|| {
            let (_, decision) = self.sample(&self.base, processor_time);
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
    pub(super) fn save_equal_time(&self, dir: &Path) -> Result<(), ledger::StoreError> {
        match &self.equal_time {
            Some(json) => ledger::write_file(&dir.join(FILE), json),
            None => Ok(()),
        }
    }

    /// The time of both players in a game of the base against an opponent and against itself: by budgets of time, or by a
    /// few games.
    #[must_use]
    pub fn game_times(&self) -> [Duration; 2] {
        let time = |agent: &AgentFile| {
            let known = GameCosts::new(agent.config.budget()).expected(&Point::default());
            known.map_or_else(|| self.sample(agent, wall_time).0, |game| game / 2)
        };
        let own = time(&self.base);
        let is_base = |of: &AgentFile| of.config.canonical() == self.base.config.canonical();
        let others = self.opponents.iter();
        let others: Duration = others
            .map(|of| if is_base(of) { own } else { time(of) })
            .sum();
        let opponent = others / self.opponents.len().max(1) as u32;
        [opponent, own].map(|other| OVERHEAD + own + other)
    }

    /// The time of an agent in a game and for a decision, from games against itself.
    fn sample(&self, agent: &AgentFile, clock: fn() -> Duration) -> (Duration, Duration) {
        sample_time(&agent.config, self.track.into(), LONGEST, clock)
    }
}
