//! The interface of a player: its inputs, its decisions and its faults.

use std::time::Duration;

use crate::game::{Action, LAST_SPACE, Setup, State};
use crate::record::{ConsideredAction, FaultReason, Thought};
use crate::search::{Budget, Clock, Stop};
use crate::util::InputError;
use crate::util::clock::wall_time;
use crate::util::rng::Rng;

/// A player of whole games.
pub trait Agent: Send {
    /// Starts a new game. The player discards the state of the previous game and draws all random
    /// numbers from this stream.
    fn start(&mut self, setup: &Setup, rng: Rng);

    /// Decides in a state in which it is to move.
    ///
    /// # Errors
    /// When the agent is an external program and fails. The other agents of this library never fail.
    ///
    /// # Panics
    /// If no game was started or the game is over.
    fn decide(
        &mut self,
        setup: &Setup,
        state: &State,
        limit: Limit<'_>,
    ) -> Result<Decision, AgentFault>;

    /// Gives the priors of the actions of the next decision, in this state, instead of the agent's own: on any scale, and 0
    /// for an action that is not listed. All legal actions are then considered. Returns whether the agent uses priors.
    fn set_priors(&mut self, _state: &State, _priors: &[(Action, f32)]) -> bool {
        false
    }

    /// The clock on which its thinking time is measured; see
    /// [`AgentSettings::has_processor_time`](super::AgentSettings::has_processor_time).
    fn clock(&self) -> Clock {
        wall_time
    }

    /// The actions considered in the last decision, which was `played`, before it is observed: that action
    /// first, then the others by preference, at most `most` in total; empty if the agent did not search.
    fn considered(&self, _played: Action, _most: usize) -> Vec<ConsideredAction> {
        Vec::new()
    }

    /// Called for every action that is played, including the player's own.
    fn observe(&mut self, _action: Action) {}

    /// The line that the agent expected after its last decision, starting with that decision; empty if the
    /// agent does not report one.
    fn expected(&self) -> &[Action] {
        &[]
    }

    /// The expected line, at most `most` actions long: that of [`Self::expected`], or what the agent can find
    /// in its search. Records contain only the former.
    fn line(&self, _played: Action, most: usize) -> Vec<Action> {
        self.expected().iter().copied().take(most).collect()
    }

    /// What an external program wrote to its standard error since the last call.
    fn take_stderr(&mut self) -> String {
        String::new()
    }
}

/// The limits on a decision.
#[derive(Clone, Copy, Debug)]
pub struct Limit<'a> {
    /// The budget of this decision, which overrides the agent's own. A budget in a unit that the
    /// agent does not support is ignored.
    pub budget: Option<Budget>,
    /// Once set, the agent decides promptly and may play any legal action.
    pub stop: &'a Stop,
}

impl<'a> Limit<'a> {
    /// A limit with the agent's own budget.
    pub const fn own(stop: &'a Stop) -> Self {
        Self { budget: None, stop }
    }
}

/// The decision of an agent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    /// The action to play.
    pub action: Action,
    /// Information about how the agent decided.
    pub thought: Thought,
    /// The time that the agent took; `None` for the time of the call. An external program reports its own
    /// time, without starting it and talking to it.
    pub time: Option<Duration>,
}

/// Why an agent could not decide.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}: {detail}")]
pub struct AgentFault {
    /// The kind of fault.
    pub reason: FaultReason,
    /// What happened, as a clause.
    pub detail: String,
}

impl Decision {
    /// A decision of an agent of this process.
    pub const fn new(action: Action, thought: Thought) -> Self {
        Self {
            action,
            thought,
            time: None,
        }
    }

    /// A decision made without a search.
    pub fn unsearched(action: Action) -> Self {
        Self::new(action, Thought::default())
    }
}

/// Panic message of players that keep state during a game.
pub(super) const STARTED: &str = "a game is started before it is played";

/// Decides by a function, without a search.
struct FunctionAgent<F> {
    decide: F,
    rng: Option<Rng>,
}

/// A player that decides by a function of the setup, the state and its random numbers.
pub(super) fn deciding_by(
    decide: impl FnMut(&Setup, &State, &mut Rng) -> Result<Action, AgentFault> + Send + 'static,
) -> Box<dyn Agent> {
    Box::new(FunctionAgent { decide, rng: None })
}

/// A player with an estimator. Without one, because a file is missing, it fails at its first decision, and reports why.
pub(super) fn or_failing<E>(
    estimator: Result<E, InputError>,
    build: impl FnOnce(E) -> Box<dyn Agent>,
) -> Box<dyn Agent> {
    let failing = |wrong: InputError| {
        let fault = AgentFault {
            reason: FaultReason::StartCrash,
            detail: wrong.to_string(),
        };
        deciding_by(move |_, _, _| Err(fault.clone()))
    };
    estimator.map_or_else(failing, build)
}

impl<F> Agent for FunctionAgent<F>
where
    F: FnMut(&Setup, &State, &mut Rng) -> Result<Action, AgentFault> + Send,
{
    fn start(&mut self, _: &Setup, rng: Rng) {
        self.rng = Some(rng);
    }

    fn decide(
        &mut self,
        setup: &Setup,
        state: &State,
        _: Limit<'_>,
    ) -> Result<Decision, AgentFault> {
        let rng = self.rng.as_mut().expect(STARTED);
        (self.decide)(setup, state, rng).map(Decision::unsearched)
    }
}

/// Mean number of spaces that a decision moves a token: 53 spaces in 21 or 22 plies.
const SPACES_A_DECISION: f64 = 2.5;

/// The share of the decisions to come for which time is kept. A search ends once its choice is decided, often early, above
/// all late in a game: with a share of 0.7, two fifths of the time are never spent (`docs/lab/search.md`). Early decisions
/// also matter for longer.
const KEPT: f64 = 0.25;

/// Reserved at each decision for work outside the search.
const RESERVE: Duration = Duration::from_micros(500);

/// Time for the mover's decision with this time left in the game; never more than that.
pub fn allot(left: Duration, state: &State) -> Duration {
    let spaces = LAST_SPACE - state.space(state.mover());
    let decisions = 1.0 + KEPT * f64::from(spaces) / SPACES_A_DECISION;
    left.saturating_sub(RESERVE).div_f64(decisions)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::setup;

    #[test]
    fn the_time_lasts_for_the_game() {
        let setup = setup(1);
        let mut state = State::new(&setup);
        let time = Duration::from_secs(10);
        let mut given = Duration::ZERO;
        // Moving one space per turn gives as many decisions as a game can have.
        while !state.is_over() {
            given += allot(time - given, &state);
            let action = state.legal_actions(&setup).pop().unwrap_or(Action::Advance);
            state.play_unchecked(&setup, action);
        }
        assert!(given <= time);
        assert!(given > time / 2, "{given:?} of {time:?}");
    }
}
