//! Files of results in any supported format.

mod delimited;
mod json;
mod parsed;
mod tags;

use std::io::BufRead;
use std::path::Path;

use patchwork_engine::util::InputError;
use patchwork_engine::util::lines::unreadable;
use patchwork_tournament::input::{FileForm, check_ending, peek, read_file};

use self::parsed::ParsedGames;
use super::table::ResultTable;

pub use self::parsed::MAX_AGENTS;

impl ResultTable {
    /// Reads a file.
    ///
    /// A file is a table, JSON or PGN, told apart by its contents, and may be compressed with gzip. Texts are in UTF-8,
    /// UTF-16 or ISO 8859-1. A name with the ending of another format is an error.
    ///
    /// A table has a line with column names, in any case, then one line per game, in any order, with columns separated
    /// by tabs, commas or semicolons. `first` and `second` (or `white` and `black`) are the agents by seat. `winner`
    /// (or `result`) is `first`, `second`, `white`, `black`, the winner's name, `draw`, `1-0`, `0-1` or `1/2-1/2`; `*`
    /// is an unfinished game, which is counted and left out. With `pair`, a whole number, games of the same `pairing`
    /// (any text) and pair share a setup; `leg`, 0 or 1, says which of the two a game is. Other columns are ignored,
    /// and quotes and spaces around a cell are removed.
    ///
    /// JSON has an object per game with the same keys: one per line, several, or in an array.
    ///
    /// PGN is read from its tags: `White` and `Black`, or `First` and `Second`, and `Result`; and from the result at
    /// the end of the moves.
    ///
    /// Games without a `pair` are a pair if they have the same agents with the seats swapped, and the same `event`,
    /// `round` and `fen`, one after the other; or the same `event` and `fen`; or rounds such as 3.1 and 3.2. Others are
    /// independent.
    ///
    /// A game that cannot be read is left out, and a note says so, with its line.
    ///
    /// # Errors
    /// When the file cannot be read or does not hold results; the message names file, line and column.
    pub fn read(path: &Path) -> Result<Self, InputError> {
        read_file(path, |input| read(input, path))
    }
}

/// The endings of files with JSON.
const JSON: &[FileForm] = &[FileForm::JsonLines, FileForm::Json];

/// Reads the contents of a file; the error is a sentence that says what is wrong.
fn read(input: impl BufRead, path: &Path) -> Result<ResultTable, String> {
    let (start, input) = peek(input).map_err(|error| unreadable(&error))?;
    let begun = start.trim_ascii_start();
    let second = begun
        .get(1..)
        .and_then(|rest| rest.trim_ascii_start().first());
    let (forms, about, read): (&[FileForm], _, fn(_, &mut ParsedGames) -> _) = match begun.first() {
        // PGN also begins with a bracket or, with a comment, with a brace.
        Some(b'{') if second == Some(&b'"') => (JSON, "JSON", json::read),
        Some(b'[') if matches!(second, Some(b'{' | b']')) => (JSON, "JSON", json::read),
        Some(b'[' | b'{' | b';' | b'%') => (&[FileForm::Pgn], "PGN", tags::read),
        _ => (&[FileForm::Tsv, FileForm::Csv], "a table", delimited::read),
    };
    if !start.is_empty() {
        check_ending(path, forms, about)?;
    }
    let mut games = ParsedGames::default();
    read(input, &mut games)?;
    games.into_table()
}

#[cfg(test)]
mod tests {
    use patchwork_engine::testing::rows;
    use patchwork_engine::util::lines::text_of;
    use patchwork_rating::RatedGame;
    use proptest::prelude::*;

    use super::*;

    const HEADER: &str = "pairing\tpair\tleg\tfirst\tsecond\twinner\n";

    fn of_text(text: impl AsRef<[u8]>) -> Result<ResultTable, String> {
        super::read(text.as_ref(), Path::new("games"))
    }

    fn read(rows: &str) -> Result<ResultTable, String> {
        of_text(format!("{HEADER}{rows}"))
    }

