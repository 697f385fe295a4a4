//! The raw mode of the terminal: every key at once, and none shown.

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

        /// Gives the terminal its mode back; more than once does no harm.
        pub(crate) fn leave(&self) {
            let _ = tcsetattr(io::stdin(), OptionalActions::Now, &self.0);
        }
    }
}

#[cfg(not(unix))]
mod other {
    /// Reading a key sets the mode for its own time there.
    #[derive(Clone)]
    pub(crate) struct RawMode;

    impl RawMode {
        pub(crate) fn enter() -> std::io::Result<Self> {
            Ok(Self)
        }

        pub(crate) fn leave(&self) {}
    }
}
