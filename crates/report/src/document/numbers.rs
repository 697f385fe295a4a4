//! Numbers formatted for people. An unknown number is written as a dash.

pub use patchwork_engine::util::{counted, thousands};
use patchwork_rating::Estimate;

/// A number formatted by `format`, or a dash if it is unknown.
pub(crate) fn known(value: impl Into<Option<f64>>, format: impl Fn(f64) -> String) -> String {
    value.into().map_or_else(|| UNKNOWN.to_owned(), format)
}

/// The kind of a number, which decides how it and its interval are written for people.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// Text, not a number.
    #[default]
    Text,
    /// The name of an agent.
    Name,
    /// Text of a fixed width, such as settings or the patches of a ring.
    Code,
    /// A count.
    Count,
    /// A number without decimal places.
    Whole,
    /// A number with one decimal place.
    OneDecimal,
    /// A number with two decimal places.
    TwoDecimals,
    /// A number with three decimal places, such as the result of a trial.
    ThreeDecimals,
    /// A share, 0 to 1, in percent.
    Share,
    /// A probability that is neither 0 nor 1, in percent.
    Chance,
    /// The p-value of a test, with three decimal places.
    PValue,
    /// A difference in Elo.
    Elo,
    /// A difference in Elo with one decimal place.
    FineElo,
    /// A difference in points.
    Points,
    /// A log likelihood ratio.
    Llr,
    /// Events per second.
    Rate,
    /// Seconds.
    Seconds,
    /// The decimal logarithm of seconds, for a logarithmic axis.
    LogSeconds,
    /// Quantiles, which the page draws and the text leaves out.
    Spread,
    /// The number of a patch, whose shape the page draws; the text leaves it out.
    Shape,
}

/// The text for an unknown number.
pub const UNKNOWN: &str = "-";

impl Unit {
    /// Formats a number.
    pub fn number(self, number: f64) -> String {
        match self {
            Self::Text | Self::Name | Self::Code | Self::Spread | Self::Shape => number.to_string(),
            Self::Count => {
                let count = thousands(number.abs().round() as u64);
                format!("{}{count}", if number < 0.0 { MINUS } else { "" })
            }
            Self::Whole => with_minus(&format!("{number:.0}")),
            Self::OneDecimal => with_minus(&format!("{number:.1}")),
            Self::TwoDecimals => with_minus(&format!("{number:.2}")),
            Self::ThreeDecimals => with_minus(&format!("{number:.3}")),
            Self::Share => format!("{:.1}%", 100.0 * number),
            Self::Chance => match Self::Share.number(number) {
                all if all == "100.0%" => ">99.9%".to_owned(),
                none if none == "0.0%" => "<0.1%".to_owned(),
                text => text,
            },
            Self::PValue => match Self::ThreeDecimals.number(number) {
                none if none == "0.000" => "<0.001".to_owned(),
                text => text,
            },
            Self::Elo => signed(number, 0),
            Self::FineElo | Self::Points => signed(number, 1),
            Self::Llr => signed(number, 2),
            Self::Rate => per_second(number),
            Self::Seconds => duration(number),
            Self::LogSeconds => duration(10_f64.powf(number)),
        }
    }

    /// Formats a number for an axis.
    pub(crate) fn tick(self, number: f64) -> String {
        match self {
            Self::Share => format!("{:.0}%", 100.0 * number),
            _ => self.number(number),
        }
    }

    /// Formats a number, or a dash if it is unknown.
    pub fn known(self, number: impl Into<Option<f64>>) -> String {
        known(number, |number| self.number(number))
    }

    /// The 95% interval of an estimate in the form of [`Estimate::interval_as`]: `±12`, `−9/+15`, `above −3`; a
    /// dash if no end is known.
    pub(crate) fn interval(self, estimate: Estimate) -> String {
        let told = estimate.interval_as(|number| self.number(number));
        told.unwrap_or_else(|| UNKNOWN.to_owned())
    }

    /// The interval for a headline, if it is known: `95%: ±12`.
    pub fn confident(self, estimate: Estimate) -> Option<String> {
        match self.interval(estimate) {
            unknown if unknown == UNKNOWN => None,
            interval => Some(format!("95%: {interval}")),
        }
    }

    /// The value with its interval, for a sentence: `+4 Elo (95%: −7/+8)`.
    pub fn with_interval(self, estimate: Estimate) -> String {
        let noun = match self {
            Self::Elo | Self::FineElo => " Elo",
            Self::Points => " points",
            _ => "",
        };
        let value = self.known(estimate) + noun;
        match self.interval(estimate) {
            unknown if unknown == UNKNOWN => value,
            interval => format!("{value} (95%: {interval})"),
        }
    }

    pub(crate) const fn is_number(self) -> bool {
        !matches!(self, Self::Text | Self::Name | Self::Code)
    }

    /// Whether only the page shows it.
    pub(crate) const fn is_drawn(self) -> bool {
        matches!(self, Self::Spread | Self::Shape)
    }
}

/// A share of 1 in percent.
pub fn percent(share: impl Into<Option<f64>>) -> String {
    known(share, |share| format!("{:.1}%", 100.0 * share))
}

