//! Ctrl-C.

use anyhow::Context as _;
use patchwork_arena::search::Stop;

/// What a shell expects of a program that was interrupted.
pub(super) const INTERRUPTED: u8 = 130;

static STOP: Stop = Stop::new();

/// A flag that Ctrl-C sets from now on; the second time it ends the program.
pub(super) fn listen() -> anyhow::Result<&'static Stop> {
    ctrlc::set_handler(|| {
        if STOP.is_set() {
            // Asked twice. Nothing is lost: games are saved when they end.
            std::process::exit(INTERRUPTED.into());
        }
        STOP.set();
    })
    .context("cannot listen for Ctrl-C")?;
    Ok(&STOP)
}
