//! Games as text for people and programs, modelled on the Portable Game Notation of chess.
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
//! Headers come first, one per line; a backslash escapes a quotation mark or a backslash in a value.
//! Then come the actions of all plies as [`crate::game`] writes them, each after its number and one
//! dot when the first player moves, three when the second does. `{...}` and `;` to the end of a line are
//! comments. The last word is the result: `1-0` when the first player has won, `0-1` when the second
//! has, `*` when the game was not played to its end. `Track`, `Ring` and `Result` are required; a
//! reader may ignore the other headers, the comments and the numbers. `Score` is the points of the
//! first and the second player, `Bonus` who filled a 7x7 area first: `first`, `second` or `-`.

mod reader;
mod writer;

pub use reader::{parse_header, read};

use crate::game::Player;

/// A game as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameText {
    /// Names and values of the headers in order, except the result.
    pub headers: Vec<(String, String)>,
    /// The actions of all plies.
    pub moves: Vec<Move>,
    /// The winner; `None` if the game was not played to its end.
    pub winner: Option<Player>,
}

/// An action as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// Its player; `None` where the text does not say.
    pub player: Option<Player>,
    /// `A`, `2:a1b1a2`, `S:e5`.
    pub action: String,
    /// A comment without braces; [`read`] drops comments.
    pub comment: Option<String>,
}

impl GameText {
    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }
}

const fn result_name(winner: Option<Player>) -> &'static str {
    match winner {
        Some(Player::First) => "1-0",
        Some(Player::Second) => "0-1",
        None => "*",
    }
}

/// The winner according to the text of a result.
fn result_of(word: &str) -> Option<Option<Player>> {
    let results = [Some(Player::First), Some(Player::Second), None];
    results
        .into_iter()
        .find(|&winner| result_name(winner) == word)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::util::InputError;

    fn read_all(text: &str) -> Result<Vec<(u64, GameText)>, InputError> {
        read(text.as_bytes()).collect()
    }

    fn refused(text: &str) -> String {
        read_all(text).expect_err(text).to_string()
    }

    const HEADERS: &str = "[Track \"original\"]\n[Result \"1-0\"]\n\n";

    #[test]
    fn comments_and_numbers_may_be_anywhere_or_nowhere() {
        let plain = read_all(&format!("{HEADERS}A S:e5 1-0\n")).expect("a game");
        assert_eq!(plain[0].0, 1);
        for moves in [
            "1. A {one} 2... S:e5{two\nlines; 1-0} 1-0",
            "{a} A ; 2. A\nS:e5 1-0 ; the end",
            "1.. A 2. S:e5\n\n\n1-0\n\n",
        ] {
            let game = &read_all(&format!("\u{feff}; file\n{HEADERS}{moves}")).expect(moves)[0];
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
        let none = read_all("; nothing\n{at all}\n");
        assert!(none.expect("no games").is_empty());
    }

    /// What is no game, with `|` for the end of a line, and the sentence about it.
    const NO_GAMES: &str = r#"
        [Track] -> line 1: not a header
        [Track original] -> line 1: not a header
        [Track "original] -> line 1: not a header
        |[A "1"]|[A "1"] -> line 3: the header A occurs twice
        [A "1"]|A 1-0 -> line 1: the header Result is missing
        [Result "1/2"]| -> line 1: the header Result is "1/2"
        [Result "*"]|[Result "*"]| -> line 2: the header Result occurs twice
        A 1-0 -> line 1: 'A' does not belong to a game
        [Result "1-0"]|A {open|| -> line 2: a comment begins here
        [Result "1-0"]|1. A -> line 1: the game that begins here has no end
        [Result "1-0"]|| -> and then 1-0
        [Result "1-0"]|A|[First "x"]| -> line 1: the game that begins here has no end
        [Result "1-0"]|A 0-1 -> line 2: the moves end with 0-1, but the header Result says 1-0
        [Result "1-0"]|2. A 1-0 -> line 2: '2.' is out of order; expected 1.
        [Result "1-0"]|1. 2. A 1-0 -> line 2: '2.' is out of order; expected a move
        [Result "1-0"]|1. A 2. 1-0 -> line 2: '1-0' stands where a move is expected
        [Result "1-0"]|A (B) 1-0 -> line 2: '(B)' is not part of a game
        [Result "1-0"]|A 1-0 A -> line 2: 'A' follows the result
    "#;

    #[test]
    fn what_is_no_game_gets_a_sentence_with_its_line() {
        for row in NO_GAMES.trim().lines() {
            let (text, expected) = row.split_once(" -> ").expect("a sentence");
            let sentence = refused(&text.trim_start().replace('|', "\n"));
            assert!(sentence.contains(expected), "{text}: {sentence}");
        }
    }

    #[test]
    fn headers_of_other_programs_are_read() {
        for (text, value) in [
            (r#"[A "C:\temp\"]"#, r"C:\temp\"),
            (r#"[A "nets\v1"]"#, r"nets\v1"),
            (r#"[A "\\server\\"]"#, r"\server\"),
            (r#"[ A  "a \"b\"" ]"#, r#"a "b""#),
            (r#"[A "the "b" bot"]"#, r#"the "b" bot"#),
            (r#"[A ""]"#, ""),
        ] {
            let (name, found, rest) = parse_header(text).expect(text);
            assert_eq!((name, found.as_str(), rest), ("A", value, ""), "{text}");
        }
        let two = parse_header(r#"[A "x\"] [B "y"]"#).expect("a header");
        assert_eq!((two.1.as_str(), two.2), (r"x\", r#" [B "y"]"#));
        let latin = b"[Site \"M\xfcnchen\"]\n[Result \"1-0\"]\nA 1-0\n";
        let game = read(&latin[..]).next().expect("a game").expect("a game");
        assert_eq!(game.1.header("Site"), Some("M\u{fc}nchen"));
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

    #[test]
    fn a_value_may_look_like_the_end_of_a_header() {
        let game = GameText {
            headers: vec![("a".to_owned(), "\"][".to_owned())],
            ..GameText::default()
        };
        let found = read_all(&game.to_string()).unwrap();
        assert_eq!(found[0].1, game);
    }

    proptest! {
        #[test]
        fn games_are_read_as_they_were_written(games in prop::collection::vec(games(), 0..4)) {
            let texts: Vec<String> = games.iter().map(GameText::to_string).collect();
            for line in texts.iter().flat_map(|text| text.lines()) {
                prop_assert!(line.starts_with('[') || line.chars().count() <= writer::WIDTH);
            }
            let mut expected = games;
            for game in &mut expected {
                game.moves.iter_mut().for_each(|one| one.comment = None);
            }
            let found = read_all(&texts.join("\n"))?;
            prop_assert_eq!(found.into_iter().map(|(_, game)| game).collect::<Vec<_>>(), expected);
        }

        #[test]
        fn no_text_makes_it_panic(text in "[\\[\\]\"{};. A10*\n\\\\é\\-]{0,60}") {
            let _ = read_all(&text);
        }
    }
}
