//! Results from the tags of PGN for any game; of the moves, only the result at their end is read.

use std::array;
use std::borrow::Cow;
use std::collections::VecDeque;
use std::io::BufRead;

use patchwork_engine::record::pgn::parse_header;
use patchwork_engine::util::lines::{TextLines, text_of};

use super::parsed::{
    FIELDS, FIRST, ParsedGames, SECOND, Stated, WINNER, field, missing, plain, result,
};

/// The names and values of the tags of a game, by field.
type Tags = [Option<(String, String)>; FIELDS.len()];

pub(super) fn read(input: impl BufRead, games: &mut ParsedGames) -> Result<(), String> {
    let mut lines = TextLines::new(input);
    let mut game = TaggedGame::default();
    // Lines to be read again.
    let mut again = VecDeque::new();
    loop {
        let (number, text) = match again.pop_front() {
            Some((number, text)) => (number, Cow::Owned(text)),
            None => match (lines.number() + 1, lines.next_line()?) {
                (number, Some(line)) => (number, text_of(line)),
                (_, None) if game.held.len() > 1 => {
                    again.extend(game.cut_off(games));
                    continue;
                }
                (_, None) => break,
            },
        };
        let mut finished = game.read(text.trim_start_matches('\u{feff}'), number, games);
        while let Some((done, rest)) = finished {
            done.finish(games)?;
            finished = game.read(rest, number, games);
        }
        if game.is_cut_off {
            again = game.cut_off(games).chain(again).collect();
        }
    }
    let has_all = missing(&game.tags).is_none();
    match game.start {
        Some(line) if game.comment.is_some() => games.break_off(line),
        Some(line)
            if game.end().is_none() && (games.moves_end || !has_all && game.fault.is_none()) =>
        {
            games.break_off(line);
        }
        _ => game.finish(games)?,
    }
    Ok(())
}

/// A game while it is read.
#[derive(Default)]
struct TaggedGame {
    /// The line on which it starts.
    start: Option<u64>,
    tags: Tags,
    /// What is wrong with a tag that is read.
    fault: Option<String>,
    in_moves: bool,
    /// The last word of the moves outside of comments and variations, and whether it has ended.
    word: String,
    word_ended: bool,
    variations: u32,
    /// The line of a comment that is still open.
    comment: Option<u64>,
    /// The lines of the comment from a tag on, if the line after it is a tag, too.
    held: Vec<(u64, String)>,
    /// Whether the lines that are held are those of other games.
    is_cut_off: bool,
}

