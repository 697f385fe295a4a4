//! The keys of an MCTS agent.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{StrategyConfig, only_one, strategy};
use crate::agent::mcts::{Effort, Expansion, MctsSpec, Over, Rollout, Steps, Worth};
use crate::agent::quick::{Picker, QuickPlayer};
use crate::game::LAST_SPACE;
use crate::search::{Budget, Rule, Settings, Widening};
use crate::util::config::Count;

/// The keys of an MCTS agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MctsConfig {
    /// Effort for each decision.
    pub budget: BudgetConfig,
    /// Searches of one position at the same time, each with a tree of its own; 1 when left out.
    /// Tournaments, whose workers play one game each, use 1 whatever this says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads: Option<Count>,
    /// What is searched.
    pub expansion: ExpansionConfig,
    /// How results are guessed.
    pub rollout: RolloutConfig,
    /// How the tree is walked.
    #[serde(default)]
    pub search: SearchConfig,
}

/// Effort: one of the three keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BudgetConfig {
    /// Iterations for each decision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iterations: Option<Count>,
    /// Milliseconds for each decision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub milliseconds: Option<Count>,
    /// Milliseconds for all decisions of a game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub milliseconds_per_game: Option<Count>,
}

/// What is searched in a node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    /// A patch with at most so many legal placements has all of them searched, whatever the policy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whole: Option<u32>,
    /// Whether buying and placing are one action or two; one when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<StepsKind>,
    /// How likely actions are taken to be good, with `select = "puct"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prior: Option<PriorConfig>,
}

/// How buying a patch is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StepsKind {
    /// Patch and placement are one action.
    One,
    /// Patch first, then placement.
    Two,
}

/// Priors of actions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PriorConfig {
    /// Proportional to exp(gain / temperature) of the gain by equation 1 in points a space, above 0.
    pub temperature: f64,
    /// Times (1 + rank)^-decay of the placement's rank, 0 or more.
    pub decay: f64,
    /// Times exp(margin / points) with the margin by the static estimate after the action, above 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<f64>,
}

impl Default for PriorConfig {
    fn default() -> Self {
        Self {
            temperature: 2.0,
            decay: 1.0,
            points: None,
        }
    }
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
    /// Points a space, with `pick = "softmax"` only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// Generates placements.
    pub policy: String,
    /// For which transforms.
    pub transforms: String,
    /// Chooses among them.
    pub evaluation: String,
    /// Another strategy for the end of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub late: Option<LateConfig>,
    /// Whether placements inside the 7x7 area at the first corner come first.
    #[serde(default, skip_serializing_if = "is_false")]
    pub corner: bool,
    /// Plies after which a rollout is cut and the static estimate counts; 0 for the estimate alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Weight of the static estimate against the rollout, 0 to 1; 0 when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimate: Option<f64>,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes what it asks about by reference"
)]
const fn is_false(value: &bool) -> bool {
    !*value
}

/// A strategy from some space on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LateConfig {
    /// The mover's space from which on it is used, 1 to 52.
    pub from: u8,
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
    /// The more likely the more equation 1 gives.
    Softmax,
    /// Uniformly.
    Uniform,
}

/// How the tree is walked and what results are worth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SearchConfig {
    /// The rule of selection; UCB1 when left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub select: Option<Rule>,
    /// The c of the rule, 0 or more.
    pub exploration: f64,
    /// Added to a node's mean it is what untried actions count as; without it each is tried at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_play: Option<f64>,
    /// How many actions may be tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub widening: Option<Widening>,
    /// All-moves-as-first statistics.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rave: Option<RaveConfig>,
    /// Weight of the static estimate backed up by minimax, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimax: Option<f64>,
    /// Whether proven wins and losses are propagated; they are when left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solver: Option<bool>,
    /// Positions that an exact search of a leaf near the end may take; none when left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub endgame: Option<u32>,
    /// Whether a search ends when its choice is decided; when left out only with time for a game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub early_stop: Option<bool>,
    /// Most positions in the tree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<Count>,
    /// Whether a position that is reached in several ways is searched once; not when left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transpositions: Option<bool>,
    /// Whether wins or margins are counted.
    pub value: ValueKind,
    /// Points that count as a clear win, not with `value = "win"`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin_scale: Option<f64>,
    /// The weight of winning, with `value = "mix"` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub win_weight: Option<f64>,
}

