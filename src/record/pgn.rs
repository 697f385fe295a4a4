//! Games as text for people and programs, in the manner of chess's Portable Game Notation.
//!
//! ```text
//! [Event "quickstart"]
//! [Game "17"]
//! [First "mcts-fast"]
//! [Second "random"]
//! [Track "original"]
//! [Ring "32 3 7 23 16 26 14 13 29 25 27 4 22 15 20 10 2 33 24 6 30 21 19 17 11 5 28 31 9 8 12 18 1"]
//! [Score "23 -4"]
//! [Bonus "-"]
//! [Result "1-0"]
//!
//! 1. 3:a1a2b2 {value 0.61, iterations 1000} 2... A 3... 7:b1c1a2b2 ... 1-0
//! ```
//!
//! Headers come first, one a line, a quotation mark or a backslash in a value behind a backslash. Then
//! come the actions of all plies as [`crate::game`] writes them, each behind its number and one dot
//! when the first player moves, three when the second does. `{...}` and `;` to the end of a line are
//! comments. The last word is the result: `1-0` when the first player has won, `0-1` when the second
//! has, `*` when the game was not played to its end. `Track`, `Ring` and `Result` must be there; a
//! reader may ignore the other headers, the comments and the numbers. `Score` is the points of the
//! first and the second player, `Bonus` who filled a 7x7 area first: `first`, `second` or `-`.

use std::fmt;
use std::io::{self, BufRead};

use crate::game::Player;

/// Characters of a line of moves.
const WIDTH: usize = 80;

/// A game as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameText {
    /// Names and values of the headers in their order, the result left out.
    pub headers: Vec<(String, String)>,
    /// The actions of all plies.
    pub moves: Vec<Move>,
    /// Who won; none when the game was not played to its end.
    pub winner: Option<Player>,
}

/// An action as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// Whose it is; none where the text does not say.
    pub player: Option<Player>,
    /// `A`, `17:a1b1c2`, `S:e5`.
    pub action: String,
    /// What is remarked, without braces. A reader drops it.
    pub comment: Option<String>,
}

impl GameText {
    /// The value of a header.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// How a result is written.
const fn result_name(winner: Option<Player>) -> &'static str {
    match winner {
        Some(Player::First) => "1-0",
        Some(Player::Second) => "0-1",
        None => "*",
    }
}

fn result_of(word: &str) -> Option<Option<Player>> {
    let results = [Some(Player::First), Some(Player::Second), None];
    results
        .into_iter()
        .find(|&winner| result_name(winner) == word)
}

impl fmt::Display for GameText {
    /// The game with a line end behind it. A control character in a value becomes a space; braces in
    /// a comment become brackets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let result = result_name(self.winner);
        for (name, value) in &self.headers {
            write_header(f, name, value)?;
        }
        write_header(f, "Result", result)?;
        writeln!(f)?;
        let mut width = 0;
        let mut write = |f: &mut fmt::Formatter<'_>, word: &str| {
            let length = word.chars().count();
            let gap = match width {
                0 => "",
                width if width + 1 + length <= WIDTH => " ",
                _ => "\n",
            };
            width = if gap == " " {
                width + 1 + length
            } else {
                length
            };
            write!(f, "{gap}{word}")
        };
        for (
            ply,
            Move {
                player,
                action,
                comment,
            },
        ) in (1..).zip(&self.moves)
        {
            let dots = if *player == Some(Player::Second) {
                "..."
            } else {
                "."
            };
            // A number and its action stay on one line.
            write(f, &format!("{ply}{dots} {action}"))?;
            if let Some(comment) = comment {
                let comment = comment.replace('{', "(").replace('}', ")");
                for word in format!("{{{}}}", comment.trim()).split_whitespace() {
                    write(f, word)?;
                }
            }
        }
        write(f, result)?;
        writeln!(f)
    }
}

fn write_header(f: &mut fmt::Formatter<'_>, name: &str, value: &str) -> fmt::Result {
    write!(f, "[{name} \"")?;
    for c in value.chars() {
        match c {
            '"' | '\\' => write!(f, "\\{c}")?,
            c if c.is_control() => write!(f, " ")?,
            c => write!(f, "{c}")?,
        }
    }
    writeln!(f, "\"]")
}

