//! Players of games: the threads of this machine, or a fleet.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use patchwork_engine::record::Entry;
use patchwork_engine::search::Stop;
use patchwork_engine::util::InputError;

use super::results::Results;
use super::runner::RunError;

/// Sees a game when it is stored, and the results with it.
pub type WatchGame<'a> = dyn FnMut(&Entry, &Results) + 'a;

/// Plays games for a ledger. The records do not depend on who plays.
pub trait GamePlayer {
    /// Plays the games that `results` asks for and passes each to `watch` when it is stored. When `stop` is
    /// set, games in progress are dropped, and the call returns without an error.
    fn play(
        &mut self,
        results: &mut Results,
        stop: &Stop,
        watch: &mut WatchGame<'_>,
    ) -> Result<(), RunError>;
}

/// This number of threads of this machine, each of which plays one game at a time.
impl GamePlayer for NonZeroUsize {
    fn play(
        &mut self,
        results: &mut Results,
        stop: &Stop,
        watch: &mut WatchGame<'_>,
    ) -> Result<(), RunError> {
        results.play(*self, stop, watch)
    }
}

/// The error for pairs that were given up, so that the games are incomplete: names the first one and its problem.
pub fn pairs_given_up(pairs: &BTreeMap<String, String>) -> InputError {
    let text = match (pairs.first_key_value(), pairs.len()) {
        (None, _) => "no pair".to_owned(),
        (Some((pair, why)), 1) => format!("the pair {pair}: {why}"),
        (Some((pair, why)), 2) => format!("the pair {pair} ({why}) and another one"),
        (Some((pair, why)), all) => format!("the pair {pair} ({why}) and {} others", all - 1),
    };
    InputError::new(format!("the fleet has given up {text}"))
}