impl Default for SearchConfig {
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

/// What results are worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ValueKind {
    /// 1 for a win, 0 for a loss.
    Win,
    /// The margin, squashed into 0 to 1.
    Margin,
    /// Both.
    Mix,
}

const DEFAULT_MARGIN_SCALE: f64 = 20.0;
const DEFAULT_WIN_WEIGHT: f64 = 0.5;

/// Far beyond what any search can use.
const MOST_EXPLORATION: f64 = 1000.0;
/// Searches of one position at the same time.
pub const MOST_THREADS: u32 = 256;
/// A root can have hundreds of actions, and what lies below them is to be kept too.
const LEAST_NODES: u32 = 10_000;
const MOST_NODES: u32 = 1 << 26;
/// Less than a millisecond for a leaf, so that the clock is looked at often enough.
const MOST_ENDGAME: u32 = 1000;

/// A number of a range, or a sentence.
fn number(key: &str, found: f64, least: f64, most: f64) -> Result<f64, String> {
    if (least..=most).contains(&found) {
        return Ok(found);
    }
    Err(format!(
        "{key}: expected a number from {least} to {most}, found {found}"
    ))
}

fn above_zero(key: &str, found: f64) -> Result<f64, String> {
    if found.is_finite() && found > 0.0 {
        return Ok(found);
    }
    Err(format!("{key}: expected a number above 0, found {found}"))
}

impl MctsConfig {
    pub(super) fn check(&self) -> Result<MctsSpec, String> {
        let effort = self.budget.check()?;
        let threads = self.threads.map_or(1, Count::get);
        if threads > MOST_THREADS {
            return Err(format!(
                "threads: expected a number from 1 to {MOST_THREADS}, found {threads}"
            ));
        }
        let early = matches!(effort, Effort::Game(_));
        Ok(MctsSpec {
            effort,
            threads,
            search: self.search.check(early)?,
            expansion: self.expansion.check()?,
            rollout: self.rollout.check()?,
            worth: self.search.worth()?,
            rave_over: self
                .search
                .rave
                .as_ref()
                .map_or(Over::Placements, |rave| rave.over),
            endgame: match self.search.endgame {
                Some(positions) if positions > MOST_ENDGAME => {
                    return Err(format!(
                        "search.endgame: expected a number from 0 to {MOST_ENDGAME}, found {positions}"
                    ));
                }
                positions => positions.unwrap_or(0),
            },
        })
    }
}

impl BudgetConfig {
    fn check(&self) -> Result<Effort, String> {
        let milliseconds = |count: Count| Duration::from_millis(count.get().into());
        let efforts = [
            self.iterations
                .map(|count| Effort::Move(Budget::Iterations(count.get()))),
            self.milliseconds
                .map(|time| Effort::Move(Budget::Time(milliseconds(time)))),
            self.milliseconds_per_game
                .map(|time| Effort::Game(milliseconds(time))),
        ];
        only_one("iterations, milliseconds or milliseconds_per_game", efforts)
    }
}

impl ExpansionConfig {
    fn check(&self) -> Result<Expansion, String> {
        let prior = self.prior.clone().unwrap_or_default();
        let key = "expansion.prior.temperature";
        Ok(Expansion {
            strategy: strategy(
                "expansion",
                &self.policy,
                &self.transforms,
                &self.evaluation,
            )?,
            best: self.best.map(|best| best.get() as usize),
            whole: self.whole.unwrap_or(0),
            steps: match self.steps {
                None | Some(StepsKind::One) => Steps::One,
                Some(StepsKind::Two) => Steps::Two,
            },
            temperature: number(key, prior.temperature, 0.01, 1000.0)? as f32,
            decay: number("expansion.prior.decay", prior.decay, 0.0, 100.0)? as f32,
            points: match prior.points {
                None => None,
                Some(points) => Some(number("expansion.prior.points", points, 0.1, 1e6)? as f32),
            },
        })
    }
}

