//! The positions and actions of the search: with the two steps of buying, a patch can be picked and not yet placed.

use crate::agent::rollout::learner::kind_of;
use crate::game::{Action, PatchId, Player, State};
use crate::search::Side;

impl From<Player> for Side {
    #[inline(always)]
    fn from(player: Player) -> Self {
        match player {
            Player::First => Self::First,
            Player::Second => Self::Second,
        }
    }
}

impl From<Side> for Player {
    #[inline(always)]
    fn from(side: Side) -> Self {
        match side {
            Side::First => Self::First,
            Side::Second => Self::Second,
        }
    }
}

/// A position of the search. In two-step mode, a patch may have been picked but not yet placed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TreePosition {
    /// The position in the game.
    pub state: State,
    /// The patch that the mover is buying, if it has been picked but not placed.
    pub picked: Option<PatchId>,
}

impl From<State> for TreePosition {
    fn from(state: State) -> Self {
        Self {
            state,
            picked: None,
        }
    }
}

/// An action of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// An action of the game.
    Play(Action),
    /// The first step of buying a patch.
    Pick(PatchId),
}

impl Step {
    /// The kind of the move: that of buying a patch does not depend on its placement.
    pub(super) fn kind(self) -> u16 {
        match self {
            Self::Play(action) => kind_of(action),
            Self::Pick(patch) => patch.index() as u16,
        }
    }
}
