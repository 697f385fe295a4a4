//! The uncertainty of ratings: errors, intervals, and sides without a limit.

use super::correlations::Doubt;
use super::distribution::{NORMAL, long_side, normal_below, student};
use super::estimate::Estimate;
use super::likelihood::ThirdDerivative;
use super::logistic::SCALE;
use super::matrix::{Matrix, dot};
use super::recession::Recession;
use super::setups::FewSetups;
use super::sprt::PairEstimate;

/// With more players, their variances come from sums over all players that are computed once.
const FEW_PLAYERS: usize = 200;

/// The uncertainty of the estimated parameters.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Spread {
    /// The covariance by parameter, in squared log odds.
    pub(super) covariance: Matrix,
    /// The inverse of the information.
    pub(super) bread: Matrix,
    /// Degrees of freedom of the errors if several pairs share a setup: one less than the number of
    /// setups, or 0 with fewer than two pairs.
    pub(super) freedom: Option<usize>,
    /// How uncertain the covariance is.
    pub(super) doubts: Vec<Doubt>,
    /// The setups that are not in the covariance, because they are few.
    pub(super) few: FewSetups,
    /// How far player 0 is ahead of player 1, if they are alone, draw games, and meet in pairs.
    pub(super) pairs: Option<PairEstimate>,
    /// The third derivatives of the likelihood.
    pub(super) thirds: Vec<ThirdDerivative>,
    /// The parameter and the group of each agent that met another one.
    pub(super) parameters: Vec<Option<(usize, usize)>>,
    /// Where the results set no limits.
    pub(super) recession: Recession,
}

/// A combination of parameters before it becomes an [`Estimate`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Combined {
    pub(super) elo: f64,
    pub(super) error: f64,
    /// The quantile for its interval; `None` if the error is not known.
    pub(super) quantile: Option<f64>,
    /// The skewness of the likelihood: 1 / sqrt(n) if the estimate is the logarithm of a rate of which n
    /// events were seen, positive if there is more room below the estimate.
    pub(super) skewness: f64,
    /// Whether the results set no lower limit, and no upper limit.
    pub(super) open: [bool; 2],
    /// The estimate from pairs, if the combination is a multiple of it, and the factor.
    pub(super) pairs: Option<(PairEstimate, f64)>,
}

impl Combined {
    /// The probability that the true value is above 0, given a flat prior.
    pub(super) fn superiority(self) -> Option<f64> {
        if let Some((pairs, by)) = self.pairs {
            return pairs.los.map(|los| if by > 0.0 { los } else { 1.0 - los });
        }
        // With few degrees of freedom, rescale so that 97.5% corresponds to an interval that begins
        // at 0.
        let scale = NORMAL / self.quantile?;
        (self.error > 0.0).then(|| normal_below(scale * self.elo / self.error))
    }

    pub(super) fn estimate(self) -> Estimate {
        let Self {
            elo, error, open, ..
        } = self;
        if let Some((pairs, by)) = self.pairs {
            let found = if by > 0.0 {
                pairs.elo
            } else {
                pairs.elo.negated()
            };
            let found = found.scaled(by.abs());
            let end = |end: Option<f64>| Some(elo + end? - found.value?);
            return Estimate {
                value: Some(elo),
                low: end(found.low),
                high: end(found.high),
                error: Some(error),
            };
        }
        let end = |side: usize, sign: f64| {
            let quantile = self.quantile.filter(|_| !open[side])?;
            let room = long_side(quantile, -sign * self.skewness)?;
            Some(elo + sign * room * error)
        };
        Estimate {
            value: Some(elo),
            low: end(0, -1.0),
            high: end(1, 1.0),
            error: Some(error),
        }
    }
}

/// Of which multiple of the difference of the first two players this is a combination.
fn multiple(combination: &[(usize, f64)]) -> Option<f64> {
    let of = |player: usize| -> f64 {
        let own = combination.iter().filter(|(i, _)| *i == player);
        own.map(|(_, by)| by).sum()
    };
    let [one, other, seat] = [0, 1, 2].map(of);
    (seat == 0.0 && one != 0.0 && one == -other).then_some(one)
}

