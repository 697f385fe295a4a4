//! Players that are functions of the position and of random numbers.

use super::estimate_source::Estimator;
use super::player::{Agent, AgentFault, Decision, Limit, STARTED};
use crate::game::{Action, Setup, State};
use crate::record::FaultReason;
use crate::util::InputError;
use crate::util::rng::Rng;

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
pub(super) fn or_failing(
    estimator: Result<Estimator, InputError>,
    build: impl FnOnce(Estimator) -> Box<dyn Agent>,
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
