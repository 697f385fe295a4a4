//! Quantiles for 95% intervals, and probabilities of the normal and the chi-square distribution.

/// The 97.5% quantile of the normal distribution.
pub const NORMAL: f64 = 1.959_963_984_540_054;

/// The probability that a standard normal number is below `z`, 0 to 1.
#[must_use]
pub fn normal_below(z: f64) -> f64 {
    libm::erfc(-z / std::f64::consts::SQRT_2) / 2.0
}

/// The 97.5% quantile of Student's t; beyond a table by the expansion of Abramowitz and Stegun,
/// 26.7.5.
#[must_use]
pub fn student(freedom: usize) -> f64 {
    const TABLE: [f64; 10] = [
        12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281,
    ];
    if (1..=TABLE.len()).contains(&freedom) {
        return TABLE[freedom - 1];
    }
    let (z, n) = (NORMAL, freedom as f64);
    let first = (z.powi(3) + z) / 4.0;
    let second = (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0;
    let third = (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0;
    z + first / n + second / n.powi(2) + third / n.powi(3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn student_matches_the_printed_tables() {
        for (freedom, value) in [
            (1, 12.706),
            (10, 2.228),
            (11, 2.201),
            (30, 2.042),
            (120, 1.980),
        ] {
            assert!((student(freedom) - value).abs() < 5e-4);
        }
    }
}
