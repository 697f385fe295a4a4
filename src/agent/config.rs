//! Agent files as strict structures, and their way to checked types.

mod mcts;

use std::path::Path;

use serde::{Deserialize, Serialize};

pub use mcts::{
    BudgetConfig, ExpansionConfig, LateConfig, MctsConfig, Pick, PriorConfig, RaveConfig,
    RolloutConfig, SearchConfig, StepsKind, ValueKind,
};

pub use mcts::MOST_THREADS;

use super::AgentSpec;
use super::alpha_beta::AlphaBetaConfig;
use super::beam::BeamSpec;
use super::flat::FlatConfig;
use super::quick::{Picker, QuickPlayer};
use crate::placement::Strategy;
use crate::util::config::{ConfigError, Count, from_table};
use crate::util::suggest::nearest;

/// What an agent file says, apart from its description.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
pub enum AgentConfig {
    /// Uniform over the legal actions. Written with braces so that unknown keys are refused.
    Random {},
    /// The best patch by equation 1 against advancing, placed by a strategy.
    Greedy(GreedyConfig),
    /// Flat Monte Carlo.
    Flat(FlatConfig),
    /// Alpha-beta search.
    AlphaBeta(AlphaBetaConfig),
    /// Monte Carlo tree search.
    Mcts(MctsConfig),
}

/// The keys of a strategy: names of its three parts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StrategyConfig {
    /// `in-order`, `bl`, `bl-lb`, `pareto-bl`, `first-fail` or `all`.
    pub policy: String,
    /// `some` or `every`.
    pub transforms: String,
    /// `first`, `random`, `left`, `bottom`, `area`, `regret` or `reverse-regret`.
    pub evaluation: String,
}

/// The keys of a greedy agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GreedyConfig {
    /// Places the patches; with a beam, generates the placements that are looked at.
    pub placement: StrategyConfig,
    /// Positions that a beam search over the own next turns keeps; no search when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beam: Option<Count>,
    /// Own turns that the beam search looks ahead, with `beam` only; 3 when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<Count>,
}

/// No game has more turns of one player.
const MOST_BEAM_DEPTH: u32 = 60;
const DEFAULT_BEAM_DEPTH: u32 = 3;
const MOST_BEAM: u32 = 100_000;

const KINDS: [&str; 5] = ["random", "greedy", "flat", "alpha-beta", "mcts"];

impl AgentConfig {
    /// Reads the keys of an agent file: `type`, those of the type, and an optional `description`,
    /// which is given back beside.
    ///
    /// # Errors
    /// When a key is missing, unknown or of the wrong type, or a value is out of range.
    pub fn from_table(path: &Path, mut table: toml::Table) -> Result<(Self, String), ConfigError> {
        let description = take_string(path, &mut table, "description")?.unwrap_or_default();
        let known = KINDS.join(", ");
        let kind = take_string(path, &mut table, "type")?.ok_or_else(|| {
            ConfigError::new(path, format!("missing key `type`: expected one of {known}"))
        })?;
        let config = match kind.as_str() {
            "random" => {
                let NoKeys {} = from_table(path, table)?;
                Self::Random {}
            }
            "greedy" => Self::Greedy(from_table(path, table)?),
            "flat" => Self::Flat(from_table(path, table)?),
            "alpha-beta" => Self::AlphaBeta(from_table(path, table)?),
            "mcts" => Self::Mcts(from_table(path, table)?),
            other => {
                let near = nearest(other, KINDS)
                    .map_or_else(String::new, |near| format!("; did you mean {near}?"));
                let what = format!("'{other}' is no type of agent: expected one of {known}{near}");
                return Err(ConfigError::at(path, "type", what));
            }
        };
        config
            .check()
            .map_err(|what| ConfigError::new(path, what))?;
        Ok((config, description))
    }

    /// The checked description.
    ///
    /// # Errors
    /// A sentence with the key, when a name is unknown or a number out of range.
    pub fn check(&self) -> Result<AgentSpec, String> {
        match self {
            Self::Random {} => Ok(AgentSpec::Random),
            Self::Greedy(config) => config.check(),
            Self::Flat(config) => config.check().map(AgentSpec::Flat),
            Self::AlphaBeta(config) => config.check().map(AgentSpec::AlphaBeta),
            Self::Mcts(config) => config.check().map(AgentSpec::Mcts),
        }
    }
}

/// A table without keys: a unit structure would let unknown ones through.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NoKeys {}

fn take_string(
    path: &Path,
    table: &mut toml::Table,
    key: &str,
) -> Result<Option<String>, ConfigError> {
    match table.remove(key) {
        None => Ok(None),
        Some(toml::Value::String(text)) => Ok(Some(text)),
        Some(other) => {
            let what = format!(
                "expected a string, found a value of type {}",
                other.type_str()
            );
            Err(ConfigError::at(path, key, what))
        }
    }
}

impl GreedyConfig {
    fn check(&self) -> Result<AgentSpec, String> {
        let strategy = self.placement.check("placement")?;
        let (Some(beam), depth) = (self.beam, self.depth) else {
            return match self.depth {
                Some(_) => Err("depth: goes with the key beam only".into()),
                None => Ok(AgentSpec::Greedy(QuickPlayer::new(
                    Picker::Greedy,
                    strategy,
                ))),
            };
        };
        if beam.get() > MOST_BEAM {
            let found = beam.get();
            return Err(format!(
                "beam: expected a number from 1 to {MOST_BEAM}, found {found}"
            ));
        }
        let depth = depth.map_or(DEFAULT_BEAM_DEPTH, Count::get);
        if depth > MOST_BEAM_DEPTH {
            return Err(format!(
                "depth: expected a number from 1 to {MOST_BEAM_DEPTH}, found {depth}"
            ));
        }
        Ok(AgentSpec::Beam(BeamSpec::new(
            beam.get() as usize,
            depth,
            strategy,
        )))
    }
}

impl StrategyConfig {
    fn check(&self, key: &str) -> Result<Strategy, String> {
        strategy(key, &self.policy, &self.transforms, &self.evaluation)
    }
}

/// The one of a budget's keys that is given, `keys` being their names in a sentence.
pub(super) fn only_one<T>(
    keys: &str,
    values: impl IntoIterator<Item = Option<T>>,
) -> Result<T, String> {
    let mut given = values.into_iter().flatten();
    match (given.next(), given.next()) {
        (Some(value), None) => Ok(value),
        (None, _) => Err(format!("budget: expected one of the keys {keys}")),
        (Some(_), Some(_)) => Err(format!(
            "budget: expected {keys}, found more than one of them"
        )),
    }
}

pub(super) fn strategy(
    key: &str,
    policy: &str,
    transforms: &str,
    evaluation: &str,
) -> Result<Strategy, String> {
    Strategy::by_names(policy, transforms, evaluation).map_err(|error| {
        let part = match error.kind {
            "policy" => "policy",
            "evaluation" => "evaluation",
            _ => "transforms",
        };
        format!("{key}.{part}: {error}")
    })
}
