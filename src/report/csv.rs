//! The summary and the games as tidy CSV tables; `docs/report.md` says what the columns mean.

mod rows;

use std::io;

use serde::Serialize;
use serde_json::Value;

use self::rows::{GameRow, branching, calibration, first_player, searches};
use crate::record::Games;
use crate::stats::{Summary, in_order};

/// A table of its own topic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CsvTable {
    /// A row per agent, from the highest rating down.
    #[default]
    Ratings,
    /// A row per pairing.
    Pairings,
    /// A row per two agents that a chain of games links, in the order of their ranks.
    Comparisons,
    /// A row per two agents that met, the most surprising first.
    Consistency,
    /// What moving first is worth: over all, by strength, by pairing.
    FirstPlayer,
    /// Legal actions: of all plies, by ply, by phase, where a patch was bought.
    Branching,
    /// A row per length of games.
    Lengths,
    /// A row per kind of decision.
    Decisions,
    /// A row per number of points that somebody had.
    Scores,
    /// A row per number of points by which games were won.
    Margins,
    /// Where the points come from, by seat and by result.
    Composition,
    /// A row per patch.
    Patches,
    /// A row per ring that whole pairs have played, by track and order.
    Rings,
    /// A row per agent: effort, trees, times.
    Searches,
    /// Expectations of each agent and of all, in bins, beside results.
    Calibration,
    /// A row per game in the order of the plan, without anything that differs from run to run.
    Games,
}

/// What the tables are made of.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    /// The statistics of the games.
    pub summary: &'a Summary,
    /// The agents by the indices in records.
    pub names: &'a [String],
    /// The agents of each pairing.
    pub pairings: &'a [(u16, u16)],
    /// The games in any order.
    pub games: &'a dyn Games,
}

impl CsvTable {
    /// All tables.
    pub const ALL: [Self; 16] = [
        Self::Ratings,
        Self::Pairings,
        Self::Comparisons,
        Self::Consistency,
        Self::FirstPlayer,
        Self::Branching,
        Self::Lengths,
        Self::Decisions,
        Self::Scores,
        Self::Margins,
        Self::Composition,
        Self::Patches,
        Self::Rings,
        Self::Searches,
        Self::Calibration,
        Self::Games,
    ];

