//! How often games are drawn, and how much results vary then.

use super::logistic::{probability, variance};

/// Davidson's law of draws (Journal of the American Statistical Association 1970): the probability of a draw is nu times the
/// geometric mean of those of a win and a loss. The expected score is logistic, as without draws, so that Elo points mean the
/// same with any share of draws.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct DrawModel {
    /// The draw parameter, above 0.
    pub(super) nu: f64,
}

impl DrawModel {
    /// The law under which `drawn` games are expected, after one more game without a draw, so that the variance stays above 0;
    /// `None` without draws. `chances` are numbers of games with their log odds.
    pub(super) fn new(drawn: u64, chances: &[(f64, f64)]) -> Option<Self> {
        if drawn == 0 {
            return None;
        }
        let games: f64 = chances.iter().map(|(games, _)| games).sum();
        let drawn = drawn as f64 * games / (games + 1.0);
        let expected = |nu: f64| -> f64 {
            let terms = chances.iter();
            terms
                .map(|(games, logit)| games * Self { nu }.share(*logit))
                .sum()
        };
        // More draws than twice the lesser expected score are impossible, and more are expected with each greater parameter.
        let (mut low, mut high) = (1e-9_f64, 1e9_f64);
        for _ in 0..100 {
            let middle = (low * high).sqrt();
            if expected(middle) < drawn {
                low = middle;
            } else {
                high = middle;
            }
        }
        Some(Self { nu: low })
    }

    /// The probability of a draw.
    fn share(self, logit: f64) -> f64 {
        // The root of share^2 = nu^2 win loss, where win and loss are what the share leaves of the expected scores.
        let product = variance(logit);
        let off = (probability(logit) - 0.5).powi(2);
        2.0 * product / (0.5 + (off + 4.0 * product / (self.nu * self.nu)).sqrt())
    }

    /// The variance of a result: a draw is half a point, so it is as far from a win as from a loss.
    pub(super) fn variance(self, logit: f64) -> f64 {
        (variance(logit) - self.share(logit) / 4.0).max(1e-9 * variance(logit))
    }

    /// The share of games that equal agents draw, 0 to 1.
    pub(super) fn between_equals(self) -> f64 {
        self.share(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_of_draws_is_davidsons() {
        for nu in [0.1, 0.5, 1.0, 2.0, 7.0] {
            let law = DrawModel { nu };
            assert!((law.between_equals() - nu / (2.0 + nu)).abs() < 1e-12);
            for logit in [-3.0, -0.4, 0.0, 1.0, 5.0] {
                let (share, score) = (law.share(logit), probability(logit));
                let (win, loss) = (score - share / 2.0, 1.0 - score - share / 2.0);
                assert!(win > 0.0 && loss > 0.0);
                assert!((share - nu * (win * loss).sqrt()).abs() < 1e-12);
                let second_moment = win + share / 4.0;
                assert!((law.variance(logit) - second_moment + score * score).abs() < 1e-12);
            }
            let chances = [(60.0, 0.3), (40.0, -1.0)];
            let drawn: f64 = chances.iter().map(|(n, x)| n * law.share(*x)).sum();
            let found = DrawModel::new(drawn.round() as u64, &chances).expect("draws");
            assert!((found.nu / nu - 1.0).abs() < 0.15, "{found:?} {nu}");
        }
        assert_eq!(DrawModel::new(0, &[(9.0, 0.0)]), None);
        let all = DrawModel::new(400, &[(400.0, 0.0)]).expect("draws");
        assert!((all.variance(0.0) - 0.25 / 401.0).abs() < 1e-6);
    }
}
