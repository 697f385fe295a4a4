//! The fleet arguments of a program built without fleets: every use is an error.

use std::path::Path;

use anyhow::bail;

use super::crew::Crew;
use super::endings::Form;

/// Whether this program was built with fleets.
pub(super) const HAS_FLEETS: bool = false;

/// Refuses every address of a server.
pub(super) fn parse_server(_url: &str) -> Result<String, String> {
    Err(crate::missing("fleet"))
}

/// No arguments.
#[derive(clap::Args)]
pub(super) struct FleetArgs {}

impl FleetArgs {
    /// Fails: there is no fleet.
    pub(super) fn lead<T>(
        &self,
        _url: &str,
        _dir: &Path,
        _progress: Option<Form>,
        _command: impl FnOnce(&mut Crew<'_>) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        bail!("--nats: {}", crate::missing("fleet"))
    }
}
