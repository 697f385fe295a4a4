//! What ratings take of a game.

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RatedGame {
    /// Games with the same number share a setup: the two legs of a pair.
    pub cluster: u64,
    /// Index of the agent that moved first.
    pub first: usize,
    /// Index of the other one.
    pub second: usize,
    /// Whether the agent that moved first won.
    pub first_won: bool,
}

/// The margin of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MarginGame {
    /// Games with the same number share a setup: the two legs of a pair.
    pub cluster: u64,
    /// Index of the agent that moved first.
    pub first: usize,
    /// Index of the other one.
    pub second: usize,
    /// Points of the first player minus those of the second.
    pub margin: f64,
}
