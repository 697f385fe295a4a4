//! What judges positions: equation 1 of the paper, the position estimate and the network, which an [`Estimator`]
//! chooses between, bounds of the scores, the exact search near the end, and how results are scored.
//!
//! [`Estimator`]: estimator::Estimator

pub mod endgame;
pub(super) mod equation1;
pub(super) mod estimator;
pub(super) mod evaluation_spec;
pub mod net;
pub mod position_estimate;
pub(super) mod position_value;
pub(super) mod result_scoring;
mod score_bounds;
