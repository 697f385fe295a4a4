//! Estimates with 95% confidence intervals, and the keys under which they are serialized.

/// A quantity estimated from games, with its 95% confidence interval.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    /// The point estimate; `None` without observations.
    pub value: Option<f64>,
    /// Lower end of the confidence interval; `None` if it is unknown or infinite.
    pub low: Option<f64>,
    /// Upper end of the confidence interval; `None` if it is unknown or infinite.
    pub high: Option<f64>,
    /// Standard error; `None` if it is unknown or the interval is not based on one.
    pub error: Option<f64>,
}

impl Estimate {
    /// An estimate whose interval extends `quantile` standard errors to either side.
    pub(crate) fn with_error(value: f64, error: f64, quantile: f64) -> Self {
        Self {
            value: Some(value),
            low: Some(value - quantile * error),
            high: Some(value + quantile * error),
            error: Some(error),
        }
    }

    /// Both ends of the confidence interval, if both are known.
    #[must_use]
    pub fn interval(&self) -> Option<(f64, f64)> {
        self.low.zip(self.high)
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
}

/// The keys of an estimate in JSON and CSV: one type per set of names, for use with
/// `#[serde(flatten, with = "keys::Margin")]`.
pub(crate) mod keys {
    use serde::{Serialize, Serializer};

    use super::Estimate;

    macro_rules! keys {
        ($($name:ident { $($key:ident: $part:ident),+ })+) => {$(
            #[derive(Serialize)]
            pub(crate) struct $name { $($key: Option<f64>),+ }

            impl $name {
                pub(crate) fn serialize<S: Serializer>(
                    estimate: &Estimate,
                    to: S,
                ) -> Result<S::Ok, S::Error> {
                    Serialize::serialize(&Self { $($key: estimate.$part),+ }, to)
                }
            }
        )+};
    }

    keys! {
        Mean { mean: value, low: low, high: high }
        MeanLegal { mean_legal: value, low: low, high: high }
        First { first: value, first_low: low, first_high: high }
        Second { second: value, second_low: low, second_high: high }
        Share { share: value, share_low: low, share_high: high }
        Forced { forced: value, forced_low: low, forced_high: high }
        Won { won: value, low: low, high: high }
        WinRate { win_rate: value, low: low, high: high }
        BuyerWinRate { win_rate: value, win_low: low, win_high: high }
        FirstWinRate { first_win_rate: value, first_low: low, first_high: high }
        Score { a_score: value, low: low, high: high }
        Elo { elo: value, low: low, high: high }
        EloError { elo: value, low: low, high: high, se: error }
        EloErrorFirst { elo: value, se: error, low: low, high: high }
        SeatElo { elo: value, elo_low: low, elo_high: high }
        SeatEloError { elo: value, elo_se: error, elo_low: low, elo_high: high }
        Normalized { normalized: value, normalized_low: low, normalized_high: high }
        Bias { bias: value, low: low, high: high }
        Margin { margin: value, margin_low: low, margin_high: high }
        WinGain { win_gain: value, win_gain_low: low, win_gain_high: high }
        MarginGain { margin_gain: value, margin_gain_low: low, margin_gain_high: high }
        Points { points: value, low: low, high: high, se: error }
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
