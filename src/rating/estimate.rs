//! Means and shares with 95% intervals that know that the two games of a pair are related.

use serde::Serialize;

use crate::rating::distribution::{NORMAL, student};

/// A mean with its 95% interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Mean {
    /// None without observations.
    pub mean: Option<f64>,
    /// Lower end of the interval, none with fewer than two clusters.
    pub low: Option<f64>,
    /// Upper end of the interval, none with fewer than two clusters.
    pub high: Option<f64>,
}

impl Mean {
    /// The mean of clusters of observations, each cluster given as its sum and its count.
    ///
    /// The clusters are taken as independent, the observations in a cluster are not: the variance
    /// is that of the ratio estimator (Cochran, Sampling Techniques, 1977, section 6.3), the
    /// interval that of Student's t with one degree of freedom less than there are clusters.
    #[must_use]
    pub fn of_clusters(clusters: &[(f64, f64)]) -> Self {
        Self::of_strata(&[clusters])
    }

    /// As [`Self::of_clusters`], for clusters of several kinds whose numbers are planned and not a
    /// matter of chance: how the kinds differ is no error of the mean (the combined ratio estimator,
    /// Cochran, section 6.11). With a single cluster of some kind, all count as one kind.
    #[must_use]
    pub fn of_strata(strata: &[&[(f64, f64)]]) -> Self {
        let mut clusters = Clusters::default();
        for stratum in strata {
            for &(sum, count) in *stratum {
                clusters.add(sum, count);
            }
            clusters.close_kind();
        }
        clusters.mean()
    }
}

/// What the mean of clusters of several kinds, and its interval, are made of; kind by kind, without
/// keeping the clusters. A cluster that has observed nothing tells nothing.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Clusters {
    kind: Moments,
    all: Moments,
    /// Of the kinds so far: their spread and the degrees of freedom that it has.
    spread: Spread,
    freedom: usize,
    /// Whether a kind had a single cluster, which tells nothing of how clusters of its kind differ.
    lonely: bool,
}

/// Sums of squares and products of clusters around their mean (Welford, Technometrics 1962).
#[derive(Clone, Copy, Debug, Default)]
struct Moments {
    clusters: usize,
    sum: f64,
    count: f64,
    /// Means of the sums and of the counts.
    middle: [f64; 2],
    around: Spread,
}

/// Squares of the sums, products of sums and counts, squares of the counts.
#[derive(Clone, Copy, Debug, Default)]
struct Spread([f64; 3]);

impl Moments {
    fn add(&mut self, sum: f64, count: f64) {
        let before = self.clusters as f64;
        self.clusters += 1;
        let n = self.clusters as f64;
        let [off_sum, off_count] = [sum - self.middle[0], count - self.middle[1]];
        self.middle[0] += off_sum / n;
        self.middle[1] += off_count / n;
        let squares = Spread([
            off_sum * off_sum,
            off_sum * off_count,
            off_count * off_count,
        ]);
        self.around.add(before / n, squares);
        self.sum += sum;
        self.count += count;
    }

    /// The spread of as many clusters that were drawn by chance.
    fn drawn(&self) -> (f64, Spread) {
        let n = self.clusters as f64;
        (n / (n - 1.0), self.around)
    }
}

impl Spread {
    fn add(&mut self, weight: f64, other: Self) {
        for (own, other) in self.0.iter_mut().zip(other.0) {
            *own += weight * other;
        }
    }

    /// Of the sums minus `mean` times the counts.
    fn of_residuals(self, mean: f64) -> f64 {
        let [sums, products, counts] = self.0;
        (sums - 2.0 * mean * products + mean * mean * counts).max(0.0)
    }
}

impl Clusters {
    /// One more cluster of the current kind.
    pub(crate) fn add(&mut self, sum: f64, count: f64) {
        if sum != 0.0 || count != 0.0 {
            self.kind.add(sum, count);
            self.all.add(sum, count);
        }
    }

