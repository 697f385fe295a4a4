//! Equal processor time: settings that change the cost of an iteration are compared at the time that the base takes.

use patchwork_engine::agent::AgentFile;
use schemars::JsonSchema;
use serde::Deserialize;

use super::candidates::check_corners;
use super::space::Space;

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