    fn game(cluster: u64, first: usize, second: usize, first_won: bool) -> RatedGame {
        RatedGame {
            cluster,
            first,
            second,
            score: first_won.into(),
        }
    }

    #[test]
    fn games_are_in_order_whatever_the_order_of_the_rows() {
        let table = read("b|a\t1\t0\tb\ta\tsecond\nb|a\t0\t1\ta\tb\ta\nb|a\t0\t0\tb\ta\tfirst\n");
        let table = table.expect("a table");
        assert_eq!(table.agents, ["a", "b"]);
        assert_eq!(
            table.games,
            [
                game(0, 1, 0, true),
                game(0, 0, 1, true),
                game(1, 1, 0, false)
            ]
        );
        let mixed = "winner\tnote\tleg\tpair\tpairing\tsecond\tfirst\r\na\tx\t0\t7\tp\tb\ta\r\n";
        let mixed = of_text(mixed).expect("columns in any order");
        assert_eq!(mixed.games, [game(0, 0, 1, true)]);
    }

    #[test]
    fn tables_are_merged_by_name() {
        let one = read("p\t0\t0\tb\tc\tfirst\np\t0\t1\tc\tb\tfirst\n").expect("a table");
        let other = read("p\t0\t0\ta\tb\tsecond\n").expect("a table");
        let merged = ResultTable::merged(vec![one.clone(), other]);
        assert_eq!(merged.agents, ["a", "b", "c"]);
        let games = [
            game(0, 1, 2, true),
            game(0, 2, 1, true),
            game(1, 0, 1, false),
        ];
        assert_eq!(merged.games, games);
        assert_eq!(ResultTable::merged(vec![one.clone()]), one);
    }

    #[test]
    fn a_name_in_quotes_is_the_same_name() {
        let plain = "p\t0\t0\ta\tb\tb\np\t0\t1\tb\ta\tfirst\n";
        let quoted = "\"p\"\t\"0\"\t0\ta\t\"b\"\tb\np\t0\t1\tb\t\"a\"\t\"first\"\n";
        assert_eq!(read(quoted), read(plain));
        let header = HEADER.replace("pair\t", "\"pair\"\t");
        let all = of_text(format!("{header}{quoted}"));
        assert_eq!(all, read(plain));
        // Quotes inside a name belong to it, and a single quote is a name.
        let table = read("p\t0\t0\t\"a \"\"x\"\"\"\ta \"y\"\tfirst\n").expect("a table");
        assert_eq!(table.agents, ["a \"x\"", "a \"y\""]);
        let table = read("p\t0\t0\t\"\tb\tfirst\n").expect("a table");
        assert_eq!(table.agents, ["\"", "b"]);
        let error = read("p\t0\t0\t\"\"\tb\tfirst\n").expect_err("a name without letters");
        assert!(
            error.ends_with("column first: empty; expected an agent"),
            "{error}"
        );
    }

    #[test]
    fn every_mistake_has_a_sentence() {
        for [lines, sentence] in rows(
            r"
            => holds no games
            p\t0\t0\ta\tb\n => line 2: 5 columns where the header has 6
            p\tx\t0\ta\tb\tfirst\n => line 2, column pair: 'x' is not a pair; expected a whole number
            p\t0\t2\ta\tb\tfirst\n => line 2, column leg: '2' is not a leg; expected 0 or 1
            p\t0\t0\t\tb\tfirst\n => line 2, column first: empty; expected an agent
            p\t0\t0\ta\ta\tfirst\n => line 2, column second: 'a' plays against itself
            p\t0\t0\ta\tb\tc\n => line 2, column winner: 'c' did not play; expected first, second, draw, a or b
            p\t0\t0\ta\tfirst\tfirst\n => line 2, column winner: 'first' is a seat and the name of the agent in the other seat
            p\t0\t0\ta\tb\tfirst\np\t0\t0\ta\tb\tfirst\n => line 3: leg 0 of pair 0 of pairing 'p' is on line 2 already
            p\t0\t0\ta\tb\tfirst\np\t0\t1\tb\tc\tfirst\n => line 3: pair 0 of pairing 'p' was played by a and b on line 2
            ",
        ) {
            assert_eq!(read(lines).expect_err(lines), sentence);
        }
        for [text, sentence] in rows(
            r"
            => is empty; expected a line of column names: first, second and winner, and pairing, pair and leg if games are paired, separated by tabs, commas or semicolons
            pairing\tpair\tleg\tfirst\tsecond\n => line 1: no column is named winner or result; expected first, second and winner, and pairing, pair and leg if games are paired, separated by tabs, commas or semicolons
            pairing\tpair\tleg\tfirst\tsecond\twinner\tleg\n => line 1: more than one column is named leg
            ",
        ) {
            assert_eq!(of_text(text).expect_err("damaged"), sentence);
        }
    }

