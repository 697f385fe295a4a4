//! Players of games: the threads of this machine, or a fleet.

use std::num::NonZeroUsize;

use patchwork_engine::record::Entry;
use patchwork_engine::search::Stop;

use super::delivery::Delivery;
use super::encounter::PlannedGame;
use super::plan::Plan;
use super::runner::{RunError, run_listed};
use super::store::StoreError;

/// Keeps a game as soon as it is over, with who played it if that was somebody else.
pub type KeepGame<'a> = dyn FnMut(Entry, Option<&Delivery>) -> Result<(), StoreError> + 'a;

/// Plays games for a caller that stores them. The records do not depend on who plays.
pub trait GamePlayer {
    /// Plays these games of a plan, starting them in this order, and passes each to `keep` as soon as it is
    /// over. When `stop` is set, games in progress are dropped, and the call returns without an error.
    ///
    /// # Errors
    /// When a game cannot be played or stored.
    fn play(
        &mut self,
        plan: &Plan,
        games: &[PlannedGame],
        stop: &Stop,
        keep: &mut KeepGame<'_>,
    ) -> Result<(), RunError<StoreError>>;
}

/// The threads of this machine, each of which plays one game at a time.
#[derive(Clone, Copy, Debug)]
pub struct LocalThreads(pub NonZeroUsize);

impl GamePlayer for LocalThreads {
    fn play(
        &mut self,
        plan: &Plan,
        games: &[PlannedGame],
        stop: &Stop,
        keep: &mut KeepGame<'_>,
    ) -> Result<(), RunError<StoreError>> {
        run_listed(plan, games, self.0, stop, |entry| keep(entry, None))
    }
}
