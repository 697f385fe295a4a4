//! The raw mode of the terminal: keys arrive at once and are not echoed.

use std::io;

#[cfg(unix)]
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};

/// The mode that the terminal had before. Where there is none, reading a key sets the mode while it waits.
#[derive(Clone)]
pub(super) struct RawMode(#[cfg(unix)] Termios);

#[cfg(unix)]
impl RawMode {
    pub(super) fn enter() -> io::Result<Self> {
        let before = tcgetattr(io::stdin())?;
        let mut raw = before.clone();
        raw.make_raw();
        tcsetattr(io::stdin(), OptionalActions::Now, &raw)?;
        Ok(Self(before))
    }

    /// Restores the terminal's mode; calling it again is harmless.
    pub(super) fn leave(&self) {
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, &self.0);
    }
}

#[cfg(not(unix))]
impl RawMode {
    pub(super) fn enter() -> io::Result<Self> {
        Ok(Self())
    }

    pub(super) fn leave(&self) {}
}