impl Spread {
    /// An estimate of `elo` that is a combination of parameters.
    ///
    /// The quantile is that of Student's t with Satterthwaite's degrees of freedom (Biometrics
    /// Bulletin 1946), from the variances of the correlations.
    pub(super) fn combined(
        &self,
        elo: f64,
        combination: &[(usize, f64)],
        open: [bool; 2],
    ) -> Combined {
        let variance = self.covariance.quadratic(combination);
        // With many pairings, nothing depends on the weights.
        let unused = self.doubts.is_empty() && self.thirds.is_empty() && self.few.setups.is_empty();
        let weights = match unused {
            true => Vec::new(),
            false => self.bread.times_sparse(combination),
        };
        self.combined_by(elo, combination, variance.max(0.0), &weights, open)
    }

    /// As [`Self::combined`], with the variance of the combination and the inverse information times it.
    fn combined_by(
        &self,
        elo: f64,
        combination: &[(usize, f64)],
        mut variance: f64,
        weights: &[f64],
        open: [bool; 2],
    ) -> Combined {
        let quantile = match self.freedom {
            Some(0) => None,
            Some(_) if !self.few.setups.is_empty() => {
                let (of_setups, freedom) = self.few.variance(&self.bread, weights);
                variance += of_setups;
                Some(student(freedom))
            }
            Some(freedom) => Some(student(freedom as f64)),
            None => {
                let doubt: f64 = self.doubts.iter().map(|doubt| doubt.of(weights)).sum();
                Some(match doubt > 0.0 {
                    true => student((2.0 * variance * variance / doubt).floor()),
                    false => NORMAL,
                })
            }
        };
        Combined {
            elo,
            error: SCALE * variance.sqrt(),
            quantile,
            skewness: self.skewness(combination, weights),
            open,
            pairs: self
                .pairs
                .and_then(|pairs| Some((pairs, multiple(combination)?))),
        }
    }

    /// The third derivative of the likelihood along the least costly direction in which a combination of
    /// parameters changes, per cubed standard error.
    fn skewness(&self, combination: &[(usize, f64)], weights: &[f64]) -> f64 {
        if self.thirds.is_empty() {
            return 0.0;
        }
        let variance: f64 = combination.iter().map(|&(i, by)| by * weights[i]).sum();
        let along = |(contrast, third): &ThirdDerivative| {
            let change: f64 = contrast.iter().map(|&(i, sign)| sign * weights[i]).sum();
            third * change * change * change
        };
        let sum: f64 = self.thirds.iter().map(along).sum();
        let skewness = sum / (variance * variance.sqrt());
        if skewness.is_finite() { skewness } else { 0.0 }
    }

    /// The ratings of these players relative to the mean of the `reference` players.
    pub(super) fn relative_to(
        &self,
        logits: &[f64],
        players: &[usize],
        reference: &[usize],
    ) -> Vec<Combined> {
        let part = 1.0 / reference.len() as f64;
        let mut mean = vec![0.0; logits.len()];
        reference.iter().for_each(|&other| mean[other] -= part);
        // For few players, the sums are those of each combination by itself, to the last digit.
        let of_mean = (players.len() > FEW_PLAYERS).then(|| {
            let [covariance, bread] = [&self.covariance, &self.bread].map(|by| by.times(&mean));
            let variance = dot(&mean, &covariance);
            (covariance, bread, variance)
        });
        let of_player = |&player: &usize| {
            let mut combination = mean.clone();
            combination[player] += 1.0;
            let open = self.recession.of_rating(player, reference);
            let elo = SCALE
                * combination
                    .iter()
                    .zip(logits)
                    .map(|(by, logit)| by * logit)
                    .sum::<f64>();
            let combination: Vec<(usize, f64)> = combination.into_iter().enumerate().collect();
            let Some((covariance, bread, variance)) = &of_mean else {
                return self.combined(elo, &combination, open);
            };
            let own = self.covariance.at(player, player);
            let variance = own + 2.0 * covariance[player] + variance;
            let weights = self.bread.times_sparse(&[(player, 1.0)]);
            let weights: Vec<f64> = weights.iter().zip(bread).map(|(a, b)| a + b).collect();
            self.combined_by(elo, &combination, variance.max(0.0), &weights, open)
        };
        players.iter().map(of_player).collect()
    }
}
