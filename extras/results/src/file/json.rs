//! Results as JSON objects: one per line, several, over several lines, or in an array.

use std::borrow::Cow;
use std::fmt;
use std::io::BufRead;

use patchwork_engine::util::limits::{LONGEST_LINE, size};
use patchwork_engine::util::lines::{text_of, unreadable};
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;

use super::parsed::{FIELDS, ParsedGames, Stated, WINNER, field, missing};

/// Reads a game from each object; other keys are ignored.
pub(super) fn read(mut input: impl BufRead, games: &mut ParsedGames) -> Result<(), String> {
    let mut objects = Objects {
        line: 1,
        ..Objects::default()
    };
    loop {
        let bytes = input.fill_buf().map_err(|error| unreadable(&error))?;
        if bytes.is_empty() {
            break;
        }
        for &byte in bytes {
            objects.take(byte, games)?;
        }
        let count = bytes.len();
        input.consume(count);
    }
    if !objects.text.is_empty() {
        games.break_off(objects.start);
    }
    Ok(())
}

/// Finds the objects in a text.
#[derive(Default)]
struct Objects {
    line: u64,
    /// The object that has begun, if any, and the line on which it begins.
    text: Vec<u8>,
    start: u64,
    depth: usize,
    in_string: bool,
    is_escaped: bool,
    at_line_start: bool,
    /// Whether the rest of the line is not read.
    skips: bool,
}

impl Objects {
    fn take(&mut self, byte: u8, games: &mut ParsedGames) -> Result<(), String> {
        let is_first = std::mem::take(&mut self.at_line_start);
        if byte == b'\n' {
            if self.in_string {
                self.abandon(games);
            }
            self.line += 1;
            self.at_line_start = true;
            self.skips = false;
        }
        if is_first && byte == b'{' && !self.text.is_empty() {
            self.abandon(games);
        }
        if self.text.is_empty() {
            match byte {
                b'{' if !self.skips => {
                    self.text.push(byte);
                    (self.start, self.depth) = (self.line, 1);
                }
                b'[' | b']' | b',' | b'\x1e' => {}
                byte if byte.is_ascii_whitespace() || self.skips => {}
                _ => {
                    self.skips = true;
                    let what = "this is not an object, and the rest of the line is not read";
                    games.leave_out(self.line, what);
                }
            }
            return Ok(());
        }
        self.text.push(byte);
        if self.text.len() > LONGEST_LINE {
            let (line, most) = (self.start, size(LONGEST_LINE as u64));
            return Err(format!(
                "line {line}: an object longer than {most}, the limit"
            ));
        }
        if self.in_string {
            self.in_string = self.is_escaped || byte != b'"';
            self.is_escaped = !self.is_escaped && byte == b'\\';
            return Ok(());
        }
        match byte {
            b'"' => self.in_string = true,
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => self.depth -= 1,
            _ => {}
        }
        if self.depth == 0 {
            add(self.start, &text_of(&self.text), games)?;
            self.text.clear();
        }
        Ok(())
    }

    /// Leaves out the object that has begun.
    fn abandon(&mut self, games: &mut ParsedGames) {
        games.leave_out(self.start, "the object that begins here does not end");
        self.text.clear();
        self.in_string = false;
        self.is_escaped = false;
    }
}

/// Adds the game of an object.
fn add(line: u64, text: &str, games: &mut ParsedGames) -> Result<(), String> {
    let mut json = serde_json::Deserializer::from_str(text);
    let found = json.deserialize_map(Keys);
    let found = found.map_err(|error| {
        // Without the place in the text of the object.
        let what = error.to_string();
        let place = what.rfind(" at line ").unwrap_or(what.len());
        what[..place].to_owned()
    });
    let game = found.and_then(|game| match missing(&game) {
        Some(field) => Err(format!("missing key `{}`", FIELDS[field][0])),
        None => Ok(game),
    });
    match game {
        Ok(game) => games.add(line, &game, false, |field| {
            format!("key {}", FIELDS[field][0])
        }),
        Err(what) => {
            games.leave_out(line, &what);
            Ok(())
        }
    }
}

/// Reads the values of the fields: texts or numbers.
struct Keys;

impl<'de> Visitor<'de> for Keys {
    type Value = Stated<'static>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
        let mut game = Stated::default();
        while let Some(key) = map.next_key::<Cow<'_, str>>()? {
            let Some(field) = field(key.trim()) else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            let wrong = |what: &str| serde::de::Error::custom(format!("key {key}: {what}"));
            let text = match map.next_value()? {
                Value::String(text) => text,
                Value::Number(number) => number.to_string(),
                Value::Null if field == WINNER => {
                    return Err(wrong(
                        "null; expected first, second, draw, or * for an unfinished game",
                    ));
                }
                Value::Null => continue,
                _ => return Err(wrong("expected a text or a number")),
            };
            if game[field].replace(text.into()).is_some() {
                return Err(wrong("a key of this meaning is there already"));
            }
        }
        Ok(game)
    }
}
