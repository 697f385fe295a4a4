//! Estimates with 95% confidence intervals, and the keys under which they are serialized.

use serde::Serialize;

/// A quantity estimated from games, with its 95% confidence interval.
///
/// New keys of JSON have it as an object, `{value, low, high, se}`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Estimate {
    /// The point estimate; `None` without observations.
    pub value: Option<f64>,
    /// Lower end of the confidence interval; `None` if it is unknown or infinite.
    pub low: Option<f64>,
    /// Upper end of the confidence interval; `None` if it is unknown or infinite.
    pub high: Option<f64>,
    /// Standard error; `None` if it is unknown or the interval is not based on one.
    #[serde(rename = "se")]
    pub error: Option<f64>,
}

impl Estimate {
    /// An estimate whose interval extends `quantile` standard errors to either side.
    pub fn with_error(value: f64, error: f64, quantile: f64) -> Self {
        Self {
            value: Some(value),
            low: Some(value - quantile * error),
            high: Some(value + quantile * error),
            error: Some(error),
        }
    }

    /// The interval in the one form in which people read intervals: how far it extends below and above the
    /// value, in the unit of the value and rounded like it. Both sides are written, `−186/+221`, unless they
    /// are the same as written, `±12`. Without a limit on one side, results do not determine the value
    /// either, so the known end itself is written: `above +120` or `below -3`. `None` if no end is known.
    ///
    /// `number` writes a number, with a sign or a percent sign if the unit has one.
    ///
    /// ```
    /// use patchwork_rating::Estimate;
    ///
    /// let elo = |low, high| Estimate { value: Some(1083.4), low, high, error: None };
    /// let told = |elo: Estimate| elo.interval_as(|number| format!("{number:+.0}"));
    /// assert_eq!(told(elo(Some(897.2), Some(1304.1))).as_deref(), Some("−186/+221"));
    /// assert_eq!(told(elo(Some(897.2), Some(1269.7))).as_deref(), Some("±186"));
    /// assert_eq!(told(elo(Some(897.2), None)).as_deref(), Some("above +897"));
    /// ```
    pub fn interval_as(&self, number: impl Fn(f64) -> String) -> Option<String> {
        match (self.value, self.low, self.high) {
            (Some(value), Some(low), Some(high)) => {
                let (below, above) = (side(value - low, &number), side(high - value, &number));
                Some(if below == above {
                    format!("±{above}")
                } else {
                    format!("\u{2212}{below}/+{above}")
                })
            }
            (None, Some(low), Some(high)) => Some(format!("{} to {}", number(low), number(high))),
            (_, Some(low), None) => Some(format!("above {}", number(low))),
            (_, None, Some(high)) => Some(format!("below {}", number(high))),
            (_, None, None) => None,
        }
    }

    /// Both ends of the confidence interval, if both are known.
    #[must_use]
    pub fn interval(&self) -> Option<(f64, f64)> {
        self.low.zip(self.high)
    }

    /// The estimate, without its interval if that has no width: a quantity that never varied does not show
    /// how much it might.
    #[must_use]
    pub fn unless_certain(self) -> Self {
        let Some((low, high)) = self.interval() else {
            return self;
        };
        let size = self.value.map_or(0.0, f64::abs).max(1.0);
        if high - low > 1e-9 * size {
            return self;
        }
        Self {
            low: None,
            high: None,
            ..self
        }
    }

    /// The estimate of a quantity that is never below this number: the interval ends there.
    #[must_use]
    pub fn at_least(self, least: f64) -> Self {
        Self {
            low: self.low.map(|low| low.max(least)),
            ..self
        }
    }

    /// The estimate, without its value if both ends of the interval are unknown: a number without any limits
    /// is not worth showing.
    #[must_use]
    pub fn if_limited(self) -> Self {
        if self.low.is_none() && self.high.is_none() {
            Self::default()
        } else {
            self
        }
    }

    /// The estimate of the quantity with the opposite sign.
    #[must_use]
    pub fn negated(&self) -> Self {
        let negated = self.scaled(-1.0);
        Self {
            low: negated.high,
            high: negated.low,
            error: self.error,
            ..negated
        }
    }

