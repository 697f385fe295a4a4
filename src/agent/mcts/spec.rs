//! What the search of an MCTS agent works with.

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
    /// The patch is one ply of the search, its placement the next.
    Two,
}

/// When two moves of a player count as the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Over {
    /// The same patch is bought.
    Patches,
    /// The same patch is bought and covers the same squares.
    Placements,
}

/// How nodes are expanded.
#[derive(Clone, Copy, Debug)]
pub struct Expansion {
    /// Generates and orders the placements of a node.
    pub strategy: Strategy,
    /// How many placements of each patch are searched, best first; all if absent.
    pub best: Option<usize>,
    /// A patch with at most this many legal placements has all of them searched, after the strategy's.
    pub whole: u32,
    /// Whether patch and placement are one action or two.
    pub steps: Steps,
    /// Priors are proportional to exp(gain / temperature), with the gain of equation 1 in points a space,
    pub temperature: f32,
    /// times (1 + rank)^-decay of the placement's rank in the strategy's order,
    pub decay: f32,
    /// times exp(margin / points) with the margin that the static estimate gives after the action, if any.
    pub points: Option<f32>,
}

/// How a position that is not over is evaluated.
#[derive(Clone, Copy, Debug)]
pub struct Playout {
    /// Plays on.
    pub player: RolloutPlayer,
    /// Plies until the position estimate counts; to the end of the game if absent.
    pub depth: Option<u32>,
    /// Weight of the leaf's own position estimate against the rollout, 0 to 1.
    pub estimate: f32,
}

/// The settings of an MCTS agent.
#[derive(Clone, Copy, Debug)]
pub struct MctsSpec {
    /// The budget of each decision or of a game.
    pub budget: Budget,
    /// Searches of the same position, each in a thread of its own.
    pub threads: u32,
    /// How the tree is searched.
    pub search: Settings,
    /// How nodes are expanded.
    pub expansion: Expansion,
    /// How leaves are evaluated.
    pub rollout: Playout,
    /// What the results are worth.
    pub worth: Worth,
    /// What makes two moves the same for RAVE.
    pub rave_over: Over,
    /// Leaves near the end are solved if that visits no more positions than this; 0 for never.
    pub endgame: u32,
}

/// Positions with more spaces left than this are not solved.
pub(super) const SOLVABLE: u8 = 16;

/// How many times the positions of a leaf's exact search the root's may take.
const ROOT_ENDGAME: u32 = 64;

impl MctsSpec {
    /// The budget of a single decision; with time for a game, that of the game's first decision.
    #[must_use]
    pub fn first_budget(&self, setup: &Setup) -> Budget {
        match self.budget {
            Budget::GameTime(time) => Budget::Time(Clock::new(time).allot(&State::new(setup))),
            budget => budget,
        }
    }

    /// An action that wins for certain, if the agent looks for one and finds it without its tree, in at
    /// most a third of a budget in time.
    #[must_use]
    pub fn winning_action(&self, setup: &Setup, state: &State, budget: Budget) -> Option<Action> {
        // The root deserves a larger exact search than a leaf.
        let most = self.endgame.saturating_mul(ROOT_ENDGAME);
        if most == 0 || endgame::spaces_left(state) > SOLVABLE {
            return None;
        }
        let until = budget.time().map(|time| Instant::now() + time / 3);
        endgame::winning_action(setup, state, most, until)
    }
}
