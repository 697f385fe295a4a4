//! Shares of games, with 95% intervals that take related games into account.

use std::borrow::Borrow;

use super::distribution::{NORMAL, student};
use super::estimate::Estimate;

/// The number of uncorrelated pairs added to the observed ones, so that a few pairs that happen to
/// agree do not imply a correlation of 1 and an error of 0.
pub(super) const UNRELATED_PAIRS: f64 = 4.0;

/// A share of games.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Share {
    /// Number of games.
    pub games: u64,
    /// Number of games counted as hits.
    pub hits: u64,
    /// Hits divided by games, 0 to 1.
    pub rate: Estimate,
}

impl Share {
    /// The share of hits; each item is a pair, with one outcome per game.
    ///
    /// The interval is Wilson's (1927) for the effective number of games: the number of games
    /// divided by 1 + the correlation within a pair. With swapped seats the better agent tends to
    /// win both games of a pair, so that each seat wins one of them. The share of a seat is then
    /// known precisely from few games.
    pub fn of_pairs(
        pairs: impl IntoIterator<Item: IntoIterator<Item: Borrow<bool>>> + Clone,
    ) -> Self {
        let (mut games, mut hits) = (0_u64, 0_u64);
        for hit in pairs.clone().into_iter().flatten() {
            games += 1;
            hits += u64::from(*hit.borrow());
        }
        if games == 0 {
            return Self::default();
        }
        let rate = hits as f64 / games as f64;
        let related = correlation(pairs, rate).unwrap_or(0.0);
        Self {
            games,
            hits,
            rate: wilson(rate, games as f64 / (1.0 + related)),
        }
    }

    /// Widens the interval to that of the same share as a mean of clusters larger than a pair.
    pub fn widened(mut self, mean: Estimate) -> Self {
        let (Some(rate), Some((low, high))) = (self.rate.value, mean.interval()) else {
            (self.rate.low, self.rate.high) = (None, None);
            return self;
        };
        // Wilson's interval for the number of games that gives the same width as the interval of
        // the mean.
        let half = (high - low) / 2.0;
        let games = rate * (1.0 - rate) * (NORMAL / half).powi(2);
        if games.is_finite() && games > 0.0 {
            let wide = wilson(rate, games);
            let ends = |one: Option<f64>, other, of: fn(f64, f64) -> f64| {
                one.zip(other).map(|(one, other)| of(one, other))
            };
            self.rate.low = ends(self.rate.low, wide.low, f64::min);
            self.rate.high = ends(self.rate.high, wide.high, f64::max);
        }
        self
    }

    /// Replaces the interval by that for `clusters` independent outcomes. If all games agree they
    /// show no variance, so each cluster of related games counts as one outcome.
    pub fn of_equal_clusters(mut self, clusters: usize) -> Self {
        if let Some(rate) = self.rate.value {
            self.rate = wilson(rate, clusters as f64);
        }
        self
    }
}

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

/// The correlation of the two outcomes of a pair, above -1 and below 1; `None` if it is undefined.
fn correlation(
    pairs: impl IntoIterator<Item: IntoIterator<Item: Borrow<bool>>>,
    rate: f64,
) -> Option<f64> {
    let off = |hit: bool| f64::from(u8::from(hit)) - rate;
    let (mut product, mut square) = (0.0, 0.0);
    for pair in pairs {
        let mut pair = pair.into_iter();
        if let (Some(one), Some(two), None) = (pair.next(), pair.next(), pair.next()) {
            let (one, two) = (off(*one.borrow()), off(*two.borrow()));
            product += one * two;
            square += (one.powi(2) + two.powi(2)) / 2.0;
        }
    }
    (square > 0.0).then(|| product / (square + UNRELATED_PAIRS * rate * (1.0 - rate)))
}

/// Clustered outcomes, stored as integer sums, which do not depend on the order of the clusters.
#[derive(Clone, Copy, Debug, Default)]
pub struct ClusteredHits {
    /// Number of clusters with outcomes.
    pub clusters: u64,
    /// Number of outcomes.
    pub count: u64,
    /// Number of hits.
    pub hits: u64,
    /// Sums over clusters of the squared count, the squared hits and their product.
    squares: [u128; 3],
}

impl ClusteredHits {
    /// Adds a cluster of `count` outcomes with `hits` hits; an empty cluster changes nothing.
    pub fn add(&mut self, hits: u64, count: u64) {
        let (h, c) = (u128::from(hits), u128::from(count));
        self.clusters += u64::from(count > 0);
        self.count += count;
        self.hits += hits;
        for (sum, product) in self.squares.iter_mut().zip([c * c, h * h, h * c]) {
            *sum += product;
        }
    }

