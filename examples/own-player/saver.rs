//! A kind of agent: buys the patch that earns the most, and keeps some buttons in reserve.

use patchwork_engine::agent::{Agent, AgentFault, AgentKind, Decision, Limit};
use patchwork_engine::game::{Action, Setup, State};
use patchwork_engine::util::InputError;
use patchwork_engine::util::rng::Rng;
use serde::{Deserialize, Serialize};

/// The settings of a saver, as in the file `saver.toml`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SaverSettings {
    /// The number of buttons that it never spends, 0 to 50; 0 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reserve: Option<u16>,
}

impl SaverSettings {
    fn reserve(&self) -> u16 {
        self.reserve.unwrap_or(0)
    }
}

impl AgentKind for SaverSettings {
    fn name() -> &'static str {
        "saver"
    }

    fn check(&self) -> Result<(), InputError> {
        match self.reserve() {
            0..=50 => Ok(()),
            found => {
                let what = format_args!("expected a number from 0 to 50, found {found}");
                Err(InputError::at("reserve", what))
            }
        }
    }

    // A file that states the default describes the same agent.
    fn state_defaults(&mut self) {
        self.reserve = Some(self.reserve());
    }

    fn build(&self) -> Box<dyn Agent> {
        Box::new(Saver {
            reserve: self.reserve(),
        })
    }
}

struct Saver {
    reserve: u16,
}

impl Agent for Saver {
    fn start(&mut self, _: &Setup, _: Rng) {}

    fn decide(
        &mut self,
        setup: &Setup,
        state: &State,
        _: Limit<'_>,
    ) -> Result<Decision, AgentFault> {
        let buttons = state.buttons(state.mover());
        let worth = |action: &Action| match action {
            Action::Special(_) => i32::MAX,
            Action::Advance => 0,
            Action::Buy(id, _) => {
                let patch = id.patch();
                let left = buttons.checked_sub(patch.button_cost.into());
                match left {
                    Some(left) if left >= self.reserve => 1 + i32::from(patch.income),
                    _ => -1,
                }
            }
        };
        let actions = state.legal_actions(setup);
        let best = actions.into_iter().max_by_key(worth);
        Ok(Decision::unsearched(best.unwrap_or(Action::Advance)))
    }
}
