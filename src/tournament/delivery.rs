//! The worker that played a game, stored beside the games.

use super::store::{Store, StoreError};

/// The file that lists who played which game.
const FILE: &str = "deliveries.csv";

/// Who played a game of a fleet. It is stored beside the record, never in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// The name of the worker.
    pub worker: String,
    /// How many times the game had been given out when this worker got it, counting from 1.
    pub attempt: u32,
}

impl Delivery {
    /// Appends the line of a stored game.
    pub(super) fn append(&self, store: &Store, game: &str) -> Result<(), StoreError> {
        let Self { worker, attempt } = self;
        let quoted = match game.contains([',', '"']) {
            true => format!("\"{}\"", game.replace('"', "\"\"")),
            false => game.to_owned(),
        };
        store.append_text(FILE, &format!("{quoted},{worker},{attempt}\n"))
    }
}
