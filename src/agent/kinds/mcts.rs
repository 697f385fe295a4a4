//! The settings of Monte Carlo tree search agents.

use std::num::NonZeroU32;

use serde::{Deserialize, Deserializer, Serialize};

use crate::agent::kind::{Kind, within};
use crate::agent::mcts::MctsAgent;
use crate::agent::mcts::spec::{Expansion, MctsSpec, Over, Playout, Steps};
use crate::agent::player::Agent;
use crate::agent::rollout::Rollout;
use crate::agent::worth::{ValueKind, Worth};
use crate::placement::Strategy;
use crate::search::{Budget, Rule, Settings, Widening};
use crate::util::config::Count;

/// The settings of an MCTS agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MctsSettings {
    /// `iterations` or `milliseconds` per decision, or `milliseconds_per_game`.
    #[serde(deserialize_with = "budget")]
    pub budget: Budget,
    /// Number of parallel searches of a position, each with its own tree; 1 by default. Tournaments
    /// always use 1, since each of their workers plays one game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads: Option<Count>,
    /// Which actions are searched.
    pub expansion: MctsExpansion,
    /// How leaves are evaluated.
    pub rollout: Rollout,
    /// How the tree is searched.
    #[serde(default)]
    pub search: MctsSearch,
}

fn budget<'de, D: Deserializer<'de>>(from: D) -> Result<Budget, D::Error> {
    let units = &["iterations", "milliseconds", "milliseconds_per_game"];
    Budget::deserialize_unit(units, from)
}

/// Which actions of a node are searched.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MctsExpansion {
    /// Generates and ranks placements.
    pub strategy: Strategy,
    /// The number of placements searched for each patch, best first; all by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best: Option<Count>,
    /// If a patch has at most this many legal placements, all of them are searched, regardless of
    /// the policy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whole: Option<u32>,
    /// Whether buying and placing are one action or two; one by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<Steps>,
    /// The priors of actions, used with `select = "puct"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prior: Option<Prior>,
}

/// Priors of actions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Prior {
    /// Proportional to exp(gain / temperature), where gain is that of equation 1 in points per
    /// space; 0.01 to 1000,
    pub temperature: f64,
    /// times (1 + rank)^-decay, where rank is that of the placement; 0 to 100,
    pub decay: f64,
    /// times exp(margin / points), where margin is the position estimate after the action, if
    /// given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<f64>,
}

impl Default for Prior {
    fn default() -> Self {
        Self {
            temperature: 2.0,
            decay: 1.0,
            points: None,
        }
    }
}

/// How the tree is searched and how results are scored. An absent key has the default of
/// [`Settings`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MctsSearch {
    /// The selection rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub select: Option<Rule>,
    /// The exploration constant c of the rule, 0 or more.
    pub exploration: f64,
    /// The value of an untried action is the mean of the node plus this number. If absent, each
    /// action is tried once first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_play: Option<f64>,
    /// Progressive widening: how many actions may be tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub widening: Option<Widening>,
    /// All-moves-as-first statistics.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rave: Option<RaveConfig>,
    /// Weight of the position estimate backed up by minimax, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimax: Option<f64>,
    /// Whether proven wins and losses are backed up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solver: Option<bool>,
    /// Maximum number of positions in the exact search of a leaf near the end; no such search by
    /// default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub endgame: Option<u32>,
    /// Whether a search ends once its choice cannot change; by default only with a time budget per
    /// game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub early_stop: Option<bool>,
    /// The maximum number of positions in the tree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<Count>,
    /// Whether positions reached by different sequences of actions share a node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transpositions: Option<bool>,
    /// See [`Worth`].
    pub value: ValueKind,
    /// See [`Worth`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin_scale: Option<f64>,
    /// See [`Worth`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub win_weight: Option<f64>,
}

impl Default for MctsSearch {
    fn default() -> Self {
        Self {
            select: None,
            exploration: 0.7,
            first_play: None,
            widening: None,
            rave: None,
            minimax: None,
            solver: None,
            endgame: None,
            early_stop: None,
            nodes: None,
            transpositions: None,
            value: ValueKind::Win,
            margin_scale: None,
            win_weight: None,
        }
    }
}

/// All-moves-as-first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RaveConfig {
    /// When two moves count as the same.
    pub over: Over,
    /// Number of visits at which the weight is one half, above 0.
    pub equivalence: f64,
}

/// Far above any useful value.
const MOST_EXPLORATION: f64 = 1000.0;
/// The largest number of threads of an MCTS agent.
pub const MOST_THREADS: u32 = 256;
/// A root can have hundreds of actions, and the tree must also have room for the nodes below them.
const LEAST_NODES: u32 = 10_000;
const MOST_NODES: u32 = 1 << 26;
/// Less than a millisecond per leaf, so that the clock is read often enough.
const MOST_ENDGAME: u32 = 1000;

