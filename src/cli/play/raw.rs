//! The raw mode of the terminal: keys arrive at once and are not echoed.

#[cfg(unix)]
pub(super) use unix::RawMode;

#[cfg(not(unix))]
pub(super) use other::RawMode;

#[cfg(unix)]
mod unix {
    use std::io;

    use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};

    /// The mode that the terminal had before.
    #[derive(Clone)]
    pub(crate) struct RawMode(Termios);

    impl RawMode {
        pub(crate) fn enter() -> io::Result<Self> {
            let before = tcgetattr(io::stdin())?;
            let mut raw = before.clone();
            raw.make_raw();
            tcsetattr(io::stdin(), OptionalActions::Now, &raw)?;
            Ok(Self(before))
        }

        /// Restores the terminal's mode; calling it again is harmless.
        pub(crate) fn leave(&self) {
            let _ = tcsetattr(io::stdin(), OptionalActions::Now, &self.0);
        }
    }
}

#[cfg(not(unix))]
mod other {
    /// On this platform, reading a key sets the mode while it waits.
    #[derive(Clone)]
    pub(crate) struct RawMode;

    impl RawMode {
        pub(crate) fn enter() -> std::io::Result<Self> {
            Ok(Self)
        }

        pub(crate) fn leave(&self) {}
    }
}
