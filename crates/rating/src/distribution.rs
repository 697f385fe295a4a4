//! Quantiles for 95% intervals, and probabilities of the normal, the chi-square and the F distribution.

/// The 97.5% quantile of the normal distribution.
pub const NORMAL: f64 = 1.959_963_984_540_054;

/// The probability that a standard normal variable is below `z`, 0 to 1.
pub(crate) fn normal_below(z: f64) -> f64 {
    libm::erfc(-z / std::f64::consts::SQRT_2) / 2.0
}

/// The number of standard errors whose two-sided p-value is `p`, above 0 and at most 1.
pub fn two_sided(p: f64) -> f64 {
    let (mut low, mut high) = (0.0, 40.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if 2.0 * normal_below(-middle) > p {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// The probability that a chi-square variable with `freedom` degrees of freedom is above `x`, 0 to
/// 1; Abramowitz and Stegun, 26.4.4 and 26.4.5.
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

/// With more degrees of freedom of the denominator, F is taken as chi-square.
const MAX_OF_DENOMINATOR: f64 = 1e6;

/// The probability that an F variable with these degrees of freedom of numerator and denominator is above `x`, 0 to 1:
/// the incomplete beta function (Abramowitz and Stegun, 26.6.2), by its continued fraction (26.5.8).
pub(crate) fn f_above(x: f64, numerator: f64, denominator: f64) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    if denominator > MAX_OF_DENOMINATOR {
        return chi_square_above(x * numerator, numerator as u64);
    }
    let at = denominator / (denominator + numerator * x);
    let (a, b) = (denominator / 2.0, numerator / 2.0);
    // The fraction converges fast on one side of the mean.
    if at < (a + 1.0) / (a + b + 2.0) {
        incomplete_beta(at, a, b)
    } else {
        1.0 - incomplete_beta(1.0 - at, b, a)
    }
    .clamp(0.0, 1.0)
}

/// The number that an F variable with these degrees of freedom exceeds with probability 2.5%.
pub fn f_at(numerator: f64, denominator: f64) -> f64 {
    let (mut low, mut high) = (0.0, 20.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if f_above(libm::exp(middle), numerator, denominator) > 0.025 {
            low = middle;
        } else {
            high = middle;
        }
    }
    libm::exp(low)
}

/// The regularized incomplete beta function for `x` below about `a / (a + b)`.
fn incomplete_beta(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    let factor = a * libm::log(x) + b * libm::log1p(-x) + libm::lgamma(a + b)
        - libm::lgamma(a)
        - libm::lgamma(b);
    // Lentz's method from the front (Applied Optics 1976); no term is near 0 here.
    let (mut upper, mut lower) = (1.0, 1.0 / (1.0 - (a + b) * x / (a + 1.0)));
    let mut fraction = lower;
    for term in 1..10_000 {
        let m = f64::from(term);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let before = fraction;
        for part in [even, odd] {
            lower = 1.0 / (1.0 + part * lower);
            upper = 1.0 + part / upper;
            fraction *= lower * upper;
        }
        if (fraction / before - 1.0).abs() < 1e-14 {
            break;
        }
    }
    libm::exp(factor) * fraction / a
}

/// The 97.5% quantile of Student's t with any degrees of freedom; fewer than 1 count as 1.
pub fn student(freedom: f64) -> f64 {
    let freedom = freedom.max(1.0);
    if freedom > MAX_OF_DENOMINATOR {
        return NORMAL;
    }
    let scale = libm::lgamma((freedom + 1.0) / 2.0)
        - libm::lgamma(freedom / 2.0)
        - 0.5 * libm::log(freedom * std::f64::consts::PI);
    // Newton's method from the left: the tail is convex, so no step goes too far.
    let mut t = NORMAL;
    loop {
        let density = libm::exp(scale - (freedom + 1.0) / 2.0 * libm::log1p(t * t / freedom));
        // The square of t is F with 1 degree of freedom in the numerator.
        let step = (f_above(t * t, 1.0, freedom) - 0.05) / (2.0 * density);
        t += step;
        if step < 1e-9 * t {
            return t;
        }
    }
}

/// How many standard errors an interval extends to the side towards which the likelihood is skewed; `None` if
/// it has no end. The likelihood is treated as that of the logarithm of a rate for which 1 / skewness^2 events were
/// observed. Without this, intervals are too narrow if an agent lost only once or twice against much weaker ones.
pub(crate) fn long_side(quantile: f64, skewness: f64) -> Option<f64> {
    if skewness <= 1e-9 {
        return Some(quantile);
    }
    Some((poisson_end(quantile, skewness)? / skewness).max(quantile))
}

/// The logarithm of the end of a Poisson interval by the rate, of which 1 / error^2 events were seen: of the upper end, or of
/// the lower one for a negative quantile, as approximated by Wilson and Hilferty (Proceedings of the National Academy of
/// Sciences 1931). `None` if there is no upper end.
pub(crate) fn poisson_end(quantile: f64, error: f64) -> Option<f64> {
    let root = 1.0 - error * error / 9.0 - quantile * error / 3.0;
    (root > 0.0).then(|| -3.0 * libm::log(root))
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
        for (p, z) in [(1.0, 0.0), (0.05, NORMAL), (0.01, 2.575_829)] {
            assert!((two_sided(p) - z).abs() < 1e-6);
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
    fn f_matches_the_printed_tables() {
        for (numerator, denominator, x) in [
            (1.0, 1.0, 161.448),
            (1.0, 10.0, 4.9646),
            (2.0, 3.0, 9.5521),
            (5.0, 5.0, 5.0503),
            (10.0, 4.0, 5.9644),
            (30.0, 30.0, 1.8409),
            (120.0, 2.0, 19.4874),
            (21.0, 1e9, 32.671 / 21.0),
        ] {
            let above = f_above(x, numerator, denominator);
            assert!(
                (above - 0.05).abs() < 1e-5,
                "{numerator}, {denominator}: {above}"
            );
        }
        // Median of equal degrees of freedom, and both sides of the change to chi-square.
        assert!((f_above(1.0, 7.0, 7.0) - 0.5).abs() < 1e-12);
        let [near, beyond] = [999_999.0, 1_000_001.0].map(|many| f_above(2.0, 9.0, many));
        assert!((near / beyond - 1.0).abs() < 1e-3, "{near} {beyond}");
        assert_eq!(f_above(0.0, 3.0, 4.0), 1.0);
        assert!(f_above(1e9, 3.0, 4.0) < 1e-15);
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
            assert!((student(f64::from(freedom)) - value).abs() < 5e-4);
        }
        assert!((student(1.0) - 12.706_204_736_432_1).abs() < 1e-9);
        assert!((student(2.5) - 3.574_655).abs() < 1e-5);
        assert!((student(999_999.0) - student(1_000_001.0)).abs() < 1e-5);
    }
}
