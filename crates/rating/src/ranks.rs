//! Which agents the results tell apart, and the ranks that this leaves open to each.

use std::collections::BTreeMap;
use std::fmt;

use super::comparison::Comparison;

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

impl Comparison {
    /// Whether the results tell the two agents apart: their adjusted p-value is at most `alpha`.
    #[must_use]
    pub fn is_told_apart(&self, alpha: f64) -> bool {
        self.p_adjusted.is_some_and(|p| p <= alpha)
    }
}

/// The ranks that are left open to these agents, given all comparisons between them.
///
/// Two agents whose comparison is not significant at level `alpha`, or that are not compared, are not told
/// apart. Because p-values are adjusted for the number of comparisons, the ranges of all agents contain the
/// true ranks with a probability of at least 1 - `alpha`.
#[must_use]
pub fn rank_ranges(names: &[&str], comparisons: &[Comparison], alpha: f64) -> Vec<RankRange> {
    let count = names.len() as u32;
    let mut ranges = vec![
        RankRange {
            best: 1,
            worst: count
        };
        names.len()
    ];
    let index: BTreeMap<&str, usize> = names.iter().copied().zip(0..).collect();
    for row in comparisons.iter().filter(|row| row.is_told_apart(alpha)) {
        if let (Some(&a), Some(&b)) = (index.get(&*row.a), index.get(&*row.b)) {
            ranges[a].worst -= 1;
            ranges[b].best += 1;
        }
    }
    ranges
}

#[cfg(test)]
mod tests;
