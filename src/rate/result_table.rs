//! Tables of results: the agents and the winner of each game, in any supported file format.

mod delimited;
mod gathered;
mod json_lines;
mod tags;

use std::collections::{BTreeMap, BTreeSet};
use std::io::BufRead;
use std::path::Path;

use crate::input::{FileForm, check_ending, read_file};
use patchwork_engine::util::InputError;
use patchwork_engine::util::lines::{peek, unreadable};

use self::gathered::Gathered;
use patchwork_rating::RatedGame;

pub use self::gathered::{MOST_AGENTS, MOST_GAMES};

/// The results of games between named agents.
///
/// A file is a table, JSON lines or PGN, told apart by its contents, and may be compressed with gzip. A name with the
/// ending of another format is an error.
///
/// A table has a line with column names, then one line per game, in any order, with columns separated by tabs
/// or commas. `first` and `second` (or `white` and `black`) are the agents by seat. `winner` (or `result`) is
/// `first`, `second`, `white`, `black`, the winner's name, `draw`, `1-0`, `0-1` or `1/2-1/2`; `*` is an
/// unfinished game, which is counted and left out. With `pair`, a whole number, games of the same `pairing` (any
/// text) and pair share a setup; `leg`, 0 or 1, says which of the two a game is. Games without a pair are
/// independent. Other columns are ignored, and quotes around a cell are removed.
///
/// JSON lines have an object per line with the same keys.
///
/// PGN is read from its tags alone: `White` and `Black`, or `First` and `Second`, and `Result`. Two games are a
/// pair if they have the same `Pairing` and `Pair`, or are the only two of the same agents with the same `Event`,
/// `Round` and `FEN` and have the seats swapped.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResultTable {
    /// The agents, sorted by name.
    pub agents: Vec<String>,
    /// The games, sorted by pairing, pair and leg; then those without a pair.
    pub games: Vec<RatedGame>,
    /// The number of other games, which were not finished.
    pub unfinished: u64,
}

impl ResultTable {
    /// Reads a file.
    ///
    /// # Errors
    /// When the file cannot be read or does not hold results; the message names file, line and column.
    pub fn read(path: &Path) -> Result<Self, InputError> {
        read_file(path, |reader| Self::from_reader(reader, Some(path)))
    }

    /// The games of several tables. Agents are identified by name; games of different tables never share a
    /// setup.
    #[must_use]
    pub fn merged(mut tables: Vec<Self>) -> Self {
        if let [_] = &tables[..] {
            return tables.remove(0);
        }
        let names: BTreeSet<&String> = tables.iter().flat_map(|table| &table.agents).collect();
        let index: BTreeMap<&String, usize> = names.iter().copied().zip(0..).collect();
        let mut games = Vec::new();
        let mut clusters = 0;
        for table in &tables {
            let agent = |agent: usize| index[&table.agents[agent]];
            games.extend(table.games.iter().map(|game| RatedGame {
                cluster: clusters + game.cluster,
                first: agent(game.first),
                second: agent(game.second),
                score: game.score,
            }));
            clusters += 1 + table
                .games
                .iter()
                .map(|game| game.cluster)
                .max()
                .unwrap_or(0);
        }
        Self {
            agents: names.into_iter().cloned().collect(),
            games,
            unfinished: tables.iter().map(|table| table.unfinished).sum(),
        }
    }