impl RolloutConfig {
    pub(in crate::agent) fn check(&self) -> Result<Rollout, String> {
        let strategy = strategy("rollout", &self.policy, &self.transforms, &self.evaluation)?;
        let late = match &self.late {
            None => None,
            Some(late) if !(1..LAST_SPACE).contains(&late.from) => {
                return Err(format!(
                    "rollout.late.from: expected a number from 1 to {}, found {}",
                    LAST_SPACE - 1,
                    late.from
                ));
            }
            Some(late) => {
                let names = StrategyConfig {
                    policy: late.policy.clone(),
                    transforms: late.transforms.clone(),
                    evaluation: late.evaluation.clone(),
                };
                Some((late.from, names.check("rollout.late")?))
            }
        };
        Ok(Rollout {
            player: QuickPlayer {
                picker: self.picker()?,
                strategy,
                late,
                corner: self.corner,
            },
            depth: self.depth,
            estimate: number("rollout.estimate", self.estimate.unwrap_or(0.0), 0.0, 1.0)? as f32,
        })
    }

    fn picker(&self) -> Result<Picker, String> {
        if self.epsilon.is_some() && self.pick != Pick::EpsilonGreedy {
            return Err("rollout.epsilon: goes with pick = \"epsilon-greedy\" only".into());
        }
        if self.temperature.is_some() && self.pick != Pick::Softmax {
            return Err("rollout.temperature: goes with pick = \"softmax\" only".into());
        }
        let missing = |key: &str, expected: &str| {
            format!("rollout.{key}: expected a number {expected}, found nothing")
        };
        Ok(match self.pick {
            Pick::Greedy => Picker::Greedy,
            Pick::Uniform => Picker::Uniform,
            Pick::EpsilonGreedy => {
                let epsilon = self
                    .epsilon
                    .ok_or_else(|| missing("epsilon", "from 0 to 1"))?;
                Picker::EpsilonGreedy(number("rollout.epsilon", epsilon, 0.0, 1.0)?)
            }
            Pick::Softmax => {
                let key = "rollout.temperature";
                let found = self.temperature;
                let found = found.ok_or_else(|| missing("temperature", "from 0.01 to 1000"))?;
                Picker::Softmax {
                    temperature: number(key, found, 0.01, 1000.0)? as f32,
                }
            }
        })
    }
}

impl SearchConfig {
    fn check(&self, early: bool) -> Result<Settings, String> {
        let key = "search.exploration";
        if let Some(widening) = &self.widening {
            number("search.widening.base", widening.base.into(), 0.001, 1e6)?;
            number("search.widening.power", widening.power.into(), 0.0, 1.0)?;
        }
        let rave = match &self.rave {
            None => None,
            Some(rave) => {
                Some(number("search.rave.equivalence", rave.equivalence, 0.001, 1e9)? as f32)
            }
        };
        let first_play = match self.first_play {
            None => None,
            Some(found) => Some(number("search.first_play", found, -1.0, 1.0)? as f32),
        };
        let nodes = self.nodes.map_or(Settings::default().nodes, Count::get);
        if !(LEAST_NODES..=MOST_NODES).contains(&nodes) {
            return Err(format!(
                "search.nodes: expected a number from {LEAST_NODES} to {MOST_NODES}, found {nodes}"
            ));
        }
        let solver = self.solver.unwrap_or(true);
        if !solver && self.endgame.is_some_and(|positions| positions > 0) {
            return Err("search.endgame: does not go with solver = false".into());
        }
        Ok(Settings {
            select: self.select.unwrap_or_default(),
            exploration: number(key, self.exploration, 0.0, MOST_EXPLORATION)? as f32,
            first_play,
            widening: self.widening,
            rave,
            minimax: number("search.minimax", self.minimax.unwrap_or(0.0), 0.0, 1.0)? as f32,
            solver,
            early_stop: self.early_stop.unwrap_or(early),
            nodes,
            transpositions: self.transpositions.unwrap_or(false),
        })
    }

    pub(in crate::agent) fn worth(&self) -> Result<Worth, String> {
        if self.value == ValueKind::Win && self.margin_scale.is_some() {
            return Err("search.margin_scale: goes with value = \"margin\" or \"mix\" only".into());
        }
        if self.value != ValueKind::Mix && self.win_weight.is_some() {
            return Err("search.win_weight: goes with value = \"mix\" only".into());
        }
        let scale = self.margin_scale.unwrap_or(DEFAULT_MARGIN_SCALE);
        let scale = above_zero("search.margin_scale", scale)?;
        let win = self.win_weight.unwrap_or(DEFAULT_WIN_WEIGHT);
        Ok(match self.value {
            ValueKind::Win => Worth::Win,
            ValueKind::Margin => Worth::Margin { scale },
            ValueKind::Mix => Worth::Mix {
                win: number("search.win_weight", win, 0.0, 1.0)?,
                scale,
            },
        })
    }
}
