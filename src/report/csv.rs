//! The summary and the games as tidy CSV tables; `docs/report.md` documents the columns.

mod rows;
mod sizes;
mod writer;

use std::io;

pub(super) use self::rows::Source;
use self::rows::{branching, calibration, first_player, games, sweep, sweep_pairs};
use self::sizes::{branching_by_agent, distributions, sizes};
pub(super) use self::writer::CsvWriter;

/// One of the tables, each on its own topic.
#[derive(Clone, Copy, Debug)]
pub struct CsvTable {
    name: &'static str,
    about: &'static str,
    /// Column names separated by spaces.
    columns: &'static str,
    write: fn(&Source<'_>, &mut CsvWriter<'_>) -> io::Result<()>,
}

/// The default is the first table: ratings.
impl Default for CsvTable {
    fn default() -> Self {
        Self::ALL[0]
    }
}

impl CsvTable {
    /// All tables.
    pub const ALL: [Self; 22] = [
        Self {
            name: "ratings",
            about: "One row per agent, from the highest rating down",
            columns: "agent elo low high se games wins score mean_margin iterations_per_s \
                      seconds_per_move perfect separated",
            write: |from, out| out.rows(&from.summary.ratings),
        },
        Self {
            name: "pairings",
            about: "One row per two agents that meet, in the order of the plan",
            columns: "a b games a_wins b_wins a_score low high mean_margin identical_pairs first_wins \
                      first_win_rate first_low first_high",
            write: |from, out| out.rows(&from.summary.pairings),
        },
        Self {
            name: "comparisons",
            about: "One row per two agents: the difference of their ratings and how certain it is",
            columns: "a b elo low high se los confidence points points_low points_high points_se",
            write: |from, out| out.rows(&from.summary.comparisons),
        },
        Self {
            name: "consistency",
            about: "One row per two agents that met: results beside what the ratings predict",
            columns: "a b games wins expected surprise excess",
            write: |from, out| out.rows(&from.summary.consistency.pairings),
        },
        Self {
            name: "first-player",
            about: "What moving first is worth: over all games, by strength, by pairing",
            columns: "by value from to games equal_win_rate equal_low equal_high win_rate low high elo elo_low elo_high margin \
                      margin_low margin_high",
            write: first_player,
        },
        Self {
            name: "branching",
            about: "Legal actions by ply, phase and kind",
            columns: "by value mean_legal plies low high forced forced_low forced_high",
            write: branching,
        },
        Self {
            name: "lengths",
            about: "Number of games of each length",
            columns: "length plies turns",
            write: |from, out| out.rows(&from.summary.plies.histogram),
        },
        Self {
            name: "sizes",
            about: "Branching, length and game tree: of all games, by agent, by pairing",
            columns: "by a b games branching_mean branching_low branching_high branching_p25 \
                      branching_p50 branching_p75 branching_p90 length_mean length_low length_high \
                      length_p25 length_p50 length_p75 length_p90 tree_mean tree_low tree_high",
            write: sizes,
        },
        Self {
            name: "distributions",
            about: "How often each agent had so many legal actions and games of such a length",
            columns: "agent of from to count",
            write: distributions,
        },
        Self {
            name: "branching-by-agent",
            about: "Legal actions of each agent by ply",
            columns: "agent ply mean_legal",
            write: branching_by_agent,
        },
        Self {
            name: "decisions",
            about: "How often players advance, buy and place special patches",
            columns: "kind mean low high share first second",
            write: |from, out| out.rows(&from.summary.decisions),
        },
        Self {
            name: "scores",
            about: "Number of players with each score",
            columns: "points first second winner loser",
            write: |from, out| out.rows(&from.summary.scores.histogram),
        },
        Self {
            name: "margins",
            about: "Number of games won by each margin",
            columns: "margin games",
            write: |from, out| out.rows(&from.summary.scores.margins),
        },
        Self {
            name: "composition",
            about: "Where points come from, by seat and by result",
            columns: "role points buttons squares bonus",
            write: |from, out| out.rows(&from.summary.scores.composition),
        },
        Self {
            name: "patches",
            about: "One row per patch: how often and when it is bought, and how its buyers score",
            columns: "patch price time income size bought rate first second opening middle end \
                      mean_space win_rate win_low win_high margin margin_low margin_high win_gain \
                      win_gain_low win_gain_high margin_gain margin_gain_low margin_gain_high",
            write: |from, out| out.rows(&from.summary.patches),
        },
        Self {
            name: "rings",
            about: "One row per ring: which seat it favours",
            columns: "track ring games first_wins margin bias low high",
            write: |from, out| out.rows(&from.summary.rings.all),
        },
        Self {
            name: "searches",
            about: "One row per agent: effort, trees and times",
            columns: "agent plies forced solved broken_proofs searches iterations_per_move \
                      iterations_per_s mean_depth max_depth mean_nodes max_nodes entropy time_mean \
                      time_p5 time_p50 time_p95 time_p99 time_max brier expected_error",
            write: |from, out| out.rows(&from.summary.thinking.agents),
        },
        Self {
            name: "calibration",
            about: "What agents expected beside how often they won, in bins",
            columns: "agent from to plies games predicted won low high",
            write: calibration,
        },
        Self {
            name: "sweep",
            about: "One row per value of a swept key: the mean results of the agents with it",
            columns: "key value agents games score score_low score_high margin margin_low margin_high \
                      score_gain score_gain_low score_gain_high margin_gain margin_gain_low \
                      margin_gain_high",
            write: sweep,
        },
        Self {
            name: "sweep-pairs",
            about: "One row per combination of values of two swept keys",
            columns: "a a_value b b_value agents games score score_low score_high margin margin_low \
                      margin_high",
            write: sweep_pairs,
        },
        Self {
            name: "games",
            about: "One row per game",
            columns: "pairing pair leg first second winner first_score second_score bonus plies \
                      turns termination",
            write: games,
        },
        Self {
            name: "terminations",
            about: "Games lost by a fault, by agent and reason",
            columns: "agent reason games",
            write: |from, out| out.rows(&from.summary.terminations),
        },
    ];

