//! The MCTS agent: an expansion strategy that ranks placements well, and cheap rollouts.

mod model;
mod search;
pub(super) mod spec;

use std::time::Instant;

pub use model::{PatchworkModel, Position, Step};
pub use search::PatchworkSearch;
pub use spec::{Expansion, MctsSpec, Over, Playout, Steps};

use super::clock::Clock;
use super::player::{Agent, Decision, Limit, STARTED};
use crate::game::{Action, Setup, State};
use crate::record::Thought;
use crate::search::Budget;
use crate::util::rng::Rng;

/// A player that uses tree search and keeps its tree between moves.
pub struct MctsAgent {
    spec: MctsSpec,
    game: Option<Game>,
}

/// The state kept during a game.
struct Game {
    search: PatchworkSearch,
    clock: Option<Clock>,
}

impl MctsAgent {
    /// A player with these settings.
    #[must_use]
    pub const fn new(spec: MctsSpec) -> Self {
        Self { spec, game: None }
    }
}

impl Agent for MctsAgent {
    fn start(&mut self, setup: &Setup, rng: Rng) {
        let clock = match self.spec.budget {
            Budget::GameTime(time) => Some(Clock::new(time)),
            _ => None,
        };
        match &mut self.game {
            // The trees of the previous game are cleared and their memory is reused.
            Some(game) => {
                game.search.restart(setup, rng);
                game.clock = clock;
            }
            None => {
                let search = PatchworkSearch::new(setup, self.spec, rng);
                self.game = Some(Game { search, clock });
            }
        }
    }

    fn decide(&mut self, setup: &Setup, state: &State, limit: Limit<'_>) -> Decision {
        let start = Instant::now();
        let Game { search, clock } = self.game.as_mut().expect(STARTED);
        let budget = match (limit.budget, &clock) {
            (Some(Budget::Depth(_)) | None, Some(clock)) => Budget::Time(clock.allot(state)),
            (Some(Budget::Depth(_)) | None, None) => self.spec.budget,
            (Some(budget), _) => budget,
        };
        if let Some(action) = self.spec.winning_action(setup, state, budget) {
            if let Some(clock) = clock {
                clock.spend(start.elapsed());
            }
            return Decision {
                action,
                thought: Thought {
                    value: Some(1.0),
                    proven: Some(true),
                    ..Thought::default()
                },
            };
        }
        let decision = search.decide(state, budget.less(start.elapsed()), limit.stop);
        if let Some(clock) = clock {
            clock.spend(start.elapsed());
        }
        decision
    }

    fn observe(&mut self, action: Action) {
        self.game.as_mut().expect(STARTED).search.advance(action);
    }
}
