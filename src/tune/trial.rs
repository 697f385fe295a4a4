//! Trials: candidates to be played, and their results.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::history::Tried;
use super::point::Point;

/// A candidate to be played: one pair of games against the opponents on each of the rings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trial {
    /// The number of the trial, from 0.
    pub id: u64,
    /// The candidate.
    pub point: Point,
    /// The numbers of the rings. Different candidates of the same batch share them.
    pub rings: Range<u32>,
}

/// The results of a trial.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrialResults {
    /// The trial's number.
    pub trial: u64,
    /// The result on each ring in order, 0 to 1: the mean over both legs and all opponents.
    pub results: Vec<f64>,
}

/// Why results are rejected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TellError {
    /// The trial was never asked for.
    #[error("trial {0} is unknown: it was never asked for")]
    Unknown(u64),
    /// The trial already has results.
    #[error("trial {0} already has results")]
    Twice(u64),
    /// The number of results differs from the number of rings.
    #[error("trial {trial} has {found} results, expected {expected}, one for each ring")]
    Count {
        /// The trial's number.
        trial: u64,
        /// The number of its results.
        found: usize,
        /// The number of its rings.
        expected: usize,
    },
    /// A result is not a number from 0 to 1.
    #[error("trial {trial} has the result {found}, expected a number from 0 to 1")]
    Range {
        /// The trial's number.
        trial: u64,
        /// The result as text.
        found: String,
    },
}

impl Trial {
    /// The trial with its results.
    ///
    /// # Errors
    /// When there is not exactly one number from 0 to 1 for each ring.
    pub(super) fn tried(&self, results: Vec<f64>) -> Result<Tried, TellError> {
        if results.len() != self.rings.len() {
            return Err(TellError::Count {
                trial: self.id,
                found: results.len(),
                expected: self.rings.len(),
            });
        }
        match results.iter().find(|result| !(0.0..=1.0).contains(*result)) {
            None => Ok(Tried {
                point: self.point.clone(),
                first_ring: self.rings.start,
                results,
            }),
            Some(result) => Err(TellError::Range {
                trial: self.id,
                found: result.to_string(),
            }),
        }
    }
}
