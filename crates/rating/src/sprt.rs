//! Comparison of two agents from pairs of games: Elo, likelihood of superiority, and the sequential
//! probability ratio test.
//!
//! A pair is two games on one setup with the seats swapped. The games of a pair are related but
//! pairs are independent, so the statistics count pairs ("pentanomial" statistics). The formulas
//! are those of M. Van den Bergh's notes for the chess testing framework fishtest: *The generalized
//! sequential probability ratio test* and *Normalized Elo*. As in those notes, a count of 0 is
//! replaced by 0.001.

mod anytime;
mod empirical_likelihood;
mod stopped;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::distribution::{NORMAL, normal_below};
use super::estimate::Estimate;
use super::logistic::SCALE;
use empirical_likelihood::{
    SCORES, Shares, likeliest_with_mean_0, likeliest_with_t, mean_and_deviation,
};

/// Replaces a count of 0, so that no outcome has probability 0.
const ALMOST_NONE: f64 = 0.001;

/// The minimum number of pairs that differ from the most common score, for an error of normalized
/// Elo.
const FEWEST_DIFFERING: u64 = 5;

/// The largest absolute difference that a hypothesis may state, in Elo points of either model.
pub const MAX_ELO: f64 = 1000.0;

/// The number of pairs in which an agent scored 0, 1/4, 1/2, 3/4 and 1. Without draws, only the
/// first, third and fifth occur.
///
/// ```
/// use patchwork_rating::sprt::PairCounts;
///
/// let mut counts = PairCounts::default();
/// counts.add_wins(2);
/// counts.add_wins(1);
/// assert_eq!(counts, "0,0,1,0,1".parse()?);
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairCounts(pub [u64; 5]);

impl PairCounts {
    /// Counts a pair in which the agent won `wins` games, 0 to 2.
    ///
    /// # Panics
    /// When `wins` is more than 2.
    pub fn add_wins(&mut self, wins: usize) {
        assert!(wins <= 2, "a pair has two games");
        self.0[2 * wins] += 1;
    }

    /// Number of pairs.
    pub fn pairs(&self) -> u64 {
        self.0
            .iter()
            .fold(0, |sum, &count| sum.saturating_add(count))
    }

    /// The opponent's counts.
    pub fn swapped(mut self) -> Self {
        self.0.reverse();
        self
    }

    /// Estimates the agent's strength relative to its opponent's.
    ///
    /// The mean score of the pairs is treated as normally distributed; the Elo interval is the
    /// score interval mapped through the logistic curve. If all pairs have the same score their
    /// spread is unknown, and there is neither an interval nor a likelihood of superiority.
    pub fn estimate(&self) -> PairEstimate {
        let outcomes = self.0.iter().filter(|&&count| count > 0).count();
        if outcomes == 0 {
            return PairEstimate::default();
        }
        let (total, shares) = self.regularized();
        let (mean, deviation) = mean_and_deviation(&shares);
        let t = (mean - 0.5) / deviation;
        let decided = self.0[0] + self.0[4] == self.pairs() && outcomes == 1;
        let known = |value: f64| (!decided).then_some(value);
        let mut estimate = PairEstimate::default();
        estimate.elo.value = known(without_dust(elo_of_score(mean)));
        if outcomes > 1 {
            let half = NORMAL * deviation / total.sqrt();
            let end = |score: f64| {
                (score > 0.0 && score < 1.0).then(|| without_dust(elo_of_score(score)))
            };
            (estimate.elo.low, estimate.elo.high) = (end(mean - half), end(mean + half));
            let half = NORMAL * t_error(&shares, t) / total.sqrt();
            let normalized = |t: f64| Some(without_dust(t / T_OF_NORMALIZED));
            estimate.normalized.value = normalized(t);
            let usual = self.0.iter().copied().max().unwrap_or(0);
            if self.pairs() - usual >= FEWEST_DIFFERING {
                estimate.normalized.low = normalized(t - half);
                estimate.normalized.high = normalized(t + half);
            }
            estimate.los = Some(normal_below(t * total.sqrt()));
        }
        estimate
    }

