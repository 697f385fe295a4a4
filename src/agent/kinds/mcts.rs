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
    /// `iterations` or `milliseconds` for each decision, or `milliseconds_per_game`.
    #[serde(deserialize_with = "budget")]
    pub budget: Budget,
    /// Searches of one position at the same time, each with its own tree; 1 by default. Tournaments
    /// always use 1, since their workers play one game each.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads: Option<Count>,
    /// What is searched.
    pub expansion: MctsExpansion,
    /// How leaves are valued.
    pub rollout: Rollout,
    /// How the tree is searched.
    #[serde(default)]
    pub search: MctsSearch,
}

fn budget<'de, D: Deserializer<'de>>(from: D) -> Result<Budget, D::Error> {
    let units = &["iterations", "milliseconds", "milliseconds_per_game"];
    Budget::deserialize_unit(units, from)
}

/// What is searched in a node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MctsExpansion {
    /// Generates and ranks placements.
    pub strategy: Strategy,
    /// The number of placements searched for each patch, best first; all by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best: Option<Count>,
    /// A patch with at most this many legal placements has all of them searched, whatever the policy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whole: Option<u32>,
    /// Whether buying and placing are one action or two; one by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<Steps>,
    /// The priors of actions, with `select = "puct"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prior: Option<Prior>,
}

/// Priors of actions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Prior {
    /// Proportional to exp(gain / temperature) of the gain by equation 1 in points per space, 0.01 to
    /// 1000,
    pub temperature: f64,
    /// times (1 + rank)^-decay of the placement's rank, 0 to 100,
    pub decay: f64,
    /// times exp(margin / points) with the margin by the position estimate after the action, if given.
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

/// How the tree is searched and what results are worth. A key that is absent has the default of
/// [`Settings`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MctsSearch {
    /// The rule of selection.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub select: Option<Rule>,
    /// The c of the rule, 0 or more.
    pub exploration: f64,
    /// Untried actions count as the node's mean plus this; without it each is tried once first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_play: Option<f64>,
    /// How many actions may be tried.
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
    /// Positions that an exact search of a leaf near the end may visit; none by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub endgame: Option<u32>,
    /// Whether a search ends when its choice is decided; by default only with time for a game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub early_stop: Option<bool>,
    /// The largest number of positions in the tree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<Count>,
    /// Whether a position that is reached in several ways is searched once.
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
    /// What makes two moves the same.
    pub over: Over,
    /// Visits at which the weight is one half, above 0.
    pub equivalence: f64,
}

/// Far beyond what any search can use.
const MOST_EXPLORATION: f64 = 1000.0;
/// The largest number of threads of an MCTS agent.
pub const MOST_THREADS: u32 = 256;
/// A root can have hundreds of actions, and what lies below them is to be kept too.
const LEAST_NODES: u32 = 10_000;
const MOST_NODES: u32 = 1 << 26;
/// Less than a millisecond for a leaf, so that the clock is read often enough.
const MOST_ENDGAME: u32 = 1000;

/// Checks a number that may be absent.
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

    /// What the search works with.
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