    /// What is added from now on is of another kind.
    pub(crate) fn close_kind(&mut self) {
        let kind = std::mem::take(&mut self.kind);
        match kind.clusters {
            0 => {}
            1 => self.lonely = true,
            clusters => {
                let (weight, spread) = kind.drawn();
                self.spread.add(weight, spread);
                self.freedom += clusters - 1;
            }
        }
    }

    /// The mean with its interval.
    pub(crate) fn mean(mut self) -> Mean {
        self.close_kind();
        if self.all.count <= 0.0 {
            return Mean::default();
        }
        let mean = self.all.sum / self.all.count;
        let (spread, freedom) = if self.lonely {
            let (weight, around) = self.all.drawn();
            let mut spread = Spread::default();
            if self.all.clusters > 1 {
                spread.add(weight, around);
            }
            (spread, self.all.clusters - 1)
        } else {
            (self.spread, self.freedom)
        };
        let half = (freedom > 0)
            .then(|| student(freedom) * spread.of_residuals(mean).sqrt() / self.all.count);
        Mean {
            mean: Some(mean),
            low: half.map(|half| mean - half),
            high: half.map(|half| mean + half),
        }
    }
}

/// Uncorrelated pairs taken as seen besides the real ones, so that a handful of pairs that happen
/// to agree does not claim a correlation of 1, and with it an error of 0.
pub(crate) const UNRELATED_PAIRS: f64 = 4.0;

/// A share of games with its 95% interval.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Share {
    /// Number of games.
    pub games: u64,
    /// Number of games that count.
    pub hits: u64,
    /// 0 to 1, none without games.
    pub rate: Option<f64>,
    /// Lower end of the interval.
    pub low: Option<f64>,
    /// Upper end of the interval.
    pub high: Option<f64>,
}

impl Share {
    /// The share of games that count; each item is a pair, an outcome for each of its games.
    ///
    /// The interval is Wilson's (1927) for as many independent games as tell as much as these:
    /// their number over 1 + the correlation within a pair. Where seats are swapped and the better
    /// agent wins both games, each seat wins one, and even a few games tell the seats' share well.
    #[must_use]
    pub fn of_pairs(pairs: &[Vec<bool>]) -> Self {
        let games = pairs.iter().flatten().count();
        let hits = pairs.iter().flatten().filter(|&&hit| hit).count();
        if games == 0 {
            return Self::default();
        }
        let rate = hits as f64 / games as f64;
        let related = correlation(pairs, rate).unwrap_or(0.0);
        let (low, high) = wilson(rate, games as f64 / (1.0 + related));
        Self {
            games: games as u64,
            hits: hits as u64,
            rate: Some(rate),
            low: Some(low),
            high: Some(high),
        }
    }

    /// With an interval that is at least as wide as that of the same share as a mean of clusters, of
    /// which a pair is only a part.
    pub(crate) fn widened(self, mean: Mean) -> Self {
        let (Some(rate), Some(low), Some(high)) = (self.rate, mean.low, mean.high) else {
            return Self {
                low: None,
                high: None,
                ..self
            };
        };
        // Wilson's interval of as many games as would have the mean's interval.
        let half = (high - low) / 2.0;
        let games = rate * (1.0 - rate) * (NORMAL / half).powi(2);
        if !games.is_finite() || games <= 0.0 {
            return self;
        }
        let (low, high) = wilson(rate, games);
        Self {
            low: self.low.map(|own| own.min(low)),
            high: self.high.map(|own| own.max(high)),
            ..self
        }
    }
}

impl Share {
    /// With the interval of so many independent outcomes. Where all games agree they show no variance,
    /// and each cluster of related ones is taken for one.
    pub(crate) fn of_equal_clusters(self, clusters: usize) -> Self {
        let ends = self.rate.map(|rate| wilson(rate, clusters as f64));
        Self {
            low: ends.map(|(low, _)| low),
            high: ends.map(|(_, high)| high),
            ..self
        }
    }
}