    /// Number of pairs and the share of each outcome, none of them 0.
    fn regularized(&self) -> (f64, Shares) {
        let counts = self.0.map(|count| (count as f64).max(ALMOST_NONE));
        let total: f64 = counts.iter().sum();
        (total, counts.map(|count| count / total))
    }
}

impl FromStr for PairCounts {
    type Err = String;

    /// Parses five counts separated by commas.
    fn from_str(text: &str) -> Result<Self, String> {
        let error = || {
            format!(
                "'{text}' is not a list of pair counts; expected five whole numbers below 2^32 with commas between \
                 them: pairs in which the agent scored 0, 1/4, 1/2, 3/4 and 1"
            )
        };
        let counts: Vec<u64> = text
            .split(',')
            .map(|count| count.trim().parse().map_err(|_| error()))
            .collect::<Result<_, _>>()?;
        // Larger values are not plausible numbers of games, and their sums would overflow.
        if counts.iter().any(|&count| count > u64::from(u32::MAX)) {
            return Err(error());
        }
        counts.try_into().map(Self).map_err(|_| error())
    }
}

/// An agent's strength relative to its opponent, estimated from pairs of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PairEstimate {
    /// [`RAW_ELO`](crate::statistic::RAW_ELO).
    #[cfg_attr(feature = "schema", schemars(description = crate::statistic::RAW_ELO.about))]
    pub elo: Estimate,
    /// [`NORMALIZED_ELO`](crate::statistic::NORMALIZED_ELO).
    #[cfg_attr(feature = "schema", schemars(description = crate::statistic::NORMALIZED_ELO.about))]
    pub normalized: Estimate,
    /// [`LOS`](crate::statistic::LOS).
    #[cfg_attr(feature = "schema", schemars(description = crate::statistic::LOS.about))]
    pub los: Option<f64>,
}

/// The unit in which the hypotheses of a test are stated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum EloModel {
    /// Standard Elo points: an expected score of 1 / (1 + 10^(-elo / 400)).
    #[default]
    Logistic,
    /// The expected score's distance from 1/2 in standard deviations of a game's score, times 800 /
    /// ln 10. For even and independent games without draws this equals standard Elo. The number of
    /// games a test takes depends only on this value.
    Normalized,
}

impl fmt::Display for EloModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Logistic => "logistic",
            Self::Normalized => "normalized",
        })
    }
}

impl FromStr for EloModel {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "logistic" => Ok(Self::Logistic),
            "normalized" => Ok(Self::Normalized),
            _ => Err(format!(
                "unknown Elo model '{text}'; expected logistic or normalized"
            )),
        }
    }
}

/// The result of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Verdict {
    /// The difference is `elo0` rather than `elo1`.
    #[serde(rename = "accept H0")]
    AcceptH0,
    /// The difference is `elo1` rather than `elo0`.
    #[serde(rename = "accept H1")]
    AcceptH1,
    /// More games are needed.
    #[serde(rename = "continue")]
    Continue,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::AcceptH0 => "accept H0",
            Self::AcceptH1 => "accept H1",
            Self::Continue => "continue",
        })
    }
}

/// A test with its result for some pairs, as `patchwork-arena rate --pairs --format json` prints it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtReport {
    /// The pair counts.
    pub pairs: PairCounts,
    /// The parameters of the test.
    #[serde(flatten)]
    pub sprt: Sprt,
    /// The log likelihood ratio, see [`Sprt::llr`].
    pub llr: f64,
    /// The log likelihood ratios at which H0 and H1 are accepted.
    pub bounds: [f64; 2],
    /// The result of the test.
    pub verdict: Verdict,
    /// The estimated difference in strength, independent of the hypotheses.
    #[serde(flatten)]
    pub estimate: PairEstimate,
    /// The difference in Elo, corrected for the stopping of the test; see [`Sprt::corrected`]. `None` before it stopped.
    pub corrected: Option<Estimate>,
    /// The difference in Elo with an interval that holds however often one looks; see [`PairCounts::anytime`].
    pub anytime: Estimate,
}