    /// The estimate in another unit: value, interval and error are multiplied by `factor`.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        let scaled = |number: Option<f64>| number.map(|number| factor * number);
        Self {
            value: scaled(self.value),
            low: scaled(self.low),
            high: scaled(self.high),
            error: scaled(self.error),
        }
    }

    /// The same estimate with the ends of its interval within a range.
    #[must_use]
    pub fn clamped(mut self, low: f64, high: f64) -> Self {
        self.low = self.low.map(|end| end.max(low));
        self.high = self.high.map(|end| end.min(high));
        self
    }
}

/// One side of an interval, without sign and percent sign. A side that is too short to be written is not
/// written as 0.
fn side(length: f64, number: impl Fn(f64) -> String) -> String {
    let text = number(length.max(0.0));
    let text = text.trim_start_matches('+').trim_end_matches('%');
    let places = text.split_once('.').map_or(0, |(_, places)| places.len());
    match text.parse() {
        Ok(0.0) if length > 0.0 => format!("<{:.places$}", 0.1_f64.powi(places as i32)),
        Ok(0.0) => "0".to_owned(),
        _ => text.to_owned(),
    }
}

impl From<Estimate> for Option<f64> {
    fn from(estimate: Estimate) -> Self {
        estimate.value
    }
}

/// The keys of an estimate in JSON and CSV: one type per set of names, for use with
/// `#[serde(flatten, with = "keys::Margin")]`.
pub mod keys {
    use serde::{Serialize, Serializer};

    use super::Estimate;

    macro_rules! about {
        (low, $value:ident) => {
            concat!(
                "Lower end of the 95% confidence interval of `",
                stringify!($value),
                "`."
            )
        };
        (high, $value:ident) => {
            concat!(
                "Upper end of the 95% confidence interval of `",
                stringify!($value),
                "`."
            )
        };
        (error, $value:ident) => {
            concat!("Standard error of `", stringify!($value), "`.")
        };
    }