    /// What it is called: `ratings`, `first-player` and so on.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ratings => "ratings",
            Self::Pairings => "pairings",
            Self::Comparisons => "comparisons",
            Self::Consistency => "consistency",
            Self::FirstPlayer => "first-player",
            Self::Branching => "branching",
            Self::Lengths => "lengths",
            Self::Decisions => "decisions",
            Self::Scores => "scores",
            Self::Margins => "margins",
            Self::Composition => "composition",
            Self::Patches => "patches",
            Self::Rings => "rings",
            Self::Searches => "searches",
            Self::Calibration => "calibration",
            Self::Games => "games",
        }
    }

    /// What it holds, in a few words.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::Ratings => "A row for each agent",
            Self::Pairings => "A row for each two agents that meet",
            Self::Comparisons => {
                "A row for each two agents: how much better one is, and how surely"
            }
            Self::Consistency => {
                "A row for each two agents that met: results beside what ratings expect"
            }
            Self::FirstPlayer => "What moving first is worth: over all, by strength, by pairing",
            Self::Branching => "Legal actions by ply, phase and kind",
            Self::Lengths => "How many games have each length",
            Self::Decisions => "How often players advance, buy and place special patches",
            Self::Scores => "How many players have each number of points",
            Self::Margins => "How many games are won by each number of points",
            Self::Composition => "Where points come from, by seat and by result",
            Self::Patches => {
                "A row for each patch: how often it is bought, when, and how buyers fare"
            }
            Self::Rings => "A row for each ring: which seat it favours",
            Self::Searches => "A row for each agent: its effort, its trees, its times",
            Self::Calibration => "What agents expected beside how often they won, in bins",
            Self::Games => "A row for each game",
        }
    }

    /// The table of this name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|table| table.name() == name)
    }

    /// The name of its file, `ratings.csv` and so on.
    #[must_use]
    pub fn file_name(self) -> String {
        format!("{}.csv", self.name())
    }

    /// The names of its columns.
    #[must_use]
    pub const fn columns(self) -> &'static [&'static str] {
        match self {
            Self::Ratings => &[
                "agent",
                "elo",
                "low",
                "high",
                "se",
                "games",
                "wins",
                "score",
                "mean_margin",
                "iterations_per_s",
                "seconds_per_move",
                "perfect",
                "separated",
            ],
            Self::Pairings => &[
                "a",
                "b",
                "games",
                "a_wins",
                "b_wins",
                "a_score",
                "low",
                "high",
                "mean_margin",
                "first_wins",
                "first_win_rate",
                "first_low",
                "first_high",
            ],
            Self::Comparisons => &[
                "a",
                "b",
                "elo",
                "low",
                "high",
                "se",
                "los",
                "points",
                "points_low",
                "points_high",
                "points_se",
            ],
            Self::Consistency => &["a", "b", "games", "wins", "expected", "surprise", "excess"],
            Self::FirstPlayer => &[
                "by",
                "value",
                "from",
                "to",
                "games",
                "win_rate",
                "low",
                "high",
                "elo",
                "elo_low",
                "elo_high",
                "margin",
                "margin_low",
                "margin_high",
            ],
            Self::Branching => &[
                "by",
                "value",
                "mean_legal",
                "plies",
                "low",
                "high",
                "forced",
                "forced_low",
                "forced_high",
            ],
            Self::Lengths => &["length", "plies", "turns"],
            Self::Decisions => &["kind", "mean", "low", "high", "share", "first", "second"],
            Self::Scores => &["points", "first", "second", "winner", "loser"],
            Self::Margins => &["margin", "games"],
            Self::Composition => &["role", "points", "buttons", "squares", "bonus"],
            Self::Patches => &[
                "patch",
                "price",
                "time",
                "income",
                "size",
                "bought",
                "rate",
                "first",
                "second",
                "opening",
                "middle",
                "end",
                "mean_space",
                "win_rate",
                "win_low",
                "win_high",
                "margin",
                "margin_low",
                "margin_high",
                "win_gain",
                "win_gain_low",
                "win_gain_high",
                "margin_gain",
                "margin_gain_low",
                "margin_gain_high",
            ],
            Self::Rings => &[
                "track",
                "ring",
                "games",
                "first_wins",
                "margin",
                "bias",
                "low",
                "high",
            ],
            Self::Searches => &[
                "agent",
                "plies",
                "forced",
                "solved",
                "broken_proofs",
                "searches",
                "iterations_per_move",
                "iterations_per_s",
                "mean_depth",
                "max_depth",
                "mean_nodes",
                "max_nodes",
                "entropy",
                "time_mean",
                "time_p5",
                "time_p50",
                "time_p95",
                "time_p99",
                "time_max",
                "brier",
                "expected_error",
            ],
            Self::Calibration => &[
                "agent",
                "from",
                "to",
                "plies",
                "games",
                "predicted",
                "won",
                "low",
                "high",
            ],
            Self::Games => &[
                "pairing",
                "pair",
                "leg",
                "first",
                "second",
                "winner",
                "first_score",
                "second_score",
                "bonus",
                "plies",
                "turns",
            ],
        }
    }

    /// Writes the table with a line of column names. Numbers are not rounded; one that the games do
    /// not tell is left empty.
    ///
    /// # Errors
    /// When the writer fails.
    pub(super) fn write(self, out: impl io::Write, source: &Source<'_>) -> io::Result<()> {
        // The columns are named here: the writer would name them by the first row, if there is one.
        let mut writer = ::csv::WriterBuilder::new()
            .has_headers(false)
            .from_writer(out);
        writer.write_record(self.columns())?;
        let summary = source.summary;
        let out = &mut (self.columns(), &mut writer);
        match self {
            Self::Ratings => write_rows(out, &summary.ratings)?,
            Self::Pairings => write_rows(out, &summary.pairings)?,
            Self::Comparisons => write_rows(out, &summary.comparisons)?,
            Self::Consistency => write_rows(out, &summary.consistency.pairings)?,
            Self::FirstPlayer => write_rows(out, first_player(summary))?,
            Self::Branching => write_rows(out, branching(summary))?,
            Self::Lengths => write_rows(out, &summary.plies.histogram)?,
            Self::Decisions => write_rows(out, &summary.decisions)?,
            Self::Scores => write_rows(out, &summary.scores.histogram)?,
            Self::Margins => write_rows(out, &summary.scores.margins)?,
            Self::Composition => write_rows(out, &summary.scores.composition)?,
            Self::Patches => write_rows(out, &summary.patches)?,
            Self::Rings => write_rows(out, &summary.rings.all)?,
            Self::Searches => write_rows(out, searches(summary))?,
            Self::Calibration => write_rows(out, calibration(summary))?,
            Self::Games => {
                let rows = in_order(source.games, |entry| GameRow::new(source, entry));
                for row in rows {
                    writer.serialize(row)?;
                }
            }
        }
        writer.flush()
    }
}

