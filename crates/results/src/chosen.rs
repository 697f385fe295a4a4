//! Which games of their sources are rated.

use std::fmt;
use std::str::FromStr;

use patchwork_engine::util::InputError;

/// Games that are rated; the default is all.
#[derive(Clone, Debug, Default)]
pub struct Chosen {
    /// Only games of this day or later.
    pub since: Option<Day>,
    /// Only games of this day or earlier.
    pub until: Option<Day>,
    /// Only games of results folders that have one of these tags in their ledger, if there are any here.
    pub tags: Vec<String>,
}

impl Chosen {
    /// Whether the date of games matters.
    pub const fn by_date(&self) -> bool {
        self.since.is_some() || self.until.is_some()
    }

    /// Whether games with this date, as their source states it, are rated.
    pub(crate) fn has_date(&self, stated: &str) -> bool {
        // A time after the day does not matter. PGN has dots in dates, and question marks for what is not known.
        let day = stated.get(..10).unwrap_or(stated).replace(['.', '/'], "-");
        let is_within = |day: Day| {
            self.since.as_ref().is_none_or(|since| *since <= day)
                && self.until.as_ref().is_none_or(|until| day <= *until)
        };
        !self.by_date() || day.parse().is_ok_and(is_within)
    }
}

/// A day, such as `2026-11-27`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day(String);

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Day {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Self, InputError> {
        let parts: Vec<&str> = text.split('-').collect();
        let number = |at: usize, digits: usize, last: u32| {
            let part = parts[at];
            let is_number = part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit());
            is_number
                && part
                    .parse()
                    .is_ok_and(|number: u32| (1..=last).contains(&number))
        };
        if parts.len() == 3 && number(0, 4, 9999) && number(1, 2, 12) && number(2, 2, 31) {
            return Ok(Self(text.to_owned()));
        }
        let what = format!("'{text}' is not a day; expected one such as 2026-11-27");
        Err(InputError::new(what))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_as_they_are_written() {
        let day = |text: &str| Some(text.parse().expect("a day"));
        let chosen = |since: Option<Day>, until| Chosen {
            since,
            until,
            ..Chosen::default()
        };
        let november = chosen(day("2026-11-01"), day("2026-11-30"));
        for stated in [
            "2026-11-01",
            "2026.11.30",
            "2026/11/15",
            "2026-11-30T23:59:59Z",
        ] {
            assert!(november.has_date(stated), "{stated}");
        }
        for stated in [
            "",
            "2026-10-31",
            "2026.12.01",
            "2026.11.??",
            "????.??.??",
            "yesterday",
        ] {
            assert!(!november.has_date(stated), "{stated}");
        }
        assert!(chosen(None, None).has_date("????.??.??"));
        assert!(chosen(None, day("2026-11-30")).has_date("1999.12.31"));
        for text in [
            "",
            "2026",
            "2026-13-01",
            "2026-11-00",
            "26-11-27",
            "2026-11-2",
            "+026-11-02",
        ] {
            let error = text.parse::<Day>().expect_err(text).to_string();
            assert!(
                error.contains("is not a day; expected one such as"),
                "{error}"
            );
        }
    }
}
