//! Numbers as shown to people.

/// The words of a cell: a number, an interval, or a dash.
#[derive(Debug)]
pub(crate) struct Seen {
    numbers: Vec<Rounded>,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    None,
    Value,
    Sides,
    Above,
    Below,
}

/// A number and its possible rounding error.
#[derive(Clone, Copy, Debug)]
struct Rounded {
    value: f64,
    half: f64,
}

impl Rounded {
    /// `+1,234`, `12.3%`, `211.5k/s`, `3.5 ms`; `<0.1` for a number between.
    fn read(text: &str) -> Option<Self> {
        if let Some(most) = text.strip_prefix('<') {
            let most = Self::read(most)?.value;
            let value = most / 2.0;
            return Some(Self { value, half: value });
        }
        if let Some(least) = text.strip_prefix('>') {
            let least = Self::read(least)?.value;
            let (value, half) = (f64::midpoint(least, 1.0), 0.5 * (1.0 - least) + 1e-9);
            return Some(Self { value, half });
        }
        let digits = |c: char| c.is_ascii_digit() || "+−.,".contains(c);
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
        let number = number.replace(',', "").replace('−', "-");
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

    /// The interval of a value: `±12`, `−9/+15`, `above 3`, `below 4` or a dash. Sides have the unit of the value,
    /// and are `<0.1` if they are too short to be written.
    pub(crate) fn interval(value: &str, text: &str) -> Self {
        let unit = if value.ends_with('%') { "%" } else { "" };
        let sides = |below: &str, above: &str| {
            let [below, above] = [below, above].map(|side| side.to_owned() + unit);
            Self::of(Kind::Sides, &[&below, &above])
        };
        if text == "-" {
            Self::of(Kind::None, &[])
        } else if let Some(half) = text.strip_prefix('±') {
            sides(half, half)
        } else if let Some(low) = text.strip_prefix("above ") {
            Self::of(Kind::Above, &[low])
        } else if let Some(high) = text.strip_prefix("below ") {
            Self::of(Kind::Below, &[high])
        } else {
            let (below, above) = text.split_once("/+").expect("an interval");
            sides(below.strip_prefix('−').expect("the lower side"), above)
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

    /// Whether it is the interval of this value with these ends.
    pub(crate) fn is_interval(&self, value: Option<f64>, ends: [Option<f64>; 2]) -> bool {
        let of = |i: usize, number| self.numbers[i].is_of(number);
        match (self.kind, ends) {
            (Kind::None, [None, None]) => true,
            (Kind::Sides, [Some(low), Some(high)]) => {
                value.is_some_and(|value| of(0, value - low) && of(1, high - value))
            }
            (Kind::Above, [Some(low), None]) => of(0, low),
            (Kind::Below, [None, Some(high)]) => of(0, high),
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
        ("−7", -7.3),
    ] {
        assert!(is_rounded_from(text, Some(number)), "{text}");
        assert!(!is_rounded_from(text, Some(number * 1.2)), "{text}");
        assert!(!is_rounded_from(text, None) && !is_rounded_from("-", Some(number)));
    }
    let is = |value, text, number, ends| Seen::interval(value, text).is_interval(number, ends);
    assert!(is(
        "50.0%",
        "−8.8/+5.1",
        Some(0.5),
        [Some(0.412), Some(0.551)]
    ));
    assert!(is("+4", "−8/+9", Some(4.3), [Some(-3.8), Some(13.0)]));
    assert!(!is("+4", "−8/+9", Some(4.3), [Some(-3.8), None]));
    assert!(is("+40", "above +12", Some(40.0), [Some(12.0), None]));
    assert!(!is("+4", "above +12", Some(4.0), [None, Some(12.0)]));
    assert!(is("+10", "±12", Some(10.0), [Some(-2.0), Some(22.0)]));
    assert!(is("1.0", "−0/+<0.1", Some(1.0), [Some(1.0), Some(1.01)]));
    assert!(is("+4", "-", Some(4.0), [None, None]));
}
