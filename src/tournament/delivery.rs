//! Who played a game, kept beside the games.

use super::store::{Store, StoreError};

/// The file beside the games that says who played them.
const FILE: &str = "deliveries.csv";

/// Who played a game for somebody else. It is kept beside the record, never in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// The name of the worker.
    pub worker: String,
    /// How often the game was given out when this worker got it.
    pub attempt: u32,
}

impl Delivery {
    /// Adds the line of a stored game.
    pub(super) fn append(&self, store: &Store, game: &str) -> Result<(), StoreError> {
        let Self { worker, attempt } = self;
        let quoted = match game.contains([',', '"']) {
            true => format!("\"{}\"", game.replace('"', "\"\"")),
            false => game.to_owned(),
        };
        store.append_text(FILE, &format!("{quoted},{worker},{attempt}\n"))
    }
}
