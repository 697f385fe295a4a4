//! Results as JSON, one object per line.

use std::io::BufRead;

use patchwork_engine::util::lines::TextLines;
use serde::Deserialize;
use serde_json::Value;

use super::gathered::{Gathered, Stated, StatedField, StatedSetup};

/// A line; other keys are ignored.
#[derive(Deserialize)]
struct JsonGame {
    #[serde(alias = "white")]
    first: JsonText,
    #[serde(alias = "black")]
    second: JsonText,
    #[serde(alias = "result")]
    winner: JsonText,
    #[serde(default)]
    pairing: Option<JsonText>,
    #[serde(default)]
    pair: Option<JsonText>,
    #[serde(default)]
    leg: Option<JsonText>,
}

/// A text or a number.
struct JsonText(String);

impl<'de> Deserialize<'de> for JsonText {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        use serde::de::Error as _;
        match Value::deserialize(from)? {
            Value::String(text) => Ok(Self(text)),
            Value::Number(number) => Ok(Self(number.to_string())),
            _ => Err(D::Error::custom("expected a text or a number")),
        }
    }
}

pub(super) fn read(input: impl BufRead, games: &mut Gathered) -> Result<(), String> {
    let mut lines = TextLines::new(input);
    loop {
        let line = lines.number() + 1;
        let Some(text) = lines.next_text()? else {
            return Ok(());
        };
        if text.trim().is_empty() {
            continue;
        }
        let game: JsonGame =
            serde_path_to_error::deserialize(&mut serde_json::Deserializer::from_str(text))
                .map_err(|error| format!("line {line}: {}", error_text(&error)))?;
        add(line, &game, games)?;
    }
}

/// The error without the line number, which is always 1 for the parser.
fn error_text(error: &serde_path_to_error::Error<serde_json::Error>) -> String {
    let what = error.inner().to_string();
    let what = what
        .rsplit_once(" at line ")
        .map_or(what.as_str(), |(what, _)| what);
    let what = what.replace("missing field", "missing key");
    match error.path().to_string().as_str() {
        "." => what,
        key => format!("key {key}: {what}"),
    }
}

fn add(line: u64, game: &JsonGame, games: &mut Gathered) -> Result<(), String> {
    let text = |text: &'_ Option<JsonText>| text.as_ref().map(|JsonText(text)| text.clone());
    let (pairing, pair, leg) = (text(&game.pairing), text(&game.pair), text(&game.leg));
    let setup = match &pair {
        None => StatedSetup::Unknown,
        Some(pair) => StatedSetup::Pair {
            pairing: pairing.as_deref().unwrap_or_default(),
            pair,
            leg: leg.as_deref(),
        },
    };
    let stated = Stated {
        first: &game.first.0,
        second: &game.second.0,
        winner: &game.winner.0,
        setup,
    };
    games.add(line, &stated).map_err(|fault| {
        let key = match fault.field {
            StatedField::First => "first",
            StatedField::Second => "second",
            StatedField::Winner => "winner",
            StatedField::Pair => "pair",
            StatedField::Leg => "leg",
        };
        format!("line {line}, key {key}: {}", fault.what)
    })
}