/// Why a text is no game.
#[derive(Debug, thiserror::Error)]
pub enum PgnError {
    /// A line between brackets is no header.
    #[error("line {0}: no header: expected a name and a value such as [First \"random\"]")]
    Header(u64),
    /// A header comes twice in a game.
    #[error("line {line}: the header {name} comes twice in this game")]
    Twice {
        /// Where it comes again.
        line: u64,
        /// Its name.
        name: String,
    },
    /// The game has no result among its headers, or not one of the three that there are.
    #[error("line {line}: the header Result {what}: expected \"1-0\", \"0-1\" or \"*\"")]
    Result {
        /// Where the game begins.
        line: u64,
        /// What is wrong with it.
        what: String,
    },
    /// Moves begin where headers should.
    #[error(
        "line {line}: '{word}' belongs to no game: expected headers such as [Track \"original\"]"
    )]
    NoHeaders {
        /// Where it stands.
        line: u64,
        /// The first word.
        word: String,
    },
    /// A comment has no end.
    #[error("line {0}: a comment begins here and does not end: expected '}}'")]
    Comment(u64),
    /// A word that is no part of a game.
    #[error("line {line}: '{word}' {what}")]
    Word {
        /// Where it stands.
        line: u64,
        /// The word.
        word: String,
        /// Why it does not belong there.
        what: String,
    },
    /// Headers begin, or the file ends, before the moves do.
    #[error(
        "line {line}: the game that begins here has no end: expected its moves and then {expected}"
    )]
    Unfinished {
        /// Where the game begins.
        line: u64,
        /// The result that should stand there.
        expected: &'static str,
    },
    /// The moves end with another result than the headers say.
    #[error("line {line}: the moves end with {found}, the header Result says {expected}")]
    OtherResult {
        /// Where the moves end.
        line: u64,
        /// What stands there.
        found: &'static str,
        /// What should stand there.
        expected: &'static str,
    },
    /// A line is no text.
    #[error("line {0}: not valid UTF-8")]
    NoText(u64),
    /// The system refuses.
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
}

/// Reads games one after the other; after an error there are no more.
pub struct Reader<R> {
    input: R,
    line: u64,
    /// The line that is being read.
    buffer: String,
    ended: bool,
}

/// A game that is being read.
#[derive(Default)]
struct Draft {
    line: u64,
    game: GameText,
    result: Option<&'static str>,
    /// The player and the number that were written before the next move.
    number: Option<Option<Player>>,
    in_moves: bool,
    /// Where a comment began that has not ended.
    comment: Option<u64>,
}

impl<R: BufRead> Reader<R> {
    /// A reader of a whole file.
    pub const fn new(input: R) -> Self {
        Self {
            input,
            line: 0,
            buffer: String::new(),
            ended: false,
        }
    }

    /// Whether there was another line, which is in the buffer now.
    fn next_line(&mut self) -> Result<bool, PgnError> {
        self.buffer.clear();
        self.line += 1;
        match self.input.read_line(&mut self.buffer) {
            Ok(count) => Ok(count > 0),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                Err(PgnError::NoText(self.line))
            }
            Err(error) => Err(error.into()),
        }
    }

    fn next_game(&mut self) -> Result<Option<(u64, GameText)>, PgnError> {
        let mut draft = Draft::default();
        while self.next_line()? {
            let line = self.buffer.trim_start_matches('\u{feff}');
            if draft.read(line, self.line)? {
                return draft.finish(self.line).map(Some);
            }
        }
        if let Some(line) = draft.comment {
            return Err(PgnError::Comment(line));
        }
        if draft.line == 0 {
            return Ok(None);
        }
        Err(draft.unfinished())
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    /// The line on which the game begins, and the game.
    type Item = Result<(u64, GameText), PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let next = self.next_game().transpose();
        self.ended = !matches!(next, Some(Ok(_)));
        next
    }
}

impl Draft {
    fn unfinished(&self) -> PgnError {
        PgnError::Unfinished {
            line: self.line,
            expected: self.result.unwrap_or("1-0 or 0-1"),
        }
    }

