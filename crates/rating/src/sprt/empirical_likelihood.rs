//! Maximum likelihood distributions of pair scores under a hypothesis.

/// An agent's share of the points of a pair, by the index in [`PairCounts`].
pub(super) const SCORES: Shares = [0.0, 0.25, 0.5, 0.75, 1.0];

/// The share of the pairs with each score.
pub(super) type Shares = [f64; 5];

pub(super) fn mean_and_deviation(shares: &Shares) -> (f64, f64) {
    let expected = |value: &dyn Fn(f64) -> f64| -> f64 {
        let terms = shares.iter().zip(SCORES);
        terms.map(|(share, score)| share * value(score)).sum()
    };
    let mean = expected(&|score| score);
    let variance = expected(&|score| (score - mean).powi(2));
    (mean, variance.sqrt())
}

/// The maximum likelihood distribution for the observed shares among those in which `values` have
/// mean 0. The values must have both signs.
///
/// With a Lagrange multiplier x it is `observed / (1 + x values)`, where x lies between the two
/// poles and the mean decreases as x increases (Owen, *Empirical Likelihood*, 2001, section 2.9).
pub(super) fn likeliest_with_mean_0(observed: &Shares, values: &Shares) -> Shares {
    let now: f64 = observed.iter().zip(values).map(|(o, v)| o * v).sum();
    if now == 0.0 {
        return *observed;
    }
    // The value whose share diverges at the end of the x range on the root's side. With x = -(1 -
    // z) / limit and 0 < z < 1, this value has 1 + x values = z without rounding. Very small
    // observed shares move the root close to that end.
    let limit = if now > 0.0 {
        values.iter().copied().fold(0.0, f64::min)
    } else {
        values.iter().copied().fold(0.0, f64::max)
    };
    let slopes = values.map(|value| value / limit);
    let factor = |z: f64, slope: f64| 1.0 - slope + z * slope;
    let (mut low, mut high) = (0.0, 1.0);
    let mut z: f64 = 0.5;
    for _ in 0..200 {
        let (mut mean, mut steepness) = (0.0, 0.0);
        for (&share, &slope) in observed.iter().zip(&slopes) {
            let term = slope / factor(z, slope);
            mean += share * term;
            steepness += share * term * term;
        }
        if mean > 0.0 {
            low = z;
        } else {
            high = z;
        }
        // Newton's step if it stays inside; otherwise bisect on a logarithmic scale.
        let newton = z + mean / steepness;
        let next = if newton > low && newton < high {
            newton
        } else if low > 0.0 {
            (low * high).sqrt()
        } else {
            high / 64.0
        };
        let moved = (next - z).abs();
        z = next;
        if moved <= 1e-15 * z {
            break;
        }
    }
    std::array::from_fn(|i| observed[i] / factor(z, slopes[i]))
}

/// The maximum likelihood distribution for the observed shares among those with (mean - 1/2) /
/// deviation equal to `t`.
///
/// The likelihood may have several local maxima, some far from the observed shares. The result is
/// the higher of the maxima found from equal shares and from the observed shares.
pub(super) fn likeliest_with_t(observed: &Shares, t: f64) -> Shares {
    let [from_even, from_observed] =
        [[0.2; 5], *observed].map(|start| summit_with_t(observed, tilted_to_t(&start, t), t));
    let likelihood = |shares: &Shares| -> f64 {
        let both = observed.iter().zip(shares);
        both.map(|(share, &expected)| share * libm::log(expected))
            .sum()
    };
    if likelihood(&from_observed) > likelihood(&from_even) {
        from_observed
    } else {
        from_even
    }
}

/// Iteratively replaces the condition by its tangent, a condition on a mean, until convergence.
fn summit_with_t(observed: &Shares, mut shares: Shares, t: f64) -> Shares {
    for _ in 0..500 {
        let (mean, deviation) = mean_and_deviation(&shares);
        let values = SCORES.map(|score| {
            let off = (score - mean) / deviation;
            score - 0.5 - t * deviation * (1.0 + off * off) / 2.0
        });
        let next = likeliest_with_mean_0(observed, &values);
        let changes = next.iter().zip(shares).map(|(a, b)| (a - b).abs());
        let change = changes.fold(0.0, f64::max);
        shares = next;
        if change < 1e-12 {
            break;
        }
    }
    shares
}

/// The shares times an exponential of the score, such that (mean - 1/2) / deviation is `t`.
pub(super) fn tilted_to_t(shares: &Shares, t: f64) -> Shares {
    let tilted = |slope: f64| {
        let weights: Shares =
            std::array::from_fn(|i| shares[i] * libm::exp(slope * (SCORES[i] - 0.5)));
        let total: f64 = weights.iter().sum();
        weights.map(|weight| weight / total)
    };
    let (mut low, mut high) = (-80.0, 80.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        let (mean, deviation) = mean_and_deviation(&tilted(middle));
        if mean - 0.5 < t * deviation {
            low = middle;
        } else {
            high = middle;
        }
    }
    tilted(low)
}
