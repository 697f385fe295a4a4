//! Quantiles for 95% intervals, and probabilities of the normal and chi-square distributions.

/// The 97.5% quantile of the normal distribution.
pub const NORMAL: f64 = 1.959_963_984_540_054;

/// The probability that a standard normal variable is below `z`, 0 to 1.
#[must_use]
pub(crate) fn normal_below(z: f64) -> f64 {
    libm::erfc(-z / std::f64::consts::SQRT_2) / 2.0
}

/// The probability that a chi-square variable with `freedom` degrees of freedom is above `x`, 0 to
/// 1; Abramowitz and Stegun, 26.4.4 and 26.4.5.
#[must_use]
pub(crate) fn chi_square_above(x: f64, freedom: u64) -> f64 {
    if freedom == 0 || x <= 0.0 {
        return if freedom == 0 && x > 0.0 { 0.0 } else { 1.0 };
    }
    let half = x / 2.0;
    // The sum of half^k e^-half / Gamma(k + 1) over all k below freedom / 2 that differ from it by
    // an integer.
    let term = |k: f64| libm::exp(k * libm::log(half) - half - libm::lgamma(k + 1.0));
    let (tail, from) = if freedom.is_multiple_of(2) {
        (0.0, 0.0)
    } else {
        (libm::erfc(half.sqrt()), 0.5)
    };
    let terms: f64 = (0..freedom / 2).map(|i| term(from + i as f64)).sum();
    (tail + terms).min(1.0)
}

/// The 97.5% quantile of Student's t. Beyond the table it uses the expansion of Abramowitz and
/// Stegun, 26.7.5.
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
    fn the_normal_and_the_chi_square_match_the_printed_tables() {
        for (z, below) in [
            (0.0, 0.5),
            (1.0, 0.841_345),
            (-1.96, 0.024_998),
            (NORMAL, 0.975),
        ] {
            assert!((normal_below(z) - below).abs() < 1e-6);
        }
        for (freedom, x) in [
            (1, 3.841),
            (2, 5.991),
            (3, 7.815),
            (10, 18.307),
            (45, 61.656),
            (100, 124.342),
            (1225, 1_307.537),
        ] {
            let above = chi_square_above(x, freedom);
            assert!((above - 0.05).abs() < 2e-5, "{freedom}: {above}");
        }
        assert_eq!(chi_square_above(0.0, 3), 1.0);
        assert!(chi_square_above(1e6, 4) < 1e-300);
    }

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
