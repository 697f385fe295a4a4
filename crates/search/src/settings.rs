//! How a tree is searched.

use serde::{Deserialize, Serialize};

use super::allocation::RootAllocation;
use super::choice::FinalChoice;
use super::part::Selected;

/// The rule that selects among the actions of a node, with their means, their visits n, the visits
/// N of the node, and the exploration constant c.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// mean + c sqrt(ln N / n): UCB1 of Auer, Cesa-Bianchi and Fischer (Machine Learning 47, 2002).
    #[default]
    Ucb1,
    /// mean + c sqrt(ln N / n min(1/4, V)) with V = variance + sqrt(2 ln N / n), of the same paper.
    Ucb1Tuned,
    /// mean + c P sqrt(N) / (1 + n) with the prior P of the action: PUCT as in Silver et al.
    /// (Nature 550, 2017).
    Puct,
}

/// Progressive widening: base x N^power actions of a node with N visits may be tried, at least one, in
/// the order of the expansion (Chaslot et al., "Progressive strategies for Monte-Carlo tree search",
/// 2008).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Widening {
    /// Actions at the first visit, above 0.
    pub base: f32,
    /// 0 to 1.
    pub power: f32,
}

/// The settings of a search. All keys are optional in a configuration file.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// How actions are selected.
    #[serde(skip_serializing_if = "is_default")]
    pub select: Rule,
    /// The constant c of the rule, 0 or more.
    pub exploration: f32,
    /// First-play urgency: an untried action counts as the mean of its node plus this, plus PUCT's
    /// term. Without it, every action is tried before any is tried again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_play: Option<f32>,
    /// How many actions may be tried; all of them without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub widening: Option<Widening>,
    /// RAVE: the results of the same move made later in an iteration count for the move now, with
    /// weight sqrt(k / (3 n + k)) after n visits. This is k, the visits at which the weight is one half
    /// (Gelly and Silver, Artificial Intelligence 175, 2011).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rave: Option<f32>,
    /// The weight, 0 to 1, of position estimates backed up by minimax against the mean result (Lanctot et
    /// al., "Monte Carlo tree search with heuristic evaluations using implicit minimax backups", 2014).
    #[serde(skip_serializing_if = "is_default")]
    pub minimax: f32,
    /// The log-odds of the chances that a search reports are those of the mean chance of its iterations times this
    /// number. Means lie too near to one half, since they also count the iterations that tried weak actions. No
    /// decision depends on it.
    #[serde(skip_serializing_if = "is_one")]
    pub confidence: f32,
    /// From 100,000 visits N of the root on, the confidence is multiplied by (N / 100,000) to the power of this number,
    /// -1 to 0: the share of the iterations that try weak actions falls with the length of a search.
    #[serde(skip_serializing_if = "is_default")]
    pub confidence_power: f32,
    /// Which action of the root gets the next iteration, if the budget is a number of iterations and one thread searches. With
    /// another allocation than the selection rule's, a search has no [`batch`](Self::batch), and is not the same with a pause.
    #[serde(skip_serializing_if = "is_default")]
    pub allocation: Selected<RootAllocation>,
    /// How the action is chosen when the search ends, at the root and along the principal variation.
    #[serde(skip_serializing_if = "is_default")]
    pub choice: Selected<FinalChoice>,
    /// Whether every value is 0 or 1, as with playouts that count wins: the variance of the results of an action then follows
    /// from their mean, and need not be stored.
    #[serde(skip_serializing_if = "is_default")]
    pub two_results: bool,
    /// Whether proven wins and losses are backed up.
    #[serde(skip_serializing_if = "Clone::clone")]
    pub solver: bool,
    /// Whether the search ends as soon as the iterations left cannot change which action is chosen.
    /// They could still prove that it loses or that another one wins.
    #[serde(skip_serializing_if = "is_default")]
    pub early_stop: bool,
    /// Maximum number of iterations in a row that start at one node instead of the root, for 1 in 8 of its visits; 1 for
    /// every iteration from the root. Not with RAVE or transpositions. Several threads always search like this.
    #[serde(skip_serializing_if = "is_single")]
    pub batch: u32,
    /// The maximum number of nodes in a tree; the least visited are recycled.
    pub nodes: u32,
    /// Whether a position reached in several ways is a single node with several edges to it (Childs, Brodeur
    /// and Kocsis, "Transpositions and move groups in Monte Carlo tree search", 2008, their UCT1).
    #[serde(skip_serializing_if = "is_default")]
    pub transpositions: bool,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn is_single(value: &u32) -> bool {
    *value == 1
}

fn is_one(value: &f32) -> bool {
    *value == 1.0
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            select: Rule::Ucb1,
            exploration: 0.7,
            first_play: None,
            widening: None,
            rave: None,
            minimax: 0.0,
            confidence: 1.0,
            confidence_power: 0.0,
            allocation: Selected::default(),
            choice: Selected::default(),
            two_results: false,
            solver: true,
            early_stop: false,
            batch: 1,
            nodes: 1 << 20,
            transpositions: false,
        }
    }
}

impl Settings {
    /// Whether iterations may start at a node below the root, and several threads search: with RAVE, an iteration needs its
    /// moves from the root on, and with transpositions, nodes below different nodes may be the same.
    pub(super) const fn has_batches(&self) -> bool {
        self.rave.is_none() && !self.transpositions
    }
}
