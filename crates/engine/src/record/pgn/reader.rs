//! Reading games.

use std::fmt::Display;
use std::io::BufRead;
use std::iter;

use super::{GameText, Move, result_name, result_of};
use crate::game::Player;
use crate::util::InputError;
use crate::util::lines::TextLines;

/// Reads the games of a text one after another, each with the line on which it begins; after an error, there are no more.
pub fn read(input: impl BufRead) -> impl Iterator<Item = Result<(u64, GameText), InputError>> {
    let mut lines = Some(TextLines::new(input));
    iter::from_fn(move || {
        let game = next_game(lines.as_mut()?).transpose();
        lines.take_if(|_| !matches!(game, Some(Ok(_))));
        game
    })
}

/// A game while it is read.
#[derive(Default)]
struct Draft {
    line: u64,
    game: GameText,
    result: Option<&'static str>,
    /// The player and the number written before the next move.
    number: Option<Option<Player>>,
    in_moves: bool,
    /// The line of a comment that is still open.
    comment: Option<u64>,
}

fn next_game(lines: &mut TextLines<impl BufRead>) -> Result<Option<(u64, GameText)>, InputError> {
    let mut draft = Draft::default();
    loop {
        let number = lines.number() + 1;
        let Some(line) = lines.next_text().map_err(InputError::new)? else {
            break;
        };
        if draft.read(line.trim_start_matches('\u{feff}'), number)? {
            return draft.finish(number).map(Some);
        }
    }
    if let Some(line) = draft.comment {
        let what = "a comment begins here and does not end; expected '}'";
        return Err(fault(line, what));
    }
    if draft.line == 0 {
        return Ok(None);
    }
    Err(draft.unfinished())
}

impl Draft {
    fn unfinished(&self) -> InputError {
        let expected = self.result.unwrap_or("1-0 or 0-1");
        let what = "the game that begins here has no end; expected its moves and then";
        fault(self.line, format_args!("{what} {expected}"))
    }

    /// Reads a line; returns whether the game ends on it.
    fn read(&mut self, text: &str, line: u64) -> Result<bool, InputError> {
        let mut rest = text;
        loop {
            if self.comment.is_some() {
                let Some((_, after)) = rest.split_once('}') else {
                    return Ok(false);
                };
                self.comment = None;
                rest = after;
            }
            rest = rest.trim_start();
            let word_end = |c: char| c.is_whitespace() || c == '{' || c == ';';
            let word = rest.split(word_end).next().unwrap_or(rest);
            match rest.chars().next() {
                None | Some(';') => return Ok(false),
                Some('{') => {
                    self.comment = Some(line);
                    rest = &rest[1..];
                }
                Some('[') => {
                    self.header(rest.trim_end(), line)?;
                    return Ok(false);
                }
                Some(_) => {
                    rest = &rest[word.len()..];
                    if let Some(winner) = self.word(word, line)? {
                        self.game.winner = winner;
                        return self.nothing_after(rest, line);
                    }
                }
            }
        }
    }

    fn header(&mut self, text: &str, line: u64) -> Result<(), InputError> {
        if self.in_moves {
            return Err(self.unfinished());
        }
        let header = parse_header(text).filter(|(.., rest)| rest.is_empty());
        let (name, value, _) = header.ok_or_else(|| {
            let expected = "expected a name and a value such as [First \"random\"]";
            fault(line, format_args!("not a header; {expected}"))
        })?;
        if self.line == 0 {
            self.line = line;
        }
        if self.game.header(name).is_some() || (name == "Result" && self.result.is_some()) {
            let what = format_args!("the header {name} occurs twice in this game");
            return Err(fault(line, what));
        }
        if name == "Result" {
            let winner = result_of(&value)
                .ok_or_else(|| wrong_result(line, format_args!("is \"{value}\"")))?;
            self.result = Some(result_name(winner));
        } else {
            self.game.headers.push((name.to_owned(), value));
        }
        Ok(())
    }

