//! Numbers as shown to people.

/// The words of a cell: a number, an interval, or a dash.
pub(crate) struct Seen {
    numbers: Vec<Rounded>,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    None,
    Value,
    Half,
    Above,
    Below,
    Both,
}

/// A number and its possible rounding error.
#[derive(Clone, Copy, Debug)]
struct Rounded {
    value: f64,
    half: f64,
}

impl Rounded {
    /// `+1,234`, `12.3%`, `211.5k/s`, `3.5 ms`.
    fn read(text: &str) -> Option<Self> {
        let digits = |c: char| c.is_ascii_digit() || "+-.,".contains(c);
        let end = text.find(|c| !digits(c)).unwrap_or(text.len());
        let (number, unit) = text.split_at(end);
        let scale = match unit {
            "" | "/s" | " s" => 1.0,
            "%" => 0.01,
            "k/s" => 1e3,
            "M/s" => 1e6,
            " ms" => 1e-3,
            " us" => 1e-6,
            _ => return None,
        };
        let number = number.replace(',', "");
        let places = number.split_once('.').map_or(0, |(_, places)| places.len());
        let value: f64 = number.parse().ok()?;
        Some(Self {
            value: value * scale,
            half: 0.5 * scale * 10f64.powi(-(places as i32)) * (1.0 + 1e-6),
        })
    }

    fn is_of(self, number: f64) -> bool {
        (self.value - number).abs() <= self.half + 1e-12 * number.abs()
    }
}

impl Seen {
    fn of(kind: Kind, texts: &[&str]) -> Self {
        let read = |text: &&str| Rounded::read(text).unwrap_or_else(|| panic!("no number: {text}"));
        Self {
            numbers: texts.iter().map(read).collect(),
            kind,
        }
    }

    /// A number or a dash.
    pub(crate) fn value(text: &str) -> Self {
        match text {
            "-" => Self::of(Kind::None, &[]),
            _ => Self::of(Kind::Value, &[text]),
        }
    }

    /// `±12`, `above 3`, `below 4`, `-3 to +12`, `41.2-55.1%` or a dash.
    pub(crate) fn interval(text: &str) -> Self {
        if text == "-" {
            Self::of(Kind::None, &[])
        } else if let Some(half) = text.strip_prefix('±') {
            Self::of(Kind::Half, &[half])
        } else if let Some(low) = text.strip_prefix("above ") {
            Self::of(Kind::Above, &[low])
        } else if let Some(high) = text.strip_prefix("below ") {
            Self::of(Kind::Below, &[high])
        } else if let Some((low, high)) = text.split_once(" to ") {
            Self::of(Kind::Both, &[low, high])
        } else {
            let (low, high) = text.split_once('-').expect("an interval");
            Self::of(Kind::Both, &[&format!("{low}%"), high])
        }
    }

    /// Whether it is this number after rounding, or both are unknown.
    pub(crate) fn is_rounded(&self, number: Option<f64>) -> bool {
        match (self.kind, number) {
            (Kind::None, None) => true,
            (Kind::Value, Some(number)) => self.numbers[0].is_of(number),
            _ => false,
        }
    }

    /// Whether it is the interval with these ends.
    pub(crate) fn is_interval(&self, ends: [Option<f64>; 2]) -> bool {
        let of = |i: usize, number| self.numbers[i].is_of(number);
        match (self.kind, ends) {
            (Kind::None, [None, None]) => true,
            (Kind::Half, [Some(low), Some(high)]) => of(0, (high - low) / 2.0),
            (Kind::Above, [Some(low), None]) => of(0, low),
            (Kind::Below, [None, Some(high)]) => of(0, high),
            (Kind::Both, [Some(low), Some(high)]) => of(0, low) && of(1, high),
            _ => false,
        }
    }
}

/// Whether a text is this number after rounding.
pub(crate) fn is_rounded_from(text: &str, number: Option<f64>) -> bool {
    Seen::value(text).is_rounded(number)
}

#[test]
fn numbers_are_read_with_their_units() {
    for (text, number) in [
        ("+1,234", 1234.4),
        ("12.3%", 0.12349),
        ("211.5k/s", 211_460.0),
        ("3.5 ms", 0.003_54),
        ("-7", -7.3),
    ] {
        assert!(is_rounded_from(text, Some(number)), "{text}");
        assert!(!is_rounded_from(text, Some(number * 1.2)), "{text}");
        assert!(!is_rounded_from(text, None) && !is_rounded_from("-", Some(number)));
    }
    assert!(Seen::interval("41.2-55.1%").is_interval([Some(0.412), Some(0.551)]));
    assert!(Seen::interval("-3 to +12").is_interval([Some(-3.2), Some(12.1)]));
    assert!(!Seen::interval("-3 to +12").is_interval([Some(-3.2), None]));
    assert!(Seen::interval("above +12").is_interval([Some(12.0), None]));
    assert!(!Seen::interval("above +12").is_interval([None, Some(12.0)]));
    assert!(Seen::interval("±12").is_interval([Some(-2.0), Some(22.0)]));
    assert!(Seen::interval("-").is_interval([None, None]));
}
