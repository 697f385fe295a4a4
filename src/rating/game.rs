//! Games as the ratings use them.

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RatedGame {
    /// Games with the same number share a setup: the two legs of a pair.
    pub cluster: u64,
    /// Index of the agent that moved first.
    pub first: usize,
    /// Index of the other agent.
    pub second: usize,
    /// Whether the agent that moved first won.
    pub first_won: bool,
}

/// The score margin of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MarginGame {
    /// Games with the same number share a setup: the two legs of a pair.
    pub cluster: u64,
    /// Index of the agent that moved first.
    pub first: usize,
    /// Index of the other agent.
    pub second: usize,
    /// The first player's points minus the second player's.
    pub margin: f64,
}
