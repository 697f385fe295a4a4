//! A game of a plan.

use patchwork_engine::record::{GameFacts, GameId, Record};

/// One game of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlannedGame {
    /// The game's identity.
    pub id: GameId,
    /// The agents in the first and the second seat, as indices into
    /// [`Plan::agents`](crate::Plan::agents).
    pub seats: [u16; 2],
}

impl PlannedGame {
    /// A game of a pairing, whose first agent has the first seat in leg 0.
    pub(crate) const fn new(pairing: u32, (a, b): (u16, u16), pair: u32, leg: u8) -> Self {
        Self {
            id: GameId { pairing, pair, leg },
            seats: if leg == 0 { [a, b] } else { [b, a] },
        }
    }
}

impl From<&Record> for PlannedGame {
    fn from(record: &Record) -> Self {
        Self {
            id: record.id,
            seats: record.agents,
        }
    }
}

impl From<&GameFacts> for PlannedGame {
    fn from(game: &GameFacts) -> Self {
        Self {
            id: game.id(),
            seats: game.agents,
        }
    }
}
