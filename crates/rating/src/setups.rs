//! The variance of estimates from a few setups, on each of which games may depend on each other in any way.

use super::matrix::{Matrix, dot};

/// The games of a setup as the variance of an estimate needs them.
#[derive(Clone, Debug, PartialEq)]
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
}

impl FewSetups {
    /// The variance of a combination of parameters and its degrees of freedom, without the independent games that were added.
    /// `weights` is the inverse information, `bread`, times the combination.
    ///
    /// The residuals are smaller than the errors, because the fit follows the results, the more of them a setup has. Each
    /// setup's score for the combination is enlarged so that the variance is unbiased if games are independent, and the
    /// degrees of freedom are Satterthwaite's for that variance: the correction CR2 of Bell and McCaffrey (Survey Methodology
    /// 2002; Pustejovsky and Tipton, Journal of Business & Economic Statistics 2018), applied to the combination.
    pub(super) fn variance(&self, bread: &Matrix, weights: &[f64]) -> (f64, f64) {
        let mut scores = Vec::new();
        for setup in &self.setups {
            let score: f64 = setup.score.iter().map(|&(i, by)| by * weights[i]).sum();
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
            let left = own - dot(&pulled, &fitted);
            // A setup that alone determines the combination leaves no residual.
            let enlarged = if left > 1e-6 * own { own / left } else { 0.0 };
            scores.push((score, own, enlarged, pulled, fitted));
        }
        let all: f64 = scores.iter().map(|(_, own, ..)| own).sum();
        let (mut variance, mut expected, mut squares) = (0.0, self.unrelated * all, 0.0);
        for (at, (score, own, enlarged, pulled, _)) in scores.iter().enumerate() {
            variance += enlarged * score * score;
            for (other, (.., by, _, fitted)) in scores.iter().enumerate() {
                let shared = if at == other { *own } else { 0.0 } - dot(pulled, fitted);
                squares += enlarged * by * shared * shared;
                if at == other {
                    expected += enlarged * shared;
                }
            }
        }
        (variance, expected * expected / squares)
    }
}
