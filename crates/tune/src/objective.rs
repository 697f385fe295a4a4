//! The result of a game in a search.

use patchwork_rating::Estimate;
use patchwork_rating::distribution::NORMAL;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is maximised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Objective {
    /// The margin in points, squashed by a logistic curve, so that a clear win counts little more than a
    /// narrow one.
    #[default]
    Margin,
    /// 1 for a win and 0 for a loss.
    Score,
}

/// The scale of the logistic curve in points; `docs/lab/tuning.md` compares scales.
const SCALE: f64 = 8.0;

impl Objective {
    /// The name in files.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Margin => "margin",
            Self::Score => "score",
        }
    }

    /// What a result is, as a sentence.
    pub(crate) const fn about(self) -> &'static str {
        match self {
            Self::Score => {
                "A result is the share of games won against the opponents: 0.5 is as strong as they are."
            }
            Self::Margin => {
                "A result is the mean of 1 / (1 + exp(-m / 8)) over games against the opponents that end with a margin of m \
                 points: 0.5 is as strong as they are, and each further point of margin adds about 0.03."
            }
        }
    }

    /// The result of a game, 0 to 1, of an agent that won or lost by this margin.
    pub(crate) fn result(self, won: bool, margin: i32) -> f64 {
        match self {
            Self::Score => f64::from(u8::from(won)),
            Self::Margin => 1.0 / (1.0 + libm::exp(-f64::from(margin) / SCALE)),
        }
    }
}

/// An expected result with its 95% interval. The models are normal and unbounded, but results are from 0 to
/// 1, so the interval is cut off there. Impossible values add nothing to the coverage.
pub(crate) fn expected_result(value: f64, error: f64) -> Estimate {
    let value = value.clamp(0.0, 1.0);
    let whole = Estimate::with_error(value, error, NORMAL);
    let within = |end: Option<f64>| end.map(|end| end.clamp(0.0, 1.0));
    Estimate {
        low: within(whole.low),
        high: within(whole.high),
        ..whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expected_results_are_possible_ones() {
        for (value, ends) in [
            (0.5, (0.5 - 0.1 * NORMAL, 0.5 + 0.1 * NORMAL)),
            (0.95, (0.95 - 0.1 * NORMAL, 1.0)),
            (1.3, (1.0 - 0.1 * NORMAL, 1.0)),
            (-0.2, (0.0, 0.1 * NORMAL)),
        ] {
            let (low, high) = expected_result(value, 0.1).interval().expect("ends");
            assert!((low - ends.0).abs() < 1e-9 && (high - ends.1).abs() < 1e-9);
        }
        assert_eq!(expected_result(1.3, 0.1).value, Some(1.0));
    }

    #[test]
    fn both_players_results_add_up_to_one() {
        for margin in [-80, -8, 0, 1, 200] {
            for objective in [Objective::Margin, Objective::Score] {
                let won = margin >= 0;
                let sum = objective.result(won, margin) + objective.result(!won, -margin);
                assert!((sum - 1.0).abs() < 1e-12);
            }
        }
        assert_eq!(Objective::Margin.result(true, 0), 0.5);
        assert!(Objective::Margin.result(true, 8) < Objective::Margin.result(true, 9));
    }
}