    /// Adds the clusters of another sum.
    pub fn merge(&mut self, other: &Self) {
        self.clusters += other.clusters;
        self.count += other.count;
        self.hits += other.hits;
        for (sum, square) in self.squares.iter_mut().zip(other.squares) {
            *sum += square;
        }
    }

    /// The share of outcomes that are hits.
    ///
    /// The interval is Wilson's for the effective number of outcomes (Korn and Graubard, Survey
    /// Methodology, 1998). That is the number of independent outcomes with the variance of the
    /// ratio estimator, at most the actual number, divided by the square of the ratio of Student's
    /// t to the normal quantile. If all outcomes agree they show no variance, and each cluster
    /// counts as one outcome.
    pub fn share(&self) -> Estimate {
        if self.count == 0 {
            return Estimate::default();
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
        wilson(rate, n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mean_of_strata;
    use patchwork_engine::util::rng::{below, stream};

    fn close(a: Option<f64>, b: f64) {
        let a = a.expect("a number");
        assert!((a - b).abs() < 5e-4, "{a} is not {b}");
    }

    #[test]
    fn equal_games_in_a_pair_count_once() {
        let doubled: Vec<Vec<bool>> = (0..50).map(|i| vec![i % 5 == 0; 2]).collect();
        let single: Vec<Vec<bool>> = (0..50).map(|i| vec![i % 5 == 0]).collect();
        let (doubled, single) = (Share::of_pairs(&doubled), Share::of_pairs(&single));
        // Wilson's interval of 10 in 50, as every table has it.
        close(single.rate.low, 0.1124);
        close(single.rate.high, 0.3304);
        assert_eq!(doubled.games, 100);
        // As if the games were 100 / (1 + 50/54) = 51.9: the correlation is 50/54 because of the added pairs.
        close(doubled.rate.low, 0.1137);
        close(doubled.rate.high, 0.3278);
    }

    #[test]
    fn opposite_games_in_a_pair_tell_more_than_single_ones() {
        let swapped: Vec<Vec<bool>> = (0..50).map(|i| vec![i % 2 == 0, i % 2 == 1]).collect();
        let swapped = Share::of_pairs(&swapped);
        // As 100 / (1 - 50/54) = 1350 games.
        close(swapped.rate.low, 0.4734);
        close(swapped.rate.high, 0.5266);
    }

    #[test]
    fn intervals_of_shares_and_means_cover_what_they_should() {
        // Two pairings of 30 pairs, an even one and one that the first agent mostly wins; the seat is an
        // advantage, and each setup favours a seat in both legs.
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
            share_covers += u32::from(covers(share.rate.low, share.rate.high));
            let sums: Vec<(f64, f64)> = pairs
                .iter()
                .map(|pair| (pair.iter().filter(|&&won| won).count() as f64, 2.0))
                .collect();
            let mean = mean_of_strata(&[&sums[..30], &sums[30..]]);
            mean_covers += u32::from(covers(mean.low, mean.high));
        }
        // 95% of 2000, with a standard deviation of 10.
        for covers in [share_covers, mean_covers] {
            let covered = f64::from(covers) / f64::from(runs);
            assert!((0.93..0.975).contains(&covered), "{covered}");
        }
    }

    #[test]
    fn shares_of_unequal_clusters_cover_what_they_should() {
        // Games of 1 to 12 decisions; each decision agrees with its game with a probability of 70%.
        let mut rng = stream(&[10]);
        let runs = 2000;
        let mut covers = 0;
        for _ in 0..runs {
            let mut clusters = ClusteredHits::default();
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
        let mut single = ClusteredHits::default();
        (0..50).for_each(|i| single.add(u64::from(i % 5 == 0), 1));
        // Wilson's interval is 0.1124 to 0.3304; Student's t and n - 1 make it a little wider.
        let share = single.share();
        close(share.low, 0.1102);
        close(share.high, 0.3356);
        let mut agree = ClusteredHits::default();
        (0..20).for_each(|_| agree.add(0, 40));
        agree.add(0, 0);
        assert_eq!((agree.clusters, agree.count), (20, 800));
        close(agree.share().high, 0.1611);
    }

    #[test]
    fn no_games_and_one_game() {
        assert_eq!(Share::of_pairs(&[] as &[Vec<bool>]), Share::default());
        let one = Share::of_pairs(&[vec![true]]);
        assert_eq!((one.rate.value, one.rate.high), (Some(1.0), Some(1.0)));
        close(one.rate.low, 0.2065);
    }
}
