//! Results from the tags of PGN for any game; moves are skipped.

use std::collections::BTreeMap;
use std::io::BufRead;

use patchwork_engine::util::lines::TextLines;

use super::gathered::{Gathered, Stated};

/// The tags that are read.
const TAGS: [&str; 11] = [
    "White", "Black", "First", "Second", "Result", "Event", "Round", "FEN", "Pairing", "Pair",
    "Leg",
];

/// The tags of a game, as far as they are read.
type Tags = BTreeMap<&'static str, String>;

pub(super) fn read(input: impl BufRead, games: &mut Gathered) -> Result<(), String> {
    let mut lines = TextLines::new(input);
    // The line on which the game starts, if there is one, and whether its moves have begun.
    let (mut start, mut in_moves) = (None, false);
    let mut tags = Tags::new();
    // The line on which an unfinished comment began.
    let mut comment: Option<u64> = None;
    loop {
        let number = lines.number() + 1;
        let Some(line) = lines.next_line()? else {
            break;
        };
        let text = line.trim_ascii();
        if comment.is_none() && text.starts_with(b"[") {
            let (name, value) = tag(text, number)?;
            if in_moves || tags.contains_key(name) {
                add(start.take(), &std::mem::take(&mut tags), games)?;
                in_moves = false;
            }
            start.get_or_insert(number);
            if let Some(name) = TAGS.iter().find(|known| **known == name) {
                tags.insert(name, value);
            }
        } else if comment.is_some() || !line.starts_with(b"%") {
            let (moves, open) = scan(text, comment.is_some());
            comment = open.then(|| comment.unwrap_or(number));
            if moves && start.is_none() {
                return Err(format!(
                    "line {number}: this does not belong to a game; expected tags such as [White \"a\"]"
                ));
            }
            in_moves |= moves;
        }
    }
    if let Some(line) = comment {
        return Err(format!(
            "line {line}: a comment begins here and does not end; expected '}}'"
        ));
    }
    add(start, &tags, games)
}

/// Whether a line has anything besides comments, and whether it ends in a comment.
fn scan(text: &[u8], mut in_comment: bool) -> (bool, bool) {
    let mut moves = false;
    for byte in text {
        match (in_comment, byte) {
            (true, b'}') => in_comment = false,
            (true, _) => {}
            (false, b'{') => in_comment = true,
            (false, b';') => break,
            (false, byte) => moves |= !byte.is_ascii_whitespace(),
        }
    }
    (moves, in_comment)
}

/// Name and value of `[Name "value"]`; a backslash escapes a quotation mark or a backslash.
fn tag(text: &[u8], line: u64) -> Result<(&str, String), String> {
    let text = std::str::from_utf8(text).map_err(|_| format!("line {line}: not valid UTF-8"))?;
    let wrong =
        || format!("line {line}: not a tag; expected a name and a value such as [White \"a\"]");
    let inside = text
        .strip_prefix('[')
        .and_then(|text| text.strip_suffix(']'));
    let (name, quoted) = inside
        .and_then(|text| text.trim().split_once(char::is_whitespace))
        .ok_or_else(wrong)?;
    let quoted = quoted.trim().strip_prefix('"').ok_or_else(wrong)?;
    let quoted = quoted.strip_suffix('"').ok_or_else(wrong)?;
    let mut value = String::with_capacity(quoted.len());
    let mut letters = quoted.chars();
    while let Some(letter) = letters.next() {
        value.push(match letter {
            '\\' => letters.next().ok_or_else(wrong)?,
            letter => letter,
        });
    }
    Ok((name, value))
}

/// Adds the game that starts on a line, if there is one.
fn add(start: Option<u64>, tags: &Tags, games: &mut Gathered) -> Result<(), String> {
    let Some(line) = start else { return Ok(()) };
    let tag = |name: &str| tags.get(name).map(String::as_str);
    let of = |names: [&'static str; 2]| {
        let found = names.into_iter().find_map(|name| Some((name, tag(name)?)));
        found.ok_or_else(|| {
            let [name, _] = names;
            format!("line {line}: the game that begins here has no tag {name}")
        })
    };
    let first = of(["White", "First"])?;
    let second = of(["Black", "Second"])?;
    let (_, result) = of(["Result", "Result"])?;
    if !["1-0", "0-1", "1/2-1/2", "*"].contains(&result) {
        return Err(format!(
            "line {line}, tag Result: '{result}' is not a result; expected 1-0, 0-1, 1/2-1/2 or *"
        ));
    }
    // The order of the two agents does not matter.
    let agents = [first.1.min(second.1), first.1.max(second.1)];
    let known = |name| tag(name).filter(|value| !["", "?", "-"].contains(value));
    let round = known("Round").map(|round| {
        let event = tag("Event").unwrap_or_default();
        let start = tag("FEN").unwrap_or_default();
        [event, round, start, agents[0], agents[1]].join("\n")
    });
    let stated = Stated {
        first: first.1.into(),
        second: second.1.into(),
        winner: result.into(),
        pairing: tag("Pairing").map(Into::into),
        pair: tag("Pair").map(Into::into),
        leg: tag("Leg").map(Into::into),
        round,
    };
    games.add(line, &stated).map_err(|(field, what)| {
        let name = match field {
            "first" => first.0,
            "second" => second.0,
            "winner" => "Result",
            "pair" => "Pair",
            _ => "Leg",
        };
        format!("line {line}, tag {name} of the game that begins here: {what}")
    })
}