impl SprtReport {
    /// The difference in Elo that holds: after the test stopped, the one corrected for it.
    pub fn elo(&self) -> Estimate {
        self.corrected.unwrap_or(self.estimate.elo)
    }
}

/// Formats a number briefly.
fn short(value: f64) -> String {
    if value.is_finite() && value.abs() > 1e6 {
        format!("{value:e}")
    } else {
        value.to_string()
    }
}

/// A sequential probability ratio test of H0, the agent is better by `elo0`, against H1, it is
/// better by `elo1`.
///
/// If play continues until the test accepts a hypothesis, it accepts H1 under H0 with probability
/// about `alpha`, and H0 under H1 with probability about `beta`, even if it is evaluated after
/// every pair. Pairs must be counted in plan order: counting a finished pair while an earlier one
/// is still being played favours short games.
///
/// ```
/// use patchwork_rating::sprt::{EloModel, PairCounts, Sprt, Verdict};
///
/// let sprt = Sprt::new(0.0, 30.0, 0.05, 0.05, EloModel::Logistic)?;
/// let counts = PairCounts([40, 0, 90, 0, 70]);
/// assert!((sprt.llr(&counts) - 3.380).abs() < 0.001);
/// assert!((sprt.bounds().1 - 19f64.ln()).abs() < 1e-9);
/// assert_eq!(sprt.verdict(&counts), Verdict::AcceptH1);
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "SprtKeys")]
pub struct Sprt {
    /// The Elo difference under H0.
    elo0: f64,
    /// The Elo difference under H1.
    elo1: f64,
    /// The probability of accepting H1 under H0.
    alpha: f64,
    /// The probability of accepting H0 under H1.
    beta: f64,
    /// The unit of `elo0` and `elo1`.
    model: EloModel,
}

/// The default error rates of tests.
pub const ERROR_RATE: f64 = 0.05;

/// The keys of a test in a file.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SprtKeys {
    /// The Elo difference of the first hypothesis.
    pub elo0: f64,
    /// The Elo difference of the second hypothesis.
    pub elo1: f64,
    /// How often the second is accepted although the first is true; 0.05 by default.
    pub alpha: Option<f64>,
    /// How often the first is accepted although the second is true; 0.05 by default.
    pub beta: Option<f64>,
    /// The unit of the differences.
    #[serde(default)]
    pub model: EloModel,
}

impl TryFrom<SprtKeys> for Sprt {
    type Error = String;

    fn try_from(keys: SprtKeys) -> Result<Self, String> {
        let [alpha, beta] = [keys.alpha, keys.beta].map(|rate| rate.unwrap_or(ERROR_RATE));
        Self::new(keys.elo0, keys.elo1, alpha, beta, keys.model)
    }
}

