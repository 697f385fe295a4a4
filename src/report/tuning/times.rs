//! Measured times. They differ from run to run, so they are kept apart from the other results.

use serde::Serialize;

use crate::tune::EqualTimeResult;

/// The measured times of a search.
#[derive(Clone, Debug, Serialize)]
pub struct MeasuredTimes {
    /// The winner's seconds per move in the proof.
    pub winner_seconds: Option<f64>,
    /// The base's seconds per move in the proof.
    pub base_seconds: Option<f64>,
    /// The match at equal time.
    pub equal_time: Option<EqualTimeResult>,
}
