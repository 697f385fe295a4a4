//! Tables of results: the agents and the winner of each game.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::Path;

use csv::ByteRecord;

use super::game::RatedGame;
use crate::util::input::{FileError, read_file};

/// The columns that are read; others are ignored.
const COLUMNS: [&str; 6] = ["pairing", "pair", "leg", "first", "second", "winner"];

/// The results of games between named agents.
///
/// A table has a header line with column names, then one line per game, in any order. Columns are
/// separated by tabs. `pairing` is any text, `pair` a whole number, `leg` 0 or 1; games with the
/// same pairing and pair share a setup. `first` and `second` are the agents by seat; `winner` is
/// `first`, `second` or the winner's name. Other columns are ignored. Quotes around a cell are
/// removed. The file may be compressed with gzip.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResultTable {
    /// The agents, sorted by name.
    pub agents: Vec<String>,
    /// The games, sorted by pairing, pair and leg.
    pub games: Vec<RatedGame>,
}

/// A game as read from its row.
#[derive(Clone, Debug)]
struct LegRow {
    line: u64,
    first: String,
    second: String,
    first_won: bool,
}

/// The rows of a pair, by leg.
type PairRows = BTreeMap<u8, LegRow>;

impl ResultTable {
    /// Reads a table from a file.
    ///
    /// # Errors
    /// When the file cannot be read or is not a table of results; the message names file, line and
    /// column.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        read_file(path, |reader| Self::from_reader(reader))
    }

    /// The games of several tables. Agents are told apart by name; no two tables have games on the same
    /// setup.
    #[must_use]
    pub fn merged(tables: &[Self]) -> Self {
        let names: BTreeSet<&String> = tables.iter().flat_map(|table| &table.agents).collect();
        let index: BTreeMap<&String, usize> = names.iter().copied().zip(0..).collect();
        let mut games = Vec::new();
        let mut clusters = 0;
        for table in tables {
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
        }
    }

    /// Reads a table; the error is a sentence that says what is wrong.
    fn from_reader(reader: impl Read) -> Result<Self, String> {
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(b'\t')
            .quoting(false)
            .from_reader(reader);
        let columns = columns(reader.byte_headers().map_err(|error| told(&error))?)?;
        let mut pairs: BTreeMap<(String, u64), PairRows> = BTreeMap::new();
        let mut record = ByteRecord::new();
        while reader
            .read_byte_record(&mut record)
            .map_err(|error| told(&error))?
        {
            let line = record.position().map_or(0, csv::Position::line);
            let at = |column: usize, what: String| {
                Err(format!("line {line}, column {}: {what}", COLUMNS[column]))
            };
            let mut fields = [const { Cow::Borrowed("") }; COLUMNS.len()];
            for (i, field) in fields.iter_mut().enumerate() {
                match std::str::from_utf8(&record[columns[i]]) {
                    Ok(text) => *field = unquoted(text),
                    Err(_) => return at(i, "not valid UTF-8".to_owned()),
                }
            }
            let [pairing, pair, leg, first, second, winner] = fields.each_ref().map(AsRef::as_ref);
            let Ok(pair) = pair.parse::<u64>() else {
                return at(
                    1,
                    format!("'{pair}' is not a pair; expected a whole number"),
                );
            };
            let leg = match leg {
                "0" => 0,
                "1" => 1,
                _ => {
                    return at(2, format!("'{leg}' is not a leg; expected 0 or 1"));
                }
            };
            for (column, agent) in [(3, first), (4, second)] {
                if agent.trim().is_empty() {
                    return at(column, "empty; expected an agent".to_owned());
                }
            }
            if first == second {
                return at(4, format!("'{second}' plays against itself"));
            }
            let first_won = match winner_is_first(first, second, winner) {
                Ok(first_won) => first_won,
                Err(what) => return at(5, what),
            };
            let row = LegRow {
                line,
                first: first.to_owned(),
                second: second.to_owned(),
                first_won,
            };
            let legs = pairs.entry((pairing.to_owned(), pair)).or_default();
            let pair = format!("pair {pair} of pairing '{pairing}'");
            if let Some(LegRow { line, .. }) = legs.get(&leg) {
                return at(2, format!("leg {leg} of {pair} is on line {line} already"));
            }
            if let Some(other) = legs.values().find(|other| !other.same_agents(&row)) {
                let (a, b, line) = (&other.first, &other.second, other.line);
                return at(
                    3,
                    format!("{pair} was played by {a} and {b} on line {line}"),
                );
            }
            legs.insert(leg, row);
        }
        if pairs.is_empty() {
            return Err("holds no games, only a line of column names".to_owned());
        }
        Ok(Self::of_pairs(&pairs))
    }

    fn of_pairs(pairs: &BTreeMap<(String, u64), PairRows>) -> Self {
        let rows = || pairs.values().flat_map(PairRows::values);
        let names: BTreeSet<&str> = rows()
            .flat_map(|row| [row.first.as_str(), row.second.as_str()])
            .collect();
        let index: BTreeMap<&str, usize> = names.iter().copied().zip(0..).collect();
        let game = |cluster: u64, row: &LegRow| RatedGame {
            cluster,
            first: index[row.first.as_str()],
            second: index[row.second.as_str()],
            score: row.first_won.into(),
        };
        Self {
            games: (0..)
                .zip(pairs.values())
                .flat_map(|(cluster, pair)| pair.values().map(move |row| (cluster, row)))
                .map(|(cluster, row)| game(cluster, row))
                .collect(),
            agents: names.into_iter().map(str::to_owned).collect(),
        }
    }
}

impl LegRow {
    fn same_agents(&self, other: &Self) -> bool {
        let [mine, theirs] = [self, other].map(|row| (&row.first, &row.second));
        mine == theirs || mine == (theirs.1, theirs.0)
    }
}

