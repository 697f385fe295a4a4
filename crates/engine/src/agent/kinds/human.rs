//! A person: their moves come from a terminal or a browser, not from here.

use serde::{Deserialize, Serialize};

use crate::agent::kind::AgentKind;
use crate::agent::player::{Agent, deciding_by};
use crate::agent::settings::AgentSettings;
use crate::game::Action;

/// The settings of a person, which has none. They stand for a person in records of games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct HumanSettings {}

impl AgentKind for HumanSettings {
    fn name() -> &'static str {
        AgentSettings::PERSON
    }

    /// Stands in where no person can play: takes the first legal action.
    fn build(&self) -> Box<dyn Agent> {
        deciding_by(|_, state, _| {
            let free = state.quilt(state.mover()).complement().first();
            let special = free.filter(|_| state.specials_waiting() > 0);
            Ok(special.map_or(Action::Advance, Action::Special))
        })
    }

    fn is_person(&self) -> bool {
        true
    }

    fn is_deterministic(&self) -> bool {
        false
    }
}
