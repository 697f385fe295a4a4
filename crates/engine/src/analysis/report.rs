//! The results of an analysis in the form in which they are written.

use crate::agent::{Decision, Estimator, win_chance};
use crate::game::{Outcome, Player, Position};
use crate::record::picture::Picture;
use serde::Serialize;

/// All results of the analysis of a position. If the search had a budget in iterations, everything
/// except `time` is the same on every machine.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PositionReport {
    /// The position.
    pub position: Picture,
    /// The result of the game, if it is over.
    pub outcome: Option<Outcome>,
    /// The position estimate; `None` if the game is over.
    pub estimate: Option<PositionEstimate>,
    /// Name of the agent.
    pub agent: String,
    /// The agent's decision; `None` if the game is over.
    pub best: Option<BestAction>,
    /// The winner if both play optimally, if proven.
    pub winner: Option<Player>,
    /// The search, if the agent uses a search tree.
    pub search: Option<SearchFacts>,
    /// The principal variation.
    pub line: Vec<LineStep>,
    /// The actions grouped by choice: advancing or a patch.
    pub choices: Vec<ChoiceRow>,
    /// The best action, followed by those with the most visits.
    pub actions: Vec<ActionRow>,
    /// Time and speed; `None` if the game is over.
    pub time: Option<Timing>,
}

/// The agent's position estimate for the player to move; the linear one if the agent has none of its own.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PositionEstimate {
    /// The expected final margin in points.
    pub margin: f32,
    /// Win probability, 0 to 1.
    pub win_chance: f32,
}

/// A decision.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BestAction {
    /// The action.
    pub action: String,
    /// The value that the agent expects for the player to move, 0 to 1; `None` if the agent does
    /// not report one.
    pub value: Option<f32>,
    /// Whether it is proven to win (true) or to lose (false); `None` if neither.
    pub proven: Option<bool>,
    /// Iterations of the agent's search, 0 if it does not count them.
    pub iterations: u64,
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Ended {
    /// The budget was spent.
    Budget,
    /// It was interrupted.
    Interrupted,
    /// The winner was proven.
    Proven,
    /// The agent considers only one action.
    Forced,
    /// The maximum number of iterations that can be counted was reached.
    Full,
}

impl Ended {
    /// Whether a longer search would find nothing else.
    pub const fn is_final(self) -> bool {
        matches!(self, Self::Proven | Self::Forced | Self::Full)
    }
}

/// A search and its tree.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SearchFacts {
    /// Number of threads that search: one with a budget of iterations.
    pub threads: u32,
    /// Iterations (one playout each).
    pub iterations: u64,
    /// Why the search ended; `None` while it is running.
    pub ended: Option<Ended>,
    /// Mean number of steps from the root to where iterations left the tree.
    pub mean_depth: f64,
    /// Maximum number of steps of an iteration.
    pub max_depth: usize,
    /// Nodes (positions) in the tree.
    pub nodes: usize,
    /// Edges (actions) in the tree, including those that have not been tried.
    pub edges: usize,
    /// Bytes per position, without its actions.
    pub bytes_per_node: usize,
    /// Bytes per action.
    pub bytes_per_edge: usize,
    /// Total bytes of all positions and actions.
    pub bytes: usize,
    /// Entropy of the visit distribution at the root in bits.
    pub entropy: f32,
    /// Number of actions that the search considers.
    pub considered: usize,
    /// How many of them have been tried.
    pub tried: usize,
}

/// A step of the principal variation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LineStep {
    /// The player to move.
    pub player: Player,
    /// The action.
    pub action: String,
    /// Iterations that went through it.
    pub visits: u32,
    /// The mean result of these iterations for the player who moves, 0 to 1.
    pub value: f32,
    /// Whether it is proven to win (true) or to lose (false) for the player who moves; `None` if
    /// neither.
    pub proven: Option<bool>,
}

/// All actions that buy the same patch, or advancing, or placing a special patch.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChoiceRow {
    /// The patch's number, `A` or `S`.
    pub choice: String,
    /// Iterations that went through it.
    pub visits: u32,
    /// Their share of all iterations.
    pub share: f64,
    /// Their mean result for the player to move, 0 to 1; `None` without visits.
    pub value: Option<f32>,
    /// Prior probability, according to the agent's expansion, that it is the best choice.
    pub prior: f32,
    /// Number of actions.
    pub actions: usize,
}

/// An action of the position.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ActionRow {
    /// The action; `17:?` is a patch with no known placement.
    pub action: String,
    /// Iterations that went through it.
    pub visits: u32,
    /// Their share of all iterations.
    pub share: f64,
    /// Their mean result for the player to move, 0 to 1; `None` without visits.
    pub value: Option<f32>,
    /// Prior probability, according to the agent's expansion, that it is the best action.
    pub prior: f32,
    /// Whether it is proven to win (true) or to lose (false); `None` if neither.
    pub proven: Option<bool>,
}

/// Measurements that differ from run to run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Timing {
    /// Time spent, in seconds.
    pub seconds: f64,
    /// Iterations per second; `None` if the agent does not count iterations.
    pub iterations_per_second: Option<f64>,
}

impl Timing {
    pub(super) fn new(seconds: f64, iterations: u64) -> Self {
        let rate = iterations as f64 / seconds;
        Self {
            seconds,
            iterations_per_second: (iterations > 0 && rate.is_finite()).then_some(rate),
        }
    }
}

impl PositionReport {
    /// A report with only the position and the result, used when the game is over.
    pub fn of_position(position: &Position, agent: &str) -> Self {
        Self {
            position: Picture::new(position),
            outcome: position.state.outcome(),
            estimate: None,
            agent: agent.to_owned(),
            best: None,
            winner: None,
            search: None,
            line: Vec::new(),
            choices: Vec::new(),
            actions: Vec::new(),
            time: None,
        }
    }

    /// The decision of an agent without a search tree.
    pub fn of_decision(
        position: &Position,
        agent: &str,
        estimate: PositionEstimate,
        decision: &Decision,
        time: std::time::Duration,
    ) -> Self {
        let (mover, thought) = (position.state.mover(), decision.thought);
        let iterations = thought.iterations.into();
        Self {
            estimate: Some(estimate),
            best: Some(BestAction::new(decision, iterations)),
            winner: thought
                .proven
                .map(|wins| if wins { mover } else { mover.other() }),
            time: Some(Timing::new(time.as_secs_f64(), iterations)),
            ..Self::of_position(position, agent)
        }
    }
}

impl PositionEstimate {
    /// The estimate of a position in which the game is not over.
    pub fn new(position: &Position, estimator: &mut Estimator) -> Self {
        let margin = estimator.margin(&position.setup, &position.state);
        let chance = win_chance(margin, &position.state);
        match position.state.mover() {
            Player::First => Self {
                margin,
                win_chance: chance,
            },
            Player::Second => Self {
                // Avoids -0.
                margin: 0.0 - margin,
                win_chance: 1.0 - chance,
            },
        }
    }
}

impl BestAction {
    pub(super) fn new(decision: &Decision, iterations: u64) -> Self {
        Self {
            action: decision.action.to_string(),
            value: decision.thought.value,
            proven: decision.thought.proven,
            iterations,
        }
    }
}
