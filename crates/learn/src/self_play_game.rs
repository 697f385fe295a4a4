//! A game of an agent against itself, as stored in a file.

use bincode::{Decode, Encode};
use patchwork_engine::record::{ConsideredActions, Record};

/// A game of an agent against itself.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct SelfPlayGame {
    /// Number of plies of its opening, which are not used for training.
    pub opening: u32,
    /// The actions, with the values found by the searches.
    pub record: Record,
    /// The actions that were considered at each ply after the opening, with their visits and values.
    pub considered: ConsideredActions,
}
