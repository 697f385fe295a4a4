//! Numbers as people read them. One that is not known is a dash.

use crate::rating::Estimate;

pub(crate) fn optional(value: Option<f64>, format: impl Fn(f64) -> String) -> String {
    value.map_or_else(|| "-".to_string(), format)
}

pub(crate) fn interval(
    low: Option<f64>,
    high: Option<f64>,
    format: impl Fn(f64) -> String,
) -> String {
    low.zip(high).map_or_else(
        || "-".to_string(),
        |(low, high)| format!("{} to {}", format(low), format(high)),
    )
}

pub(crate) fn one_place(value: f64) -> String {
    unsigned_zero(format!("{value:.1}"))
}

/// An interval of shares; they are never negative, so a dash cannot be read as a sign.
pub(crate) fn percents(low: Option<f64>, high: Option<f64>) -> String {
    low.zip(high).map_or_else(
        || "-".to_string(),
        |(low, high)| format!("{:.1}-{:.1}", 100.0 * low, 100.0 * high),
    )
}

pub(crate) fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

pub(crate) fn signed(value: f64, places: usize) -> String {
    unsigned_zero(format!("{value:+.places$}"))
}

/// A number that is rounded to 0 has no sign.
fn unsigned_zero(number: String) -> String {
    if number.contains(|c: char| ('1'..='9').contains(&c)) {
        number
    } else {
        number.trim_start_matches(['+', '-']).to_string()
    }
}

/// A rate in few letters: `12.3k/s`.
#[must_use]
pub fn per_second(rate: f64) -> String {
    match rate {
        r if r < 999.5 => format!("{r:.0}/s"),
        r if r < 999_950.0 => format!("{:.1}k/s", r / 1e3),
        r => format!("{:.2}M/s", r / 1e6),
    }
}

/// A time in few letters: `3.3 ms`.
#[must_use]
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 0.5e-6 => "<1 us".to_string(),
        s if s < 999.5e-6 => format!("{:.0} us", s * 1e6),
        s if s < 9.95e-3 => format!("{:.1} ms", s * 1e3),
        s if s < 0.9995 => format!("{:.0} ms", s * 1e3),
        s => format!("{s:.1} s"),
    }
}

/// A whole number with commas between its thousands.
pub(crate) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

pub(crate) fn counted(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

/// As [`counted`], with commas between the thousands.
pub(crate) fn counted_thousands(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", thousands(number))
}

/// Half of an interval's width.
pub(crate) fn half_width(estimate: Estimate) -> Option<f64> {
    estimate.interval().map(|(low, high)| (high - low) / 2.0)
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
        assert_eq!(signed(3.0, 0), "+3");
    }
}
