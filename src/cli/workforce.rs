//! Who plays the games of a command: the threads of this machine, or a fleet.

use std::num::NonZeroUsize;
use std::path::Path;
use std::process::ExitCode;

use patchwork_arena::tournament::{GamePlayer, Manifest, Results};

/// The threads of this machine, or a fleet.
pub(super) trait Workforce {
    /// Number of games played at the same time, if it is known.
    fn threads(&self) -> Option<NonZeroUsize>;

    /// A player of listed games; remote workers know the list by this name.
    fn player(&mut self, name: &str) -> Box<dyn GamePlayer + '_>;

    /// Plays the missing games of a plan into its folder and saves the report's tables there. Returns the
    /// exit code if the user stopped the run.
    fn play_into(
        &mut self,
        manifest: &Manifest,
        dir: &Path,
    ) -> anyhow::Result<Result<Results, ExitCode>>;

    /// Plays the missing games of a plan into its folder, then prints the report, `full` or brief.
    fn play_and_save(
        &mut self,
        manifest: &Manifest,
        dir: &Path,
        full: bool,
    ) -> anyhow::Result<ExitCode>;
}
