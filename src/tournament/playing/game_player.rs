//! Players of games: the threads of this machine, or a fleet.

use std::num::NonZeroUsize;

use patchwork_engine::record::Entry;
use patchwork_engine::search::Stop;

use super::results::Results;
use super::runner::RunError;
use crate::tournament::ledger::StoreError;

/// Sees a game when it is stored, and the results with it.
pub type WatchGame<'a> = dyn FnMut(&Entry, &Results) + 'a;

/// Plays games for a ledger. The records do not depend on who plays.
pub trait GamePlayer {
    /// Plays the games that `results` asks for and passes each to `watch` when it is stored. When `stop` is
    /// set, games in progress are dropped, and the call returns without an error.
    ///
    /// # Errors
    /// When a game cannot be played or stored.
    fn play(
        &mut self,
        results: &mut Results,
        stop: &Stop,
        watch: &mut WatchGame<'_>,
    ) -> Result<(), RunError<StoreError>>;
}

/// This number of threads of this machine, each of which plays one game at a time.
impl GamePlayer for NonZeroUsize {
    fn play(
        &mut self,
        results: &mut Results,
        stop: &Stop,
        watch: &mut WatchGame<'_>,
    ) -> Result<(), RunError<StoreError>> {
        results.play(*self, stop, watch)
    }
}