/// The interval of a share of so many independent games.
fn wilson(rate: f64, games: f64) -> (f64, f64) {
    let z2 = NORMAL * NORMAL;
    let middle = (rate + z2 / (2.0 * games)) / (1.0 + z2 / games);
    let variance = rate * (1.0 - rate) / games + z2 / (4.0 * games * games);
    let half = NORMAL * variance.sqrt() / (1.0 + z2 / games);
    // Rounding may leave an end just beyond the range, or beyond the rate itself.
    let (low, high) = (middle - half, middle + half);
    (low.clamp(0.0, rate), high.clamp(rate, 1.0))
}

/// Outcomes in clusters, as sums of whole numbers: the order in which they come does not matter.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Outcomes {
    clusters: u64,
    count: u64,
    hits: u64,
    /// Sums over clusters of the squared count, the squared hits and their product.
    squares: [u128; 3],
}

impl Outcomes {
    /// Adds a cluster of `count` outcomes of which `hits` count; an empty one changes nothing.
    pub(crate) fn add(&mut self, hits: u64, count: u64) {
        let (h, c) = (u128::from(hits), u128::from(count));
        self.clusters += u64::from(count > 0);
        self.count += count;
        self.hits += hits;
        for (sum, product) in self.squares.iter_mut().zip([c * c, h * h, h * c]) {
            *sum += product;
        }
    }

    /// Outcomes.
    pub(crate) const fn count(&self) -> u64 {
        self.count
    }

    /// Clusters with outcomes.
    pub(crate) const fn clusters(&self) -> u64 {
        self.clusters
    }

    /// The share of outcomes that count.
    ///
    /// The interval is Wilson's for the effective number of outcomes (Korn and Graubard, Survey
    /// Methodology, 1998): as many independent ones as have the variance of the ratio estimator,
    /// fewer by the square of Student's t over the normal quantile, and never more than there are.
    /// When all outcomes agree they show no variance, and each cluster is taken for one outcome.
    pub(crate) fn share(&self) -> Share {
        if self.count == 0 {
            return Share::default();
        }
        let (count, clusters) = (self.count as f64, self.clusters as f64);
        let rate = self.hits as f64 / count;
        let [counts, hits, products] = self.squares.map(|sum| sum as f64);
        let agree = self.hits == 0 || self.hits == self.count;
        let n = if agree {
            clusters
        } else if self.clusters < 2 {
            1.0
        } else {
            let squares = hits - 2.0 * rate * products + rate * rate * counts;
            let variance = squares.max(0.0) * clusters / (clusters - 1.0) / (count * count);
            let effective = (rate * (1.0 - rate) / variance).min(count);
            effective * (NORMAL / student(self.clusters as usize - 1)).powi(2)
        };
        let (low, high) = wilson(rate, n);
        Share {
            games: self.count,
            hits: self.hits,
            rate: Some(rate),
            low: Some(low),
            high: Some(high),
        }
    }
}

/// The correlation of the two outcomes of a pair, above -1 and below 1; none when it cannot be told.
fn correlation(pairs: &[Vec<bool>], rate: f64) -> Option<f64> {
    let off = |hit: bool| f64::from(u8::from(hit)) - rate;
    let (mut product, mut square) = (0.0, 0.0);
    for pair in pairs {
        if let [one, two] = pair[..] {
            product += off(one) * off(two);
            square += (off(one).powi(2) + off(two).powi(2)) / 2.0;
        }
    }
    (square > 0.0).then(|| product / (square + UNRELATED_PAIRS * rate * (1.0 - rate)))
}

