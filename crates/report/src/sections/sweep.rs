//! The effects of swept keys, singly and in pairs.

use std::borrow::Cow;

use super::TournamentReport;
use crate::document::{
    Block, CsvTable, Grid, GridCell, Place, ReportSection, TableOf, Unit, counted, signed,
};
use patchwork_tournament::stats::statistics::{VALUE_ELO, VALUE_MARGIN, VALUE_SCORE};
use patchwork_tournament::stats::{SweptCell, SweptKey, SweptKeyPair, SweptValue};

pub(super) const TABLES: &[CsvTable] = &[SWEEP, SWEEP_PAIRS];
const SWEEP: CsvTable = CsvTable::new(
    "sweep",
    "One row per value of a swept key: the mean results of the agents with it",
);
const SWEEP_PAIRS: CsvTable = CsvTable::new(
    "sweep-pairs",
    "One row per combination of values of two swept keys",
);

pub(super) fn section<'a>(report: &'a TournamentReport<'a>) -> ReportSection<'a> {
    let sweep = report.header.sweep.as_ref();
    let keys = sweep.map_or(&[][..], |sweep| &sweep.keys);
    let pairs = sweep.map_or(&[][..], |sweep| &sweep.pairs);
    let mut section = ReportSection::new("sweep", "Sweep").table(values(keys));
    if sweep.is_none() {
        return section.table(cells(pairs));
    }
    for pair in pairs {
        section = section.block(Block::Grid(heat_map(pair)));
    }
    section.table(cells(pairs))
}

fn values(keys: &[SweptKey]) -> TableOf<'_, (&SweptKey, &SweptValue)> {
    let rows = keys.iter();
    let rows: Vec<(&SweptKey, &SweptValue)> = rows
        .flat_map(|key| key.values.iter().map(move |value| (key, value)))
        .collect();
    TableOf::new(rows.len(), move |i| rows[i])
        .csv(SWEEP)
        .column("key", "key", Unit::Text, |(key, _)| &*key.key)
        .column("value", "value", Unit::Text, |(_, row)| &*row.value)
        .column("agents", "agents", Unit::Count, |(_, row)| row.agents)
        .priority(4)
        .column("games", "games", Unit::Count, |(_, row)| row.games)
        .priority(2)
        .estimate("score", "score", Unit::Share, |(_, row)| row.score)
        .explained(VALUE_SCORE)
        .main()
        .null(0.5)
        .estimate("margin", "margin", Unit::Points, |(_, row)| row.margin)
        .statistic(VALUE_MARGIN)
        .null(0.0)
        .priority(3)
        .estimate("elo", "Elo", Unit::Elo, |(_, row)| row.elo)
        .explained(VALUE_ELO)
        .null(0.0)
        .priority(1)
}

fn cells(pairs: &[SweptKeyPair]) -> TableOf<'_, (&SweptKeyPair, &SweptCell)> {
    let rows = pairs.iter();
    let rows: Vec<(&SweptKeyPair, &SweptCell)> = rows
        .flat_map(|pair| pair.cells.iter().map(move |cell| (pair, cell)))
        .collect();
    TableOf::new(rows.len(), move |i| rows[i])
        .csv(SWEEP_PAIRS)
        .place(Place::Data)
        .column("a", "", Unit::Text, |(pair, _)| &*pair.a)
        .column("a_value", "", Unit::Text, |(_, cell)| &*cell.a_value)
        .column("b", "", Unit::Text, |(pair, _)| &*pair.b)
        .column("b_value", "", Unit::Text, |(_, cell)| &*cell.b_value)
        .column("agents", "", Unit::Count, |(_, cell)| cell.agents)
        .column("games", "", Unit::Count, |(_, cell)| cell.games)
        .estimate("score", "", Unit::Share, |(_, cell)| cell.score)
        .statistic(VALUE_SCORE)
        .estimate("margin", "", Unit::Points, |(_, cell)| cell.margin)
        .statistic(VALUE_MARGIN)
}

/// The mean score of each combination of the values of two keys.
fn heat_map(pair: &SweptKeyPair) -> Grid<'_> {
    let mut rows: Vec<&str> = Vec::new();
    let mut columns: Vec<&str> = Vec::new();
    for cell in &pair.cells {
        if !rows.contains(&&*cell.a_value) {
            rows.push(&cell.a_value);
        }
        if !columns.contains(&&*cell.b_value) {
            columns.push(&cell.b_value);
        }
    }
    let (a_values, b_values) = (rows.clone(), columns.clone());
    let cell = move |i: usize, j: usize| {
        let mut cells = pair.cells.iter();
        let found =
            cells.find(|cell| cell.a_value == a_values[i] && cell.b_value == b_values[j])?;
        Some(GridCell {
            share: found.score.value?,
            text: None,
            about: format!(
                "score {}, margin {}, {} of {}",
                Unit::Share.with_interval(found.score),
                signed(found.margin, 1),
                counted(found.games, "game"),
                counted(found.agents, "agent"),
            ),
        })
    };
    Grid {
        title: format!("{} and {}", pair.a, pair.b),
        about: format!(
            "Mean score in %, {} from top to bottom, {} from left to right.",
            pair.a, pair.b
        ),
        corner: &pair.a,
        rows: rows.into_iter().map(Cow::Borrowed).collect(),
        columns: Some(columns.into_iter().map(Cow::Borrowed).collect()),
        cell: Box::new(cell),
        in_text: false,
    }
}