    /// The cluster, the agents and the half points of the first agent of each game.
    fn found(text: &str) -> Vec<(u64, [String; 2], u64)> {
        let table = of_text(text).unwrap_or_else(|what| panic!("{text}: {what}"));
        let name = |agent: usize| table.agents[agent].clone();
        let games = table.games.iter();
        games
            .map(|game| {
                let points = game.score.half_points();
                (game.cluster, [game.first, game.second].map(name), points)
            })
            .collect()
    }

    fn clusters(text: &str) -> Vec<u64> {
        found(text).iter().map(|game| game.0).collect()
    }

    #[test]
    fn all_forms_say_the_same() {
        let tabs = "pairing\tpair\tleg\tfirst\tsecond\twinner\n\
                    p\t0\t0\ta\tb, \"x\"\tfirst\np\t0\t1\tb, \"x\"\ta\tdraw\n\
                    p\t1\t0\ta\tb, \"x\"\t*\np\t2\t0\ta\tb, \"x\"\tb, \"x\"\n";
        let commas = "leg,white,result,black,pairing,pair\r\n\
                      0,a,1-0,\"b, \"\"x\"\"\",p,0\r\n1,\"b, \"\"x\"\"\",1/2-1/2,a,p,0\r\n\
                      0,a,*,\"b, \"\"x\"\"\",p,1\r\n\r\n0,a,0-1,\"b, \"\"x\"\"\",p,2\r\n";
        let json = r#"{"pairing": "p", "pair": 0, "leg": 0, "first": "a", "second": "b, \"x\"", "winner": "first", "track": [1]}
{"pairing": "p", "pair": "0", "leg": 1, "first": "b, \"x\"", "second": "a", "winner": "draw"}

{"pairing": "p", "pair": 1, "leg": 0, "white": "a", "black": "b, \"x\"", "result": "*"}
{"pairing": "p", "pair": 2, "leg": 0, "first": "a", "second": "b, \"x\"", "winner": "black"}
"#;
        let game = |pair: u32, leg: u32, white: &str, black: &str, result: &str| {
            format!(
                "[Pairing \"p\"]\n[Pair \"{pair}\"]\n[Leg \"{leg}\"]\n[First \"{white}\"]\n\
                 [Second \"{black}\"]\n[Result \"{result}\"]\n\n1. A {{a comment\n[not \"a tag\"] }} {result}\n\n"
            )
        };
        let other = "b, \\\"x\\\"";
        let pgn = "\u{feff}; games\n".to_owned()
            + &game(0, 0, "a", other, "1-0")
            + &game(0, 1, other, "a", "1/2-1/2")
            + &game(1, 0, "a", other, "*")
            + &game(2, 0, "a", other, "0-1");
        let expected: Vec<_> = [
            (0, "a", "b, \"x\"", 2),
            (0, "b, \"x\"", "a", 1),
            (1, "a", "b, \"x\"", 0),
        ]
        .map(|(cluster, first, second, points)| {
            (cluster, [first, second].map(str::to_owned), points)
        })
        .into();
        // Some spreadsheets still end lines as old Macintoshes did.
        let returns = commas.replace("\r\n", "\r");
        for text in [tabs, commas, &returns, json, &pgn, &pgn.replace('\n', "\r")] {
            assert_eq!(found(text), expected, "{text}");
            let table = of_text(text).expect("a table");
            assert_eq!(table.unfinished, 1, "{text}");
        }
    }

