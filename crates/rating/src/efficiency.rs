//! How much more precisely margins separate agents than wins do.

use std::collections::BTreeMap;

use super::distribution::{NORMAL, student};
use super::estimate::Estimate;
use super::game::ClusteredGame;

/// A pairing counts only if each agent scored at least this share of the points.
const LEAST_SHARE: f64 = 0.1;

/// A pairing counts only with at least this many pairs.
const LEAST_PAIRS: usize = 5;

/// The evidence in games, by wins and by margins, that agents differ.
///
/// In a pairing, the signal is the mean of a pair's sum for an agent divided by its standard deviation. Two
/// numbers of games separate two agents equally well if signal^2 times games is equal. The sums are unbiased,
/// so their ratio does not depend on the number of games.
#[derive(Clone, Debug, Default)]
pub(super) struct Evidence {
    /// Sums over pairings of pairs times signal^2: by margins, by wins.
    sums: [f64; 2],
    /// The covariance of the sums that remains if agents are equal.
    noise: [f64; 3],
    /// The derivatives of the sums by each setup that pairs share.
    setups: BTreeMap<u64, [f64; 2]>,
    /// The squares and products of the derivatives by all other pairs.
    spread: [f64; 3],
    /// Number of those pairs.
    pairs: usize,
}

/// Sums of a pair for one agent, the margin and games won minus games lost, and the setup if several pairs share it.
pub(super) type PairSums = ([f64; 2], Option<u64>);

/// The sums of a pair, if the seats were swapped in it.
pub(super) fn pair_sums(pair: &[ClusteredGame]) -> Option<PairSums> {
    match pair {
        [(one, setup), (two, _)] if one.first == two.second => {
            let wins = 2.0 * (one.score.points() - two.score.points());
            Some(([one.margin - two.margin, wins], *setup))
        }
        _ => None,
    }
}

impl Evidence {
    /// Adds the pairs of one pairing.
    pub(super) fn add(&mut self, pairs: &[PairSums]) {
        let count = pairs.len() as f64;
        let means: [f64; 2] =
            std::array::from_fn(|i| pairs.iter().map(|(sums, _)| sums[i]).sum::<f64>() / count);
        if pairs.len() < LEAST_PAIRS || means[1].abs() > 2.0 * (1.0 - 2.0 * LEAST_SHARE) {
            return;
        }
        let moment = |i: usize, j: usize| {
            let terms = pairs
                .iter()
                .map(|(sums, _)| (sums[i] - means[i]) * (sums[j] - means[j]));
            terms.sum::<f64>() / (count - 1.0)
        };
        let deviations = [moment(0, 0).sqrt(), moment(1, 1).sqrt()];
        if deviations.iter().any(|&deviation| deviation <= 0.0) {
            return;
        }
        let signals: [f64; 2] = std::array::from_fn(|i| means[i] / deviations[i]);
        for (sum, signal) in self.sums.iter_mut().zip(signals) {
            // The expectation of a squared t value is (1 + signal^2 pairs) (n - 1) / (n - 3).
            *sum += (count - 3.0) / (count - 1.0) * count * signal * signal - 1.0;
        }
        let correlation = moment(0, 1) / (deviations[0] * deviations[1]);
        for (noise, value) in self
            .noise
            .iter_mut()
            .zip([2.0, 2.0 * correlation.powi(2), 2.0])
        {
            *noise += value;
        }
        for (sums, setup) in pairs {
            let derivatives: [f64; 2] = std::array::from_fn(|i| {
                let off = (sums[i] - means[i]) / deviations[i];
                2.0 * signals[i] * (off - signals[i] * (off * off - 1.0) / 2.0)
            });
            if let Some(setup) = setup {
                let of_setup = self.setups.entry(*setup).or_default();
                (0..2).for_each(|i| of_setup[i] += derivatives[i]);
            } else {
                add_square(&mut self.spread, derivatives);
                self.pairs += 1;
            }
        }
    }