    /// Takes in a line and says whether the game ends on it.
    fn read(&mut self, text: &str, line: u64) -> Result<bool, PgnError> {
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
                        return self.nothing_behind(rest, line);
                    }
                }
            }
        }
    }

    fn header(&mut self, text: &str, line: u64) -> Result<(), PgnError> {
        if self.in_moves {
            return Err(self.unfinished());
        }
        let (name, value) = parse_header(text).ok_or(PgnError::Header(line))?;
        if self.line == 0 {
            self.line = line;
        }
        if self.game.header(&name).is_some() || (name == "Result" && self.result.is_some()) {
            return Err(PgnError::Twice { line, name });
        }
        if name == "Result" {
            let winner = result_of(&value).ok_or_else(|| PgnError::Result {
                line,
                what: format!("is \"{value}\""),
            })?;
            self.result = Some(result_name(winner));
        } else {
            self.game.headers.push((name, value));
        }
        Ok(())
    }

    /// Takes in a word of the moves; the winner, if it is a result.
    fn word(&mut self, word: &str, line: u64) -> Result<Option<Option<Player>>, PgnError> {
        if self.line == 0 {
            return Err(PgnError::NoHeaders {
                line,
                word: word.to_owned(),
            });
        }
        self.in_moves = true;
        let wrong = |what: String| PgnError::Word {
            line,
            word: word.to_owned(),
            what,
        };
        if let Some(winner) = result_of(word) {
            if self.number.is_some() {
                return Err(wrong("stands where a move is expected".to_owned()));
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
                return Err(wrong(format!("is out of order: expected {expected}")));
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
                "is no part of a game: expected a move, its number, a comment or a result";
            return Err(wrong(expected.to_owned()));
        }
        self.game.moves.push(Move {
            player: self.number.take().flatten(),
            action: word.to_owned(),
            comment: None,
        });
        Ok(None)
    }

    /// The game has ended: the rest of its line may be a comment.
    fn nothing_behind(&mut self, rest: &str, line: u64) -> Result<bool, PgnError> {
        let rest = rest.trim();
        if rest.is_empty() || rest.starts_with(';') {
            return Ok(true);
        }
        Err(PgnError::Word {
            line,
            word: rest.to_owned(),
            what: "stands behind the result: expected the next game on a line of its own"
                .to_owned(),
        })
    }

    fn finish(self, line: u64) -> Result<(u64, GameText), PgnError> {
        let found = result_name(self.game.winner);
        match self.result {
            None => Err(PgnError::Result {
                line: self.line,
                what: "is missing in the game that begins here".to_owned(),
            }),
            Some(expected) if expected != found => Err(PgnError::OtherResult {
                line,
                found,
                expected,
            }),
            Some(_) => Ok((self.line, self.game)),
        }
    }
}