impl Sprt {
    /// A test with the given hypotheses in Elo points and error rates.
    ///
    /// # Errors
    /// When `elo0` is not below `elo1`, one of them is not in the range -[`MAX_ELO`] to
    /// [`MAX_ELO`], or an error rate is not above 0 and below 0.5.
    pub fn new(
        elo0: f64,
        elo1: f64,
        alpha: f64,
        beta: f64,
        model: EloModel,
    ) -> Result<Self, String> {
        for (name, value) in [("elo0", elo0), ("elo1", elo1)] {
            if !(-MAX_ELO..=MAX_ELO).contains(&value) {
                let value = short(value);
                return Err(format!(
                    "{name} is {value}; expected a number of Elo points from -{MAX_ELO} to {MAX_ELO}"
                ));
            }
        }
        if elo0 >= elo1 {
            return Err(format!(
                "elo0 is {elo0} and elo1 is {elo1}; expected elo0 to be the smaller one"
            ));
        }
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            if !(value > 0.0 && value < 0.5) {
                return Err(format!(
                    "{name} is {value}; expected a probability above 0 and below 0.5"
                ));
            }
        }
        Ok(Self {
            elo0,
            elo1,
            alpha,
            beta,
            model,
        })
    }

    /// The Elo difference under H0.
    pub const fn elo0(&self) -> f64 {
        self.elo0
    }

    /// The Elo difference under H1.
    pub const fn elo1(&self) -> f64 {
        self.elo1
    }

    /// The probability of accepting H1 under H0, above 0 and below 0.5.
    pub const fn alpha(&self) -> f64 {
        self.alpha
    }

    /// The probability of accepting H0 under H1, above 0 and below 0.5.
    pub const fn beta(&self) -> f64 {
        self.beta
    }

    /// The unit in which the hypotheses are stated.
    pub const fn model(&self) -> EloModel {
        self.model
    }

    /// The generalized log likelihood ratio of H1 to H0. Each hypothesis is represented by the
    /// maximum likelihood distribution of pairs among those it allows. 0 without pairs.
    pub fn llr(&self, counts: &PairCounts) -> f64 {
        if counts.pairs() == 0 {
            return 0.0;
        }
        let (total, observed) = counts.regularized();
        let likeliest = |elo: f64| match self.model {
            EloModel::Logistic => {
                likeliest_with_mean_0(&observed, &SCORES.map(|score| score - score_of_elo(elo)))
            }
            EloModel::Normalized => likeliest_with_t(&observed, elo * T_OF_NORMALIZED),
        };
        let (h0, h1) = (likeliest(self.elo0), likeliest(self.elo1));
        let ratio = |i: usize| observed[i] * (libm::log(h1[i]) - libm::log(h0[i]));
        total * (0..5).map(ratio).sum::<f64>()
    }

    /// The log likelihood ratios at which H0 (below 0) and H1 (above 0) are accepted (Wald, Annals
    /// of Mathematical Statistics 1945).
    pub fn bounds(&self) -> (f64, f64) {
        (
            libm::log(self.beta / (1.0 - self.alpha)),
            libm::log((1.0 - self.beta) / self.alpha),
        )
    }

    /// The complete report of the test for these pairs.
    pub fn report(&self, pairs: &PairCounts) -> SprtReport {
        let (lower, upper) = self.bounds();
        SprtReport {
            pairs: *pairs,
            sprt: *self,
            llr: self.llr(pairs),
            bounds: [lower, upper],
            verdict: self.verdict(pairs),
            estimate: pairs.estimate(),
            corrected: self.corrected(pairs),
            anytime: pairs.anytime(),
        }
    }

    /// The hypothesis that these pairs accept, if any.
    pub fn verdict(&self, counts: &PairCounts) -> Verdict {
        let (llr, (lower, upper)) = (self.llr(counts), self.bounds());
        if llr >= upper {
            Verdict::AcceptH1
        } else if llr <= lower {
            Verdict::AcceptH0
        } else {
            Verdict::Continue
        }
    }
}

/// The t value of a pair, (mean - 1/2) / deviation, per point of normalized Elo. The deviation of a
/// pair's score is that of a game divided by the square root of 2.
const T_OF_NORMALIZED: f64 = std::f64::consts::SQRT_2 * std::f64::consts::LN_10 / 800.0;

/// The expected score, 0 to 1, of an agent that is this many Elo points stronger.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-elo / SCALE))
}

/// Replaces a value that is 0 up to rounding by 0.
fn without_dust(elo: f64) -> f64 {
    if elo.abs() < 1e-9 { 0.0 } else { elo }
}

fn elo_of_score(score: f64) -> f64 {
    SCALE * libm::log(score / (1.0 - score))
}

/// Standard error of the t value of one pair, by the delta method. The errors of mean and deviation
/// are correlated if the distribution is skewed.
fn t_error(shares: &Shares, t: f64) -> f64 {
    let (mean, deviation) = mean_and_deviation(shares);
    let influence = |score: f64| {
        let off = (score - mean) / deviation;
        off - t * (off * off - 1.0) / 2.0
    };
    let squares = shares.iter().zip(SCORES);
    let variance: f64 = squares
        .map(|(share, score)| share * influence(score).powi(2))
        .sum();
    variance.sqrt()
}

#[cfg(test)]
mod tests;
