//! Comparison of two agents, and the ranks that the results leave open to each agent.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use super::elo::Ratings;
use super::estimate::Estimate;
use super::game::name_of;

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

/// The difference in strength between two agents.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Comparison {
    /// The agent with the higher rating.
    pub a: String,
    /// The other agent.
    pub b: String,
    /// [`DIFFERENCE`](crate::statistic::DIFFERENCE).
    #[cfg_attr(feature = "schema", schemars(description = crate::statistic::DIFFERENCE.about))]
    pub elo: Estimate,
    /// [`LOS`](crate::statistic::LOS).
    #[cfg_attr(feature = "schema", schemars(description = crate::statistic::LOS.about))]
    pub los: Option<f64>,
    /// [`P_ADJUSTED`](crate::statistic::P_ADJUSTED).
    #[cfg_attr(feature = "schema", schemars(description = crate::statistic::P_ADJUSTED.about))]
    pub p_adjusted: Option<f64>,
}

/// The rated agents by group, descending rating, then name.
pub fn ranking(names: &[String], ratings: &Ratings) -> Vec<usize> {
    // Equal results give ratings that are equal up to rounding; order those agents by name.
    let elo = |agent: usize| (ratings.elo(agent) * 1e9).round() / 1e9;
    let rated = |&agent: &usize| ratings.agents[agent].elo.value.is_some();
    let mut ranking: Vec<usize> = (0..ratings.agents.len()).filter(rated).collect();
    ranking.sort_by(|&a, &b| {
        let by_elo = elo(b).partial_cmp(&elo(a)).unwrap_or(Ordering::Equal);
        let group = |agent: usize| ratings.agents[agent].group;
        let by_group = group(a).cmp(&group(b));
        by_group
            .then(by_elo)
            .then_with(|| name_of(names, a).cmp(&name_of(names, b)))
    });
    ranking
}

/// All pairings of agents that a chain of games links, in ranking order.
pub fn comparisons(names: &[String], ranking: &[usize], ratings: &Ratings) -> Vec<Comparison> {
    some_comparisons(names, ranking, ratings, |_, _| true).rows
}

/// Some of the comparisons of agents, and what follows from all of them.
pub struct SomeComparisons {
    /// The comparisons that were asked for.
    pub rows: Vec<Comparison>,
    /// Number of comparisons by which p-values were adjusted.
    pub compared: u64,
    /// The ranks that are left open to the agents, in ranking order, at the level [`RANK_ALPHA`].
    pub ranks: Vec<RankRange>,
}

/// The comparisons of those places in the ranking for which `keeps` is true, adjusted for all of them: a thousand agents have
/// half a million.
pub fn some_comparisons(
    names: &[String],
    ranking: &[usize],
    ratings: &Ratings,
    keeps: impl Fn(usize, usize) -> bool,
) -> SomeComparisons {
    let (mut rows, mut p_values) = (Vec::new(), Vec::new());
    // The places that each p-value compares, that of the p-value of each row, and the compared places.
    let (mut places, mut told, mut linked) = (Vec::new(), Vec::new(), Vec::new());
    for (i, &a) in ranking.iter().enumerate() {
        for (j, &b) in ranking.iter().enumerate().skip(i + 1) {
            let Some((elo, los)) = ratings.comparison(a, b) else {
                continue;
            };
            linked.push([i as u32, j as u32]);
            if let Some(los) = los {
                p_values.push((2.0 * (1.0 - los)).min(1.0));
                places.push([i as u32, j as u32]);
            }
            if !keeps(i, j) {
                continue;
            }
            told.push(los.map(|_| p_values.len() - 1));
            rows.push(Comparison {
                a: name_of(names, a),
                b: name_of(names, b),
                elo,
                los,
                p_adjusted: None,
            });
        }
    }
    let p_values = adjusted(&p_values);
    for (row, at) in rows.iter_mut().zip(told) {
        row.p_adjusted = at.map(|at| p_values[at]);
    }
    let apart = places.iter().zip(&p_values);
    let apart = apart.filter(|(_, p)| **p <= RANK_ALPHA);
    let number = |&places: &[u32; 2]| places.map(|place| place as usize);
    let apart = apart.map(|(places, _)| number(places));
    let ranks = left_open(ranking.len(), linked.iter().map(number), apart);
    SomeComparisons {
        rows,
        compared: p_values.len() as u64,
        ranks,
    }
}

impl Comparison {
    /// Whether the results tell the two agents apart: their adjusted p-value is at most `alpha`.
    pub fn is_told_apart(&self, alpha: f64) -> bool {
        self.p_adjusted.is_some_and(|p| p <= alpha)
    }
}

/// The ranks that are left open to these agents among those they are compared with, given all comparisons between them.
///
/// Two agents whose comparison is not significant at level `alpha` are not told apart. Because p-values are adjusted for the number of comparisons, the ranges of all agents contain the
/// true ranks with a probability of at least 1 - `alpha`.
pub fn rank_ranges(names: &[&str], comparisons: &[Comparison], alpha: f64) -> Vec<RankRange> {
    let index: BTreeMap<&str, usize> = names.iter().copied().zip(0..).collect();
    let places = |row: &Comparison| Some([*index.get(&*row.a)?, *index.get(&*row.b)?]);
    let apart = comparisons.iter().filter(|row| row.is_told_apart(alpha));
    let linked = comparisons.iter().filter_map(places);
    left_open(names.len(), linked, apart.filter_map(places))
}

/// The ranks that are left open to this many agents, each in its group: the pairs of agents that are linked, and those that are
/// told apart, of which the stronger one comes first.
fn left_open(
    agents: usize,
    linked: impl Iterator<Item = [usize; 2]>,
    apart: impl Iterator<Item = [usize; 2]>,
) -> Vec<RankRange> {
    let mut ranges = vec![RankRange { best: 1, worst: 1 }; agents];
    linked.flatten().for_each(|agent| ranges[agent].worst += 1);
    for [stronger, weaker] in apart {
        ranges[stronger].worst -= 1;
        ranges[weaker].best += 1;
    }
    ranges
}

/// P-values adjusted for their number (Holm, Scandinavian Journal of Statistics 1979): if all those that are at
/// most `alpha` are taken as significant, the probability of any error is at most `alpha`, however the
/// p-values depend on each other.
fn adjusted(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&i, &j| p_values[i].total_cmp(&p_values[j]));
    let (mut adjusted, mut least) = (vec![1.0; p_values.len()], 0.0_f64);
    for (done, i) in order.into_iter().enumerate() {
        let left = (p_values.len() - done) as f64;
        least = least.max((left * p_values[i]).min(1.0));
        adjusted[i] = least;
    }
    adjusted
}

#[cfg(test)]
mod tests;