/// Name and value of `[Name "value"]`.
fn parse_header(text: &str) -> Option<(String, String)> {
    let inside = text.strip_prefix('[')?.strip_suffix(']')?;
    let (name, quoted) = inside.trim().split_once(char::is_whitespace)?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if name.is_empty() || !name.chars().all(is_name) {
        return None;
    }
    let mut letters = quoted.trim().strip_prefix('"')?.chars();
    let mut value = String::new();
    loop {
        match letters.next()? {
            '\\' => value.push(letters.next()?),
            '"' => break,
            letter => value.push(letter),
        }
    }
    letters.next().is_none().then(|| (name.to_owned(), value))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> Result<Vec<(u64, GameText)>, PgnError> {
        Reader::new(text.as_bytes()).collect()
    }

    fn refused(text: &str) -> String {
        read(text).expect_err(text).to_string()
    }

    const HEADERS: &str = "[Track \"original\"]\n[Result \"1-0\"]\n\n";

    #[test]
    fn comments_and_numbers_may_be_anywhere_or_nowhere() {
        let plain = read(&format!("{HEADERS}A S:e5 1-0\n")).expect("a game");
        assert_eq!(plain[0].0, 1);
        for moves in [
            "1. A {one} 2... S:e5{two\nlines; 1-0} 1-0",
            "{a} A ; 2. A\nS:e5 1-0 ; the end",
            "1.. A 2. S:e5\n\n\n1-0\n\n",
        ] {
            let game = &read(&format!("\u{feff}; file\n{HEADERS}{moves}")).expect(moves)[0];
            let actions = |game: &GameText| -> Vec<String> {
                game.moves.iter().map(|one| one.action.clone()).collect()
            };
            assert_eq!(
                (game.0, actions(&game.1)),
                (2, actions(&plain[0].1)),
                "{moves}"
            );
            assert_eq!(game.1.winner, Some(Player::First));
        }
        assert!(read("; nothing\n{at all}\n").expect("no games").is_empty());
    }

    #[test]
    fn what_is_no_game_gets_a_sentence_with_its_line() {
        for (text, expected) in [
            ("[Track]", "line 1: no header"),
            ("[Track original]", "line 1: no header"),
            ("[Track \"original]", "line 1: no header"),
            ("[Track \"a\" \"b\"]", "line 1: no header"),
            ("[Track \"a\\\"]", "line 1: no header"),
            ("\n[A \"1\"]\n[A \"1\"]", "line 3: the header A comes twice"),
            ("[A \"1\"]\nA 1-0", "line 1: the header Result is missing"),
            ("[Result \"1/2\"]\n", "line 1: the header Result is \"1/2\""),
            (
                "[Result \"*\"]\n[Result \"*\"]\n",
                "line 2: the header Result comes twice",
            ),
            ("A 1-0", "line 1: 'A' belongs to no game"),
            (
                "[Result \"1-0\"]\nA {open\n\n",
                "line 2: a comment begins here",
            ),
            (
                "[Result \"1-0\"]\n1. A",
                "line 1: the game that begins here has no end",
            ),
            ("[Result \"1-0\"]\n\n", "and then 1-0"),
            (
                "[Result \"1-0\"]\nA\n[First \"x\"]\n",
                "line 1: the game that begins here has no end",
            ),
            (
                "[Result \"1-0\"]\nA 0-1",
                "line 2: the moves end with 0-1, the header Result says 1-0",
            ),
            (
                "[Result \"1-0\"]\n2. A 1-0",
                "line 2: '2.' is out of order: expected 1.",
            ),
            (
                "[Result \"1-0\"]\n1. 2. A 1-0",
                "line 2: '2.' is out of order: expected a move",
            ),
            (
                "[Result \"1-0\"]\n1. A 2. 1-0",
                "line 2: '1-0' stands where a move is expected",
            ),
            (
                "[Result \"1-0\"]\nA (B) 1-0",
                "line 2: '(B)' is no part of a game",
            ),
            (
                "[Result \"1-0\"]\nA 1-0 A",
                "line 2: 'A' stands behind the result",
            ),
        ] {
            let sentence = refused(text);
            assert!(sentence.contains(expected), "{text}: {sentence}");
        }
        let no_text =
            Reader::new(&b"[Result \"1-0\"]\n\xff 1-0"[..]).collect::<Result<Vec<_>, _>>();
        assert_eq!(
            no_text.expect_err("bytes").to_string(),
            "line 2: not valid UTF-8"
        );
    }

    #[test]
    fn a_number_stays_with_its_action() {
        let one = |i: usize| Move {
            player: Some(Player::BOTH[i % 3 % 2]),
            action: "11:e4g4e5f5g5"[..1 + i % 13].to_owned(),
            comment: None,
        };
        let game = GameText {
            moves: (0..200).map(one).collect(),
            ..GameText::default()
        };
        let text = game.to_string();
        assert!(text.lines().count() > 20);
        assert!(text.lines().all(|line| !line.ends_with('.')), "{text}");
    }

    fn games() -> impl Strategy<Value = GameText> {
        let header = ("[A-Za-z][A-Za-z0-9_]{0,8}", "[ -~\u{e4}\u{2026}]{0,30}");
        let player = prop_oneof![Just(Player::First), Just(Player::Second)];
        let one = (
            player.clone(),
            "A|[S0-9]{1,2}:[a-i1-9]{0,12}",
            prop::option::of("[ -~]{0,60}"),
        );
        let one = one.prop_map(|(player, action, comment)| Move {
            player: Some(player),
            action,
            comment,
        });
        (
            prop::collection::btree_map(header.0, header.1, 1..6),
            prop::collection::vec(one, 0..40),
            prop::option::of(player),
        )
            .prop_map(|(headers, moves, winner)| GameText {
                headers: headers
                    .into_iter()
                    .filter(|(name, _)| name != "Result")
                    .collect(),
                moves,
                winner,
            })
    }

    proptest! {
        #[test]
        fn games_are_read_as_they_were_written(games in prop::collection::vec(games(), 0..4)) {
            let texts: Vec<String> = games.iter().map(GameText::to_string).collect();
            for line in texts.iter().flat_map(|text| text.lines()) {
                prop_assert!(line.starts_with('[') || line.chars().count() <= WIDTH);
            }
            let mut expected = games;
            for game in &mut expected {
                game.moves.iter_mut().for_each(|one| one.comment = None);
            }
            let found = read(&texts.join("\n"))?;
            prop_assert_eq!(found.into_iter().map(|(_, game)| game).collect::<Vec<_>>(), expected);
        }

        #[test]
        fn no_text_makes_it_panic(text in "[\\[\\]\"{};. A10*\n\\\\é\\-]{0,60}") {
            let _ = read(&text);
        }
    }
}
