//! The rules that a game may choose: the printing of the time board, and a komi.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::track::Track;
use crate::util::InputError;
use crate::util::suggest::did_you_mean;

/// The largest komi.
pub const MAX_KOMI: u8 = 99;

/// The printing of the time board, and the komi: buttons that the second player has more at the start.
///
/// Its text is the name of the track, such as `original`, followed by `+2` if the komi is 2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rules {
    track: Track,
    komi: u8,
}

impl Rules {
    /// A printing with a komi; `None` if the komi is greater than [`MAX_KOMI`].
    pub const fn with_komi(track: Track, komi: u8) -> Option<Self> {
        if komi > MAX_KOMI {
            return None;
        }
        Some(Self { track, komi })
    }

    /// The printing of the time board.
    pub const fn track(self) -> Track {
        self.track
    }

    /// Buttons that the second player has more at the start, 0 to [`MAX_KOMI`].
    pub const fn komi(self) -> u8 {
        self.komi
    }

    /// A number for each choice of rules; without a komi, it is that of the track.
    pub const fn code(self) -> u8 {
        self.track as u8 | self.komi << 1
    }

    /// The rules with this number; `None` if there are none.
    pub const fn of_code(code: u8) -> Option<Self> {
        Self::with_komi(Track::ALL[code as usize & 1], code >> 1)
    }
}

/// Without a komi.
impl From<Track> for Rules {
    fn from(track: Track) -> Self {
        Self { track, komi: 0 }
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.track)?;
        if self.komi > 0 {
            write!(f, "+{}", self.komi)?;
        }
        Ok(())
    }
}

impl FromStr for Rules {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Self, InputError> {
        let (name, komi) = match text.split_once('+') {
            None => (text, Some(0)),
            Some((name, komi)) => (name, komi_of(komi)),
        };
        let Ok(track) = name.parse() else {
            let near = did_you_mean(name, Track::ALL.map(Track::name));
            return Err(InputError::new(format!(
                "'{text}' is not a track; expected original or revised, or with a komi as in original+2{near}"
            )));
        };
        let rules = komi.and_then(|komi| Self::with_komi(track, komi));
        rules.ok_or_else(|| {
            InputError::new(format!(
                "'{text}' has no komi; expected {track}+1 to {track}+{MAX_KOMI}, or {track} without a komi"
            ))
        })
    }
}

/// The komi of a text, which is a number from 1 without leading zeros.
fn komi_of(text: &str) -> Option<u8> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
    text.parse().ok().filter(|_| is_number)
}

impl Serialize for Rules {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Rules {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(from)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Rules {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Rules".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string",
            "anyOf": [
                { "enum": Track::ALL.map(Track::name) },
                { "pattern": "^(original|revised)\\+[1-9][0-9]?$" },
            ],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read_and_written() {
        for track in Track::ALL {
            let plain = Rules::from(track);
            assert_eq!(plain.to_string(), track.name());
            assert_eq!(plain.code(), track as u8);
            for komi in 0..=MAX_KOMI {
                let rules = Rules::with_komi(track, komi).expect("not too large");
                assert_eq!(rules.to_string().parse(), Ok(rules));
                assert_eq!(Rules::of_code(rules.code()), Some(rules));
            }
        }
        assert_eq!(Rules::with_komi(Track::Original, MAX_KOMI + 1), None);
        assert_eq!(Rules::of_code(255), None);
        let refused = |text: &str| text.parse::<Rules>().unwrap_err().to_string();
        for text in [
            "original+0",
            "original+",
            "original+100",
            "original++2",
            "original+02",
        ] {
            let expected = "has no komi; expected original+1 to original+99";
            assert!(
                refused(text).contains(expected),
                "{text}: {}",
                refused(text)
            );
        }
        for text in ["", "new", "+2", "new+2"] {
            assert!(refused(text).contains("is not a track; expected original or revised"));
        }
    }
}