    /// Reads results, with the path of the file if there is one; the error is a sentence that says what is wrong.
    fn from_reader(reader: impl BufRead, path: Option<&Path>) -> Result<Self, String> {
        let (start, input) = peek(reader).map_err(|error| unreadable(&error))?;
        let begun = start.trim_ascii_start();
        let (forms, about, read): (&[FileForm], _, fn(_, &mut Gathered) -> _) = match begun.first()
        {
            // A PGN comment also begins with a brace.
            Some(b'{') if begun[1..].trim_ascii_start().starts_with(b"\"") => (
                &[FileForm::JsonLines, FileForm::Json],
                "JSON lines",
                json_lines::read,
            ),
            Some(b'[' | b'{' | b';' | b'%') => (&[FileForm::Pgn], "PGN", tags::read),
            _ => (&[FileForm::Tsv, FileForm::Csv], "a table", delimited::read),
        };
        if let Some(path) = path.filter(|_| !start.is_empty()) {
            check_ending(path, forms, about)?;
        }
        let mut gathered = Gathered::default();
        read(input, &mut gathered)?;
        let unfinished = gathered.unfinished;
        let (agents, games) = gathered.sorted()?;
        Ok(Self {
            agents,
            games,
            unfinished,
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const HEADER: &str = "pairing\tpair\tleg\tfirst\tsecond\twinner\n";

    fn read(rows: &str) -> Result<ResultTable, String> {
        ResultTable::from_reader(format!("{HEADER}{rows}").as_bytes(), None)
    }

    #[test]
    fn games_are_in_order_whatever_the_order_of_the_rows() {
        let table = read("b|a\t1\t0\tb\ta\tsecond\nb|a\t0\t1\ta\tb\ta\nb|a\t0\t0\tb\ta\tfirst\n");
        let table = table.expect("a table");
        assert_eq!(table.agents, ["a", "b"]);
        let game = |cluster, first, second, first_won| RatedGame {
            cluster,
            first,
            second,
            score: bool::into(first_won),
        };
        assert_eq!(
            table.games,
            [
                game(0, 1, 0, true),
                game(0, 0, 1, true),
                game(1, 1, 0, false)
            ]
        );
        let mixed = "winner\tnote\tleg\tpair\tpairing\tsecond\tfirst\r\na\tx\t0\t7\tp\tb\ta\r\n";
        let mixed = ResultTable::from_reader(mixed.as_bytes(), None).expect("columns in any order");
        assert_eq!(mixed.games, [game(0, 0, 1, true)]);
    }

    #[test]
    fn tables_are_merged_by_name() {
        let one = read("p\t0\t0\tb\tc\tfirst\np\t0\t1\tc\tb\tfirst\n").expect("a table");
        let other = read("p\t0\t0\ta\tb\tsecond\n").expect("a table");
        let merged = ResultTable::merged(vec![one.clone(), other]);
        assert_eq!(merged.agents, ["a", "b", "c"]);
        let game = |cluster, first, second, first_won| RatedGame {
            cluster,
            first,
            second,
            score: bool::into(first_won),
        };
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
        let all = ResultTable::from_reader(format!("{header}{quoted}").as_bytes(), None);
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
        let row = "p\t0\t0\ta\tb\tfirst\n";
        for (rows, sentence) in [
            ("", "holds no games"),
            (
                "p\t0\t0\ta\tb\n",
                "line 2: 5 columns where the header has 6",
            ),
            (
                "p\tx\t0\ta\tb\tfirst\n",
                "line 2, column pair: 'x' is not a pair; expected a whole number",
            ),
            (
                "p\t0\t2\ta\tb\tfirst\n",
                "line 2, column leg: '2' is not a leg; expected 0 or 1",
            ),
            (
                "p\t0\t0\t\tb\tfirst\n",
                "line 2, column first: empty; expected an agent",
            ),
            (
                "p\t0\t0\ta\ta\tfirst\n",
                "line 2, column second: 'a' plays against itself",
            ),
            (
                "p\t0\t0\ta\tb\tc\n",
                "line 2, column winner: 'c' did not play; expected first, second, draw, a or b",
            ),
            (
                "p\t0\t0\ta\tfirst\tfirst\n",
                "line 2, column winner: 'first' is a seat and the name of the agent in the other seat",
            ),
            (
                &row.repeat(2),
                "line 3: leg 0 of pair 0 of pairing 'p' is on line 2 already",
            ),
            (
                &format!("{row}p\t0\t1\tb\tc\tfirst\n"),
                "line 3: pair 0 of pairing 'p' was played by a and b on line 2",
            ),
        ] {
            assert_eq!(read(rows).expect_err(rows), sentence);
        }
        for (text, sentence) in [
            (
                &b""[..],
                "is empty; expected a line of column names: first, second and winner, and pairing, pair and leg if games \
                 are paired, separated by tabs or commas",
            ),
            (
                b"pairing\tpair\tleg\tfirst\tsecond\n",
                "line 1: no column is named winner; expected first, second and winner, and pairing, pair and leg if \
                 games are paired, separated by tabs or commas",
            ),
            (
                b"pairing\tpair\tleg\tfirst\tsecond\twinner\tleg\n",
                "line 1: more than one column is named leg",
            ),
            (
                b"pairing\tpair\tleg\tfirst\tsecond\twinner\np\t0\t0\ta\xff\tb\tfirst\n",
                "line 2: not valid UTF-8",
            ),
        ] {
            assert_eq!(
                ResultTable::from_reader(text, None).expect_err("damaged"),
                sentence
            );
        }
    }

    /// The cluster, the agents and the half points of the first agent of each game.
    fn found(text: &str) -> Vec<(u64, [String; 2], u64)> {
        let table = ResultTable::from_reader(text.as_bytes(), None)
            .unwrap_or_else(|what| panic!("{text}: {what}"));
        let name = |agent: usize| table.agents[agent].clone();
        let games = table.games.iter();
        games
            .map(|game| {
                let points = game.score.half_points();
                (game.cluster, [game.first, game.second].map(name), points)
            })
            .collect()
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
        for text in [tabs, commas, json, &pgn] {
            assert_eq!(found(text), expected, "{text}");
            let table = ResultTable::from_reader(text.as_bytes(), None).expect("a table");
            assert_eq!(table.unfinished, 1, "{text}");
        }
    }

    #[test]
    fn games_without_pairs_are_independent() {
        let text = "first\tsecond\twinner\na\tb\tfirst\nb\ta\tfirst\n";
        let clusters: Vec<u64> = found(text).iter().map(|game| game.0).collect();
        assert_eq!(clusters, [0, 1]);
        // A pair without legs is also a pair.
        let pairs = "pair,first,second,winner\n7,a,b,a\n7,b,a,a\n8,a,b,b\n";
        let clusters: Vec<u64> = found(pairs).iter().map(|game| game.0).collect();
        assert_eq!(clusters, [0, 0, 1]);
    }

    #[test]
    fn rounds_of_pgn_are_pairs_if_two_games_swap_seats() {
        let game = |event: &str, round: &str, white: &str, black: &str, fen: &str| {
            format!(
                "[Event \"{event}\"]\n[Site \"?\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n\
                 [Result \"1/2-1/2\"]\n[FEN \"{fen}\"]\n\n1. e4 {{+0.3/12 1.2s}} e5 {{[%clk 1]}} 1/2-1/2\n\n"
            )
        };
        let clusters = |games: &[String]| -> Vec<u64> {
            found(&games.concat()).iter().map(|game| game.0).collect()
        };
        let pair = [game("e", "1", "a", "b", "x"), game("e", "1", "b", "a", "x")];
        assert_eq!(clusters(&pair), [0, 0]);
        let apart = [
            [game("e", "1", "a", "b", "x"), game("e", "2", "b", "a", "x")],
            [game("e", "1", "a", "b", "x"), game("f", "1", "b", "a", "x")],
            [game("e", "1", "a", "b", "x"), game("e", "1", "b", "a", "y")],
            [game("e", "1", "a", "b", "x"), game("e", "1", "a", "b", "x")],
            [game("e", "?", "a", "b", "x"), game("e", "?", "b", "a", "x")],
        ];
        for games in apart {
            assert_eq!(clusters(&games), [0, 1], "{games:?}");
        }
        let three = [&pair[..], &pair[..1]].concat();
        assert_eq!(clusters(&three), [0, 1, 2]);
        // Tags without moves, in a different order.
        let tags = "[Site \"s\"]\n[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n[White \"b\"]\n[Black \"a\"]\n[Result \"*\"]\n";
        assert_eq!(found(tags).len(), 1);
    }

    #[test]
    fn mistakes_in_json_and_pgn_name_their_lines() {
        for (text, sentence) in [
            ("{\"first\": \"a\"}\n", "line 1: missing key `second`"),
            (
                "{\"first\": \"a\", \"second\": \"b\", \"winner\": \"a\"}\n{\"first\": [1]}",
                "line 2: key first: expected a text or a number",
            ),
            (
                "{\"first\": \"a\", \"second\": \"b\", \"winner\": \"c\"}",
                "line 1, key winner: 'c' did not play; expected first, second, draw, a or b",
            ),
            (
                "[White \"a\"]\n\n1-0\n",
                "line 1: the game that begins here has no tag Black",
            ),
            (
                "\n[White \"a\"]\n[Black \"b\"]\n[Result \"2-0\"]",
                "line 2, tag Result: '2-0' is not a result; expected 1-0, 0-1, 1/2-1/2 or *",
            ),
            (
                "[White \"a\"]\n[Black \"a\"]\n[Result \"1-0\"]",
                "line 1, tag Black of the game that begins here: 'a' plays against itself",
            ),
            (
                "[White \"a\"]\n[Black \"b\"]\n[Result \"*\"]\n{ open",
                "line 4: a comment begins here and does not end; expected '}'",
            ),
            (
                "[White \"a\"]\n[Black \"b\"]\n[Result \"*\"]\n",
                "holds no finished games: 1 game unfinished",
            ),
            (
                "; x\n1. e4\n",
                "line 2: this does not belong to a game; expected tags such as [White \"a\"]",
            ),
            (
                "[White]\n",
                "line 1: not a tag; expected a name and a value such as [White \"a\"]",
            ),
            (
                "first,second,winner\na,b,\"a\n",
                "line 2: a quote is not closed on this line",
            ),
        ] {
            let told = ResultTable::from_reader(text.as_bytes(), None).expect_err(text);
            assert_eq!(told, sentence, "{text}");
        }
    }

    #[test]
    fn there_is_a_limit_of_agents() {
        let rows: String = (0..=MOST_AGENTS / 2)
            .map(|i| format!("a{i},b{i},first\n"))
            .collect();
        let told =
            ResultTable::from_reader(format!("first,second,winner\n{rows}").as_bytes(), None);
        assert_eq!(
            told.expect_err("too many"),
            "line 1002, column second: more than 2000 agents, the limit"
        );
        let long = format!("first,second,winner\na,{},first\n", "b".repeat(501));
        let told = ResultTable::from_reader(long.as_bytes(), None);
        assert_eq!(
            told.expect_err("too long"),
            "line 2, column second: a name longer than 500 bytes, the limit"
        );
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = ResultTable::from_reader(&bytes[..], None);
        }

        #[test]
        fn no_text_makes_it_panic(
            start in prop::sample::select(vec!["", "[", "{\"", "first,second,winner\n", "[White \"a\"]\n"]),
            rest in "[\\[\\]\"{};,:%*\\\\ \t\na-c01/\\-]{0,80}",
        ) {
            let _ = ResultTable::from_reader(format!("{start}{rest}").as_bytes(), None);
        }
    }
}
