//! Least squares: what an outcome changes with each of several quantities while the others stay the same.

use std::collections::BTreeMap;

use super::distribution::student;
use super::estimate::Estimate;
use super::matrix::{Matrix, dot};
use super::setups::{FewSetups, SetupScore};

/// One observation of [`least_squares`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RegressionRow {
    /// Observations are compared with others of the same stratum: each stratum has a level of its own.
    pub stratum: u64,
    /// Observations of a cluster depend on each other, and come one after another.
    pub cluster: u64,
    /// The outcome.
    pub outcome: f64,
}

/// Sums over the observations of a stratum.
#[derive(Clone)]
struct StratumSums {
    count: f64,
    outcome: f64,
    quantities: Vec<f64>,
}

/// With more clusters, errors have one correction for all coefficients.
const FEW_CLUSTERS: usize = 100;

/// The observations of a cluster after the fit.
#[derive(Clone, Default)]
struct FittedCluster {
    setup: SetupScore,
    /// Number of observations by stratum.
    strata: BTreeMap<u64, f64>,
    /// Sums of the residuals and of their squares.
    residuals: [f64; 2],
}

/// The coefficients of `size` quantities in a linear model of the outcome, by ordinary least squares within strata.
///
/// `observe` returns an observation, counted from 0, and writes the quantities that are not 0, with their indices. It is
/// called twice for each of `count` observations. The errors assume only that clusters are independent (Liang and Zeger
/// 1986), with the usual correction for small numbers of clusters or, for at most 100, that of Bell and McCaffrey (2002) for
/// observations of a cluster that have the same correlation; intervals use Student's t. A quantity that does not vary within
/// a stratum has no value, and none has one if they determine each other.
pub fn least_squares(
    size: usize,
    count: usize,
    mut observe: impl FnMut(usize, &mut Vec<(usize, f64)>) -> RegressionRow,
) -> Vec<Estimate> {
    let mut strata: BTreeMap<u64, StratumSums> = BTreeMap::new();
    let (mut products, mut outcomes) = (Matrix::zero(size), vec![0.0; size]);
    let mut x = Vec::new();
    for i in 0..count {
        x.clear();
        let seen = observe(i, &mut x);
        let sums = strata.entry(seen.stratum).or_insert_with(|| StratumSums {
            count: 0.0,
            outcome: 0.0,
            quantities: vec![0.0; size],
        });
        sums.count += 1.0;
        sums.outcome += seen.outcome;
        for (place, &(i, a)) in x.iter().enumerate() {
            for &(j, b) in &x[..=place] {
                products.add(i.max(j), i.min(j), a * b);
            }
        }
        for &(at, value) in &x {
            sums.quantities[at] += value;
            outcomes[at] += value * seen.outcome;
        }
    }
    // Within a stratum, what counts is the distance from its means.
    products = products.mirrored();
    for sums in strata.values_mut() {
        let all: Vec<(usize, f64)> = sums.quantities.iter().copied().enumerate().collect();
        products.add_outer(-1.0 / sums.count, &all, &all);
        for (at, sum) in all {
            outcomes[at] -= sum * sums.outcome / sums.count;
            sums.quantities[at] = sum / sums.count;
        }
        sums.outcome /= sums.count;
    }
    let fixed: Vec<bool> = (0..size).map(|i| products.at(i, i) < 1e-6).collect();
    for i in (0..size).filter(|&i| fixed[i]) {
        products.add(i, i, 1.0);
        outcomes[i] = 0.0;
    }
    let none = || vec![Estimate::default(); size];
    let free = fixed.iter().filter(|fixed| !**fixed).count();
    let parameters = free + strata.len();
    let Some(inverse) = products
        .inverse()
        .filter(|_| free > 0 && count > parameters)
    else {
        return none();
    };
    let values = inverse.times(&outcomes);
    let (mut middle, mut clusters) = (Matrix::zero(size), 0_usize);
    let mut few: Vec<FittedCluster> = Vec::new();
    let (mut score, mut cluster) = (vec![0.0; size], FittedCluster::default());
    let mut close = |score: &mut Vec<f64>, cluster: &mut FittedCluster| {
        middle.add_lower_square(score);
        clusters += 1;
        let mut closed = std::mem::take(cluster);
        if clusters <= FEW_CLUSTERS {
            closed.setup.score = score.iter().copied().enumerate().collect();
            few.push(closed);
        }
        score.fill(0.0);
        clusters < FEW_CLUSTERS
    };
    let (mut off, mut are_few) = (Vec::with_capacity(size), true);
    let mut current = None;
    for i in 0..count {
        x.clear();
        let seen = observe(i, &mut x);
        if current
            .replace(seen.cluster)
            .is_some_and(|last| last != seen.cluster)
        {
            are_few = close(&mut score, &mut cluster);
        }
        let sums = &strata[&seen.stratum];
        off.clear();
        off.extend(sums.quantities.iter().map(|mean| -mean));
        x.iter().for_each(|&(at, value)| off[at] += value);
        let residual = seen.outcome - sums.outcome - dot(&off, &values);
        let scores = score.iter_mut().zip(&off);
        scores.for_each(|(score, by)| *score += by * residual);
        if are_few {
            let off = off.iter().copied().enumerate().collect();
            cluster.setup.information.push((off, 1.0));
            *cluster.strata.entry(seen.stratum).or_default() += 1.0;
            cluster.residuals[0] += residual;
            cluster.residuals[1] += residual * residual;
        }
    }
    if current.is_some() {
        close(&mut score, &mut cluster);
    }
    if clusters < 2 {
        return none();
    }
    let (unexplained, others) = ((count - parameters) as f64, (clusters - 1) as f64);
    if clusters > FEW_CLUSTERS {
        let correction = clusters as f64 / others * (count - 1) as f64 / unexplained;
        let covariance = inverse.sandwich(&middle.mirrored()).scaled(correction);
        let estimate = |i: usize| {
            let error = covariance.at(i, i).max(0.0).sqrt();
            Estimate::with_error(values[i], error, student(others))
        };
        return estimates(&fixed, estimate);
    }
    let mut sums: Vec<_> = few.iter().map(|cluster| cluster.setup.sum(size)).collect();
    let correlation = correlation(&few, &sums, &strata, &inverse, unexplained);
    if correlation == 0.0 {
        sums.clear();
    }
    let few = FewSetups {
        setups: few.into_iter().map(|cluster| cluster.setup).collect(),
        correlation,
        sums,
        ..FewSetups::default()
    };
    estimates(&fixed, |i| {
        let (variance, freedom) = few.variance(&inverse, &inverse.times_sparse(&[(i, 1.0)]));
        Estimate::with_error(values[i], variance.sqrt(), student(freedom))
    })
}

