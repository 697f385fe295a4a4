//! The logistic model of results: Elo points, log odds and probabilities.

/// Elo points of one unit of log odds: 400 points are odds of 10 to 1.
pub(crate) const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

pub(crate) fn probability(logit: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-logit))
}

/// Of one result, p (1 - p).
pub(crate) fn variance(logit: f64) -> f64 {
    // Both factors directly: 1 - p would round to 0 for a hopeless game.
    probability(logit) * probability(-logit)
}
