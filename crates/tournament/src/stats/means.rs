//! Means and shares over pairs of games, which may share setups.

use std::iter;
use std::ops::{AddAssign, Range};

use patchwork_engine::record::GameFacts;
use patchwork_rating::{Clusters, Estimate};

use super::pairs::Pairs;

/// The sum of a quantity, and the number of its values. Sums of whole numbers are exact.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sum {
    pub(super) total: f64,
    pub(super) count: f64,
}

impl Sum {
    pub(super) fn add(&mut self, value: impl Into<f64>) {
        self.total += value.into();
        self.count += 1.0;
    }
}

impl AddAssign for Sum {
    fn add_assign(&mut self, other: Self) {
        self.total += other.total;
        self.count += other.count;
    }
}

impl FromIterator<f64> for Sum {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        let mut sum = Self::default();
        values.into_iter().for_each(|value| sum.add(value));
        sum
    }
}

impl iter::Sum for Sum {
    fn sum<I: Iterator<Item = Self>>(sums: I) -> Self {
        let mut all = Self::default();
        sums.for_each(|sum| all += sum);
        all
    }
}

/// The element of an agent in a list that grows as far as needed.
pub(super) fn of_agent<T: Default>(all: &mut Vec<T>, agent: usize) -> &mut T {
    if agent >= all.len() {
        all.resize_with(agent + 1, T::default);
    }
    &mut all[agent]
}

/// A sum by the number of what it consists of, if there is anything.
pub(super) fn per(sum: f64, count: u64) -> Option<f64> {
    (count > 0).then(|| sum / count as f64)
}

/// The share of the games played to their end that the first player won: a fault says nothing about the seat.
pub(super) fn first_share(pairs: &Pairs<'_>) -> Share {
    share(pairs, |game| game.is_finished().then(|| game.first_won()))
}

/// A share of games.
pub(super) struct Share {
    pub(super) games: u64,
    pub(super) hits: u64,
    /// Hits divided by games, 0 to 1.
    pub(super) rate: Estimate,
}

/// The share of the games that are hits, without those for which `hit` has no answer.
pub(super) fn share(pairs: &Pairs<'_>, hit: impl Fn(&GameFacts) -> Option<bool>) -> Share {
    let hit = |game: &GameFacts| hit(game).map(|hit| f64::from(u8::from(hit)));
    let sum = |games: Range<usize>| [pairs.games()[games].iter().filter_map(hit).collect()];
    let clusters = clusters_by_pairing(pairs, sum)[0];
    Share {
        games: clusters.count(),
        hits: clusters.sum() as u64,
        rate: clusters.share(),
    }
}

/// The mean of a quantity per game, with an interval computed from pairs. The pairings are planned, so differences between
/// pairings do not contribute to the error.
pub(super) fn mean_of_games(pairs: &Pairs<'_>, value: impl Fn(&GameFacts) -> f64) -> Estimate {
    let sum = |games: Range<usize>| [pairs.games()[games].iter().map(&value).collect()];
    clusters_by_pairing(pairs, sum)[0].mean()
}

/// The clusters for the means of several quantities, whose sums over a pair follow from the indices of its games. Pairs on
/// the same setup form one cluster. If no two pairs share a setup, each pairing is a stratum.
pub(super) fn clusters_by_pairing<const N: usize>(
    pairs: &Pairs<'_>,
    sums: impl Fn(Range<usize>) -> [Sum; N],
) -> Vec<Clusters> {
    if !pairs.is_by_setup() {
        return clusters_by_pairing(&pairs.clone().by_setup(), sums);
    }
    let mut clusters = PairClusters::new(N);
    for place in 0..pairs.len() {
        let games = pairs.range(place);
        let pairing = pairs.games()[games.start].pairing;
        clusters.add(pairs.setup(place), pairing, &sums(games));
    }
    clusters.finish()
}

/// Accumulates the clusters of [`clusters_by_pairing`] for pairs that come one at a time, those on the same setup one
/// after another.
#[derive(Clone, Debug)]
pub(super) struct PairClusters {
    clusters: Vec<Clusters>,
    /// The sums and counts of the current setup, if pairs share setups.
    sums: Vec<Sum>,
    /// The setup and the pairing of the latest pair.
    latest: Option<(Option<u32>, u32)>,
}

impl PairClusters {
    pub(super) fn new(numbers: usize) -> Self {
        Self {
            clusters: vec![Clusters::default(); numbers],
            sums: vec![Sum::default(); numbers],
            latest: None,
        }
    }

    /// Adds the sums of a pair of this pairing, and of this setup if pairs share setups; those of the last quantities may
    /// be missing.
    pub(super) fn add(&mut self, setup: Option<u32>, pairing: u32, sums: &[Sum]) {
        let next = (setup, pairing);
        match self.latest.replace(next) {
            Some((Some(setup), _)) if next.0 != Some(setup) => self.close_setup(),
            Some((None, pairing)) if next.1 != pairing => self.close_stratum(),
            _ => {}
        }
        for (number, &sum) in sums.iter().enumerate() {
            match setup {
                Some(_) => self.sums[number] += sum,
                None => self.clusters[number].add(sum.total, sum.count),
            }
        }
    }

    pub(super) fn finish(mut self) -> Vec<Clusters> {
        match self.latest {
            Some((Some(_), _)) => self.close_setup(),
            _ => self.close_stratum(),
        }
        self.clusters
    }

    fn close_setup(&mut self) {
        for (clusters, sum) in self.clusters.iter_mut().zip(&mut self.sums) {
            let Sum { total, count } = std::mem::take(sum);
            clusters.add(total, count);
        }
    }

    fn close_stratum(&mut self) {
        self.clusters.iter_mut().for_each(Clusters::close_stratum);
    }
}

/// Count, sum, sum of squares and range of whole numbers. The sums are exact, so that rounding does not depend on the
/// order of the games.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Moments {
    pub(super) count: u64,
    sum: u64,
    squares: u64,
    /// The least and the greatest number.
    range: Option<[u64; 2]>,
}

impl Moments {
    pub(super) fn add(&mut self, value: u64) {
        *self += Self {
            count: 1,
            sum: value,
            squares: value * value,
            range: Some([value; 2]),
        };
    }

    /// The numbers as a sum of floats.
    pub(super) const fn total(&self) -> Sum {
        Sum {
            total: self.sum as f64,
            count: self.count as f64,
        }
    }

    pub(super) fn least(&self) -> Option<u64> {
        self.range.map(|[least, _]| least)
    }

    pub(super) fn greatest(&self) -> Option<u64> {
        self.range.map(|[_, greatest]| greatest)
    }

    /// The standard deviation; `None` with fewer than two numbers.
    pub(super) fn deviation(&self) -> Option<f64> {
        let spread =
            u128::from(self.count) * u128::from(self.squares) - u128::from(self.sum).pow(2);
        let pairs = self.count as f64 * self.count.checked_sub(1)? as f64;
        (self.count > 1).then(|| (spread as f64 / pairs).sqrt())
    }
}

impl AddAssign for Moments {
    fn add_assign(&mut self, other: Self) {
        self.count += other.count;
        self.sum += other.sum;
        self.squares += other.squares;
        self.range = match (self.range, other.range) {
            (Some([least, greatest]), Some([low, high])) => {
                Some([least.min(low), greatest.max(high)])
            }
            (range, None) | (None, range) => range,
        };
    }
}
