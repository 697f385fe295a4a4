//! Results as JSON, one object per line.

use std::io::BufRead;

use patchwork_engine::util::lines::TextLines;

use super::gathered::{Gathered, Stated};

/// Reads a game from each line; other keys are ignored.
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
        let game: Stated<'_> =
            serde_path_to_error::deserialize(&mut serde_json::Deserializer::from_str(text))
                .map_err(|error| format!("line {line}: {}", error_text(&error)))?;
        games
            .add(line, &game)
            .map_err(|(key, what)| format!("line {line}, key {key}: {what}"))?;
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
