//! Estimates with 95% confidence intervals.

use serde::Serialize;

/// A quantity estimated from games, with its 95% confidence interval.
///
/// In JSON, it is an object: `{value, low, high, se}`.
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
            value: self.value,
            ..Self::default()
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
    pub fn negated(&self) -> Self {
        let negated = self.scaled(-1.0);
        Self {
            low: negated.high,
            high: negated.low,
            error: self.error,
            ..negated
        }
    }

    /// The difference of two independent estimates. Its interval comes from both by the method of variance estimates recovery
    /// (Zou and Donner, Statistics in Medicine 2008), which keeps that they are not symmetric; an end is unknown if one of
    /// its two ends is.
    ///
    /// ```
    /// use patchwork_rating::Estimate;
    ///
    /// let of = |value, low, high| Estimate { value: Some(value), low, high, error: None };
    /// let change = of(10.0, Some(7.0), Some(14.0)).minus(&of(4.0, Some(1.0), Some(8.0)));
    /// assert_eq!((change.value, change.low, change.high), (Some(6.0), Some(1.0), Some(11.0)));
    /// assert_eq!(of(10.0, None, Some(14.0)).minus(&of(4.0, Some(1.0), None)).low, None);
    /// ```
    pub fn minus(&self, other: &Self) -> Self {
        let value = self.value.zip(other.value).map(|(one, other)| one - other);
        // How far the difference may be from its value on one side, by the ends of both on that side.
        let room = |own: Option<f64>, others: Option<f64>| {
            let own = own? - self.value?;
            Some(own.hypot(others? - other.value?))
        };
        Self {
            value,
            low: value
                .zip(room(self.low, other.high))
                .map(|(value, room)| value - room),
            high: value
                .zip(room(self.high, other.low))
                .map(|(value, room)| value + room),
            error: self
                .error
                .zip(other.error)
                .map(|(one, other)| one.hypot(other)),
        }
    }

    /// The estimate in another unit: value, interval and error are multiplied by `factor`.
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
