//! Numbers formatted for people. An unknown number is written as a dash.

use crate::rating::Estimate;
pub use crate::util::counted::{counted, thousands};

/// An estimate is formatted as its value.
impl From<Estimate> for Option<f64> {
    fn from(estimate: Estimate) -> Self {
        estimate.value
    }
}

/// A number formatted by `format`, or a dash if it is unknown.
pub(crate) fn known(value: impl Into<Option<f64>>, format: impl Fn(f64) -> String) -> String {
    value.into().map_or_else(|| "-".to_owned(), format)
}

/// The interval of an estimate: `1.2 to 3.4`, or `above 1.2` if it has one end.
pub(crate) fn interval(estimate: Estimate, format: impl Fn(f64) -> String) -> String {
    match (estimate.low, estimate.high) {
        (Some(low), Some(high)) => format!("{} to {}", format(low), format(high)),
        (Some(low), None) => format!("above {}", format(low)),
        (None, Some(high)) => format!("below {}", format(high)),
        (None, None) => "-".to_owned(),
    }
}

/// The interval of a share in percent: `41.2-55.1`. Shares are never negative, so the dash cannot
/// be mistaken for a minus sign.
pub(crate) fn percents(share: Estimate) -> String {
    share.interval().map_or_else(
        || "-".to_owned(),
        |(low, high)| format!("{:.1}-{:.1}", 100.0 * low, 100.0 * high),
    )
}

/// Half the width of the interval: `±12`; the end of an interval that has one: `above +12`.
pub(crate) fn plus_minus(estimate: Estimate, places: usize) -> String {
    match estimate.interval() {
        Some((low, high)) => format!("±{:.places$}", (high - low) / 2.0),
        None => interval(estimate, |end| signed(end, places)),
    }
}

/// A number without decimal places.
pub(crate) fn whole(value: impl Into<Option<f64>>) -> String {
    known(value, |value| format!("{value:.0}"))
}

/// A number with one decimal place.
pub(crate) fn one_place(value: impl Into<Option<f64>>) -> String {
    known(value, |value| unsigned_zero(format!("{value:.1}")))
}

/// A number with three decimal places, as used for Brier scores.
pub(crate) fn three_places(value: impl Into<Option<f64>>) -> String {
    known(value, |value| format!("{value:.3}"))
}

/// A share of 1 in percent.
pub(crate) fn percent(share: impl Into<Option<f64>>) -> String {
    known(share, |share| format!("{:.1}%", 100.0 * share))
}

/// A number with its sign.
pub(crate) fn signed(value: impl Into<Option<f64>>, places: usize) -> String {
    known(value, |value| unsigned_zero(format!("{value:+.places$}")))
}

/// A difference in Elo.
pub(crate) fn elo(value: impl Into<Option<f64>>) -> String {
    signed(value, 0)
}

/// A difference in points.
pub(crate) fn points(value: impl Into<Option<f64>>) -> String {
    signed(value, 1)
}

/// Removes the sign of a number that was rounded to 0.
fn unsigned_zero(number: String) -> String {
    if number.contains(|c: char| ('1'..='9').contains(&c)) {
        number
    } else {
        number.trim_start_matches(['+', '-']).to_string()
    }
}

/// A rate in compact form: `12.3k/s`; a dash if it is unknown.
#[must_use]
pub fn per_second(rate: impl Into<Option<f64>>) -> String {
    known(rate, |rate| match rate {
        r if r < 999.5 => format!("{r:.0}/s"),
        r if r < 999_950.0 => format!("{:.1}k/s", r / 1e3),
        r => format!("{:.2}M/s", r / 1e6),
    })
}

/// A duration in compact form: `3.3 ms`; a dash if it is unknown.
#[must_use]
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
        assert_eq!(signed(-0.06, 1), "-0.1");
        assert_eq!(signed(3.0, 0), "+3");
        assert_eq!(percent(None), "-");
        let ends = |low, high| Estimate {
            low,
            high,
            ..Estimate::default()
        };
        assert_eq!(plus_minus(ends(Some(-3.0), Some(5.0)), 0), "±4");
        assert_eq!(plus_minus(ends(Some(12.0), None), 0), "above +12");
        assert_eq!(interval(ends(None, Some(-7.0)), whole), "below -7");
        assert_eq!(interval(ends(None, None), whole), "-");
    }
}
