//! A decision and the agent's thought about it.

use bincode::de::Decoder;
use bincode::enc::Encoder;
use bincode::error::{DecodeError, EncodeError};
use bincode::{Decode, Encode};

use crate::board::Square;
use crate::game::{Action, PatchId, Placement, Player, Setup, State};

/// One decision.
#[derive(Clone, Copy, Debug, PartialEq, Encode, Decode)]
pub struct Ply {
    /// The player who decided.
    pub player: Player,
    /// The action.
    pub action: Action,
    /// The token's space before the ply, 0 to 53.
    pub space: u8,
    /// Number of legal actions.
    pub legal: u16,
    /// What the agent reports about it.
    pub thought: Thought,
}

/// In place of the number of a patch.
const SPECIAL: u8 = 255;

/// Three bytes: the number of the patch (0 for advancing, 255 for a special patch), the index of its orientation, and
/// that of the first square covered.
impl Encode for Action {
    fn encode<E: Encoder>(&self, to: &mut E) -> Result<(), EncodeError> {
        let bytes = match *self {
            Self::Advance => [0; 3],
            Self::Buy(patch, placement) => [
                patch.number(),
                placement.orientation(),
                placement.anchor().index() as u8,
            ],
            Self::Special(square) => [SPECIAL, 0, square.index() as u8],
        };
        bytes.encode(to)
    }
}

impl<C> Decode<C> for Action {
    fn decode<D: Decoder<Context = C>>(from: &mut D) -> Result<Self, DecodeError> {
        let [patch, orientation, anchor] = Decode::decode(from)?;
        let action = || {
            let square = Square::new(anchor)?;
            Some(match patch {
                0 => Self::Advance,
                SPECIAL => Self::Special(square),
                number => {
                    let patch = PatchId::new(number)?;
                    let shape = patch.patch().shape;
                    Self::Buy(patch, Placement::oriented(shape, orientation, square)?)
                }
            })
        };
        action().ok_or(DecodeError::Other("an action is not valid"))
    }
}

bincode::impl_borrow_decode!(Action);

impl Ply {
    /// The decision `action` in this state.
    pub fn new(setup: &Setup, state: &State, action: Action, thought: Thought) -> Self {
        Self::counted(state, action, state.count_actions(setup), thought)
    }

    /// The decision `action` in this state, which has this number of legal actions.
    pub fn counted(state: &State, action: Action, legal: u32, thought: Thought) -> Self {
        Self {
            player: state.mover(),
            action,
            space: state.space(state.mover()),
            legal: legal as u16,
            thought,
        }
    }

    /// The patch that was bought, if any.
    pub const fn bought(&self) -> Option<PatchId> {
        match self.action {
            Action::Buy(patch, _) => Some(patch),
            _ => None,
        }
    }

    /// Whether a special patch was placed; such a ply is not a turn.
    pub const fn is_special(&self) -> bool {
        matches!(self.action, Action::Special(_))
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
