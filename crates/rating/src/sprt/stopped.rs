//! Estimates after a sequential test, which stops when the results look good or bad.

use super::empirical_likelihood::{SCORES, Shares, mean_and_deviation};
use super::{EloModel, Sprt};
use super::{Estimate, PairCounts, T_OF_NORMALIZED, Verdict, elo_of_score, score_of_elo};

/// With more pairs, several are taken together.
const MAX_STEPS: u64 = 2000;

/// A test as a random walk: the sum of what the pairs of an agent score beyond the middle of the hypotheses. The log
/// likelihood ratio is taken as linear in it, with the observed variance of pairs.
struct ScoreWalk {
    shares: Shares,
    /// The score in the middle of the hypotheses.
    middle: f64,
    /// The distances from it, in scores summed over pairs, at which the hypotheses are accepted.
    bounds: [f64; 2],
    steps: u64,
    /// How much larger the distance of the expected score from the middle is in a step of several pairs.
    scale: f64,
    /// The sum of the scores beyond the middle when the test stopped, in the same unit as the bounds.
    stopped: f64,
}

impl Sprt {
    /// The difference in Elo after the test stopped with these pairs, corrected for the stopping; `None` before it stopped.
    ///
    /// The value is as often too high as too low, and the interval contains the truth in at least 95% of tests: outcomes are
    /// ordered by which hypothesis was accepted and how early (Armitage; Siegmund, Biometrika 1978; Jennison and Turnbull,
    /// Group Sequential Methods, 1999, chapter 8), and the value is the difference at which outcomes beyond the
    /// observed one have probability 1/2.
    pub fn corrected(&self, counts: &PairCounts) -> Option<Estimate> {
        let verdict = self.verdict(counts);
        if verdict == Verdict::Continue || counts.pairs() == 0 {
            return None;
        }
        let walk = ScoreWalk::new(self, counts);
        let elo_at = |beyond: f64| {
            let (mut low, mut high) = (0.5 * 1e-3, 1.0 - 0.5 * 1e-3);
            for _ in 0..30 {
                let middle = f64::midpoint(low, high);
                if walk.beyond(middle, verdict == Verdict::AcceptH1) < beyond {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            elo_of_score(f64::midpoint(low, high))
        };
        Some(Estimate {
            value: Some(elo_at(0.5)),
            low: Some(elo_at(0.025)),
            high: Some(elo_at(0.975)),
            error: None,
        })
    }
}

impl ScoreWalk {
    fn new(sprt: &Sprt, counts: &PairCounts) -> Self {
        let (total, shares) = counts.regularized();
        let (mean, deviation) = mean_and_deviation(&shares);
        let [score0, score1] = [sprt.elo0, sprt.elo1].map(|elo| match sprt.model {
            EloModel::Logistic => score_of_elo(elo),
            EloModel::Normalized => 0.5 + elo * T_OF_NORMALIZED * deviation,
        });
        let (lower, upper) = sprt.bounds();
        let middle = f64::midpoint(score0, score1);
        let together = counts.pairs().div_ceil(MAX_STEPS);
        let scale = (together as f64).sqrt();
        let unit = deviation * deviation / (score1 - score0) / scale;
        Self {
            shares,
            middle,
            bounds: [lower * unit, upper * unit],
            steps: counts.pairs().div_ceil(together),
            scale,
            stopped: total * (mean - middle) / scale,
        }
    }

    /// The shares of the pairs tilted to an expected score.
    fn tilted(&self, score: f64) -> Shares {
        let with = |slope: f64| {
            let weights: Shares =
                std::array::from_fn(|i| self.shares[i] * libm::exp(slope * (SCORES[i] - 0.5)));
            let total: f64 = weights.iter().sum();
            weights.map(|weight| weight / total)
        };
        let (mut low, mut high) = (-60.0, 60.0);
        for _ in 0..50 {
            let middle = f64::midpoint(low, high);
            if mean_and_deviation(&with(middle)).0 < score {
                low = middle;
            } else {
                high = middle;
            }
        }
        with(low)
    }

    /// The probability, if the expected score of a pair is `score`, of an outcome more in favour of the agent than the observed one,
    /// with half of that of the same outcome. It increases with the score.
    fn beyond(&self, score: f64, accepted: bool) -> f64 {
        let off = self.scale * (score - self.middle);
        let score = (self.middle + off).clamp(1e-3, 1.0 - 1e-3);
        let moves = self.tilted(score);
        let [lower, upper] = self.bounds;
        // The sum of the scores after a number of steps, in quarters of a point, beyond 0.
        let at = |quarters: usize, step: u64| quarters as f64 / 4.0 - step as f64 * self.middle;
        let first = |bound: f64, step: u64| {
            (4.0 * (bound + step as f64 * self.middle))
                .floor()
                .max(-1.0) as i64
        };
        let (mut from, mut alive) = (0_usize, vec![1.0]);
        let (mut above, mut below) = (0.0, 0.0);
        for step in 1..=self.steps {
            let mut next = vec![0.0; alive.len() + 4];
            for (i, probability) in alive.iter().enumerate() {
                for (by, share) in moves.iter().enumerate() {
                    next[i + by] += probability * share;
                }
            }
            if step == self.steps {
                let mut beyond = 0.0;
                for (i, probability) in next.iter().enumerate() {
                    let off = at(from + i, step) - self.stopped;
                    beyond += match off {
                        _ if off > 1e-6 + 0.124 => *probability,
                        _ if off < -0.124 => 0.0,
                        _ => probability / 2.0,
                    };
                }
                let rest: f64 = next.iter().sum();
                return if accepted {
                    above + beyond
                } else {
                    1.0 - below - (rest - beyond)
                };
            }
            // What stays between the bounds goes on.
            let (start, end) = (first(lower, step), first(upper, step));
            let mut kept_from = next.len();
            let mut kept = Vec::with_capacity(next.len());
            for (i, probability) in next.into_iter().enumerate() {
                let sum = (from + i) as i64;
                let is_above = sum > end || at(from + i, step) >= upper;
                if is_above {
                    above += probability;
                } else if sum <= start {
                    below += probability;
                } else {
                    kept_from = kept_from.min(i);
                    kept.push(probability);
                }
            }
            from += kept_from;
            alive = kept;
            if alive.iter().sum::<f64>() < 1e-12 {
                break;
            }
        }
        // The observed outcome is later than any that is likely.
        if accepted { above } else { 1.0 - below }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use patchwork_engine::util::rng::{Rng, below, stream};

    /// Tests of 0 against 30 Elo: means of the raw and of the corrected difference, the share of corrected values below the truth,
    /// and the shares of raw and corrected intervals that contain it.
    fn simulate(elo: f64, draws: f64, tests: u64) -> [f64; 5] {
        let sprt = Sprt::new(0.0, 30.0, 0.05, 0.05, EloModel::Logistic).expect("a test");
        let chance = score_of_elo(elo);
        let mut rng = stream(&[61, draws.to_bits()]);
        let play = |rng: &mut Rng| {
            let draw = f64::from(below(1 << 30, rng)) / f64::from(1 << 30);
            match draw {
                _ if draw < chance - draws / 2.0 => 2,
                _ if draw < chance + draws / 2.0 => 1,
                _ => 0,
            }
        };
        let mut sums = [0.0; 5];
        for _ in 0..tests {
            let mut counts = PairCounts::default();
            while sprt.verdict(&counts) == Verdict::Continue {
                counts.0[play(&mut rng) + play(&mut rng)] += 1;
            }
            let (raw, corrected) = (counts.estimate().elo, sprt.corrected(&counts));
            let corrected = corrected.expect("it stopped");
            let contains = |found: Estimate| {
                f64::from(u8::from(
                    found.low.is_none_or(|low| low <= elo)
                        && found.high.is_none_or(|high| elo <= high),
                ))
            };
            let value = corrected.value.expect("a value");
            sums[0] += raw.value.unwrap_or(0.0);
            sums[1] += value;
            sums[2] += f64::from(u8::from(value < elo));
            sums[3] += contains(raw);
            sums[4] += contains(corrected);
        }
        sums.map(|sum| sum / tests as f64)
    }

    fn told(tests: u64) -> Vec<[f64; 5]> {
        println!(
            "| true Elo | draws | raw | corrected | too low | raw interval | corrected interval |"
        );
        println!("|---|---|---|---|---|---|---|");
        let row = |(elo, draws): (f64, f64)| {
            let row = simulate(elo, draws, tests);
            let [raw, corrected, low, covered, held] = row;
            println!(
                "| {elo} | {:.0}% | {raw:.1} | {corrected:.1} | {:.1}% | {:.1}% | {:.1}% |",
                100.0 * draws,
                100.0 * low,
                100.0 * covered,
                100.0 * held
            );
            row
        };
        [(30.0, 0.0), (0.0, 0.6), (15.0, 0.3), (60.0, 0.0)]
            .map(row)
            .to_vec()
    }

    #[test]
    #[ignore = "a simulation"]
    fn after_a_test_values_and_intervals_are_right() {
        for [_, _, low, _, held] in told(60) {
            assert!(
                (0.32..0.68).contains(&low) && (0.88..=1.0).contains(&held),
                "{low} {held}"
            );
        }
    }

    #[test]
    #[ignore = "takes a minute"]
    fn after_a_test_in_full() {
        for [_, _, low, _, held] in told(2000) {
            assert!(
                (0.46..0.57).contains(&low) && (0.94..=0.98).contains(&held),
                "{low} {held}"
            );
        }
    }

    #[test]
    fn only_a_stopped_test_is_corrected_and_long_tests_are_not_slow() {
        let sprt = Sprt::new(0.0, 2.0, 0.05, 0.05, EloModel::Normalized).expect("a test");
        assert_eq!(sprt.corrected(&PairCounts([0, 0, 5, 0, 6])), None);
        let many = PairCounts([20_000, 0, 42_000, 0, 21_500]);
        let found = sprt.corrected(&many).and_then(|found| found.interval());
        let (low, high) = found.expect("it stopped");
        assert!(low < high && high < 20.0, "{low} {high}");
    }
}
