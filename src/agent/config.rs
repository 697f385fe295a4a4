//! Agent files as strict structures, and their way to checked types.

use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::AgentSpec;
use super::mcts::{MctsSpec, Worth};
use super::quick::{Picker, QuickPlayer};
use crate::config::{ConfigError, Count, from_table};
use crate::placement::Strategy;
use crate::search::Budget;
use crate::suggest::nearest;

/// What an agent file says, apart from its description.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
pub enum AgentConfig {
    /// Uniform over the legal actions. Written with braces so that unknown keys are refused.
    Random {},
    /// The best patch by equation 1 against advancing, placed by a strategy.
    Greedy(GreedyConfig),
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
    /// Places the patches.
    pub placement: StrategyConfig,
}

/// The keys of an MCTS agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MctsConfig {
    /// Effort for each decision.
    pub budget: BudgetConfig,
    /// What is searched.
    pub expansion: ExpansionConfig,
    /// How results are guessed.
    pub rollout: RolloutConfig,
    /// How the tree is walked.
    #[serde(default)]
    pub search: SearchConfig,
}

/// Effort for each decision: one of the two keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BudgetConfig {
    /// Iterations for each decision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iterations: Option<Count>,
    /// Milliseconds for each decision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub milliseconds: Option<Count>,
}

/// What is searched in a node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpansionConfig {
    /// Generates placements.
    pub policy: String,
    /// For which transforms.
    pub transforms: String,
    /// Orders them.
    pub evaluation: String,
    /// How many of them are searched for each patch, best first; all when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best: Option<Count>,
}

/// How rollouts are played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RolloutConfig {
    /// How patches are picked.
    pub pick: Pick,
    /// Probability of a uniform pick, with `pick = "epsilon-greedy"` only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub epsilon: Option<f64>,
    /// Generates placements.
    pub policy: String,
    /// For which transforms.
    pub transforms: String,
    /// Chooses among them.
    pub evaluation: String,
}

/// How rollouts pick patches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pick {
    /// By equation 1.
    Greedy,
    /// By equation 1, now and then uniformly.
    EpsilonGreedy,
    /// Uniformly.
    Uniform,
}

/// How the tree is walked and what results are worth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SearchConfig {
    /// The c of mean + c sqrt(ln N / n), 0 or more.
    pub exploration: f64,
    /// Whether wins or margins are counted.
    pub value: ValueKind,
    /// Points that count as a clear win, with `value = "margin"` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin_scale: Option<f64>,
}

impl Default for SearchConfig {
    fn default() -> Self {
        Self {
            exploration: 0.7,
            value: ValueKind::Win,
            margin_scale: None,
        }
    }
}

/// What results are worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ValueKind {
    /// 1 for a win, 0 for a loss.
    Win,
    /// The margin, squashed into 0 to 1.
    Margin,
}

const KINDS: [&str; 3] = ["random", "greedy", "mcts"];
const DEFAULT_MARGIN_SCALE: f64 = 20.0;

/// Far beyond what any search can use.
const MOST_EXPLORATION: f64 = 1000.0;

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
            Self::Greedy(config) => Ok(AgentSpec::Greedy(QuickPlayer {
                picker: Picker::Greedy,
                strategy: config.placement.check("placement")?,
            })),
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

impl StrategyConfig {
    fn check(&self, key: &str) -> Result<Strategy, String> {
        strategy(key, &self.policy, &self.transforms, &self.evaluation)
    }
}

fn strategy(
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

impl MctsConfig {
    fn check(&self) -> Result<MctsSpec, String> {
        let budget = match (self.budget.iterations, self.budget.milliseconds) {
            (Some(count), None) => Budget::Iterations(count.get()),
            (None, Some(time)) => Budget::Time(Duration::from_millis(time.get().into())),
            (None, None) => {
                return Err("budget: expected the key iterations or the key milliseconds".into());
            }
            (Some(_), Some(_)) => {
                return Err("budget: expected iterations or milliseconds, found both".into());
            }
        };
        let rollout = &self.rollout;
        let picker = match (rollout.pick, rollout.epsilon) {
            (Pick::Greedy, None) => Picker::Greedy,
            (Pick::Uniform, None) => Picker::Uniform,
            (Pick::EpsilonGreedy, Some(epsilon)) if (0.0..=1.0).contains(&epsilon) => {
                Picker::EpsilonGreedy(epsilon)
            }
            (Pick::EpsilonGreedy, found) => {
                let found = found.map_or("nothing".to_owned(), |number| number.to_string());
                return Err(format!(
                    "rollout.epsilon: expected a number from 0 to 1, found {found}"
                ));
            }
            (_, Some(_)) => {
                return Err("rollout.epsilon: goes with pick = \"epsilon-greedy\" only".into());
            }
        };
        let search = &self.search;
        if !(0.0..=MOST_EXPLORATION).contains(&search.exploration) {
            return Err(format!(
                "search.exploration: expected a number from 0 to {MOST_EXPLORATION}, found {}",
                search.exploration
            ));
        }
        let worth = match (search.value, search.margin_scale) {
            (ValueKind::Win, None) => Worth::Win,
            (ValueKind::Win, Some(_)) => {
                return Err("search.margin_scale: goes with value = \"margin\" only".into());
            }
            (ValueKind::Margin, scale) => {
                let scale = scale.unwrap_or(DEFAULT_MARGIN_SCALE);
                if !(scale.is_finite() && scale > 0.0) {
                    return Err(format!(
                        "search.margin_scale: expected a number above 0, found {scale}"
                    ));
                }
                Worth::Margin { scale }
            }
        };
        let expansion = &self.expansion;
        Ok(MctsSpec {
            budget,
            exploration: search.exploration,
            expansion: strategy(
                "expansion",
                &expansion.policy,
                &expansion.transforms,
                &expansion.evaluation,
            )?,
            best: expansion.best.map(|best| best.get() as usize),
            rollout: QuickPlayer {
                picker,
                strategy: strategy(
                    "rollout",
                    &rollout.policy,
                    &rollout.transforms,
                    &rollout.evaluation,
                )?,
            },
            worth,
        })
    }
}