/// Checks the range of an optional number.
fn within_if_some(
    key: &str,
    found: Option<f64>,
    range: std::ops::RangeInclusive<f64>,
) -> Result<(), String> {
    found.map_or(Ok(()), |found| within(key, found, range))
}

impl Kind for MctsSettings {
    fn check(&self) -> Result<(), String> {
        within("threads", self.threads(), 1..=MOST_THREADS)?;
        if let Some(prior) = &self.expansion.prior {
            within(
                "expansion.prior.temperature",
                prior.temperature,
                0.01..=1000.0,
            )?;
            within("expansion.prior.decay", prior.decay, 0.0..=100.0)?;
            within_if_some("expansion.prior.points", prior.points, 0.1..=1e6)?;
        }
        self.rollout.check()?;
        self.search.check()
    }

    fn build(&self) -> Box<dyn Agent> {
        Box::new(MctsAgent::new(self.spec()))
    }

    fn budget(&self) -> Option<Budget> {
        Some(self.budget)
    }

    fn set_threads(&mut self, threads: NonZeroU32) {
        self.threads = Some(threads);
    }
}

impl MctsSettings {
    fn threads(&self) -> u32 {
        self.threads.map_or(1, Count::get)
    }

    /// The search parameters for these settings.
    #[must_use]
    pub fn spec(&self) -> MctsSpec {
        let prior = self.expansion.prior.unwrap_or_default();
        let by_game = matches!(self.budget, Budget::GameTime(_));
        MctsSpec {
            budget: self.budget,
            threads: self.threads(),
            search: self.search.settings(by_game),
            expansion: Expansion {
                strategy: self.expansion.strategy,
                best: self.expansion.best.map(|best| best.get() as usize),
                whole: self.expansion.whole.unwrap_or(0),
                steps: self.expansion.steps.unwrap_or_default(),
                temperature: prior.temperature as f32,
                decay: prior.decay as f32,
                points: prior.points.map(|points| points as f32),
            },
            rollout: Playout {
                player: self.rollout.player(),
                depth: self.rollout.depth,
                estimate: self.rollout.estimate.unwrap_or(0.0) as f32,
            },
            worth: self.search.worth(),
            rave_over: self
                .search
                .rave
                .as_ref()
                .map_or(Over::Placements, |rave| rave.over),
            endgame: self.search.endgame.unwrap_or(0),
        }
    }
}

impl MctsSearch {
    fn check(&self) -> Result<(), String> {
        within(
            "search.exploration",
            self.exploration,
            0.0..=MOST_EXPLORATION,
        )?;
        within_if_some("search.first_play", self.first_play, -1.0..=1.0)?;
        if let Some(widening) = &self.widening {
            within("search.widening.base", widening.base, 0.001..=1e6)?;
            within("search.widening.power", widening.power, 0.0..=1.0)?;
        }
        if let Some(rave) = &self.rave {
            within("search.rave.equivalence", rave.equivalence, 0.001..=1e9)?;
        }
        within_if_some("search.minimax", self.minimax, 0.0..=1.0)?;
        within(
            "search.endgame",
            self.endgame.unwrap_or(0),
            0..=MOST_ENDGAME,
        )?;
        let nodes = self.nodes.map_or(LEAST_NODES, Count::get);
        within("search.nodes", nodes, LEAST_NODES..=MOST_NODES)?;
        if self.solver == Some(false) && self.endgame.is_some_and(|positions| positions > 0) {
            return Err("search.endgame: does not go with solver = false".into());
        }
        self.worth().check()
    }

    const fn worth(&self) -> Worth {
        Worth {
            value: self.value,
            margin_scale: self.margin_scale,
            win_weight: self.win_weight,
        }
    }

    fn settings(&self, early_stop: bool) -> Settings {
        let default = Settings::default();
        Settings {
            select: self.select.unwrap_or_default(),
            exploration: self.exploration as f32,
            first_play: self.first_play.map(|urgency| urgency as f32),
            widening: self.widening,
            rave: self.rave.as_ref().map(|rave| rave.equivalence as f32),
            minimax: self.minimax.unwrap_or(0.0) as f32,
            solver: self.solver.unwrap_or(default.solver),
            early_stop: self.early_stop.unwrap_or(early_stop),
            nodes: self.nodes.map_or(default.nodes, Count::get),
            transpositions: self.transpositions.unwrap_or(default.transpositions),
        }
    }
}
