//! Comparison of two agents.

use std::cmp::Ordering;

use serde::Serialize;

use super::elo::Ratings;
use super::estimate::{Estimate, keys};
use super::margins::MarginRatings;
use super::names::name_of;

/// The difference in strength between two agents.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Comparison {
    /// The agent with the higher rating.
    pub a: String,
    /// The other agent.
    pub b: String,
    /// The difference of their ratings in Elo points. If they have met often, its interval is
    /// narrower than the intervals of the two ratings suggest.
    #[serde(flatten, with = "keys::EloError")]
    pub elo: Estimate,
    /// Likelihood of superiority: the probability that `a` is stronger, 0 to 1, given a flat prior. It is
    /// meant for two agents chosen before the games. Here `a` is the one with the higher rating, so it is
    /// at least 0.5, and above 0.975 for 5% of all equal agents.
    pub los: Option<f64>,
    /// Confidence that `a` is stronger, 0 to 1: 1 minus the two-sided p-value of equal strengths. It
    /// takes into account that `a` was chosen by its results: of two equal agents, 2.5% exceed 0.975.
    pub confidence: Option<f64>,
    /// The difference of their strengths in points per game; see [`super::Margins`].
    #[serde(flatten, with = "keys::PointsAhead")]
    pub points: Estimate,
}

/// The rated agents, by descending rating, then by name.
pub fn ranking(names: &[String], ratings: &Ratings) -> Vec<usize> {
    // Equal results give ratings that are equal up to rounding; order those agents by name.
    let elo = |agent: usize| (ratings.elo(agent) * 1e9).round() / 1e9;
    let rated = |&agent: &usize| ratings.agents[agent].elo.value.is_some();
    let mut ranking: Vec<usize> = (0..ratings.agents.len()).filter(rated).collect();
    ranking.sort_by(|&a, &b| {
        let by_elo = elo(b).partial_cmp(&elo(a)).unwrap_or(Ordering::Equal);
        by_elo.then_with(|| name_of(names, a).cmp(&name_of(names, b)))
    });
    ranking
}

/// All pairings of agents that a chain of games links, in ranking order.
pub fn comparisons(
    names: &[String],
    ranking: &[usize],
    ratings: &Ratings,
    margins: Option<&MarginRatings>,
) -> Vec<Comparison> {
    let mut comparisons = Vec::new();
    for (i, &a) in ranking.iter().enumerate() {
        for &b in &ranking[i + 1..] {
            let Some((elo, los)) = ratings.comparison(a, b) else {
                continue;
            };
            let points = margins.and_then(|margins| margins.difference(a, b));
            comparisons.push(Comparison {
                a: name_of(names, a),
                b: name_of(names, b),
                elo,
                los,
                confidence: los.map(|los| (2.0 * los - 1.0).max(0.0)),
                points: points.unwrap_or_default(),
            });
        }
    }
    comparisons
}