    macro_rules! keys {
        ($($(#[$about:meta])+ $name:ident {
            $value:ident: value $(, $key:ident: $part:ident)+
        })+) => {$(
            #[derive(Serialize)]
            #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
            #[cfg_attr(feature = "schema", schemars(inline))]
            #[doc = concat!("The keys of an estimate whose value is `", stringify!($value), "`.")]
            pub struct $name {
                $(#[$about])+
                $value: Option<f64>,
                $(#[doc = about!($part, $value)] $key: Option<f64>),+
            }

            impl $name {
                /// Writes the estimate under these keys.
                ///
                /// # Errors
                /// When the serializer fails.
                pub fn serialize<S: Serializer>(
                    estimate: &Estimate,
                    to: S,
                ) -> Result<S::Ok, S::Error> {
                    let keys = Self { $value: estimate.value, $($key: estimate.$part),+ };
                    Serialize::serialize(&keys, to)
                }
            }
        )+};
    }

    keys! {
        /// The mean.
        Mean { mean: value, low: low, high: high }
        /// Mean of the first player.
        First { first: value, first_low: low, first_high: high }
        /// Mean of the second player.
        Second { second: value, second_low: low, second_high: high }
        /// Share of a game's variance that is between rings, 0 to 1.
        Share { share: value, share_low: low, share_high: high }
        /// Share of plies with a single legal action, 0 to 1.
        Forced { forced: value, forced_low: low, forced_high: high }
        /// Share of the decisions whose player won the game, 0 to 1. Its interval treats the decisions
        /// of a game as related.
        Won { won: value, low: low, high: high }
        /// Share of games won by the first player, 0 to 1.
        WinRate { win_rate: value, low: low, high: high }
        /// Share of games that the first player wins between two equally strong agents, 0 to 1, from the
        /// model behind `elo`. Null if the results do not limit it.
        EqualWinRate { equal_win_rate: value, equal_low: low, equal_high: high }
        /// Share of games won by the buyer, 0 to 1.
        BuyerWinRate { win_rate: value, win_low: low, win_high: high }
        /// Share of games won by the first player, 0 to 1.
        FirstWinRate { first_win_rate: value, first_low: low, first_high: high }
        /// Share of games won by `a`, 0 to 1.
        Score { a_score: value, low: low, high: high }
        /// The komi by points, in buttons: that of these games, plus the points by which the first player is ahead of an equal one.
        KomiByPoints { by_points: value, by_points_low: low, by_points_high: high }
        /// The komi by wins, in buttons: where a line through the first player's log odds at each komi says one half. Null without
        /// games at another komi.
        KomiByWins { by_wins: value, by_wins_low: low, by_wins_high: high }
        /// What a button more for the second player adds to the worth of moving first, in Elo.
        ButtonElo { button_elo: value, button_elo_low: low, button_elo_high: high }
        /// Elo points; null without games, or if one side won all of them.
        Elo { elo: value, low: low, high: high }
        /// Difference of the ratings of `a` and `b` in Elo points.
        EloError { elo: value, low: low, high: high, se: error }
        /// Elo points relative to the mean of all agents; null until the agent has met another.
        Rating { elo: value, low: low, high: high, se: error }
        /// Elo points.
        EloErrorFirst { elo: value, se: error, low: low, high: high }
        /// The first player's advantage in Elo points, given the ratings; null if the results do not limit
        /// it, for example if one agent of each pairing won all of its games.
        SeatElo { elo: value, elo_low: low, elo_high: high }
        /// The first player's advantage in Elo points, adjusted for the agents' strengths; null if the
        /// results do not limit it.
        SeatEloError { elo: value, elo_se: error, elo_low: low, elo_high: high }
        /// Normalized Elo: the expected score's distance from 1/2 in standard deviations of a game's
        /// score, times 800 / ln 10.
        Normalized { normalized: value, normalized_low: low, normalized_high: high }
        /// The first player's expected margin on this ring: `margin`, shrunk towards the mean of all
        /// rings to remove chance. Null with fewer than four rings, or if the games do not determine
        /// the chance variance.
        Bias { bias: value, low: low, high: high }
        /// Mean of the first player's points minus the second player's.
        Margin { margin: value, margin_low: low, margin_high: high }
        /// Mean of the buyer's points minus the opponent's.
        BuyerMargin { margin: value, margin_low: low, margin_high: high }
        /// The buyers' win rate minus their mean win rate in the same seat against the same opponent.
        WinGain { win_gain: value, win_gain_low: low, win_gain_high: high }
        /// The buyers' margin minus their mean margin in the same seat against the same opponent.
        MarginGain { margin_gain: value, margin_gain_low: low, margin_gain_high: high }
        /// What owning the patch changes in the owner's margin, while the other purchases stay the same.
        Worth { worth: value, worth_low: low, worth_high: high }
        /// Points per game.
        Points { points: value, low: low, high: high, se: error }
        /// The expected paired result, 0 to 1.
        PairedResult { result: value, low: low, high: high, se: error }
        /// The expected paired result, 0 to 1, over random values of the other keys.
        MarginalResult { result: value, low: low, high: high }
        /// Mean score per game, 0 to 1.
        MeanScore { score: value, score_low: low, score_high: high }
        /// Mean margin in points per game.
        MeanMargin { margin: value, margin_low: low, margin_high: high }
        /// The mean score minus that of the first value.
        ScoreGain { score_gain: value, score_gain_low: low, score_gain_high: high }
        /// The mean margin minus that of the first value.
        PointsGain { margin_gain: value, margin_gain_low: low, margin_gain_high: high }
        /// Difference of the strengths of `a` and `b` in points per game.
        PointsAhead { points: value, points_low: low, points_high: high, points_se: error }
    }

    impl Points {
        /// Serializes an optional estimate; `null` if it is `None`.
        pub(crate) fn serialize_option<S: Serializer>(
            estimate: &Option<Estimate>,
            to: S,
        ) -> Result<S::Ok, S::Error> {
            match estimate {
                Some(estimate) => Self::serialize(estimate, to),
                None => to.serialize_none(),
            }
        }
    }
}
