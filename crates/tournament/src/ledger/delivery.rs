//! The worker that played a game, stored beside the games.

/// Who played a game of a fleet. It is stored beside the record, never in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// The name of the worker.
    pub worker: String,
    /// How many times the game had been given out when this worker got it, counting from 1.
    pub attempt: u32,
}
