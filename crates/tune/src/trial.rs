//! Trials: candidates to be played, and their results.

use std::ops::Range;

use patchwork_engine::util::InputError;

use super::point::Point;

/// A candidate to be played: one pair of games against the opponents on each of the rings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trial {
    /// The number of the trial, from 0.
    pub id: u64,
    /// The candidate.
    pub point: Point,
    /// The numbers of the rings. Different candidates of the same batch share them.
    pub rings: Range<u32>,
}

/// The error of results of a trial that was not asked for, or that has results.
pub(super) fn not_waiting(trial: u64, has_results: bool) -> InputError {
    InputError::new(match has_results {
        true => format!("trial {trial} already has results"),
        false => format!("trial {trial} is unknown: it was never asked for"),
    })
}

impl Trial {
    /// The candidate with its result on each ring in order, 0 to 1: the mean over both legs and all opponents.
    pub(super) fn tried(&self, results: Vec<f64>) -> Result<(Point, Vec<f64>), InputError> {
        let (trial, found, expected) = (self.id, results.len(), self.rings.len());
        if found != expected {
            return Err(InputError::new(format!(
                "trial {trial} has {found} results, expected {expected}, one for each ring"
            )));
        }
        match results.iter().find(|result| !(0.0..=1.0).contains(*result)) {
            None => Ok((self.point.clone(), results)),
            Some(result) => Err(InputError::new(format!(
                "trial {trial} has the result {result}, expected a number from 0 to 1"
            ))),
        }
    }
}
