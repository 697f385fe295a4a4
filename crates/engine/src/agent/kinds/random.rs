//! Plays uniformly random legal actions.

use serde::{Deserialize, Serialize};

use crate::agent::kind::AgentKind;
use crate::agent::player::{Agent, deciding_by};

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
        deciding_by(|setup, state, rng| Ok(state.random_action(setup, rng)))
    }
}
