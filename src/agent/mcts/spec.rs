//! The checked settings of an MCTS agent.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::agent::clock::Clock;
use crate::agent::endgame;
use crate::agent::quick::QuickPlayer;
use crate::game::{Action, Setup, State};
use crate::placement::Strategy;
use crate::search::{Budget, Settings};

/// What a finished game is worth to the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Worth {
    /// 1 for a win, 0 for a loss.
    Win,
    /// (1 + tanh(margin / scale)) / 2 of the margin in points.
    Margin {
        /// Points that count as a clear win.
        scale: f64,
    },
    /// Both, with weights that add up to 1.
    Mix {
        /// The weight of winning, 0 to 1.
        win: f64,
        /// Points that count as a clear win.
        scale: f64,
    },
}

impl Worth {
    /// What a game is worth to a player who has won it (1) or lost it (0) by this margin.
    #[inline]
    pub(in crate::agent) fn of(self, won: f64, margin: f64) -> f64 {
        let squashed = |scale: f64| 0.5 + 0.5 * libm::tanh(margin / scale);
        match self {
            Self::Win => won,
            Self::Margin { scale } => squashed(scale),
            Self::Mix { win, scale } => win * won + (1.0 - win) * squashed(scale),
        }
    }

    pub(super) const fn counts_wins(self) -> bool {
        !matches!(self, Self::Margin { .. })
    }
}

/// What an agent may spend.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Effort {
    /// The same for each decision.
    Move(Budget),
    /// So much time for all decisions of a game.
    Game(Duration),
}

/// How buying a patch is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Steps {
    /// The patch and its placement are one action.
    One,
    /// The patch is one ply of the search, its placement the next.
    Two,
}

/// How nodes are expanded.
#[derive(Clone, Copy, Debug)]
pub struct Expansion {
    /// Generates and orders the placements of a node.
    pub strategy: Strategy,
    /// How many placements of each patch are searched, best first; all when none.
    pub best: Option<usize>,
    /// Nodes with at most so many legal actions have all of them, after those of the strategy.
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

/// How a position is valued that is not over.
#[derive(Clone, Copy, Debug)]
pub struct Rollout {
    /// Plays on.
    pub player: QuickPlayer,
    /// So many plies, then the static estimate counts; to the end when none.
    pub depth: Option<u32>,
    /// Weight of the leaf's own static estimate against what playing on gives, 0 to 1.
    pub estimate: f32,
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

/// The settings of an MCTS agent.
#[derive(Clone, Copy, Debug)]
pub struct MctsSpec {
    /// Effort for each decision.
    pub effort: Effort,
    /// Searches of the same position, each in a thread of its own.
    pub threads: u32,
    /// How the tree is searched.
    pub search: Settings,
    /// How nodes are expanded.
    pub expansion: Expansion,
    /// How leaves are valued.
    pub rollout: Rollout,
    /// What the results are worth.
    pub worth: Worth,
    /// What makes two moves the same for RAVE.
    pub rave_over: Over,
    /// Positions with few spaces left are solved if that takes no more positions than this; 0: never.
    pub endgame: u32,
}

/// Positions with more spaces left than this are not solved.
pub(super) const SOLVABLE: u8 = 16;

/// How many times the positions of a leaf's exact search the root's may take.
const ROOT_ENDGAME: u32 = 64;

impl MctsSpec {
    pub(in crate::agent) const fn is_deterministic(&self) -> bool {
        matches!(self.effort, Effort::Move(Budget::Iterations(_)))
    }

    /// The budget of a single decision; with time for a game, that of the game's first decision.
    #[must_use]
    pub fn first_budget(&self, setup: &Setup) -> Budget {
        match self.effort {
            Effort::Move(budget) => budget,
            Effort::Game(time) => Budget::Time(Clock::new(time).allot(&State::new(setup))),
        }
    }

    /// An action that wins for certain, if the agent looks for one and finds it without its tree, in at
    /// most a third of a budget in time.
    #[must_use]
    pub fn winning_action(&self, setup: &Setup, state: &State, budget: Budget) -> Option<Action> {
        // The position is worth more of a search of its own than any leaf.
        let most = self.endgame.saturating_mul(ROOT_ENDGAME);
        if most == 0 || endgame::spaces_left(state) > SOLVABLE {
            return None;
        }
        let until = match budget {
            Budget::Iterations(_) => None,
            Budget::Time(time) => Some(Instant::now() + time / 3),
        };
        endgame::winning_action(setup, state, most, until)
    }
}