    /// A brace comment ends at the next brace, whatever it quotes. A game whose comment is not closed before another one
    /// begins was cut off.
    #[test]
    fn tags_in_a_comment_belong_to_a_game_only_if_no_brace_closes_it() {
        let quoted = "[White \"C\"]\n[Black \"D\"]\n[Result \"0-1\"]\n\n";
        let open = "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 { from\n";
        let [one, other] = [("A", "B", 2), ("C", "D", 0)];
        for (rest, games, left_out) in [
            (format!("\n{quoted}of last year }} e5 1-0\n"), vec![one], 0),
            (
                format!("{quoted}}} 1-0\n\n{quoted}1. d4 0-1\n"),
                vec![one, other],
                0,
            ),
            (
                format!("\n{quoted}{quoted}}} 1-0 {{ the end }}\n"),
                vec![one],
                0,
            ),
            (format!("\n{quoted}1. d4 0-1\n"), vec![other], 1),
            (format!("{quoted}1. d4 {{ x }} 0-1\n"), vec![other], 1),
            (format!("\n{quoted}"), vec![other], 1),
            (
                format!("\n{quoted}1. d4 {{ and\n{quoted}1. c4 0-1\n"),
                vec![other],
                2,
            ),
        ] {
            let text = format!("{open}{rest}");
            let expected = games
                .into_iter()
                .map(|(first, second, points)| ([first, second].map(str::to_owned), points));
            let found = found(&text)
                .into_iter()
                .map(|(_, seats, points)| (seats, points));
            assert!(found.eq(expected), "{text}");
            let table = of_text(&text).expect("a table");
            assert_eq!(table.left_out, left_out, "{text}");
        }
    }

    #[test]
    fn games_without_pairs_are_independent() {
        let text = "first\tsecond\twinner\na\tb\tfirst\nb\ta\tfirst\n";
        assert_eq!(clusters(text), [0, 1]);
        // A pair without legs is also a pair.
        let pairs = "pair,first,second,winner\n7,a,b,a\n7,b,a,a\n8,a,b,b\n";
        assert_eq!(clusters(pairs), [0, 0, 1]);
    }

