//! Wilson's interval of a share.

use super::distribution::NORMAL;
use super::estimate::Estimate;

/// The number of uncorrelated pairs added to the observed ones, so that a few pairs that happen to
/// agree do not imply a correlation of 1 and an error of 0.
pub(super) const UNRELATED_PAIRS: f64 = 4.0;

/// A share of `games` independent games, with its interval.
pub(super) fn wilson(rate: f64, games: f64) -> Estimate {
    let z2 = NORMAL * NORMAL;
    let middle = (rate + z2 / (2.0 * games)) / (1.0 + z2 / games);
    let variance = rate * (1.0 - rate) / games + z2 / (4.0 * games * games);
    let half = NORMAL * variance.sqrt() / (1.0 + z2 / games);
    // Rounding may put an end slightly outside the range, or on the wrong side of the rate.
    let (low, high) = (middle - half, middle + half);
    Estimate {
        value: Some(rate),
        low: Some(low.clamp(0.0, rate)),
        high: Some(high.clamp(rate, 1.0)),
        error: None,
    }
}
