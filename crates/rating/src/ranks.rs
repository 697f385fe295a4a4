//! Which agents the results tell apart, and the ranks that this leaves open to each.

use std::fmt;

/// The probability that a table tells any two agents apart in the wrong order, or although they are equal.
pub const RANK_ALPHA: f64 = 0.05;

/// The significance level of ranks where sequential tests ended pairings. A test ends when the results are
/// most striking, so adjusted p-values are below it in up to 5% of tournaments of equal agents.
pub const SEQUENTIAL_RANK_ALPHA: f64 = 0.01;

/// The ranks that the results leave open to an agent, counting from 1 for the strongest. It is behind as many
/// agents as the results show to be stronger, and before as many as they show to be weaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankRange {
    /// The smallest number.
    pub best: u32,
    /// The largest number.
    pub worst: u32,
}

impl fmt::Display for RankRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.best == self.worst {
            write!(f, "{}", self.best)
        } else {
            write!(f, "{}-{}", self.best, self.worst)
        }
    }
}

#[cfg(test)]
mod tests;
