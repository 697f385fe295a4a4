//! Means of observations in related clusters, such as the two games of a pair.

use std::borrow::Borrow;

use super::distribution::{NORMAL, poisson_end, student};
use super::estimate::Estimate;
use super::share::{UNRELATED_PAIRS, wilson};

/// The mean of clustered observations. Each cluster is given as its sum and its count.
///
/// Clusters are independent; observations within a cluster need not be. The variance is that of the
/// ratio estimator (Cochran, Sampling Techniques, 1977, section 6.3). The interval uses Student's t
/// with one degree of freedom less than the effective number of clusters, (sum of count^2)^2 / sum of count^4:
/// that of equal clusters as a large one pulls the mean towards itself.
pub fn mean_of_clusters(clusters: &[(f64, f64)]) -> Estimate {
    let mut all = Clusters::default();
    clusters
        .iter()
        .for_each(|&(sum, count)| all.add(sum, count));
    all.mean()
}

/// Accumulates clusters in strata whose sizes are fixed in advance, one stratum after another, for their mean and its
/// interval. Differences between strata do not contribute to the error of the mean (the combined ratio estimator, Cochran,
/// section 6.11). If a stratum has a single cluster, all clusters are treated as one stratum. Where observations are
/// rare, a cluster may be empty, for example a pair of games in which a patch was not bought; the number of
/// observations is then random, too (a domain; Cochran, section 5A.14).
#[derive(Clone, Copy, Debug, Default)]
pub struct Clusters {
    stratum: ClusterMoments,
    all: ClusterMoments,
    /// The spread of the strata closed so far.
    spread: ClusterSpread,
    /// Whether a stratum had a single cluster, so that the variance within it cannot be estimated.
    lonely: bool,
}

/// Sums over clusters, one cluster after another (Welford, Technometrics 1962).
#[derive(Clone, Copy, Debug, Default)]
struct ClusterMoments {
    clusters: usize,
    /// Number of nonempty clusters.
    filled: usize,
    sum: f64,
    count: f64,
    /// Sums of the second and the fourth powers of the counts.
    powers: [f64; 2],
    /// Means of the sums and of the counts.
    middle: [f64; 2],
    /// Around these means.
    squares: [f64; 3],
}

/// The spread of clusters around the means of their strata.
#[derive(Clone, Copy, Debug, Default)]
struct ClusterSpread {
    /// Squares of the sums, products of sums and counts, squares of the counts.
    squares: [f64; 3],
    /// Degrees of freedom.
    freedom: f64,
}

impl ClusterMoments {
    fn add(&mut self, sum: f64, count: f64) {
        let before = self.clusters as f64;
        self.clusters += 1;
        self.filled += usize::from(sum != 0.0 || count != 0.0);
        let n = self.clusters as f64;
        let [x, y] = [sum - self.middle[0], count - self.middle[1]];
        self.middle[0] += x / n;
        self.middle[1] += y / n;
        add_scaled(&mut self.squares, before / n, [x * x, x * y, y * y]);
        add_scaled(&mut self.powers, 1.0, [count.powi(2), count.powi(4)]);
        self.sum += sum;
        self.count += count;
    }

    /// Adds the spread of the clusters as a random sample of as many as they are effectively, at least 2: empty ones are no
    /// observations.
    fn add_to(&self, spread: &mut ClusterSpread) {
        let [squares, fourths] = self.powers;
        let effective = (squares * squares / fourths).clamp(2.0, self.clusters as f64);
        add_scaled(
            &mut spread.squares,
            effective / (effective - 1.0),
            self.squares,
        );
        spread.freedom += effective - 1.0;
    }
}

fn add_scaled<const N: usize>(moments: &mut [f64; N], weight: f64, others: [f64; N]) {
    for (own, other) in moments.iter_mut().zip(others) {
        *own += weight * other;
    }
}

impl ClusterSpread {
    /// The variance of the sum of the residuals: the sums minus `mean` times the counts.
    fn variance(&self, mean: f64) -> f64 {
        let [sums, products, counts] = self.squares;
        (sums - 2.0 * mean * products + mean * mean * counts).max(0.0)
    }
}

