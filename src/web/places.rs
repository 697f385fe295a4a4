//! The standings of a tournament that is watched.

use serde::Serialize;

use crate::stats::Summary;
use crate::tournament::Results;

/// An agent's place.
#[derive(Serialize)]
pub(super) struct WatchedPlace {
    agent: String,
    /// Elo relative to the mean, with its 95% interval.
    elo: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    games: u64,
    /// Share of games won.
    score: Option<f64>,
}

/// The places, the best first.
pub(super) fn standings(results: &Results) -> Vec<WatchedPlace> {
    let plan = &results.manifest.plan;
    let summary = Summary::of(&plan.names(), &plan.pairings(), &results.games);
    let places = summary.ratings.into_iter().map(|one| WatchedPlace {
        agent: one.agent,
        elo: one.elo.value,
        low: one.elo.low,
        high: one.elo.high,
        games: one.games,
        score: one.score,
    });
    places.collect()
}
