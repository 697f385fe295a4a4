//! A player that cannot play, and says why.

use super::player::{Agent, AgentFault, Decision, Limit};
use crate::game::{Setup, State};
use crate::record::FaultReason;
use crate::util::rng::Rng;

/// Takes the place of an agent that lacks a file.
pub(super) struct UnableAgent(pub(super) String);

impl Agent for UnableAgent {
    fn start(&mut self, _: &Setup, _: Rng) {}

    fn decide(&mut self, _: &Setup, _: &State, _: Limit<'_>) -> Result<Decision, AgentFault> {
        Err(AgentFault {
            reason: FaultReason::StartCrash,
            detail: self.0.clone(),
        })
    }
}
