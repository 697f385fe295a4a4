//! Plays uniformly random legal actions.

use serde::{Deserialize, Serialize};

use crate::agent::kind::AgentKind;
use crate::agent::player::{Agent, AgentFault, Decision, Limit, STARTED};
use crate::game::{Setup, State};
use crate::util::rng::Rng;

/// The settings of a random agent, which has none. A unit struct would accept unknown keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RandomSettings {}

impl AgentKind for RandomSettings {
    fn name() -> &'static str {
        "random"
    }

    fn build(&self) -> Box<dyn Agent> {
        Box::new(RandomAgent { rng: None })
    }
}

struct RandomAgent {
    rng: Option<Rng>,
}

impl Agent for RandomAgent {
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
        Ok(Decision::unsearched(state.random_action(setup, rng)))
    }
}