    /// Reads a word of the moves; returns the winner if it is a result.
    fn word(&mut self, word: &str, line: u64) -> Result<Option<Option<Player>>, InputError> {
        if self.line == 0 {
            let expected = "expected headers such as [Track \"original\"]";
            let what = format_args!("'{word}' does not belong to a game; {expected}");
            return Err(fault(line, what));
        }
        self.in_moves = true;
        let wrong = |what: &str| fault(line, format_args!("'{word}' {what}"));
        if let Some(winner) = result_of(word) {
            if self.number.is_some() {
                return Err(wrong("stands where a move is expected"));
            }
            return Ok(Some(winner));
        }
        let next = self.game.moves.len() + 1;
        let digits = word.trim_end_matches('.');
        if digits.len() < word.len() {
            if digits.parse() != Ok(next) || self.number.is_some() {
                let expected = if self.number.is_some() {
                    "a move"
                } else {
                    &format!("{next}.")
                };
                return Err(wrong(&format!("is out of order; expected {expected}")));
            }
            self.number = Some(match word.len() - digits.len() {
                1 => Some(Player::First),
                3 => Some(Player::Second),
                _ => None,
            });
            return Ok(None);
        }
        if word != "A" && !word.contains(':') {
            let expected =
                "is not part of a game; expected a move, its number, a comment or a result";
            return Err(wrong(expected));
        }
        self.game.moves.push(Move {
            player: self.number.take().flatten(),
            action: word.to_owned(),
            comment: None,
        });
        Ok(None)
    }

    /// Ends a game: the rest of its line may only be a comment.
    fn nothing_after(&mut self, rest: &str, line: u64) -> Result<bool, InputError> {
        let rest = rest.trim();
        if rest.is_empty() || rest.starts_with(';') {
            return Ok(true);
        }
        let expected = "expected the next game on a line of its own";
        let what = format_args!("'{rest}' follows the result; {expected}");
        Err(fault(line, what))
    }

    fn finish(self, line: u64) -> Result<(u64, GameText), InputError> {
        let found = result_name(self.game.winner);
        match self.result {
            None => Err(wrong_result(
                self.line,
                format_args!("is missing in the game that begins here"),
            )),
            Some(expected) if expected != found => Err(fault(
                line,
                format_args!("the moves end with {found}, but the header Result says {expected}"),
            )),
            Some(_) => Ok((self.line, self.game)),
        }
    }
}

/// What is wrong on a line.
fn fault(line: u64, what: impl Display) -> InputError {
    InputError::new(format!("line {line}: {what}"))
}

fn wrong_result(line: u64, what: impl Display) -> InputError {
    let expected = "expected \"1-0\", \"0-1\" or \"*\"";
    fault(line, format_args!("the header Result {what}; {expected}"))
}

/// The name and the value of the header with which a text begins, such as `[Name "value"]`, and what follows it.
///
/// A backslash stands before a quotation mark or a backslash, and is itself anywhere else: not every program escapes it.
pub fn parse_header(text: &str) -> Option<(&str, String, &str)> {
    let (name, quoted) = header_name(text)?;
    let mut value = String::new();
    let mut rest = quoted;
    loop {
        let letter = rest.chars().next()?;
        let next = &rest[letter.len_utf8()..];
        rest = match letter {
            '"' if end(next).is_some() => return Some((name, value, end(next)?)),
            '\\' => {
                let escaped = next.chars().next().filter(|c| ['"', '\\'].contains(c));
                let is_last = next.strip_prefix('"').and_then(end).is_some_and(|left| {
                    let left = left.trim_start();
                    left.is_empty() || header_name(left).is_some()
                });
                match escaped {
                    Some(letter) if !is_last => {
                        value.push(letter);
                        &next[1..]
                    }
                    _ => {
                        value.push('\\');
                        next
                    }
                }
            }
            letter => {
                value.push(letter);
                next
            }
        };
    }
}

/// The name of the header with which a text begins, and what follows its first quotation mark.
fn header_name(text: &str) -> Option<(&str, &str)> {
    let (name, quoted) = text.strip_prefix('[')?.trim_start().split_once('"')?;
    let name = name.strip_suffix(char::is_whitespace)?.trim_end();
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    (!name.is_empty() && name.chars().all(is_name)).then_some((name, quoted))
}

/// What follows the bracket at the end of a header.
fn end(rest: &str) -> Option<&str> {
    rest.trim_start().strip_prefix(']')
}
