//! A player that fails at its first decision, and reports why.

use super::estimate_source::Estimator;
use super::player::{Agent, AgentFault, Decision, Limit};
use crate::game::{Setup, State};
use crate::record::FaultReason;
use crate::util::KeyError;
use crate::util::rng::Rng;

/// Stands in for an agent that lacks a file.
struct FailingAgent(String);

/// A player with an estimator, or one that fails because there is none.
pub(super) fn or_failing(
    estimator: Result<Estimator, KeyError>,
    build: impl FnOnce(Estimator) -> Box<dyn Agent>,
) -> Box<dyn Agent> {
    let failing = |wrong: KeyError| Box::new(FailingAgent(wrong.to_string())) as Box<dyn Agent>;
    estimator.map_or_else(failing, build)
}

impl Agent for FailingAgent {
    fn start(&mut self, _: &Setup, _: Rng) {}

    fn decide(&mut self, _: &Setup, _: &State, _: Limit<'_>) -> Result<Decision, AgentFault> {
        Err(AgentFault {
            reason: FaultReason::StartCrash,
            detail: self.0.clone(),
        })
    }
}