    #[test]
    fn games_that_swap_seats_are_pairs() {
        let game = |event: &str, round: &str, white: &str, black: &str, fen: &str| {
            format!(
                "[Event \"{event}\"]\n[Site \"?\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n\
                 [Result \"1/2-1/2\"]\n[FEN \"{fen}\"]\n\n1. e4 {{+0.3/12 1.2s}} e5 {{[%clk 1]}} 1/2-1/2\n\n"
            )
        };
        let clusters_of = |games: &[String]| clusters(&games.concat());
        let pair = [game("e", "1", "a", "b", "x"), game("e", "1", "b", "a", "x")];
        assert_eq!(clusters_of(&pair), [0, 0]);
        let apart = [
            [game("e", "1", "a", "b", "?"), game("e", "2", "b", "a", "?")],
            [game("e", "1", "a", "b", "x"), game("f", "1", "b", "a", "x")],
            [game("e", "1", "a", "b", "x"), game("e", "1", "b", "a", "y")],
            [game("e", "1", "a", "b", "x"), game("e", "1", "a", "b", "x")],
            [game("e", "?", "a", "b", "?"), game("e", "?", "b", "a", "?")],
        ];
        for games in apart {
            assert_eq!(clusters_of(&games), [0, 1], "{games:?}");
        }
        // Without a setup, one game after the other; with it, whatever the rounds; rounds with parts.
        let three = [&pair[..], &pair[..1]].concat();
        assert_eq!(clusters_of(&three), [0, 0, 1]);
        let [one, other] = [["a", "b"], ["b", "a"]];
        let of = |round, [white, black]: [&str; 2], fen| game("e", round, white, black, fen);
        let four = [
            of("1", one, ""),
            of("1", one, ""),
            of("1", other, ""),
            of("1", other, ""),
        ];
        assert_eq!(clusters_of(&four), [0, 0, 1, 1]);
        let apart = [
            of("1", one, "x"),
            of("2", one, "y"),
            of("3", other, "y"),
            of("4", other, "x"),
        ];
        assert_eq!(clusters_of(&apart), [0, 0, 1, 1]);
        let parts = [
            of("1.1", one, ""),
            of("1.2", other, ""),
            of("2.1", one, ""),
            of("3.1", other, ""),
        ];
        assert_eq!(clusters_of(&parts), [0, 0, 1, 2]);
        // The round finds its pair before another round with the same setup does.
        let mixed = [
            of("1", one, "x"),
            of("2", other, "x"),
            of("1", other, "x"),
            of("2", one, "x"),
        ];
        assert_eq!(clusters_of(&mixed), [0, 0, 1, 1]);
        // Tables have the same columns.
        let table = "Round,White,Black,Result\n1,a,b,1-0\n1,b,a,1-0\n2,a,b,0-1\n";
        assert_eq!(clusters(table), [0, 0, 1]);
        // Tags without moves, in a different order.
        let tags = "[Site \"s\"]\n[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n[White \"b\"]\n[Black \"a\"]\n[Result \"*\"]\n";
        assert_eq!(found(tags).len(), 1);
    }

