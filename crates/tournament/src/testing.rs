//! Plans for the unit tests.

use patchwork_engine::agent::RandomSettings;
use patchwork_engine::game::Track;
use patchwork_engine::util::InputError;

use crate::{Format, Plan, PlannedAgent};

/// The plan of `patchwork_test_support::tournaments::plan`, of the types of this build of the crate.
pub(crate) fn plan(
    names: &[impl AsRef<str>],
    format: impl Into<Format>,
    pairs: u32,
) -> Result<Plan, InputError> {
    let agent = |name: &_| PlannedAgent::new(AsRef::<str>::as_ref(name), RandomSettings {}.into());
    let agents = names.iter().map(agent).collect();
    Plan::new(7, Track::Original, format, pairs, agents)
}