/// Writes rows whose fields are named as the columns.
pub(super) fn write_rows<W: io::Write, R: Serialize>(
    (columns, writer): &mut (&[&str], &mut ::csv::Writer<W>),
    rows: impl IntoIterator<Item = R>,
) -> io::Result<()> {
    for row in rows {
        let row = serde_json::to_value(row)?;
        let field = |column: &&str| match &row[*column] {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            number => number.to_string(),
        };
        writer.write_record(columns.iter().map(field))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Entry;
    use crate::support::tournaments::{PAIRINGS, names, tournament};
    use crate::tournament::store::Archive;

    fn written(table: CsvTable, entries: &[Entry]) -> String {
        let summary = Summary::new(&names(), &PAIRINGS, entries);
        let source = Source {
            summary: &summary,
            names: &names(),
            pairings: &PAIRINGS,
            games: &entries.iter().cloned().collect::<Archive>(),
        };
        let mut text = Vec::new();
        table.write(&mut text, &source).expect("a vector takes all");
        String::from_utf8(text).expect("text")
    }

    #[test]
    fn tables_have_their_rows_and_columns() {
        let mut entries = tournament(3);
        let texts = CsvTable::ALL.map(|table| written(table, &entries));
        for (table, text) in CsvTable::ALL.iter().zip(&texts) {
            assert_eq!(
                text.lines().next(),
                Some(table.columns().join(",").as_str())
            );
            let mut reader = ::csv::Reader::from_reader(text.as_bytes());
            let fields = reader.records().map(|row| row.expect("CSV").len());
            assert!(
                fields
                    .into_iter()
                    .all(|fields| fields == table.columns().len())
            );
        }
        let rows = |table| written(table, &entries).lines().count() - 1;
        let longest = entries.iter().map(|e| e.record.plies.len()).max();
        assert_eq!(rows(CsvTable::Ratings), 3);
        assert_eq!(rows(CsvTable::Branching), 5 + longest.expect("18 games"));
        assert_eq!(rows(CsvTable::Decisions), 3);
        assert_eq!(rows(CsvTable::Composition), 4);
        assert_eq!(rows(CsvTable::Patches), 33);
        assert_eq!(rows(CsvTable::Rings), 9);
        assert_eq!(rows(CsvTable::Comparisons), 3);
        assert_eq!(rows(CsvTable::Consistency), 3);
        assert_eq!(rows(CsvTable::Searches), 3);
        assert_eq!(
            rows(CsvTable::Calibration),
            0,
            "the agents of the fixture tell nothing"
        );
        assert_eq!(rows(CsvTable::Games), 18);
        assert!(written(CsvTable::Games, &entries).contains("\ngreedy|random,2,1,random,greedy,"));

        entries.reverse();
        assert_eq!(CsvTable::ALL.map(|table| written(table, &entries)), texts);
    }

    #[test]
    fn columns_are_named_as_the_fields_of_the_summary() {
        let summary = Summary::new(&names(), &PAIRINGS, &tournament(2));
        let json = serde_json::to_value(&summary).expect("plain data");
        for (table, at, column) in [
            (CsvTable::Ratings, "/ratings/0", "games"),
            (CsvTable::Pairings, "/pairings/0", "games"),
            (CsvTable::Comparisons, "/comparisons/0", "elo"),
            (CsvTable::Consistency, "/consistency/pairings/0", "expected"),
            (CsvTable::Lengths, "/plies/histogram/0", "turns"),
            (CsvTable::Decisions, "/decisions/0", "share"),
            (CsvTable::Scores, "/scores/histogram/0", "points"),
            (CsvTable::Margins, "/scores/margins/0", "games"),
            (CsvTable::Composition, "/scores/composition/0", "squares"),
            (CsvTable::Patches, "/patches/0", "margin_gain"),
        ] {
            let row = json.pointer(at).expect("a row");
            let mut columns = table.columns().to_vec();
            columns.sort_unstable();
            let mut keys: Vec<&str> = row
                .as_object()
                .expect("a row")
                .keys()
                .map(String::as_str)
                .collect();
            keys.sort_unstable();
            assert_eq!(keys, columns, "{at}");
            let text = written(table, &tournament(2));
            let mut reader = ::csv::Reader::from_reader(text.as_bytes());
            let place = table.columns().iter().position(|name| *name == column);
            let record = reader.records().next().expect("a row").expect("CSV");
            let told = place.map(|place| record[place].parse::<f64>().expect("a number"));
            assert_eq!(told, row[column].as_f64(), "{at}/{column}");
        }
    }

    #[test]
    fn without_games_there_are_column_names() {
        let rows = |table| written(table, &[]).lines().count() - 1;
        assert_eq!(rows(CsvTable::Games), 0);
        assert_eq!(rows(CsvTable::Rings), 0);
        assert_eq!(rows(CsvTable::Branching), 5);
        assert_eq!(rows(CsvTable::FirstPlayer), 4);
        assert_eq!(rows(CsvTable::Patches), 33);
    }

    /// The manual has a heading for each table and below it a row for each column, in order.
    #[test]
    fn the_manual_tells_all_columns() {
        let manual = include_str!("../../docs/report.md");
        for table in CsvTable::ALL {
            let heading = format!("### {}\n", table.name());
            let (_, section) = manual
                .split_once(&heading)
                .unwrap_or_else(|| panic!("{heading}"));
            let section = section.split("\n#").next().unwrap_or(section);
            let columns: Vec<&str> = section
                .lines()
                .filter_map(|line| line.strip_prefix("| `")?.split_once('`'))
                .map(|(column, _)| column)
                .collect();
            assert_eq!(columns, table.columns(), "{}", table.name());
        }
    }
}
