//! Results from the tags of PGN for any game; moves are skipped.

use std::collections::BTreeMap;
use std::io::BufRead;

use patchwork_engine::util::lines::TextLines;

use super::gathered::{Gathered, Stated, StatedField, StatedSetup};

/// The tags that are read.
const TAGS: [&str; 11] = [
    "White", "Black", "First", "Second", "Result", "Event", "Round", "FEN", "Pairing", "Pair",
    "Leg",
];

/// A game while it is read.
#[derive(Default)]
struct TaggedGame {
    /// The line on which it starts.
    line: u64,
    tags: BTreeMap<&'static str, String>,
    in_moves: bool,
}

pub(super) fn read(input: impl BufRead, games: &mut Gathered) -> Result<(), String> {
    let mut lines = TextLines::new(input);
    let mut draft = TaggedGame::default();
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
            if draft.in_moves || draft.tags.contains_key(name) {
                std::mem::take(&mut draft).finish(games)?;
            }
            if draft.line == 0 {
                draft.line = number;
            }
            if let Some(name) = TAGS.iter().find(|known| **known == name) {
                draft.tags.insert(name, value);
            }
        } else if comment.is_some() || !line.starts_with(b"%") {
            let (moves, open) = scan(text, comment.is_some());
            comment = open.then(|| comment.unwrap_or(number));
            if moves && draft.line == 0 {
                return Err(format!(
                    "line {number}: this does not belong to a game; expected tags such as [White \"a\"]"
                ));
            }
            draft.in_moves |= moves;
        }
    }
    if let Some(line) = comment {
        return Err(format!(
            "line {line}: a comment begins here and does not end; expected '}}'"
        ));
    }
    draft.finish(games)
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

impl TaggedGame {
    /// Adds the game, if there is one.
    fn finish(self, games: &mut Gathered) -> Result<(), String> {
        if self.line == 0 {
            return Ok(());
        }
        let line = self.line;
        let tag = |name: &str| self.tags.get(name).map(String::as_str);
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
        let setup = match (tag("Pair"), &round) {
            (Some(pair), _) => StatedSetup::Pair {
                pairing: tag("Pairing").unwrap_or_default(),
                pair,
                leg: tag("Leg"),
            },
            (None, Some(round)) => StatedSetup::Round(round),
            (None, None) => StatedSetup::Unknown,
        };
        let stated = Stated {
            first: first.1,
            second: second.1,
            winner: result,
            setup,
        };
        games.add(line, &stated).map_err(|fault| {
            let name = match fault.field {
                StatedField::First => first.0,
                StatedField::Second => second.0,
                StatedField::Winner => "Result",
                StatedField::Pair => "Pair",
                StatedField::Leg => "Leg",
            };
            format!(
                "line {line}, tag {name} of the game that begins here: {}",
                fault.what
            )
        })
    }
}
