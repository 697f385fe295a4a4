//! Round-robin: every agent plays every other agent.

use patchwork_engine::util::InputError;

use crate::planning::format::{Entrants, FormatInfo, TournamentFormat};

/// Every agent plays every other agent.
pub(super) struct RoundRobin;

impl TournamentFormat for RoundRobin {
    fn info() -> FormatInfo {
        FormatInfo {
            name: "round-robin",
            ..FormatInfo::default()
        }
    }

    fn read(_: toml::Table, _: &mut Entrants<'_>) -> Result<Self, InputError> {
        Ok(Self)
    }
}