    /// Its name: `ratings`, `first-player` and so on.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// A short description of its contents.
    #[must_use]
    pub const fn about(self) -> &'static str {
        self.about
    }

    /// The table with this name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|table| table.name == name)
    }

    /// The name of its file: `ratings.csv` and so on.
    #[must_use]
    pub fn file_name(self) -> String {
        format!("{}.csv", self.name)
    }

    /// Writes the table with a header line. Numbers are not rounded; unknown values are left empty.
    pub(super) fn write(self, mut out: impl io::Write, source: &Source<'_>) -> io::Result<()> {
        let mut writer = CsvWriter::new(&mut out, self.columns)?;
        (self.write)(source, &mut writer)?;
        writer.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Entry;
    use crate::stats::Summary;
    use crate::support::tournaments::{PAIRINGS, names, tournament};
    use crate::tournament::store::Archive;

    fn table(name: &str) -> CsvTable {
        CsvTable::by_name(name).expect("a table")
    }

    fn columns(table: CsvTable) -> Vec<&'static str> {
        table.columns.split_whitespace().collect()
    }

    fn written(table: CsvTable, entries: &[Entry]) -> String {
        let summary = Summary::new(&names(), &PAIRINGS, entries);
        let source = Source {
            summary: &summary,
            names: &names(),
            pairings: &PAIRINGS,
            games: &entries.iter().cloned().collect::<Archive>(),
            sweep: None,
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
                Some(table.columns.replace(' ', ",").as_str())
            );
            let mut reader = ::csv::Reader::from_reader(text.as_bytes());
            let fields = reader.records().map(|row| row.expect("CSV").len());
            assert!(
                fields
                    .into_iter()
                    .all(|fields| fields == columns(*table).len())
            );
        }
        let rows = |table| written(table, &entries).lines().count() - 1;
        let longest = entries.iter().map(|e| e.record.plies.len()).max();
        assert_eq!(rows(table("ratings")), 3);
        assert_eq!(rows(table("branching")), 5 + longest.expect("18 games"));
        assert_eq!(rows(table("sizes")), 1 + 3 + 3);
        assert_eq!(rows(table("decisions")), 3);
        assert_eq!(rows(table("composition")), 4);
        assert_eq!(rows(table("patches")), 33);
        assert_eq!(rows(table("rings")), 9);
        assert_eq!(rows(table("comparisons")), 3);
        assert_eq!(rows(table("consistency")), 3);
        assert_eq!(rows(table("searches")), 3);
        assert_eq!(
            rows(table("calibration")),
            0,
            "the agents of the fixture tell nothing"
        );
        assert_eq!(rows(table("games")), 18);
        assert!(written(table("games"), &entries).contains("\ngreedy|random,2,1,random,greedy,"));

        entries.reverse();
        assert_eq!(CsvTable::ALL.map(|table| written(table, &entries)), texts);
    }

    #[test]
    fn columns_are_named_as_the_fields_of_the_summary() {
        let summary = Summary::new(&names(), &PAIRINGS, &tournament(2));
        let json = serde_json::to_value(&summary).expect("plain data");
        for (table, at, column) in [
            (table("ratings"), "/ratings/0", "games"),
            (table("pairings"), "/pairings/0", "games"),
            (table("comparisons"), "/comparisons/0", "elo"),
            (table("consistency"), "/consistency/pairings/0", "expected"),
            (table("lengths"), "/plies/histogram/0", "turns"),
            (table("decisions"), "/decisions/0", "share"),
            (table("scores"), "/scores/histogram/0", "points"),
            (table("margins"), "/scores/margins/0", "games"),
            (table("composition"), "/scores/composition/0", "squares"),
            (table("patches"), "/patches/0", "margin_gain"),
        ] {
            let row = json.pointer(at).expect("a row");
            let mut sorted = columns(table);
            sorted.sort_unstable();
            let mut keys: Vec<&str> = row
                .as_object()
                .expect("a row")
                .keys()
                .map(String::as_str)
                .collect();
            keys.sort_unstable();
            assert_eq!(keys, sorted, "{at}");
            let text = written(table, &tournament(2));
            let mut reader = ::csv::Reader::from_reader(text.as_bytes());
            let place = columns(table).iter().position(|name| *name == column);
            let record = reader.records().next().expect("a row").expect("CSV");
            let told = place.map(|place| record[place].parse::<f64>().expect("a number"));
            assert_eq!(told, row[column].as_f64(), "{at}/{column}");
        }
    }

    #[test]
    fn without_games_there_are_column_names() {
        let rows = |table| written(table, &[]).lines().count() - 1;
        assert_eq!(rows(table("games")), 0);
        assert_eq!(rows(table("rings")), 0);
        assert_eq!(rows(table("branching")), 5);
        assert_eq!(rows(table("first-player")), 4);
        assert_eq!(rows(table("patches")), 33);
    }

    /// The manual has a heading for each table and below it a row for each column, in order.
    #[test]
    fn the_manual_tells_all_columns() {
        let manual = include_str!("../../docs/report.md");
        for table in CsvTable::ALL {
            let heading = format!("### {}\n", table.name);
            let (_, section) = manual
                .split_once(&heading)
                .unwrap_or_else(|| panic!("{heading}"));
            let section = section.split("\n#").next().unwrap_or(section);
            let found: Vec<&str> = section
                .lines()
                .filter_map(|line| line.strip_prefix("| `")?.split_once('`'))
                .map(|(column, _)| column)
                .collect();
            assert_eq!(found, columns(table), "{}", table.name);
        }
    }
}