impl Clusters {
    /// Adds a cluster to the current stratum.
    pub fn add(&mut self, sum: f64, count: f64) {
        self.stratum.add(sum, count);
        self.all.add(sum, count);
    }

    /// Closes the current stratum; clusters added later belong to the next one.
    pub fn close_stratum(&mut self) {
        let stratum = std::mem::take(&mut self.stratum);
        match (stratum.filled, stratum.clusters) {
            (0, _) => {}
            (_, 1) => self.lonely = true,
            _ => stratum.add_to(&mut self.spread),
        }
    }

    /// The number of observations.
    pub const fn count(&self) -> u64 {
        self.all.count as u64
    }

    /// The mean with its interval, which observations that are all equal do not give.
    pub fn mean(self) -> Estimate {
        let (found, freedom) = self.mean_and_freedom();
        let end = |sign: f64| Some(found.value? + sign * student(freedom) * found.error?);
        Estimate {
            low: end(-1.0),
            high: end(1.0),
            ..found
        }
        .unless_certain()
    }

    /// The mean of a quantity that is never below `least`, with its interval.
    ///
    /// A few large observations may make most of the distance from the least value, and be missing in a sample. The distance
    /// is taken as the rate of rare events, of which as many were seen as give its relative error: the ends are those of a
    /// Poisson interval, as approximated by Wilson and Hilferty, with Student's t; the variance of such a variance is in
    /// the degrees of freedom. There is no upper end if too few were seen. Far from the least value, this is [`Self::mean`].
    pub fn mean_above(self, least: f64) -> Estimate {
        let (found, freedom) = self.mean_and_freedom();
        let end = |sign: f64| {
            let distance = found.value? - least;
            let relative = found.error? / distance.max(1e-9);
            let quantile = student(2.0 / (2.0 / freedom + relative * relative));
            Some(least + distance * libm::exp(poisson_end(sign * quantile, relative)?))
        };
        Estimate {
            low: end(-1.0),
            high: end(1.0),
            ..found
        }
        .unless_certain()
    }

    /// The mean and its error, if there are several clusters, with the degrees of freedom.
    fn mean_and_freedom(mut self) -> (Estimate, f64) {
        self.close_stratum();
        if self.all.count <= 0.0 {
            return Default::default();
        }
        let (mean, spread) = (self.all.sum / self.all.count, self.spread());
        let error = spread.variance(mean).sqrt() / self.all.count;
        let found = Estimate {
            value: Some(mean),
            error: (spread.freedom > 0.0).then_some(error),
            ..Estimate::default()
        };
        (found, spread.freedom)
    }

    /// The spread of the clusters, after the last stratum was closed.
    fn spread(&self) -> ClusterSpread {
        let mut spread = ClusterSpread::default();
        match (self.all.filled, self.lonely) {
            (0 | 1, _) => {}
            (_, false) => spread = self.spread,
            (_, true) => self.all.add_to(&mut spread),
        }
        spread
    }

    /// The mean of observations that are hits (1) or not (0).
    ///
    /// The interval is Wilson's for the effective number of observations (Korn and Graubard, Survey
    /// Methodology, 1998): the number of independent observations with the same variance. A few clusters may
    /// agree by chance, so the ratio of the variance to that of independent observations, the design effect,
    /// is shrunk towards 1 as if there were `UNRELATED_PAIRS` more pairs of observations. The quantile is Student's t with
    /// Satterthwaite's degrees of freedom for that mean of a variance and a number. With two or three degrees of freedom,
    /// large clusters may agree by chance although they differ much: the effect is at least the square of 2 by the degrees
    /// of freedom, unless a cluster then counts as less than two observations. If all observations agree, each cluster
    /// counts as one. The interval has a positive width, however few observations there are.
    pub fn share(mut self) -> Estimate {
        self.close_stratum();
        let (clusters, count) = (self.all.filled as f64, self.all.count);
        if count <= 0.0 {
            return Estimate::default();
        }
        let rate = self.all.sum / count;
        let alone = rate * (1.0 - rate);
        let spread = self.spread();
        let effective = if alone <= 0.0 {
            clusters
        } else if spread.freedom <= 0.0 {
            1.0
        } else {
            let (found, added) = (spread.variance(rate) / alone, 2.0 * UNRELATED_PAIRS);
            let effect = (found + added) / (count + added);
            let freedom = spread.freedom;
            let satterthwaite = freedom * ((found + added) / found.max(1e-9)).powi(2);
            let number = |effect: f64, quantile: f64| count / effect * (NORMAL / quantile).powi(2);
            let least = (2.0 / freedom).powi(2);
            let most = number(least, student(freedom)).max(2.0 * clusters);
            number(effect, student(satterthwaite)).min(most)
        };
        wilson(rate, effective)
    }