/// Whether the agent in the first seat won; `winner` is a seat or a name.
fn winner_is_first(first: &str, second: &str, winner: &str) -> Result<bool, String> {
    let by_seat = match winner {
        "first" => Some(true),
        "second" => Some(false),
        _ => None,
    };
    let by_name = if winner == first {
        Some(true)
    } else {
        (winner == second).then_some(false)
    };
    match (by_seat, by_name) {
        (Some(seat), Some(name)) if seat != name => Err(format!(
            "'{winner}' is a seat and the name of the agent in the other seat"
        )),
        (Some(first_won), _) | (None, Some(first_won)) => Ok(first_won),
        (None, None) => Err(format!(
            "'{winner}' did not play; expected first, second, {first} or {second}"
        )),
    }
}

/// A cell without the quotes that some programs put around text; a doubled quote inside becomes
/// one.
fn unquoted(cell: &str) -> Cow<'_, str> {
    let inside = cell
        .strip_prefix('"')
        .and_then(|cell| cell.strip_suffix('"'));
    match inside {
        Some(text) if text.contains("\"\"") => Cow::Owned(text.replace("\"\"", "\"")),
        Some(text) => Cow::Borrowed(text),
        None => Cow::Borrowed(cell),
    }
}

/// The position of each of [`COLUMNS`].
fn columns(header: &ByteRecord) -> Result<[usize; COLUMNS.len()], String> {
    let expected = COLUMNS.join(", ");
    if header.is_empty() {
        return Err(format!(
            "is empty; expected a line of column names: {expected}, separated by tabs"
        ));
    }
    let mut columns = [0; COLUMNS.len()];
    for (column, place) in COLUMNS.iter().zip(&mut columns) {
        let mut found = (0..header.len()).filter(|&i| {
            std::str::from_utf8(&header[i]).is_ok_and(|name| unquoted(name) == *column)
        });
        match (found.next(), found.next()) {
            (Some(only), None) => *place = only,
            (None, _) => {
                return Err(format!(
                    "line 1: no column is named {column}; expected {expected}, separated by tabs"
                ));
            }
            (Some(_), Some(_)) => {
                return Err(format!("line 1: more than one column is named {column}"));
            }
        }
    }
    Ok(columns)
}

/// The reader's error as a sentence.
fn told(error: &csv::Error) -> String {
    let what = match error.kind() {
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => format!("{len} columns where the header has {expected_len}"),
        csv::ErrorKind::Io(error) => format!("cannot be read: {error}"),
        _ => error.to_string(),
    };
    match error.position().map(csv::Position::line) {
        Some(line) => format!("line {line}: {what}"),
        None => what,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "pairing\tpair\tleg\tfirst\tsecond\twinner\n";

    fn read(rows: &str) -> Result<ResultTable, String> {
        ResultTable::from_reader(format!("{HEADER}{rows}").as_bytes())
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
        let mixed = ResultTable::from_reader(mixed.as_bytes()).expect("columns in any order");
        assert_eq!(mixed.games, [game(0, 0, 1, true)]);
    }

    #[test]
    fn tables_are_merged_by_name() {
        let one = read("p\t0\t0\tb\tc\tfirst\np\t0\t1\tc\tb\tfirst\n").expect("a table");
        let other = read("p\t0\t0\ta\tb\tsecond\n").expect("a table");
        let merged = ResultTable::merged(&[one.clone(), other]);
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
        assert_eq!(ResultTable::merged(std::slice::from_ref(&one)), one);
    }

    #[test]
    fn a_name_in_quotes_is_the_same_name() {
        let plain = "p\t0\t0\ta\tb\tb\np\t0\t1\tb\ta\tfirst\n";
        let quoted = "\"p\"\t\"0\"\t0\ta\t\"b\"\tb\np\t0\t1\tb\t\"a\"\t\"first\"\n";
        assert_eq!(read(quoted), read(plain));
        let header = HEADER.replace("pair\t", "\"pair\"\t");
        let all = ResultTable::from_reader(format!("{header}{quoted}").as_bytes());
        assert_eq!(all, read(plain));
        // Quotes inside a name are a part of it; a quote alone is one.
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
            ("", "holds no games, only a line of column names"),
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
                "line 2, column winner: 'c' did not play; expected first, second, a or b",
            ),
            (
                "p\t0\t0\ta\tfirst\tfirst\n",
                "line 2, column winner: 'first' is a seat and the name of the agent in the other seat",
            ),
            (
                &row.repeat(2),
                "line 3, column leg: leg 0 of pair 0 of pairing 'p' is on line 2 already",
            ),
            (
                &format!("{row}p\t0\t1\tb\tc\tfirst\n"),
                "line 3, column first: pair 0 of pairing 'p' was played by a and b on line 2",
            ),
        ] {
            assert_eq!(read(rows).expect_err(rows), sentence);
        }
        for (text, sentence) in [
            (
                &b""[..],
                "is empty; expected a line of column names: pairing, pair, leg, first, second, winner, separated by tabs",
            ),
            (
                b"pairing\tpair\tleg\tfirst\tsecond\n",
                "line 1: no column is named winner; expected pairing, pair, leg, first, second, winner, separated by tabs",
            ),
            (
                b"pairing\tpair\tleg\tfirst\tsecond\twinner\tleg\n",
                "line 1: more than one column is named leg",
            ),
            (
                b"pairing\tpair\tleg\tfirst\tsecond\twinner\np\t0\t0\ta\xff\tb\tfirst\n",
                "line 2, column first: not valid UTF-8",
            ),
        ] {
            assert_eq!(
                ResultTable::from_reader(text).expect_err("damaged"),
                sentence
            );
        }
    }
}