/// The mean, none of nothing.
pub(crate) fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The sample standard deviation, none of fewer than two values.
pub(crate) fn deviation(values: &[f64]) -> Option<f64> {
    let middle = mean(values)?;
    let squares: f64 = values.iter().map(|value| (value - middle).powi(2)).sum();
    (values.len() > 1).then(|| (squares / (values.len() - 1) as f64).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::rng::{below, stream};

    fn close(a: Option<f64>, b: f64) {
        let a = a.expect("a number");
        assert!((a - b).abs() < 5e-4, "{a} is not {b}");
    }

    #[test]
    fn the_mean_of_single_games_has_the_usual_interval() {
        let values = [3.0, 5.0, 4.0, 8.0];
        let mean = Mean::of_clusters(&values.map(|value| (value, 1.0)));
        let sd = deviation(&values).expect("four values");
        close(mean.mean, 5.0);
        close(mean.high, 5.0 + 3.1824 * sd / 2.0);
        assert_eq!(Mean::of_clusters(&[(3.0, 1.0)]).low, None);
        assert_eq!(Mean::of_clusters(&[]), Mean::default());
    }

    #[test]
    fn equal_games_in_a_pair_count_once() {
        let doubled: Vec<Vec<bool>> = (0..50).map(|i| vec![i % 5 == 0; 2]).collect();
        let single: Vec<Vec<bool>> = (0..50).map(|i| vec![i % 5 == 0]).collect();
        let (doubled, single) = (Share::of_pairs(&doubled), Share::of_pairs(&single));
        // Wilson's interval of 10 in 50, as every table has it.
        close(single.low, 0.1124);
        close(single.high, 0.3304);
        assert_eq!(doubled.games, 100);
        // All but the pairs taken as seen besides: as 100 / (1 + 50/54) = 51.9 games.
        close(doubled.low, 0.1137);
        close(doubled.high, 0.3278);
    }

    #[test]
    fn opposite_games_in_a_pair_tell_more_than_single_ones() {
        let swapped: Vec<Vec<bool>> = (0..50).map(|i| vec![i % 2 == 0, i % 2 == 1]).collect();
        let swapped = Share::of_pairs(&swapped);
        // As 100 / (1 - 50/54) = 1350 games.
        close(swapped.low, 0.4734);
        close(swapped.high, 0.5266);
    }

    #[test]
    fn intervals_of_shares_and_means_cover_what_they_should() {
        // Two pairings of 30 pairs, an even one and one that the first agent wins mostly, a seat
        // that is worth something, and luck of the setup that favours a seat in both legs.
        let mut rng = stream(&[9]);
        let mut chance = |p: f64| f64::from(below(1 << 20, &mut rng)) < p * f64::from(1 << 20);
        let strengths = [0.0, 0.4];
        let expected = 0.55;
        let runs = 2000;
        let (mut share_covers, mut mean_covers) = (0, 0);
        for _ in 0..runs {
            let mut pairs = Vec::new();
            for strength in strengths {
                for _ in 0..30 {
                    let luck = if chance(0.5) { 0.1 } else { -0.1 };
                    let luck = if strength > 0.3 { 0.0 } else { luck };
                    let first_wins = [strength, -strength].map(|s| chance(expected + luck + s));
                    pairs.push(first_wins.to_vec());
                }
            }
            let share = Share::of_pairs(&pairs);
            let covers = |low: Option<f64>, high: Option<f64>| {
                low.is_some_and(|low| low <= expected) && high.is_some_and(|high| high >= expected)
            };
            share_covers += u32::from(covers(share.low, share.high));
            let sums: Vec<(f64, f64)> = pairs
                .iter()
                .map(|pair| (pair.iter().filter(|&&won| won).count() as f64, 2.0))
                .collect();
            let mean = Mean::of_strata(&[&sums[..30], &sums[30..]]);
            mean_covers += u32::from(covers(mean.low, mean.high));
        }
        // 95% of 2000 with a standard deviation of 10.
        for covers in [share_covers, mean_covers] {
            let covered = f64::from(covers) / f64::from(runs);
            assert!((0.93..0.975).contains(&covered), "{covered}");
        }
    }

    /// The combined ratio estimator as it is printed, from all clusters at once.
    fn by_the_formula(strata: &[Vec<(f64, f64)>]) -> Mean {
        let all = strata.concat();
        let sum = |value: &dyn Fn(&(f64, f64)) -> f64, of: &[(f64, f64)]| -> f64 {
            of.iter().map(value).sum()
        };
        let count = sum(&|c| c.1, &all);
        let mean = sum(&|c| c.0, &all) / count;
        let mut variance = 0.0;
        for stratum in strata {
            let n = stratum.len() as f64;
            let off = |c: &(f64, f64)| c.0 - mean * c.1;
            let middle = sum(&off, stratum) / n;
            variance += n / (n - 1.0) * sum(&|c| (off(c) - middle).powi(2), stratum);
        }
        let half = student(all.len() - strata.len()) * variance.sqrt() / count;
        Mean {
            mean: Some(mean),
            low: Some(mean - half),
            high: Some(mean + half),
        }
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
            let slices: Vec<&[(f64, f64)]> = strata.iter().map(Vec::as_slice).collect();
            let (ours, plain) = (Mean::of_strata(&slices), by_the_formula(&strata));
            for (ours, plain) in [
                (ours.mean, plain.mean),
                (ours.low, plain.low),
                (ours.high, plain.high),
            ] {
                let (ours, plain) = ours.zip(plain).expect("numbers");
                assert!((ours - plain).abs() < 1e-9 * plain.abs().max(1.0));
            }
        }
        // What never varies has no error at all.
        let same = Mean::of_clusters(&[(0.3, 3.0); 1000]);
        assert_eq!(same.low, same.high);
    }

    #[test]
    fn a_kind_with_one_cluster_makes_all_one_kind() {
        let (a, b): (&[_], &[_]) = (&[(3.0, 1.0), (5.0, 1.0)], &[(9.0, 1.0)]);
        let together = [a, b].concat();
        assert_eq!(Mean::of_strata(&[a, b]), Mean::of_clusters(&together));
        // A kind that observed nothing is none.
        assert_eq!(Mean::of_strata(&[a, &[(0.0, 0.0)]]), Mean::of_clusters(a));
    }

    #[test]
    fn shares_of_unequal_clusters_cover_what_they_should() {
        // Games of 1 to 12 decisions, all of which are right or wrong with the game at 70%.
        let mut rng = stream(&[10]);
        let runs = 2000;
        let mut covers = 0;
        for _ in 0..runs {
            let mut clusters = Outcomes::default();
            for _ in 0..60 {
                let count = 1 + u64::from(below(12, &mut rng));
                let hit = below(10, &mut rng) < 7;
                clusters.add(if hit { count } else { 0 }, count);
            }
            let share = clusters.share();
            covers += u32::from(share.low <= Some(0.7) && Some(0.7) <= share.high);
        }
        let covered = f64::from(covers) / f64::from(runs);
        assert!((0.93..0.975).contains(&covered), "{covered}");
    }

    #[test]
    fn clusters_of_one_are_single_outcomes_and_agreement_is_no_certainty() {
        let mut single = Outcomes::default();
        (0..50).for_each(|i| single.add(u64::from(i % 5 == 0), 1));
        // Wilson's interval is 0.1124 to 0.3304; Student's t and n - 1 make it a little wider.
        let share = single.share();
        close(share.low, 0.1102);
        close(share.high, 0.3356);
        let mut agree = Outcomes::default();
        (0..20).for_each(|_| agree.add(0, 40));
        agree.add(0, 0);
        assert_eq!((agree.clusters(), agree.count()), (20, 800));
        close(agree.share().high, 0.1611);
    }

    #[test]
    fn no_games_and_one_game() {
        assert_eq!(Share::of_pairs(&[]), Share::default());
        let one = Share::of_pairs(&[vec![true]]);
        assert_eq!((one.rate, one.high), (Some(1.0), Some(1.0)));
        close(one.low, 0.2065);
    }
}