/// Elo points with their interval: `+1083 -186/+221`. The form of the tables, for a line.
pub fn elo_with_interval(elo: Estimate) -> String {
    match (Unit::Elo.known(elo), Unit::Elo.interval(elo)) {
        (value, unknown) if unknown == UNKNOWN => value,
        (value, interval) => format!("{value} {interval}"),
    }
}

/// A number with its sign.
pub fn signed(value: impl Into<Option<f64>>, places: usize) -> String {
    known(value, |value| with_minus(&format!("{value:+.places$}")))
}

/// The sign of a negative number.
const MINUS: &str = "\u{2212}";

/// A number with a minus sign instead of a hyphen, and without a sign if it was rounded to 0.
fn with_minus(number: &str) -> String {
    if number.contains(|c: char| ('1'..='9').contains(&c)) {
        number.replace('-', MINUS)
    } else {
        number.trim_start_matches(['+', '-']).to_owned()
    }
}

/// A rate in compact form: `12.3k/s`; a dash if it is unknown.
pub fn per_second(rate: impl Into<Option<f64>>) -> String {
    known(rate, |rate| match rate {
        r if r < 999.5 => format!("{r:.0}/s"),
        r if r < 999_950.0 => format!("{:.1}k/s", r / 1e3),
        r => format!("{:.2}M/s", r / 1e6),
    })
}

/// A duration in compact form: `3.3 ms`; a dash if it is unknown.
pub fn duration(seconds: impl Into<Option<f64>>) -> String {
    known(seconds, |seconds| match seconds {
        s if s < 0.5e-6 => "<1 us".to_string(),
        s if s < 999.5e-6 => format!("{:.0} us", s * 1e6),
        s if s < 9.95e-3 => format!("{:.1} ms", s * 1e3),
        s if s < 0.9995 => format!("{:.0} ms", s * 1e3),
        s => format!("{s:.1} s"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_have_units() {
        assert_eq!(per_second(12_345.0), "12.3k/s");
        assert_eq!(per_second(999_960.0), "1.00M/s");
        assert_eq!(per_second(12.2), "12/s");
        assert_eq!(duration(0.000_000_3), "<1 us");
        assert_eq!(duration(0.000_02), "20 us");
        assert_eq!(duration(0.0451), "45 ms");
        assert_eq!(duration(0.999_6), "1.0 s");
        assert_eq!(signed(-0.04, 1), "0.0");
        assert_eq!(signed(-0.06, 1), "−0.1");
        assert_eq!(signed(3.0, 0), "+3");
        assert_eq!(percent(None), "-");
        assert_eq!(Unit::Count.number(-12_345.0), "−12,345");
    }

    #[test]
    fn nothing_is_certain_that_is_only_likely() {
        let chances = [1.0, 0.9996, 0.999, 0.5, 0.0004, 0.0].map(|los| Unit::Chance.number(los));
        assert_eq!(
            chances,
            [">99.9%", ">99.9%", "99.9%", "50.0%", "<0.1%", "<0.1%"]
        );
        let values = [0.5, 0.0006, 0.0004, 0.0].map(|p| Unit::PValue.number(p));
        assert_eq!(values, ["0.500", "0.001", "<0.001", "<0.001"]);
    }

    #[test]
    fn an_open_end_is_no_number() {
        let elo = |value, low, high| Estimate {
            value,
            low,
            high,
            error: None,
        };
        let closed = elo(Some(4.0), Some(-8.0), Some(16.4));
        assert_eq!(Unit::Elo.interval(closed), "±12");
        assert_eq!(Unit::FineElo.interval(closed), "−12.0/+12.4");
        let skewed = elo(Some(1083.4), Some(897.2), Some(1304.1));
        assert_eq!(Unit::Elo.interval(skewed), "−186/+221");
        let narrow = Estimate::with_error(4.2, 0.01, 2.0);
        assert_eq!(Unit::Elo.interval(narrow), "±<1");
        assert_eq!(Unit::FineElo.interval(narrow), "±<0.1");
        // An interval that was cut off at the smallest possible value.
        let cut = elo(Some(1.0), Some(1.0), Some(1.23));
        assert_eq!(Unit::OneDecimal.interval(cut), "−0/+0.2");
        assert_eq!(Unit::Elo.with_interval(closed), "+4 Elo (95%: ±12)");
        let above = elo(Some(400.0), Some(120.0), None);
        assert_eq!(Unit::Elo.interval(above), "above +120");
        let below = elo(Some(0.0), None, Some(-3.0));
        assert_eq!(Unit::Elo.interval(below), "below −3");
        let open = elo(Some(400.0), None, None);
        assert_eq!(Unit::Elo.interval(open), "-");
        assert_eq!(Unit::Elo.with_interval(open), "+400 Elo");
        assert_eq!(Unit::Elo.with_interval(Estimate::default()), "- Elo");
        let share = elo(Some(0.5), Some(0.412), Some(0.551));
        assert_eq!(Unit::Share.number(0.5), "50.0%");
        assert_eq!(Unit::Share.interval(share), "−8.8/+5.1");
        let unlimited = elo(None, Some(0.412), None);
        assert_eq!(Unit::Share.interval(unlimited), "above 41.2%");
    }
}
