//! The variance of estimates from a few setups, on each of which games may depend on each other in any way.

use super::matrix::{Matrix, dot};

/// The games of a setup as the variance of an estimate needs them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SetupScore {
    /// The score of the games: the sum of their residuals, by parameter.
    pub(super) score: Vec<(usize, f64)>,
    /// The contrast of each seating, or the quantities of each observation, and the information of its games.
    pub(super) information: Vec<(Vec<(usize, f64)>, f64)>,
}

/// The setups, if there are few.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct FewSetups {
    pub(super) setups: Vec<SetupScore>,
    /// The part of the information that is added as independent games.
    pub(super) unrelated: f64,
    /// The correlation of any two observations on a setup, 0 to 1, of which each has an information of 1 if it is not 0.
    pub(super) correlation: f64,
    /// The sum of the contrasts of each setup; empty where there is no correlation.
    pub(super) sums: Vec<Vec<f64>>,
}

/// What a setup contributes to the variance of a combination.
struct SetupPart {
    score: f64,
    /// The variance of the score if no observation had been fitted.
    own: f64,
    /// The covariance of the score with those of all parameters.
    covariance: Vec<f64>,
    /// What the fit takes of the score, by the scores of all parameters.
    fitted: Vec<f64>,
    /// By how much `covariance` exceeds that of `fitted`; empty if observations are independent.
    excess: Vec<f64>,
}

impl FewSetups {
    /// The variance of a combination of parameters and its degrees of freedom, without the independent games that were added.
    /// `weights` is the inverse information, `bread`, times the combination.
    ///
    /// The residuals are smaller than the errors, because the fit follows the results, the more of them a setup has. Each
    /// setup's score for the combination is enlarged so that the variance is unbiased if games are independent, or have the
    /// correlation, and the degrees of freedom are Satterthwaite's for that variance: the correction CR2 of Bell and McCaffrey
    /// (Survey Methodology 2002; Pustejovsky and Tipton, Journal of Business & Economic Statistics 2018), applied to the
    /// combination.
    pub(super) fn variance(&self, bread: &Matrix, weights: &[f64]) -> (f64, f64) {
        let (alone, together) = (1.0 - self.correlation, self.correlation);
        let part = |(at, setup): (usize, &SetupScore)| {
            let score = setup.score.iter().map(|&(i, by)| by * weights[i]).sum();
            // The information of the setup times the weights, and their product with the weights.
            let (mut pulled, mut own) = (vec![0.0; weights.len()], 0.0);
            for (contrast, information) in &setup.information {
                let along: f64 = contrast.iter().map(|&(i, by)| by * weights[i]).sum();
                own += information * along * along;
                for &(i, by) in contrast {
                    pulled[i] += information * along * by;
                }
            }
            let fitted = bread.times(&pulled);
            let (mut covariance, mut excess) = (pulled, Vec::new());
            if let Some(sum) = self.sums.get(at) {
                let along = dot(sum, weights);
                own = alone * own + together * along * along;
                excess = sum.iter().map(|by| together * along * by).collect();
                covariance.iter_mut().for_each(|by| *by *= alone);
                add(&mut covariance, 1.0, &excess);
                for sum in &self.sums {
                    add(&mut excess, -together * dot(sum, &fitted), sum);
                }
            }
            SetupPart {
                score,
                own,
                covariance,
                fitted,
                excess,
            }
        };
        let parts: Vec<SetupPart> = self.setups.iter().enumerate().map(part).collect();
        // The covariance of the residuals' scores of two setups.
        let shared = |one: usize, other: usize| {
            let (a, b) = (&parts[one], &parts[other]);
            let own = if one == other { a.own } else { 0.0 };
            own - dot(&a.covariance, &b.fitted) - dot(&b.excess, &a.fitted)
        };
        // A setup that alone determines the combination leaves no residual.
        let enlarged = |(at, part): (usize, &SetupPart)| {
            let left = shared(at, at);
            if left > 1e-6 * part.own {
                part.own / left
            } else {
                0.0
            }
        };
        let enlarged: Vec<f64> = parts.iter().enumerate().map(enlarged).collect();
        let all: f64 = parts.iter().map(|part| part.own).sum();
        let (mut variance, mut expected, mut squares) = (0.0, self.unrelated * all, 0.0);
        for (at, part) in parts.iter().enumerate() {
            variance += enlarged[at] * part.score * part.score;
            expected += enlarged[at] * shared(at, at);
            for other in 0..parts.len() {
                squares += enlarged[at] * enlarged[other] * shared(at, other).powi(2);
            }
        }
        (variance, expected * expected / squares)
    }
}

impl SetupScore {
    /// The sum of the contrasts.
    pub(super) fn sum(&self, size: usize) -> Vec<f64> {
        let mut sum = vec![0.0; size];
        for (contrast, _) in &self.information {
            contrast.iter().for_each(|&(i, by)| sum[i] += by);
        }
        sum
    }
}

fn add(to: &mut [f64], by: f64, x: &[f64]) {
    to.iter_mut().zip(x).for_each(|(to, x)| *to += by * x);
}
