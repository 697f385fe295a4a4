//! How a search scores the end of a game: by wins, points, or both.

use serde::{Deserialize, Serialize};

use crate::agent::declare::settings;
use crate::util::InputError;

/// The keys of scores beside `value`.
macro_rules! scoring_keys {
    (scales [$($then:tt)*] [$($before:tt)*] [$($after:tt)*]) => { $($then)*! { $($before)*
        /// Margin in points that counts as a clear win, 20 by default; not with `value = "win"`.
        pub margin_scale: f64 = (20.0);
            requires "value = \"margin\" or \"mix\"" if |it| it.value != ValueKind::Win,
        /// The weight of winning, 0 to 1, 0.5 by default; only with `value = "mix"`.
        pub win_weight: f64 = (0.5) in 0.0..=1.0; requires "value = \"mix\"" if |it| it.value == ValueKind::Mix,
        $($after)*
    } };
}
pub(in crate::agent) use scoring_keys;

settings! {
    /// How results of games are scored.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    #[serde(deny_unknown_fields)]
    pub struct ResultScoring in "search." {
        /// Whether wins or margins are scored.
        pub value: ValueKind,
        ..scoring_keys(scales),
    }
}

/// Whether wins or margins are scored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ValueKind {
    /// 1 for a win, 0 for a loss.
    #[default]
    Win,
    /// (1 + tanh(margin / scale)) / 2, with the margin in points.
    Margin,
    /// The weighted mean of both.
    Mix,
}

impl ResultScoring {
    /// Scores wins only.
    pub const WINS: Self = Self {
        value: ValueKind::Win,
        margin_scale: None,
        win_weight: None,
    };

    /// Checks the scale of margins, which is in the table `search`.
    pub(in crate::agent) fn check_scale(&self) -> Result<(), InputError> {
        let scale = self.margin_scale();
        if scale.is_finite() && scale > 0.0 {
            return Ok(());
        }
        let what = format_args!("expected a number above 0, found {scale}");
        Err(InputError::at("search.margin_scale", what))
    }

    /// The score of a game, 0 to 1, for a player who has won it (1) or lost it (0) by this margin.
    #[inline]
    pub(in crate::agent) fn of(&self, won: f64, margin: f64) -> f64 {
        if self.value == ValueKind::Win {
            return won;
        }
        let scale = self.margin_scale();
        let squashed = 0.5 + 0.5 * libm::tanh(margin / scale);
        if self.value == ValueKind::Margin {
            return squashed;
        }
        let win = self.win_weight();
        win * won + (1.0 - win) * squashed
    }

    pub(in crate::agent) const fn counts_wins(&self) -> bool {
        !matches!(self.value, ValueKind::Margin)
    }
}