/// The estimates of the quantities that vary.
fn estimates(fixed: &[bool], estimate: impl Fn(usize) -> Estimate) -> Vec<Estimate> {
    let one = |(i, &fixed)| match fixed {
        true => Estimate::default(),
        false => estimate(i).unless_certain(),
    };
    fixed.iter().enumerate().map(one).collect()
}

/// The correlation of any two observations of a cluster, 0 to 1, with which the fit is expected to leave as large a sum of
/// the squared residuals, and of the squared sums of the residuals of clusters, as it does. `unexplained` is the number of
/// observations without that of the parameters, and `sums` has the sum of the contrasts of each cluster.
fn correlation(
    clusters: &[FittedCluster],
    sums: &[Vec<f64>],
    strata: &BTreeMap<u64, StratumSums>,
    inverse: &Matrix,
    unexplained: f64,
) -> f64 {
    let (mut trace, mut square) = (0.0, 0.0);
    for (i, one) in clusters.iter().enumerate() {
        let fitted = inverse.times(&sums[i]);
        for (j, other) in clusters.iter().enumerate() {
            // The covariance of the summed residuals if observations are independent.
            let of_strata = one.strata.iter().map(|(stratum, count)| {
                let others = other.strata.get(stratum).copied().unwrap_or(0.0);
                count * others / strata[stratum].count
            });
            let explained = of_strata.sum::<f64>() + dot(&fitted, &sums[j]);
            let own = if i == j {
                one.setup.information.len()
            } else {
                0
            };
            let left = own as f64 - explained;
            square += left * left;
            trace += if i == j { left } else { 0.0 };
        }
    }
    let of_observations: f64 = clusters.iter().map(|one| one.residuals[1]).sum();
    let of_clusters: f64 = clusters.iter().map(|one| one.residuals[0].powi(2)).sum();
    // The variance of each observation alone and that which a cluster has together, times the same number.
    let alone = of_observations * square - of_clusters * trace;
    let together = of_clusters * unexplained - of_observations * trace;
    let are_known = unexplained * square > (1.0 + 1e-9) * trace * trace && alone + together > 0.0;
    if are_known {
        (together / (alone + together)).clamp(0.0, 1.0)
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A small generator of numbers in -1..1 for these tests.
    fn noise(state: &mut u64) -> f64 {
        *state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (*state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    /// Observations of two strata with levels 10 and -10, and pairs that share a part of their noise.
    fn observations(seed: u64, count: usize) -> Vec<(RegressionRow, [f64; 3])> {
        let mut state = seed;
        let mut common = 0.0;
        (0..count)
            .map(|i| {
                if i % 2 == 0 {
                    common = noise(&mut state);
                }
                let stratum = (i / 2 % 2) as u64;
                // The second quantity goes along with the first, and the third never varies.
                let a = noise(&mut state).signum();
                let b = if noise(&mut state) > 0.4 { a } else { 0.0 };
                let level = if stratum == 0 { 10.0 } else { -10.0 };
                let outcome = level + 3.0 * a - 2.0 * b + common + noise(&mut state);
                let cluster = (i / 2) as u64;
                (
                    RegressionRow {
                        stratum,
                        cluster,
                        outcome,
                    },
                    [a, b, 1.0],
                )
            })
            .collect()
    }

    fn fitted(rows: &[(RegressionRow, [f64; 3])]) -> Vec<Estimate> {
        least_squares(3, rows.len(), |i, x| {
            x.extend(
                rows[i]
                    .1
                    .into_iter()
                    .enumerate()
                    .filter(|(_, value)| *value != 0.0),
            );
            rows[i].0
        })
    }

    #[test]
    fn coefficients_are_those_of_the_model_and_intervals_cover_them() {
        let runs = 400;
        let mut covered = [0; 2];
        for seed in 0..runs {
            let found = fitted(&observations(seed * 7919 + 1, 240));
            assert_eq!(found[2], Estimate::default(), "it does not vary");
            for (i, truth) in [3.0, -2.0].into_iter().enumerate() {
                let (low, high) = found[i].interval().expect("both ends");
                covered[i] += u32::from(low <= truth && truth <= high);
                assert!((found[i].value.expect("a value") - truth).abs() < 0.6);
            }
        }
        for covered in covered {
            assert!((366..=396).contains(&covered), "{covered} of {runs}");
        }
    }

    #[test]
    fn quantities_that_determine_each_other_have_no_coefficients() {
        let rows = observations(5, 100);
        let found = least_squares(2, rows.len(), |i, x| {
            let value = rows[i].1[0];
            x.extend([(0, value), (1, 2.0 * value)]);
            rows[i].0
        });
        assert_eq!(found, vec![Estimate::default(); 2]);
        assert_eq!(fitted(&[]), vec![Estimate::default(); 3]);
    }
}
