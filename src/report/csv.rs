//! The summary and the games as tidy CSV tables.

use std::io;

use serde::Serialize;

use crate::game::Player;
use crate::record::{Entry, Games};
use crate::stats::{Summary, in_order, name_of};

/// A table of its own topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Table {
    /// A row per agent, from the highest rating down.
    Ratings,
    /// A row per pairing.
    Pairings,
    /// Legal actions: of all plies, by ply, by phase, where a patch was bought.
    Branching,
    /// A row per game in the order of the plan, without anything that differs from run to run.
    Games,
}

/// What the tables are made of.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// The statistics of the games.
    pub summary: &'a Summary,
    /// The agents by the indices in records.
    pub names: &'a [String],
    /// The agents of each pairing.
    pub pairings: &'a [(u16, u16)],
    /// The games in any order.
    pub games: &'a dyn Games,
}

#[derive(Serialize)]
struct BranchingRow {
    by: &'static str,
    value: String,
    mean_legal: Option<f64>,
    plies: u64,
}

#[derive(Serialize)]
struct GameRow {
    pairing: String,
    pair: u32,
    leg: u8,
    first: String,
    second: String,
    winner: Player,
    first_score: i16,
    second_score: i16,
    bonus: Option<Player>,
    plies: usize,
    turns: usize,
}

impl Table {
    /// All tables.
    pub const ALL: [Self; 4] = [Self::Ratings, Self::Pairings, Self::Branching, Self::Games];

    /// The name of its file, `ratings.csv` and so on.
    #[must_use]
    pub const fn file_name(self) -> &'static str {
        match self {
            Self::Ratings => "ratings.csv",
            Self::Pairings => "pairings.csv",
            Self::Branching => "branching.csv",
            Self::Games => "games.csv",
        }
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
            Self::Branching => &["by", "value", "mean_legal", "plies"],
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
    pub fn write(self, out: impl io::Write, source: &Source<'_>) -> io::Result<()> {
        // The columns are named here: the writer would name them by the first row, if there is one.
        let mut writer = ::csv::WriterBuilder::new()
            .has_headers(false)
            .from_writer(out);
        writer.write_record(self.columns())?;
        match self {
            Self::Ratings => write_rows(&mut writer, &source.summary.ratings)?,
            Self::Pairings => write_rows(&mut writer, &source.summary.pairings)?,
            Self::Branching => write_rows(&mut writer, branching_rows(source.summary))?,
            Self::Games => {
                let rows = in_order(source.games, |entry| game_row(source, entry));
                write_rows(&mut writer, rows)?;
            }
        }
        writer.flush()
    }
}

fn write_rows<W: io::Write, R: Serialize>(
    writer: &mut ::csv::Writer<W>,
    rows: impl IntoIterator<Item = R>,
) -> io::Result<()> {
    for row in rows {
        writer.serialize(row)?;
    }
    Ok(())
}

fn branching_rows(summary: &Summary) -> Vec<BranchingRow> {
    let branching = &summary.branching;
    let row = |by, value, mean_legal, plies| BranchingRow {
        by,
        value,
        mean_legal,
        plies,
    };
    let (buying, played) = (&branching.buying, branching.games_by_ply.iter().sum());
    let mut rows = vec![row("all", "all".to_string(), branching.all.mean, played)];
    for phase in &branching.by_phase {
        let name = phase.phase.name();
        rows.push(row(
            "phase",
            name.to_string(),
            phase.legal.mean,
            phase.plies,
        ));
    }
    rows.push(row(
        "action",
        "buy".to_string(),
        buying.legal.mean,
        buying.plies,
    ));
    for (i, (&mean, &games)) in branching
        .by_ply
        .iter()
        .zip(&branching.games_by_ply)
        .enumerate()
    {
        rows.push(row("ply", i.to_string(), Some(mean), games));
    }
    rows
}

fn game_row(source: &Source<'_>, entry: &Entry) -> GameRow {
    let record = &entry.record;
    let name = |agent: u16| name_of(source.names, usize::from(agent));
    let [first, second] = record.agents;
    let listed = source.pairings.get(record.id.pairing as usize);
    let &(a, b) = listed.unwrap_or(&(first, second));
    GameRow {
        pairing: format!("{}|{}", name(a), name(b)),
        pair: record.id.pair,
        leg: record.id.leg,
        first: name(first),
        second: name(second),
        winner: record.winner(),
        first_score: record.scores[0],
        second_score: record.scores[1],
        bonus: record.bonus(),
        plies: record.plies.len(),
        turns: record.plies.iter().filter(|ply| !ply.is_special()).count(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::fixture::{PAIRINGS, names, tournament};
    use crate::tournament::store::Archive;

    fn written(table: Table, entries: &[Entry]) -> String {
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
        let texts = Table::ALL.map(|table| written(table, &entries));
        let lines = texts.each_ref().map(|text| text.lines().count());
        let longest = entries.iter().map(|e| e.record.plies.len()).max();
        assert_eq!(lines, [4, 4, 1 + 5 + longest.expect("18 games"), 19]);
        for (table, text) in Table::ALL.iter().zip(&texts) {
            assert_eq!(
                text.lines().next(),
                Some(table.columns().join(",").as_str())
            );
        }
        assert!(texts[3].contains("\ngreedy|random,2,1,random,greedy,"));

        entries.reverse();
        assert_eq!(Table::ALL.map(|table| written(table, &entries)), texts);
    }

    #[test]
    fn columns_are_named_as_the_fields_of_the_summary() {
        let summary = Summary::new(&names(), &PAIRINGS, &tournament(1));
        let json = serde_json::to_value(&summary).expect("plain data");
        for (table, key) in [(Table::Ratings, "ratings"), (Table::Pairings, "pairings")] {
            let row = json[key][0].as_object().expect("a row");
            let mut columns = table.columns().to_vec();
            columns.sort_unstable();
            assert!(row.keys().map(String::as_str).eq(columns), "{key}");
            let text = written(table, &tournament(1));
            let mut reader = ::csv::Reader::from_reader(text.as_bytes());
            let place = |name| table.columns().iter().position(|column| *column == name);
            let record = reader.records().next().expect("a row").expect("CSV");
            let games = place("games").map(|place| record[place].to_string());
            assert_eq!(games, Some(json[key][0]["games"].to_string()));
        }
    }

    #[test]
    fn without_games_there_are_column_names() {
        assert_eq!(written(Table::Games, &[]).lines().count(), 1);
        assert_eq!(written(Table::Branching, &[]).lines().count(), 6);
    }
}
