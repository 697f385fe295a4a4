//! The player that uses Monte Carlo tree search.

use std::time::Duration;

use super::search::PatchworkSearch;
use super::settings::MctsSettings;
use crate::agent::evaluation::endgame::{DEFAULT_SPACES, Endgame};
use crate::agent::evaluation::estimator::Estimator;
use crate::agent::player::{Agent, AgentFault, Decision, Limit, STARTED, allot};
use crate::game::{Action, Setup, State};
use crate::record::{ConsideredAction, Thought};
use crate::search::{Budget, Clock, Stop};
use crate::util::rng::Rng;

/// A player that uses tree search and keeps its tree between moves.
pub(super) struct MctsAgent {
    settings: MctsSettings,
    /// As new, for the models.
    estimator: Estimator,
    game: Option<Game>,
}

/// The state kept during a game.
struct Game {
    search: PatchworkSearch,
    /// The time left, with a budget per game.
    left: Option<Duration>,
    /// Whether the last decision was made by the search.
    searched: bool,
}

impl MctsAgent {
    pub(super) const fn new(settings: MctsSettings, estimator: Estimator) -> Self {
        Self {
            settings,
            estimator,
            game: None,
        }
    }
}

impl Agent for MctsAgent {
    fn start(&mut self, setup: &Setup, rng: Rng) {
        let left = match self.settings.budget {
            Budget::GameTime(time) => Some(time),
            _ => None,
        };
        match &mut self.game {
            // The tree of the previous game is cleared and its memory is reused.
            Some(game) => {
                game.search.restart(setup, rng);
                game.left = left;
                game.searched = false;
            }
            None => {
                self.game = Some(Game {
                    search: PatchworkSearch::new(
                        setup,
                        self.settings.clone(),
                        &self.estimator,
                        rng,
                    ),
                    left,
                    searched: false,
                });
            }
        }
    }

    fn set_priors(&mut self, state: &State, priors: &[(Action, f32)]) -> bool {
        let search = &mut self.game.as_mut().expect(STARTED).search;
        search.set_priors(state, priors);
        self.settings.search.select().part().uses_priors
    }

    fn clock(&self) -> Clock {
        self.settings.budget.clock()
    }

    fn decide(
        &mut self,
        setup: &Setup,
        state: &State,
        limit: Limit<'_>,
    ) -> Result<Decision, AgentFault> {
        let Game {
            search,
            left,
            searched,
        } = self.game.as_mut().expect(STARTED);
        *searched = false;
        let budget = match (limit.budget, &left) {
            (Some(Budget::Depth(_)) | None, Some(left)) => Budget::Time(allot(*left, state)),
            (Some(Budget::Depth(_)) | None, None) => self.settings.budget,
            (Some(budget), _) => budget,
        };
        let spent = budget.stopwatch();
        let mut spend = || {
            if let Some(left) = left {
                *left = left.saturating_sub(spent());
            }
        };
        if let Some(action) = self
            .settings
            .winning_action(setup, state, budget, limit.stop)
        {
            spend();
            let thought = Thought {
                value: Some(1.0),
                proven: Some(true),
                ..Thought::default()
            };
            return Ok(Decision::new(action, thought));
        }
        let decision = search.decide(state, &budget.less(spent()).meter(limit.stop));
        *searched = decision.thought.iterations > 0;
        spend();
        Ok(decision)
    }

    fn considered(&self, played: Action, most: usize) -> Vec<ConsideredAction> {
        match &self.game {
            Some(game) if game.searched => game.search.considered(played, most),
            _ => Vec::new(),
        }
    }

    fn line(&self, played: Action, most: usize) -> Vec<Action> {
        match &self.game {
            Some(game) if game.searched => game.search.line(played, most),
            _ => Vec::new(),
        }
    }

    fn observe(&mut self, action: Action) {
        self.game.as_mut().expect(STARTED).search.advance(action);
    }
}

/// Without a time budget, the exact search of the root may visit this many times as many positions as that of a leaf.
const ROOT_ENDGAME: u32 = 64;
/// The exact search of the root may take one of this many shares of a time budget.
const ROOT_SHARES: u32 = 3;

impl MctsSettings {
    /// The budget of a single decision; for a time budget per game, that of the first decision.
    pub fn first_budget(&self, setup: &Setup) -> Budget {
        match self.budget {
            Budget::GameTime(time) => Budget::Time(allot(time, &State::new(setup))),
            budget => budget,
        }
    }

    /// An action that is proven to win by exact search, if the agent uses it and finds one. With a time budget, the
    /// search takes at most a third of it and less than two seconds, and ends when `stop` is set.
    pub fn winning_action(
        &self,
        setup: &Setup,
        state: &State,
        budget: Budget,
        stop: &Stop,
    ) -> Option<Action> {
        let leaf = self.search.exact_search()?;
        // The root is searched further than a leaf.
        let root = Endgame {
            positions: leaf.positions.saturating_mul(ROOT_ENDGAME),
            spaces: leaf.spaces.max(DEFAULT_SPACES),
            ..leaf
        };
        // A forced move takes no time. A third of hours would be too long to wait for the first lines.
        let time = budget.time().filter(|_| state.count_actions(setup) > 1);
        let share = time.map(|time| budget.share(ROOT_SHARES.max(time.as_secs() as u32)));
        let limit = share.map(|share| share.meter(stop));
        root.winning_action(setup, state, limit)
    }
}
