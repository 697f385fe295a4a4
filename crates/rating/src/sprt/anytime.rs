//! Intervals that hold however often one looks.

use super::empirical_likelihood::SCORES;
use super::{Estimate, PairCounts, elo_of_score};

/// The bets: each stakes this power of the square root of 1/2 of what it owns.
const BETS: u32 = 40;

impl PairCounts {
    /// The difference in Elo with a 95% interval that holds at all times together: the probability that it ever
    /// excludes the truth, after any number of pairs, is at most 5%, so one may look after every pair and stop at will. It is
    /// wider than the interval for a fixed number of pairs.
    ///
    /// A confidence sequence by betting (Waudby-Smith and Ramdas, Estimating means of bounded random variables by betting,
    /// Journal of the Royal Statistical Society B 2024, section 4): an expected score is excluded when bettors who stake
    /// fixed parts of what they own on higher, or on lower, scores own 40 times of what they began with, together. It needs
    /// no approximation: the score of each pair, given all before, may have any distribution with the same mean.
    pub fn anytime(&self) -> Estimate {
        if self.pairs() == 0 {
            return Estimate::default();
        }
        let sum: f64 = self
            .0
            .iter()
            .zip(SCORES)
            .map(|(&count, score)| count as f64 * score)
            .sum();
        let mean = sum / self.pairs() as f64;
        // The end below the mean; that above it is the end for the opponent.
        let end = |counts: &Self, mean: f64| {
            let (mut low, mut high) = (0.0, mean);
            for _ in 0..50 {
                let middle = f64::midpoint(low, high);
                if counts.log_wealth(middle) >= LIMIT {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            low
        };
        let (low, high) = (end(self, mean), 1.0 - end(&self.swapped(), 1.0 - mean));
        let elo = |score: f64| (score > 1e-9 && score < 1.0 - 1e-9).then(|| elo_of_score(score));
        Estimate {
            value: elo(mean),
            low: elo(low),
            high: elo(high),
            error: None,
        }
    }

    /// The logarithm of what the bettors on more than this expected score own after these pairs. What each owns is a martingale
    /// if it is the expected score, and grows as the score becomes less.
    fn log_wealth(&self, score: f64) -> f64 {
        let mut most = f64::NEG_INFINITY;
        let mut own = [0.0; BETS as usize];
        for (bet, own) in (0..BETS).zip(&mut own) {
            let stake = 0.9 * libm::pow(0.5, f64::from(bet) / 2.0);
            let weight = 1.0 / f64::from((bet + 1) * (bet + 2));
            let bets = self.0.iter().zip(SCORES).filter(|(count, _)| **count > 0);
            let gains = bets.map(|(&count, of)| {
                count as f64 * libm::log1p(stake * (of - score) / score.max(1e-12))
            });
            *own = libm::log(weight) + gains.sum::<f64>();
            most = most.max(*own);
        }
        most + libm::log(own.iter().map(|own| libm::exp(own - most)).sum())
    }
}

/// The logarithm of 2 / 0.05: half of the 5% for either side.
const LIMIT: f64 = 3.688_879_454_113_936;

#[cfg(test)]
mod tests {
    use super::*;
    use patchwork_engine::util::rng::{below, stream};

    /// The share of tournaments of equal agents in which a watcher who stops at the first interval that excludes 0 does so
    /// within this number of pairs, and the mean width of the intervals at the end.
    fn fooled(tournaments: u64, pairs: u64) -> (f64, f64) {
        let (mut fooled, mut width) = (0, 0.0);
        for tournament in 0..tournaments {
            let mut rng = stream(&[62, tournament]);
            let mut counts = PairCounts::default();
            let drawish = tournament % 2 == 1;
            let mut excluded = false;
            for _ in 0..pairs {
                let mut game = || match below(10, &mut rng) {
                    0..=5 if drawish => 1,
                    of => 2 * (of % 2) as usize,
                };
                counts.0[game() + game()] += 1;
                let excludes = |counts: &PairCounts| counts.log_wealth(0.5) >= LIMIT;
                excluded = excluded || excludes(&counts) || excludes(&counts.swapped());
            }
            fooled += u32::from(excluded);
            if tournament < 200 {
                let interval = counts.anytime().interval();
                width +=
                    interval.map_or(0.0, |(low, high)| high - low) / tournaments.min(200) as f64;
            }
        }
        (f64::from(fooled) / tournaments as f64, width)
    }

    #[test]
    fn a_watcher_who_stops_at_will_is_rarely_fooled() {
        let (share, _) = fooled(150, 60);
        assert!(share <= 0.06, "{share}");
    }

    #[test]
    #[ignore = "takes minutes"]
    fn a_watcher_of_a_hundred_thousand_tournaments_in_full() {
        let (share, width) = fooled(100_000, 200);
        println!(
            "{:.2}% of watchers see an interval that excludes 0; width {width:.0} Elo",
            100.0 * share
        );
        assert!(share <= 0.05, "{share}");
    }

    #[test]
    fn the_interval_is_wider_than_that_of_a_fixed_number_of_pairs_and_contains_it() {
        for counts in [
            [3, 0, 5, 0, 2],
            [10, 40, 80, 50, 20],
            [100, 0, 320, 0, 130],
            [0, 3, 50, 90, 80],
        ] {
            let counts = PairCounts(counts);
            let (now, fixed) = (counts.anytime(), counts.estimate().elo);
            let ((low, high), (inner_low, inner_high)) =
                now.interval().zip(fixed.interval()).expect("intervals");
            assert!(low < inner_low && inner_high < high, "{now:?} {fixed:?}");
            assert!(
                high - low < 2.6 * (inner_high - inner_low),
                "{now:?} {fixed:?}"
            );
            let other = counts.swapped().anytime();
            assert!((other.low.expect("an end") + high).abs() < 1e-6);
        }
        assert_eq!(PairCounts::default().anytime(), Estimate::default());
        let won = PairCounts([0, 0, 0, 0, 9]).anytime();
        assert!(
            won.low.is_some() && won.high.is_none() && won.value.is_none(),
            "{won:?}"
        );
    }
}