    /// The sum of the observations.
    pub const fn sum(&self) -> f64 {
        self.all.sum
    }
}

/// The mean; `None` without values.
pub fn mean(values: impl IntoIterator<Item: Borrow<f64>>) -> Option<f64> {
    let mut count = 0_u64;
    let counted = values.into_iter().inspect(|_| count += 1);
    let sum: f64 = counted.map(|value| *value.borrow()).sum();
    (count > 0).then(|| sum / count as f64)
}

/// The sample standard deviation; `None` with fewer than two values.
pub fn deviation(values: impl IntoIterator<Item: Borrow<f64>> + Clone) -> Option<f64> {
    let middle = mean(values.clone())?;
    let mut count = 0_u64;
    let counted = values.into_iter().inspect(|_| count += 1);
    let squares: f64 = counted.map(|value| (value.borrow() - middle).powi(2)).sum();
    (count > 1).then(|| (squares / (count - 1) as f64).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use patchwork_engine::util::rng::{below, stream};

    fn close(a: Option<f64>, b: f64) {
        let a = a.expect("a number");
        assert!((a - b).abs() < 5e-4, "{a} is not {b}");
    }

    #[test]
    fn the_mean_of_single_games_has_the_usual_interval() {
        let values = [3.0, 5.0, 4.0, 8.0];
        let mean = mean_of_clusters(&values.map(|value| (value, 1.0)));
        let sd = deviation(&values).expect("four values");
        close(mean.value, 5.0);
        close(mean.low, 5.0 - 3.1824 * sd / 2.0);
        close(mean.high, 5.0 + 3.1824 * sd / 2.0);
        assert_eq!(mean_of_clusters(&[(3.0, 1.0)]).low, None);
        assert_eq!(mean_of_clusters(&[]), Estimate::default());
    }

    fn mean_of_strata(strata: &[Vec<(f64, f64)>]) -> Estimate {
        let mut clusters = Clusters::default();
        for stratum in strata {
            stratum
                .iter()
                .for_each(|&(sum, count)| clusters.add(sum, count));
            clusters.close_stratum();
        }
        clusters.mean()
    }

    /// The combined ratio estimator as it is printed, from all clusters at once.
    fn by_the_formula(strata: &[Vec<(f64, f64)>]) -> Estimate {
        let all = strata.concat();
        let sum = |value: &dyn Fn(&(f64, f64)) -> f64, of: &[(f64, f64)]| -> f64 {
            of.iter().map(value).sum()
        };
        let count = sum(&|c| c.1, &all);
        let mean = sum(&|c| c.0, &all) / count;
        let (mut variance, mut freedom) = (0.0, 0.0);
        for stratum in strata {
            let off = |c: &(f64, f64)| c.0 - mean * c.1;
            let middle = sum(&off, stratum) / stratum.len() as f64;
            let [squares, fourths] = [2, 4].map(|power| sum(&|c| c.1.powi(power), stratum));
            let n = f64::max(2.0, squares * squares / fourths);
            variance += n / (n - 1.0) * sum(&|c| (off(c) - middle).powi(2), stratum);
            freedom += n - 1.0;
        }
        Estimate::with_error(mean, variance.sqrt() / count, student(freedom))
    }

    #[test]
    fn clusters_taken_one_by_one_give_the_formula() {
        let mut rng = stream(&[10]);
        for _ in 0..50 {
            let strata: Vec<Vec<(f64, f64)>> = (0..1 + below(4, &mut rng))
                .map(|_| {
                    let clusters = 2 + below(30, &mut rng);
                    let cluster = |_| {
                        let count = 1 + below(90, &mut rng);
                        (f64::from(below(300 * count, &mut rng)), f64::from(count))
                    };
                    (0..clusters).map(cluster).collect()
                })
                .collect();
            let (ours, plain) = (mean_of_strata(&strata), by_the_formula(&strata));
            for (ours, plain) in [
                (ours.value, plain.value),
                (ours.low, plain.low),
                (ours.high, plain.high),
            ] {
                let (ours, plain) = ours.zip(plain).expect("numbers");
                assert!((ours - plain).abs() < 1e-9 * plain.abs().max(1.0));
            }
        }
        // Observations that never vary have no error.
        let same = mean_of_clusters(&[(0.3, 3.0); 1000]);
        assert_eq!(same.low, same.high);
    }

    #[test]
    fn means_of_rare_large_values_cover_them() {
        // Most clusters have few legal actions, and some have hundreds.
        let mut rng = stream(&[13]);
        for clusters in [6, 20, 60, 200] {
            let (runs, mut covered) = (2000, 0);
            for _ in 0..runs {
                let mut drawn = Clusters::default();
                for _ in 0..clusters {
                    let rare = (0..5).filter(|_| below(10, &mut rng) == 0).count();
                    let rare = (0..rare).map(|_| f64::from(below(401, &mut rng)));
                    drawn.add(10.0 + rare.sum::<f64>(), 10.0);
                }
                let found = drawn.mean_above(1.0);
                assert!(found.low.is_none_or(|low| low >= 1.0), "{found:?}");
                covered += i32::from(
                    found.low <= Some(11.0) && found.high.is_none_or(|high| 11.0 <= high),
                );
            }
            let covered = f64::from(covered) / f64::from(runs);
            assert!((0.935..0.97).contains(&covered), "{covered} of {clusters}");
        }
    }

    #[test]
    fn a_kind_with_one_cluster_makes_all_one_kind() {
        let (a, b) = (vec![(3.0, 1.0), (5.0, 1.0)], vec![(9.0, 1.0)]);
        let together = [a.clone(), b.clone()].concat();
        assert_eq!(mean_of_strata(&[a.clone(), b]), mean_of_clusters(&together));
        // A stratum without observations is ignored.
        let empty = vec![(0.0, 0.0)];
        assert_eq!(mean_of_strata(&[a.clone(), empty]), mean_of_clusters(&a));
    }

    #[test]
    fn shares_of_strata_are_never_certain_and_cover_what_they_should() {
        // Three pairings, two of them lopsided. A patch is bought in one of twelve games of a pair, or in
        // most. The setup may favour the buyer in both games.
        let mut rng = stream(&[12]);
        let mut chance = |p: f64| f64::from(below(1 << 20, &mut rng)) < p * f64::from(1 << 20);
        let wins = [0.97, 0.5, 0.1];
        for (buying, pairs) in [(0.04, 12), (0.04, 40), (0.5, 12), (0.5, 40)] {
            let expected = wins.iter().sum::<f64>() / 3.0;
            let (runs, mut covered, mut seen) = (2000, 0, 0);
            for _ in 0..runs {
                let mut clusters = Clusters::default();
                for win in wins {
                    for _ in 0..pairs {
                        let luck = if chance(0.5) { 0.03 } else { -0.03 };
                        let bought = [chance(buying), chance(buying)];
                        let games = bought.iter().filter(|&&bought| bought).count();
                        let won = (0..games).filter(|_| chance(win + luck)).count();
                        clusters.add(won as f64, games as f64);
                    }
                    clusters.close_stratum();
                }
                let share = clusters.share();
                let Some((low, high)) = share.interval() else {
                    assert_eq!(share.value, None);
                    continue;
                };
                assert!(0.0 <= low && low < high && high <= 1.0, "{share:?}");
                seen += 1;
                covered += i32::from(low <= expected && expected <= high);
            }
            let covered = f64::from(covered) / f64::from(seen);
            assert!(covered > 0.93, "{covered} of {buying} and {pairs}");
        }
    }
}