    #[test]
    fn mistakes_in_json_and_pgn_name_their_lines() {
        for [text, sentence] in rows(
            r#"
            {"first": "a"}\n => line 1: missing key `second`
            \n{"first": [1]} => line 2: key first: expected a text or a number
            {"first":"a","second":"b","winner":null} => line 1: key winner: null; expected first, second, draw, or * for an unfinished game
            {"first":"a","White":"b"} => line 1: key White: a key of this meaning is there already
            {"first":"a","second":"b => the last game, from line 1 on, is incomplete
            {"first": "a", "second": "b", "winner": "c"} => line 1, key winner: 'c' did not play; expected first, second, draw, a or b
            [White "a"]\n\n1-0\n => line 1: the game that begins here has no tag Black
            \n[White "a"]\n[Black "b"]\n[Result "2-0"] => line 2, tag Result: '2-0' is not a result; expected 1-0, 0-1, 1/2-1/2 or *
            [White "a"]\n[Black "a"]\n[Result "1-0"] => line 1, tag Black of the game that begins here: 'a' plays against itself
            [White "a"]\n[Black "b"]\n[Result "*"]\n{ open => the last game, from line 1 on, is incomplete
            [White "a"]\n[Black "b"]\n[Result "*"]\n => holds no finished games: 1 game unfinished
            ; x\n1. e4\n => line 2: this does not belong to a game; expected tags such as [White "a"]
            [White]\n => line 1: not a tag; expected a name and a value such as [White "a"]
            first,second,winner\na,b,"a\n => line 2: a quote is not closed on this line
        "#,
        ) {
            let told = of_text(text).expect_err(text);
            assert_eq!(told, sentence, "{text}");
        }
    }

    /// The number of games, and the notes.
    fn notes(text: &[u8]) -> (usize, Vec<String>) {
        let table = of_text(text);
        let table = table.unwrap_or_else(|what| panic!("{}: {what}", text_of(text)));
        (table.games.len(), table.notes)
    }

    #[test]
    fn what_cannot_be_read_is_left_out_and_told() {
        let game = |white: &str, result: &str, end: &str| {
            format!(
                "[Event \"T\"]\n[White \"{white}\"]\n[Black \"b\"]\n[Result \"{result}\"]\n\n1. e4 {end}\n\n"
            )
        };
        let whole = game("a", "1-0", "1-0");
        let one = |rest: &str| notes(format!("{whole}{rest}").as_bytes());
        let cut = "1 game left out: the last game, from line 8 on, is incomplete.";
        let check = |rest: &str, note: &str| {
            // The last game may also be followed by others.
            assert_eq!(one(rest), (1, vec![note.to_owned()]), "{rest}");
        };
        for rest in ["[Whi", "[Event \"T\"]\n[White \"b\"", &whole[..60]] {
            check(rest, cut);
        }
        for end in ["{half written", "e5 2. d"] {
            check(&game("a", "1-0", end), cut);
        }
        for [white, result, note] in rows(
            "
            a => 0-0 => 1 game left out: line 8, tag Result: '0-0' is a loss of both, which has no place in ratings.
            b => 1-0 => 1 game left out: line 8, tag Black of the game that begins here: 'b' plays against itself.
            ? => 1-0 => 1 game left out: line 8, tag White of the game that begins here: '?' is not a player.
            ? => * => 1 unfinished game left out: line 8.
            ",
        ) {
            check(&game(white, result, result), note);
        }
        let seven = "7 unfinished games left out: lines 8, 15, 22, 29, 36 and 2 more.";
        check(&game("b", "*", "*").repeat(7), seven);
        // A writer that was killed, and another one that appended its games.
        for cut in ["e5 2. d", "{half written", "{half written\n"] {
            let appended = format!(
                "{}{whole}{}",
                game("c", "1-0", cut).trim_end_matches('\n'),
                game("a", "0-1", "0-1")
            );
            let (count, notes) = notes(appended.as_bytes());
            assert_eq!((count, notes.len()), (2, 1), "{cut}: {notes:?}");
            assert!(
                notes[0].contains("line 1: the ")
                    && notes[0].contains("have no end") | notes[0].contains("has no end"),
                "{notes:?}"
            );
        }
        let differ = [
            game("a", "1-0", "1/2-1/2"),
            game("a", "1/2-1/2", "(1... c5 1/2-1/2) {x} 0-1"),
        ]
        .concat();
        let note = "In 2 games, the tag Result and the end of the moves differ; the tag counts: lines 1 and 8.";
        assert_eq!(notes(differ.as_bytes()), (2, vec![note.to_owned()]));
        for [text, note] in rows(
            r#"
            first,second,winner\na,b,first\na,b\na,b,c\n => 2 games left out: line 3: 2 columns where the header has 3; line 4, column winner: 'c' did not play; expected first, second, draw, a or b.
            first,second,winner\na,b,first\nb,a,fir => 1 game left out: line 3, column winner: 'fir' did not play; expected first, second, draw, b or a.
            {"first":"a","second":"b","winner":"a"} oops half{"first => 1 game left out: line 1: this is not an object, and the rest of the line is not read.
            {"first":"a","second":"b","winner":"a"}\n{"first":"a","sec => 1 game left out: the last game, from line 2 on, is incomplete.
            {"first":"a","sec\n{"first":"a","second":"b","winner":"a"} => 1 game left out: line 1: the object that begins here does not end.
            {"first":"a",\n{"first":"a","second":"b","winner":"a"} => 1 game left out: line 1: the object that begins here does not end.
            "#,
        ) {
            assert_eq!(notes(text.as_bytes()), (1, vec![note.to_owned()]), "{text}");
        }
    }

    #[test]
    fn every_cut_of_a_file_is_read_up_to_the_cut() {
        let game =
            "[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1. e4 {+0.3/12 1s} e5 1-0\n\n";
        let json = "{\"first\":\"a\", \"x\": [{}, \"}\\\"\"], \"second\":\"b\",\"winner\":\"a\"}\n";
        for (game, end) in [(game, "1-0".len()), (json, "}".len())] {
            let text = game.repeat(3);
            for cut in game.len()..=text.len() {
                let (count, notes) = notes(&text.as_bytes()[..cut]);
                // A game is whole without the line ends after it.
                let blank = game.len() - game.trim_end().len();
                assert_eq!(count, (cut + blank) / game.len(), "{:?}", &text[..cut]);
                let rest = text[..cut].trim_end().len() % game.len();
                assert_eq!(
                    notes.len(),
                    usize::from(rest != 0 && rest != game.len() - blank),
                    "{end} {:?}",
                    &text[..cut]
                );
            }
        }
    }

    #[test]
    fn names_that_look_alike_are_one_agent() {
        for text in [
            "first,second,winner\na ,b,first\nb, a,first\n",
            "first, second, winner\n\"a\", \"b\", \"a\"\n b,a ,a\n",
            "First;Second;Winner\na;b;First\nb;a;DRAW\n;;\n",
            "first,second,winner\na \u{200b},b,first\n\u{feff}b,a\u{ad},first\n",
            "WHITE\tblack\tResult\na\tb\t\u{bd}-\u{bd}\nb\ta\t1 \u{2013} 0\n",
            "first,second,winner\na,b,first\nfirst,second,winner\nb,a,first\n",
            "[White \"a \"] [Black \" b\"] [Result \"1-0\"] 1-0\n[white \"b\"]\n[BLACK \"a\"]\n\n1-0\n",
            r#"[{"First":"a","Second":" b","WINNER":"a"}, {"white":"b","black":"a","result":"Draw"}]"#,
            "{\n \"first\": \"a\",\n \"second\": \"b\",\n \"winner\": \"a\"\n}{\"first\":\"a\",\"second\":\"b\",\"winner\":\"a\"}",
        ] {
            let table = of_text(text).expect(text);
            assert_eq!(
                (&table.agents[..], table.games.len()),
                (&["a".to_owned(), "b".to_owned()][..], 2),
                "{text}"
            );
            assert_eq!(table.notes, [""; 0], "{text}");
        }
        let forms = "first,second,winner\ncafe\u{301},b,first\nb,caf\u{e9},first\n";
        assert_eq!(of_text(forms).expect("a table").agents, ["b", "caf\u{e9}"]);
        let latin = b"[White \"J\xe1n\"]\n[Black \"B\"]\n[Result \"1-0\"]\n[White \"B\"]\n[Black \"J\xc3\xa1n\"]\n[Result \"1-0\"]\n";
        assert_eq!(of_text(latin).expect("a table").agents, ["B", "J\u{e1}n"]);
        // As our own tables guard names against spreadsheets.
        let guarded = "first,second,winner\n'-dash,b,'-dash\nb,-dash,first\n'x,b,first\n";
        assert_eq!(
            of_text(guarded).expect("a table").agents,
            ["'x", "-dash", "b"]
        );
        // A name in other letters than a seat's is a name.
        let seat = of_text("first,second,winner\nBlack,White,White\n");
        assert_eq!(seat.expect("a table").games[0].score, false.into());
    }

    #[test]
    fn there_is_a_limit_of_agents() {
        let rows: String = (0..=MAX_AGENTS / 2)
            .map(|i| format!("a{i},b{i},first\n"))
            .collect();
        let told = of_text(format!("first,second,winner\n{rows}"));
        assert_eq!(
            told.expect_err("too many"),
            "line 1002, column second: more than 2000 agents, the limit"
        );
        let long = format!("first,second,winner\na,{},first\n", "b".repeat(501));
        let told = of_text(long);
        assert_eq!(
            told.expect_err("too long"),
            "line 2, column second: a name longer than 500 bytes, the limit"
        );
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = of_text(bytes);
        }

        #[test]
        fn no_text_makes_it_panic(
            start in prop::sample::select(vec!["", "[", "{\"", "first,second,winner\n", "[White \"a\"]\n"]),
            rest in "[\\[\\]\"{};,:%*\\\\ \t\na-c01/\\-]{0,80}",
        ) {
            let _ = of_text(format!("{start}{rest}"));
        }
    }
}