    /// The ratio of the sums, with Fieller's interval (Journal of the Royal Statistical Society B 1954). No
    /// value if the interval is unbounded: the wins alone do not separate the agents then.
    pub(super) fn ratio(&self) -> Estimate {
        let clusters = self.setups.len() + self.pairs;
        if clusters < LEAST_PAIRS {
            return Estimate::default();
        }
        let factor = clusters as f64 / (clusters - 1) as f64;
        let mut spread = self.spread;
        for &derivatives in self.setups.values() {
            add_square(&mut spread, derivatives);
        }
        let spread: [f64; 3] = std::array::from_fn(|i| factor * spread[i] + self.noise[i]);
        let [margins, wins] = self.sums;
        let quantile = student(clusters - 1).max(NORMAL).powi(2);
        // (margins - x wins)^2 = quantile (spread[0] - 2 x spread[1] + x^2 spread[2]).
        let square = wins * wins - quantile * spread[2];
        let linear = margins * wins - quantile * spread[1];
        let constant = margins * margins - quantile * spread[0];
        let root = linear * linear - square * constant;
        if wins <= 0.0 || square <= 0.0 || root < 0.0 {
            return Estimate::default();
        }
        let end = |sign: f64| ((linear + sign * root.sqrt()) / square).max(0.0);
        Estimate {
            value: Some((margins / wins).max(0.0)),
            low: Some(end(-1.0)),
            high: Some(end(1.0)),
            error: None,
        }
    }
}

fn add_square(spread: &mut [f64; 3], [margins, wins]: [f64; 2]) {
    let squares = [margins * margins, margins * wins, wins * wins];
    for (sum, square) in spread.iter_mut().zip(squares) {
        *sum += square;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MarginGame;
    use crate::rate_margins;
    use patchwork_engine::util::rng::{Rng, below, stream};

    /// A random number from a nearly normal distribution with mean 0 and standard deviation 1.
    fn normal(rng: &mut Rng) -> f64 {
        let sum: u64 = (0..12).map(|_| u64::from(below(1 << 20, rng))).sum();
        sum as f64 / f64::from(1 << 20) - 6.0
    }

    /// Games of agents whose margins differ by their strengths, with a standard deviation of 15 per game.
    fn games(strengths: &[f64], pairs: u64, rng: &mut Rng) -> Vec<MarginGame> {
        let mut games = Vec::new();
        for a in 0..strengths.len() {
            for b in a + 1..strengths.len() {
                for pair in 0..pairs {
                    for (first, second) in [(a, b), (b, a)] {
                        let margin =
                            strengths[first] - strengths[second] + 2.0 + 15.0 * normal(rng);
                        games.push(MarginGame {
                            cluster: pair,
                            first,
                            second,
                            margin,
                            score: (margin > 0.0).into(),
                        });
                    }
                }
            }
        }
        games
    }

    fn efficiency(games: &[MarginGame], agents: usize) -> Estimate {
        rate_margins(games, None, agents)
            .expect("all met")
            .efficiency
    }

    #[test]
    fn the_interval_covers_at_any_number_of_games() {
        // The last agent wins nearly every game and does not count.
        let strengths = [0.0, 4.0, 8.0, 70.0];
        let truth = efficiency(&games(&strengths, 20_000, &mut stream(&[61])), 4);
        let truth = truth.value.expect("many games");
        assert!((1.4..1.8).contains(&truth), "near pi / 2: {truth}");
        for pairs in [40, 200] {
            let (mut covered, mut told, runs) = (0, 0, 200);
            for run in 0..runs {
                let found = efficiency(&games(&strengths, pairs, &mut stream(&[62, run])), 4);
                if let Some((low, high)) = found.interval() {
                    told += 1;
                    covered += u32::from(low <= truth && truth <= high);
                }
            }
            let covered = f64::from(covered) / f64::from(told);
            println!("{pairs} pairs: {told} of {runs}, covered {covered}");
            assert!(
                covered >= 0.92 && told > 20,
                "{pairs} pairs: {covered} of {told}"
            );
        }
    }

    #[test]
    fn nothing_is_said_of_equal_agents_and_of_certain_wins() {
        let certain = games(&[0.0, 70.0], 200, &mut stream(&[63]));
        assert_eq!(efficiency(&certain, 2), Estimate::default());
        let told = (0..200)
            .filter(|&run| {
                let equal = games(&[0.0, 0.0, 0.0], 40, &mut stream(&[64, run]));
                efficiency(&equal, 3).value.is_some()
            })
            .count();
        assert!(told <= 12, "{told} of 200");
    }
}
