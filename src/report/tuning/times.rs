//! The thinking times of candidates. They differ from run to run, so they are kept apart from the other
//! results.

use serde::Serialize;

use crate::tune::{EqualTimeResult, GameCosts, Recommendation};

/// What a candidate costs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CandidateTime {
    /// Its rank.
    pub rank: usize,
    /// Its settings.
    pub settings: String,
    /// The games with a measured time.
    pub games: u32,
    /// Its own thinking time in seconds per game.
    pub seconds: f64,
    /// Its expected paired result, 0 to 1.
    pub result: f64,
    /// Whether no candidate is expected to be both better and faster.
    pub is_efficient: bool,
}

/// The measured times of a search.
#[derive(Clone, Debug, Serialize)]
pub struct MeasuredTimes {
    /// The winner's seconds per move in the proof.
    pub winner_seconds: Option<f64>,
    /// The base's seconds per move in the proof.
    pub base_seconds: Option<f64>,
    /// The match at equal time.
    pub equal_time: Option<EqualTimeResult>,
    /// The candidates by rank.
    pub candidates: Vec<CandidateTime>,
}

impl MeasuredTimes {
    /// The times of a search with this ranking, the highest expectation first; `pace` is the winner's and the base's seconds per move.
    #[must_use]
    pub fn new(
        ranking: &[Recommendation],
        costs: &GameCosts,
        pace: Option<[f64; 2]>,
        equal_time: Option<EqualTimeResult>,
    ) -> Self {
        let mut fastest = f64::INFINITY;
        let rows = (1..).zip(ranking).filter_map(|(rank, row)| {
            let cost = costs.of(&row.point);
            Some((rank, row, cost.games, cost.per_game()?))
        });
        let candidates = rows.map(|(rank, row, games, seconds)| {
            // Candidates come in descending order of result.
            let is_efficient = seconds < fastest;
            fastest = fastest.min(seconds);
            CandidateTime {
                rank,
                settings: row.point.to_string(),
                games,
                seconds,
                result: row.expected().value.unwrap_or(row.value),
                is_efficient,
            }
        });
        Self {
            candidates: candidates.collect(),
            winner_seconds: pace.map(|[winner, _]| winner),
            base_seconds: pace.map(|[_, base]| base),
            equal_time,
        }
    }
}
