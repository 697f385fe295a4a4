//! A decision and the agent's thought about it.

use bincode::{Decode, Encode};

use crate::board::Square;
use crate::game::{Action, PatchId, Placement, Player, Setup, State};

/// One decision.
#[derive(Clone, Copy, Debug, PartialEq, Encode, Decode)]
pub struct Ply {
    /// 0 for the first player, 1 for the second.
    player: u8,
    action: StoredAction,
    /// The token's space before the ply, 0 to 53.
    pub space: u8,
    /// Number of legal actions.
    pub legal: u16,
    /// What the agent reports about it.
    pub thought: Thought,
}

const SPECIAL: u8 = 255;

/// An action as it is stored; the numbers may be invalid.
#[derive(Clone, Copy, Debug, PartialEq, Encode, Decode)]
pub struct StoredAction {
    /// Patch number; 0 for advancing, 255 for a special patch.
    patch: u8,
    /// Index of the orientation; 0 unless a patch is placed.
    orientation: u8,
    /// Row-major index of the first square covered; 0 for advancing.
    anchor: u8,
}

impl From<Action> for StoredAction {
    fn from(action: Action) -> Self {
        let (patch, orientation, anchor) = match action {
            Action::Advance => (0, 0, 0),
            Action::Buy(patch, placement) => (
                patch.number(),
                placement.orientation(),
                placement.anchor().index() as u8,
            ),
            Action::Special(square) => (SPECIAL, 0, square.index() as u8),
        };
        Self {
            patch,
            orientation,
            anchor,
        }
    }
}

impl StoredAction {
    /// The action; `None` if the stored numbers are not an action.
    pub fn action(self) -> Option<Action> {
        let square = Square::new(self.anchor)?;
        match self.patch {
            0 => Some(Action::Advance),
            SPECIAL => Some(Action::Special(square)),
            number => {
                let patch = PatchId::new(number)?;
                let placement = Placement::oriented(patch.patch().shape, self.orientation, square)?;
                Some(Action::Buy(patch, placement))
            }
        }
    }
}

impl Ply {
    /// The decision `action` in this state.
    pub fn new(setup: &Setup, state: &State, action: Action, thought: Thought) -> Self {
        Self::counted(state, action, state.count_actions(setup), thought)
    }

    /// The decision `action` in this state, which has this number of legal actions.
    pub(super) fn counted(state: &State, action: Action, legal: u32, thought: Thought) -> Self {
        Self {
            player: state.mover().index() as u8,
            action: action.into(),
            space: state.space(state.mover()),
            legal: legal as u16,
            thought,
        }
    }

    /// The player who decided.
    pub const fn player(&self) -> Player {
        if self.player == 0 {
            Player::First
        } else {
            Player::Second
        }
    }

    /// A number that identifies the action among all actions.
    pub const fn action_number(&self) -> u32 {
        let StoredAction {
            patch,
            orientation,
            anchor,
        } = self.action;
        u32::from_le_bytes([patch, orientation, anchor, 0])
    }

    /// Whether a patch was bought.
    pub const fn is_buy(&self) -> bool {
        self.action.patch != 0 && self.action.patch != SPECIAL
    }

    /// The patch that was bought, if any.
    pub const fn bought(&self) -> Option<PatchId> {
        PatchId::new(self.action.patch)
    }

    /// Whether a special patch was placed; such a ply is not a turn.
    pub const fn is_special(&self) -> bool {
        self.action.patch == SPECIAL
    }

    /// The action; `None` if the stored numbers are not an action.
    pub fn action(&self) -> Option<Action> {
        self.action.action()
    }
}

/// The information that an agent reports with an action.
#[derive(Clone, Copy, Debug, Default, PartialEq, Encode, Decode)]
pub struct Thought {
    /// Number of search iterations; 0 for agents that do not search and for forced plies.
    pub iterations: u32,
    /// The agent's estimate of its own result, 0 (loss) to 1 (win), if it has one.
    pub value: Option<f32>,
    /// Whether the agent has proven that it wins (true) or that it loses (false).
    pub proven: Option<bool>,
    /// The search tree, if there was one.
    pub tree: Option<TreeFacts>,
}

/// A search tree at the time of a decision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Encode, Decode)]
pub struct TreeFacts {
    /// Positions in the tree.
    pub nodes: u32,
    /// Mean number of plies from the root to where an iteration of the decision left the tree.
    pub mean_depth: f32,
    /// Maximum number of plies of any of those iterations.
    pub max_depth: u16,
    /// Entropy in bits of the distribution of visits over the root's actions: 0 if all went to one action.
    pub entropy: f32,
}
