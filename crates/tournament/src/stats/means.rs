//! Means and shares over pairs of games, which may share setups.

use std::num::NonZeroU32;

use patchwork_rating::{Clusters, Estimate, Share, mean};
use schemars::JsonSchema;
use serde::Serialize;

use super::tally::{GameTally, Pairs};

/// A mean by seat.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Seats {
    /// Mean of the first player.
    pub first: Option<f64>,
    /// Mean of the second player.
    pub second: Option<f64>,
    /// Mean over both players.
    pub mean: Option<f64>,
}

/// A sum by the number of what it consists of, if there is anything.
pub(super) fn per(sum: f64, count: u64) -> Option<f64> {
    (count > 0).then(|| sum / count as f64)
}

/// The share of games that the first player won.
pub(super) fn first_share(pairs: &Pairs<'_>) -> Share {
    share(pairs, GameTally::first_won)
}

/// The share of games for which `counts` is true.
pub(super) fn share(pairs: &Pairs<'_>, counts: impl Fn(&GameTally) -> bool) -> Share {
    let share = Share::of_pairs(pairs.iter().map(|pair| pair.iter().map(&counts)));
    if pairs.iter().all(|pair| pair[0].shared.is_none()) {
        return share;
    }
    let hit = |tally: &GameTally| f64::from(u8::from(counts(tally)));
    let setups = setup_count(pairs);
    if setups < pairs.iter().len() && (share.hits == 0 || share.hits == share.games) {
        return share.of_equal_clusters(setups);
    }
    share.widened(mean_of_games(pairs, hit))
}

/// The number of different setups of these pairs.
fn setup_count(pairs: &Pairs<'_>) -> usize {
    let pairs = pairs.clone().by_setup();
    let mut latest = None;
    let begins = |pair: &&[GameTally]| latest.replace(pair[0].shared) != Some(pair[0].shared);
    pairs.iter().filter(begins).count()
}

/// The mean of a quantity per game, with an interval computed from pairs. The pairings are planned, so differences between
/// pairings do not contribute to the error.
pub(super) fn mean_of_games(pairs: &Pairs<'_>, value: impl Fn(&GameTally) -> f64) -> Estimate {
    let clusters = clusters_by_pairing(pairs, 1, |pair, add| {
        add(0, pair.iter().map(&value).sum(), pair.len() as f64);
    });
    clusters[0].mean()
}

/// The clusters for the means of several quantities; each pair contributes sums and counts to some
/// of them. Pairs on the same setup form one cluster. If no two pairs share a setup, each pairing
/// is a stratum.
pub(super) fn clusters_by_pairing(
    pairs: &Pairs<'_>,
    numbers: usize,
    mut each: impl FnMut(&[GameTally], &mut dyn FnMut(usize, f64, f64)),
) -> Vec<Clusters> {
    if !pairs.is_by_setup() {
        return clusters_by_pairing(&pairs.clone().by_setup(), numbers, each);
    }
    let mut clusters = PairClusters::new(numbers);
    for pair in pairs.iter() {
        clusters.begin_pair(&pair[0]);
        each(pair, &mut |number, sum, count| {
            clusters.add(number, sum, count);
        });
    }
    clusters.finish()
}

/// Accumulates the clusters of [`clusters_by_pairing`] for pairs that come one at a time, those on the same setup one
/// after another.
#[derive(Clone, Debug)]
pub(super) struct PairClusters {
    clusters: Vec<Clusters>,
    /// The sums and counts of the current setup, if pairs share setups.
    sums: Vec<(f64, f64)>,
    /// The setup and the pairing of the latest pair.
    latest: Option<(Option<NonZeroU32>, u32)>,
}

impl PairClusters {
    pub(super) fn new(numbers: usize) -> Self {
        Self {
            clusters: vec![Clusters::default(); numbers],
            sums: vec![(0.0, 0.0); numbers],
            latest: None,
        }
    }

    /// Begins a pair, of which this is a game; what is added next belongs to it.
    pub(super) fn begin_pair(&mut self, game: &GameTally) {
        let next = (game.shared, game.pairing);
        match self.latest.replace(next) {
            Some((Some(setup), _)) if next.0 != Some(setup) => self.close_setup(),
            Some((None, pairing)) if next.1 != pairing => self.close_stratum(),
            _ => {}
        }
    }

    /// Adds a sum and a count of the current pair.
    pub(super) fn add(&mut self, number: usize, sum: f64, count: f64) {
        if matches!(self.latest, Some((Some(_), _))) {
            self.sums[number].0 += sum;
            self.sums[number].1 += count;
        } else {
            self.clusters[number].add(sum, count);
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
            let (sum, count) = std::mem::take(sum);
            clusters.add(sum, count);
        }
    }

    fn close_stratum(&mut self) {
        self.clusters.iter_mut().for_each(Clusters::close_stratum);
    }
}

pub(super) fn values(
    tallies: &[GameTally],
    value: impl Fn(&GameTally) -> f64 + Clone,
) -> impl Iterator<Item = f64> + Clone {
    tallies.iter().map(value)
}

pub(super) fn seats(tallies: &[GameTally], value: impl Fn(&GameTally, usize) -> f64) -> Seats {
    Seats {
        first: mean(values(tallies, |tally| value(tally, 0))),
        second: mean(values(tallies, |tally| value(tally, 1))),
        mean: mean(values(tallies, |tally| {
            (value(tally, 0) + value(tally, 1)) / 2.0
        })),
    }
}