impl TaggedGame {
    /// Reads a line. If another game begins on it, returns this game and the rest of the line, which belongs to the
    /// other.
    fn read<'a>(
        &mut self,
        text: &'a str,
        line: u64,
        games: &mut ParsedGames,
    ) -> Option<(Self, &'a str)> {
        let mut text = text.trim();
        if self.comment.is_some() {
            let is_tag = parse_header(text).is_some_and(|(.., rest)| rest.is_empty());
            if self.held.len() == 1 && !is_tag {
                self.held.clear();
            }
            if is_tag || !self.held.is_empty() {
                self.held.push((line, text.to_owned()));
            }
            // The comment quotes the tags if it is closed. If the next brace opens another comment, or none comes, the game
            // was cut off in its comment, and others were appended.
            let brace = text.find(['{', '}']).filter(|_| !is_tag);
            if self.held.len() > 2 && brace.is_some_and(|at| text[at..].starts_with('{')) {
                self.is_cut_off = true;
                return None;
            }
        } else if text.starts_with('%') {
            return None;
        }
        while self.comment.is_none() && text.starts_with('[') {
            let header = parse_header(text);
            let name = match &header {
                Some((name, ..)) => name,
                None => text[1..]
                    .trim_start()
                    .split(|c: char| !c.is_alphanumeric())
                    .next()
                    .unwrap_or_default(),
            };
            let known = field(name).filter(|_| !name.eq_ignore_ascii_case("winner"));
            let is_there = known.is_some_and(|field| {
                self.tags[field]
                    .as_ref()
                    .is_some_and(|(known, _)| known == name)
            });
            if self.in_moves || is_there {
                return Some((std::mem::take(self), text));
            }
            self.start.get_or_insert(line);
            let Some((name, value, rest)) = header else {
                if known.is_some() {
                    let expected = "expected a name and a value such as [White \"a\"]";
                    self.fault
                        .get_or_insert(format!("line {line}: not a tag; {expected}"));
                }
                return None;
            };
            if let Some(field) = known {
                self.tags[field].get_or_insert((name.to_owned(), value));
            }
            text = rest.trim_start();
        }
        self.scan(text, line);
        if self.in_moves && self.start.is_none() {
            let what = "this does not belong to a game; expected tags such as [White \"a\"]";
            games.leave_out(line, what);
            // Once for all lines before the first tag.
            self.start = Some(line);
            self.fault = Some(String::new());
        }
        None
    }

    /// Leaves the game out, and returns the lines that do not belong to it.
    fn cut_off(&mut self, games: &mut ParsedGames) -> impl Iterator<Item = (u64, String)> + use<> {
        let cut = std::mem::take(self);
        let open = cut.comment.unwrap_or_default();
        let what = format!("the comment on line {open} of the game that begins here has no end");
        games.leave_out(cut.start.unwrap_or(open), &what);
        cut.held.into_iter()
    }

    /// Reads a line of moves.
    fn scan(&mut self, text: &str, line: u64) {
        self.word_ended = true;
        for letter in text.chars() {
            match letter {
                '}' if self.comment.is_some() => {
                    self.comment = None;
                    self.held.clear();
                }
                _ if self.comment.is_some() => {}
                '{' => {
                    self.comment = Some(line);
                    self.word_ended = true;
                }
                ';' => break,
                '(' => self.variations += 1,
                ')' => self.variations = self.variations.saturating_sub(1),
                letter if letter.is_whitespace() => self.word_ended = true,
                letter => {
                    self.in_moves = true;
                    if self.variations == 0 {
                        if std::mem::take(&mut self.word_ended) {
                            self.word.clear();
                        }
                        self.word.push(letter);
                    }
                }
            }
        }
    }

    /// The word at the end of the moves, if it is a result.
    fn end(&self) -> Option<&str> {
        let stated = self.tags[WINNER].as_ref().map(|(_, value)| value.trim());
        let is_result = result(&self.word).is_some() || stated == Some(&self.word);
        (is_result && !self.word.is_empty()).then_some(&self.word)
    }

    /// Adds the game, if there is one.
    fn finish(mut self, games: &mut ParsedGames) -> Result<(), String> {
        let Some(line) = self.start else {
            return Ok(());
        };
        let end = self.end().map(str::to_owned);
        games.moves_end |= end.is_some();
        if let (None, Some(end)) = (&self.tags[WINNER], &end) {
            self.tags[WINNER] = Some(("Result".to_owned(), end.clone()));
        }
        if let Some(fault) = self.fault {
            if !fault.is_empty() {
                games.add_fault(line, fault);
            }
            return Ok(());
        }
        if let Some(missing) = missing(&self.tags) {
            let name = ["White", "Black", "Result"][missing];
            let what = format!("the game that begins here has no tag {name}");
            games.leave_out(line, &what);
            return Ok(());
        }
        let value = |field: usize| self.tags[field].as_ref().map(|(_, value)| value.as_str());
        let place = |field: usize| {
            let name = self.tags[field].as_ref().map_or("Pair", |(name, _)| name);
            format!("tag {name} of the game that begins here")
        };
        let stated = value(WINNER).map(plain).unwrap_or_default();
        let Some(score) = result(&stated) else {
            let what = match &*stated {
                "0-0" => "'0-0' is a loss of both, which has no place in ratings",
                stated => &format!("'{stated}' is not a result; expected 1-0, 0-1, 1/2-1/2 or *"),
            };
            games.add_fault(line, format!("line {line}, tag Result: {what}"));
            return Ok(());
        };
        let mut seats = [FIRST, SECOND].into_iter();
        let unknown = seats.find(|&seat| score.is_some() && value(seat) == Some("?"));
        if let Some(seat) = unknown {
            let what = format!("line {line}, {}: '?' is not a player", place(seat));
            games.add_fault(line, what);
            return Ok(());
        }
        let ending = end.as_deref().and_then(result);
        if ending.is_some_and(|ending| ending != score) {
            games.disagreeing.add(line);
        }
        let mut game: Stated<'_> = array::from_fn(|field| value(field).map(Cow::from));
        if score.is_none() {
            game[WINNER] = Some("*".into());
        }
        games.add(line, &game, end.is_some() || !self.in_moves, place)
    }
}
