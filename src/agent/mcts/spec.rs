//! The search parameters of an MCTS agent.

use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::agent::clock::Clock;
use crate::agent::endgame;
use crate::agent::rollout_player::RolloutPlayer;
use crate::agent::worth::Worth;
use crate::game::{Action, Setup, State};
use crate::placement::Strategy;
use crate::search::{Budget, Settings};

/// How buying a patch is searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Steps {
    /// The patch and its placement are one action.
    #[default]
    One,
    /// The patch is one ply of the search and its placement the next.
    Two,
}

/// When two moves of a player count as the same for RAVE.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Over {
    /// If they buy the same patch.
    Patches,
    /// If they buy the same patch and cover the same squares.
    Placements,
}

/// How nodes are expanded.
#[derive(Clone, Copy, Debug)]
pub struct Expansion {
    /// Generates and orders the placements of a node.
    pub strategy: Strategy,
    /// How many placements of each patch are searched, best first; all if absent.
    pub best: Option<usize>,
    /// If a patch has at most this many legal placements, all of them are searched, after those of
    /// the strategy.
    pub whole: u32,
    /// Whether patch and placement are one action or two.
    pub steps: Steps,
    /// Priors are proportional to exp(gain / temperature), where gain is that of equation 1 in
    /// points per space,
    pub temperature: f32,
    /// times (1 + rank)^-decay, where rank is that of the placement in the strategy's order,
    pub decay: f32,
    /// times exp(margin / points), where margin is the position estimate after the action, if
    /// given.
    pub points: Option<f32>,
}

/// How a position that is not over is evaluated.
#[derive(Clone, Copy, Debug)]
pub struct Playout {
    /// The rollout policy.
    pub player: RolloutPlayer,
    /// Number of plies after which the position estimate is used; to the end of the game if absent.
    pub depth: Option<u32>,
    /// Weight of the position estimate of the leaf relative to the rollout, 0 to 1.
    pub estimate: f32,
}

/// The settings of an MCTS agent.
#[derive(Clone, Copy, Debug)]
pub struct MctsSpec {
    /// The budget per decision or per game.
    pub budget: Budget,
    /// Number of parallel searches of the same position, each in its own thread.
    pub threads: u32,
    /// How the tree is searched.
    pub search: Settings,
    /// How nodes are expanded.
    pub expansion: Expansion,
    /// How leaves are evaluated.
    pub rollout: Playout,
    /// How results are scored.
    pub worth: Worth,
    /// When two moves count as the same for RAVE.
    pub rave_over: Over,
    /// Maximum number of positions in the exact search of a leaf near the end; 0 disables it.
    pub endgame: u32,
}

/// Positions with more than this many spaces left are not searched exactly.
pub(super) const SOLVABLE: u8 = 16;

/// The exact search of the root may visit this many times as many positions as that of a leaf.
const ROOT_ENDGAME: u32 = 64;

impl MctsSpec {
    /// The budget of a single decision; for a time budget per game, that of the first decision.
    #[must_use]
    pub fn first_budget(&self, setup: &Setup) -> Budget {
        match self.budget {
            Budget::GameTime(time) => Budget::Time(Clock::new(time).allot(&State::new(setup))),
            budget => budget,
        }
    }

    /// An action that is proven to win by exact search, if the agent uses it and finds one. The
    /// search takes at most a third of a time budget.
    #[must_use]
    pub fn winning_action(&self, setup: &Setup, state: &State, budget: Budget) -> Option<Action> {
        // The root is searched further than a leaf.
        let most = self.endgame.saturating_mul(ROOT_ENDGAME);
        if most == 0 || endgame::spaces_left(state) > SOLVABLE {
            return None;
        }
        let until = budget.time().map(|time| Instant::now() + time / 3);
        endgame::winning_action(setup, state, most, until)
    }
}
