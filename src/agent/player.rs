//! What a player of the game is asked and what it answers.

use crate::game::{Action, Setup, State};
use crate::placement::Scratch;
use crate::record::Thought;
use crate::search::{Budget, Stop};
use crate::util::rng::Rng;

/// A player of whole games.
pub trait Agent: Send {
    /// A new game begins: the player forgets the last one, and draws all random numbers from this
    /// stream.
    fn start(&mut self, setup: &Setup, rng: Rng);

    /// Decides in a state in which it is to move.
    ///
    /// # Panics
    /// When no game was started or the game is over.
    fn decide(&mut self, setup: &Setup, state: &State, limit: Limit<'_>) -> Decision;

    /// Is told every action that is played, including its own.
    fn observe(&mut self, _action: Action) {}
}

/// What a decision may cost.
#[derive(Clone, Copy, Debug)]
pub struct Limit<'a> {
    /// The budget of this decision instead of the agent's own. A budget in a unit that the agent does
    /// not know is ignored.
    pub budget: Option<Budget>,
    /// Once set, the decision comes soon and may be any legal action.
    pub stop: &'a Stop,
}

impl<'a> Limit<'a> {
    /// The agent's own budget.
    #[must_use]
    pub const fn own(stop: &'a Stop) -> Self {
        Self { budget: None, stop }
    }
}

/// The decision of an agent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    /// What to play.
    pub action: Action,
    /// How the agent came to it.
    pub thought: Thought,
}

impl Decision {
    /// A decision without a search.
    #[must_use]
    pub fn unsearched(action: Action) -> Self {
        Self {
            action,
            thought: Thought::default(),
        }
    }
}

/// What a player draws random numbers from and generates placements in.
#[derive(Clone, Debug)]
pub(super) struct Workspace {
    pub(super) rng: Rng,
    pub(super) scratch: Scratch,
}

impl Workspace {
    pub(super) fn new(rng: Rng) -> Self {
        Self {
            rng,
            scratch: Scratch::default(),
        }
    }
}

/// Why a player that keeps something for a game has it.
pub(super) const STARTED: &str = "a game is started before it is played";
