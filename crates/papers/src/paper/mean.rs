//! Means over orders with their standard errors.

use patchwork_rating::distribution::student;
use serde::Serialize;

/// A mean with its standard error.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MeanWithError {
    /// The mean, 0 without values.
    pub mean: f64,
    /// Standard error of the mean, 0 with fewer than two values.
    pub error: f64,
}

impl MeanWithError {
    /// The mean of values that are independent of each other.
    pub fn of(values: impl ExactSizeIterator<Item = f64> + Clone) -> Self {
        let count = values.len() as f64;
        if count == 0.0 {
            return Self {
                mean: 0.0,
                error: 0.0,
            };
        }
        let mean = values.clone().sum::<f64>() / count;
        let squares: f64 = values.map(|value| (value - mean).powi(2)).sum();
        let error = if count > 1.0 {
            (squares / (count - 1.0) / count).sqrt()
        } else {
            0.0
        };
        Self { mean, error }
    }
}

/// The difference between two strategies on the same orders.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PairedDifference {
    /// Mean of the paired differences with its standard error.
    pub estimate: MeanWithError,
    /// Lower end of the 95% interval, `None` with fewer than two orders.
    pub low: Option<f64>,
    /// Upper end of the 95% interval, `None` with fewer than two orders.
    pub high: Option<f64>,
}

impl PairedDifference {
    /// The mean of these paired differences, one per order.
    pub fn of(differences: impl ExactSizeIterator<Item = f64> + Clone) -> Self {
        let freedom = differences.len().saturating_sub(1);
        let estimate = MeanWithError::of(differences);
        let half = (freedom > 0).then(|| student(freedom) * estimate.error);
        Self {
            estimate,
            low: half.map(|half| estimate.mean - half),
            high: half.map(|half| estimate.mean + half),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_is_that_of_the_mean() {
        let estimate = MeanWithError::of([3.0, 5.0, 4.0, 8.0].into_iter());
        assert_eq!(estimate.mean, 5.0);
        // Squares 4 + 0 + 1 + 9 = 14; the variance is 14 / 3, that of the mean 14 / 12.
        assert!((estimate.error - (14.0f64 / 12.0).sqrt()).abs() < 1e-12);
        assert_eq!(MeanWithError::of([2.5].into_iter()).error, 0.0);
        assert_eq!(MeanWithError::of(std::iter::empty()).mean, 0.0);
    }

    #[test]
    fn intervals_are_those_of_students_t() {
        let difference = PairedDifference::of([3.0, 5.0, 4.0, 8.0].into_iter());
        let half = 3.1824 * (14.0f64 / 12.0).sqrt();
        assert!((difference.high.expect("four") - 5.0 - half).abs() < 1e-9);
        assert!((difference.low.expect("four") - 5.0 + half).abs() < 1e-9);
        assert_eq!(PairedDifference::of([1.0].into_iter()).low, None);
    }
}
