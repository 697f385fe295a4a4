//! The logistic model of results: Elo points, log odds and probabilities.

/// Elo points per unit of log odds: 400 points correspond to odds of 10 to 1.
pub const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

pub(crate) fn probability(logit: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-logit))
}

/// Variance of one result, p (1 - p).
pub(crate) fn variance(logit: f64) -> f64 {
    // Compute both factors directly: 1 - p would round to 0 for very unequal agents.
    probability(logit) * probability(-logit)
}
