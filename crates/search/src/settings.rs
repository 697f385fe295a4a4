//! How a tree is searched.

use serde::{Deserialize, Serialize};

use crate::allocation::{Allocator, RootAllocation};
use crate::choice::FinalChoice;
use crate::part::Selected;
use crate::select::SelectionRule;

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

/// The settings of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// How actions are selected.
    pub select: Selected<SelectionRule>,
    /// The constant c of the rule, 0 or more.
    pub exploration: f32,
    /// First-play urgency: an untried action counts as the mean of its node plus this, plus PUCT's
    /// term. Without it, every action is tried before any is tried again.
    pub first_play: Option<f32>,
    /// How many actions may be tried; all of them without it.
    pub widening: Option<Widening>,
    /// The weight, 0 to 1, of position estimates backed up by minimax against the mean result (Lanctot et
    /// al., "Monte Carlo tree search with heuristic evaluations using implicit minimax backups", 2014).
    pub minimax: f32,
    /// The log-odds of the chances that a search reports are those of the mean chance of its iterations times this
    /// number. Means lie too near to one half, since they also count the iterations that tried weak actions. No
    /// decision depends on it.
    pub confidence: f32,
    /// From 100,000 visits N of the root on, the confidence is multiplied by (N / 100,000) to the power of this number,
    /// -1 to 0: the share of the iterations that try weak actions falls with the length of a search.
    pub confidence_power: f32,
    /// Which action of the root gets the next iteration, if the budget is a number of iterations and one thread searches. With
    /// another allocation than the selection rule's, a search has no [`batch`](Self::batch), and is not the same with a pause.
    pub allocation: Selected<RootAllocation>,
    /// How the action is chosen when the search ends, at the root and along the principal variation.
    pub choice: Selected<FinalChoice>,
    /// Whether every value is 0 or 1, as with playouts that count wins: the variance of the results of an action then follows
    /// from their mean, and need not be stored.
    pub two_results: bool,
    /// Whether proven wins and losses are backed up.
    pub solver: bool,
    /// Whether the search ends as soon as the iterations left cannot change which action is chosen.
    /// They could still prove that it loses or that another one wins.
    pub early_stop: bool,
    /// Maximum number of iterations in a row that start at one node instead of the root, for 1 in 8 of its visits; 1 for
    /// every iteration from the root. Not with RAVE or transpositions. Several threads always search like this.
    pub batch: u32,
    /// The maximum number of nodes in a tree; the least visited are recycled.
    pub nodes: u32,
    /// Whether a position reached in several ways is a single node with several edges to it (Childs, Brodeur
    /// and Kocsis, "Transpositions and move groups in Monte Carlo tree search", 2008, their UCT1).
    pub transpositions: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            select: Selected::default(),
            exploration: 0.7,
            first_play: None,
            widening: None,
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
    /// Whether iterations may start at a node below the root, and several threads search: a rule that learns needs the moves of
    /// an iteration from the root on, and with transpositions, nodes below different nodes may be the same.
    pub(super) const fn has_batches(&self) -> bool {
        let rule = self.select.part();
        rule.learn.is_none() && rule.memory.is_none() && !self.transpositions
    }

    /// What allocates the iterations of one decision, if the selection rule does not.
    pub(super) fn allocator(&self) -> Option<Allocator> {
        let (part, keys) = self.allocation.part_with_keys();
        part.build.map(|build| build(keys))
    }

    /// Whether the search needs an [`Extra`](crate::Extra) for each action.
    pub(super) const fn has_extras(&self) -> bool {
        let rule = self.select.part();
        let learns = rule.learn.is_some() || rule.memory.is_some();
        learns || rule.uses_squares || self.choice.part().uses_variance && !self.two_results
    }
}
