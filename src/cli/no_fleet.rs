//! What a program without fleets says of them.

use anyhow::bail;

use super::hands::Hands;

/// Whether this program has fleets.
pub(super) const HAS_FLEETS: bool = false;

/// What is wrong with asking for a fleet.
pub(super) const MISSING: &str = "this program was built without fleets; build it with \
                                  `cargo build --release --features cluster`";

/// Refuses the address of a server.
pub(super) fn parse_server(_url: &str) -> Result<String, String> {
    Err(MISSING.to_owned())
}

/// No arguments.
#[derive(clap::Args)]
pub(super) struct FleetArgs {}

impl FleetArgs {
    /// Says that there is no fleet.
    pub(super) fn lead<T>(
        &self,
        _url: &str,
        _quiet: bool,
        _command: impl FnOnce(&mut dyn Hands) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        bail!("--nats: {MISSING}")
    }
}
