//! The CSV tables of tournaments.

#![cfg(test)]

use crate::document::{CsvTable, TableCell, write_csv};
use crate::samples::{test_header, with_report};
use patchwork_engine::record::Entry;
use patchwork_test_support::tournaments::{PAIRINGS, names, plan, tournament};
use patchwork_tournament::Format;
use patchwork_tournament::stats::Summary;
use serde_json::Value;

fn table(name: &str) -> CsvTable {
    CsvTable::by_name(name).expect("a table")
}

fn columns(table: CsvTable) -> Vec<String> {
    let text = written(table, &[]);
    let head = text.lines().next().expect("a header line");
    head.split(',').map(str::to_owned).collect()
}

fn written(table: CsvTable, entries: &[Entry]) -> String {
    let plan = plan(&names(), Format::RoundRobin, 50).expect("a plan");
    let mut text = Vec::new();
    with_report(&test_header(18), &plan, entries, |report| {
        let document = report.document();
        let found = document.tables().find(|found| found.csv == Some(table));
        write_csv(&mut text, found.expect("a table")).expect("writing to a vector cannot fail");
    });
    String::from_utf8(text).expect("text")
}

#[test]
fn each_table_is_in_the_document_once() {
    let plan = plan(&names(), Format::RoundRobin, 1).expect("a plan");
    with_report(&test_header(6), &plan, &tournament(1), |report| {
        let document = report.document();
        let tables = document.tables();
        let found: Vec<&str> = tables.filter_map(|table| Some(table.csv?.name())).collect();
        let mut sorted = found.clone();
        sorted.sort_unstable();
        let mut listed: Vec<&str> = CsvTable::all().map(CsvTable::name).collect();
        listed.sort_unstable();
        assert_eq!(sorted, listed);
    });
}

#[test]
fn each_row_has_a_value_for_each_name() {
    let plan = plan(&names(), Format::RoundRobin, 50).expect("a plan");
    with_report(&test_header(18), &plan, &tournament(3), |report| {
        for table in report.document().tables() {
            let names: Vec<(String, bool)> = table.names().collect();
            for row in 0..table.len {
                let values = table.values(row);
                assert_eq!(values.len(), names.len(), "{names:?}");
                for ((name, is_text), value) in names.iter().zip(values) {
                    let text = matches!(value, TableCell::Text(_) | TableCell::Name(..));
                    assert!(*is_text || !text, "{name}: {value:?}");
                }
            }
        }
    });
}

#[test]
fn tables_have_their_rows_and_columns() {
    let mut entries = tournament(3);
    let texts = CsvTable::all()
        .map(|table| written(table, &entries))
        .collect::<Vec<_>>();
    for (table, text) in CsvTable::all().zip(&texts) {
        let head = columns(table).join(",");
        assert_eq!(text.lines().next(), Some(head.as_str()));
        let mut reader = ::csv::Reader::from_reader(text.as_bytes());
        let fields = reader.records().map(|row| row.expect("CSV").len());
        assert!(
            fields
                .into_iter()
                .all(|fields| fields == columns(table).len())
        );
    }
    let rows = |table| written(table, &entries).lines().count() - 1;
    let longest = entries.iter().map(|e| e.record.plies.len()).max();
    assert_eq!(rows(table("ratings")), 3);
    let branching = written(table("branching"), &entries);
    let of_all = branching.lines().filter(|line| line.starts_with(','));
    assert_eq!(of_all.count(), 7 + longest.expect("18 games"));
    assert!(branching.contains("\ngreedy,ply,1,"));
    assert_eq!(rows(table("sizes")), 7);
    assert_eq!(rows(table("composition")), 4);
    assert_eq!(rows(table("patches")), 33);
    assert_eq!(rows(table("rings")), 9);
    assert_eq!(rows(table("comparisons")), 3);
    assert_eq!(rows(table("searches")), 3);

    entries.reverse();
    assert_eq!(
        CsvTable::all()
            .map(|table| written(table, &entries))
            .collect::<Vec<_>>(),
        texts
    );
}

#[test]
fn columns_are_named_as_the_fields_of_the_summary() {
    let summary = Summary::new(&names(), &PAIRINGS, &tournament(2));
    let json = serde_json::to_value(&summary).expect("plain data");
    for (name, at) in [
        ("ratings", "/ratings/0"),
        ("pairings", "/pairings/0"),
        ("comparisons", "/comparisons/0"),
        ("sizes", "/sizes/0"),
        ("lengths", "/lengths/0"),
        ("scores", "/scores/histogram/0"),
        ("margins", "/scores/margins/0"),
        ("composition", "/scores/composition/0"),
        ("patches", "/patches/0"),
    ] {
        let row = json.pointer(at).expect("a row");
        let mut sorted = columns(table(name));
        // What the ratings predict is in the list of the test of consistency.
        sorted.retain(|column| !["expected", "surprise"].contains(&&**column));
        sorted.sort_unstable();
        let names = |(key, value): (&String, &Value)| match value.get("se") {
            Some(_) => ["", "_low", "_high", "_se"]
                .map(|part| format!("{key}{part}"))
                .to_vec(),
            None => vec![key.clone()],
        };
        let row_of = row.as_object().expect("a row");
        let mut keys: Vec<String> = row_of.iter().flat_map(names).collect();
        keys.sort_unstable();
        assert_eq!(keys, sorted, "{at}");
    }
}

#[test]
fn without_games_there_are_column_names() {
    let rows = |table| written(table, &[]).lines().count() - 1;
    assert_eq!(rows(table("rings")), 0);
    assert_eq!(rows(table("branching")), 7);
    assert_eq!(rows(table("first-player")), 4);
    assert_eq!(rows(table("patches")), 33);
}

/// The manual has a heading for each table, followed by a row for each column, in order. The parts of an estimate have none.
#[test]
fn the_manual_tells_all_columns() {
    let manual = include_str!("../../../../docs/tables.md");
    for table in CsvTable::all() {
        let heading = format!("### {}\n", table.name());
        let (_, section) = manual
            .split_once(&heading)
            .unwrap_or_else(|| panic!("{heading}"));
        let section = section.split("\n#").next().unwrap_or(section);
        let found: Vec<&str> = section
            .lines()
            .filter_map(|line| line.strip_prefix("| `")?.split_once('`'))
            .map(|(column, _)| column)
            .collect();
        let all = columns(table);
        let is_part = |name: &String| {
            let of = ["_low", "_high", "_se"].map(|part| name.strip_suffix(part));
            let of = of.into_iter().flatten().next();
            of.is_some_and(|of| all.iter().any(|name| name == of))
        };
        let told: Vec<&String> = all.iter().filter(|name| !is_part(name)).collect();
        assert_eq!(found, told, "{}", table.name());
        for (name, column) in statistics(table) {
            let row = format!("| `{column}` | [{name}](statistics.md#");
            assert!(column.is_empty() || section.contains(&row), "{row}");
        }
    }
}

/// The statistics of a table with their columns.
fn statistics(table: CsvTable) -> Vec<(&'static str, &'static str)> {
    let plan = plan(&names(), Format::RoundRobin, 1).expect("a plan");
    with_report(&test_header(6), &plan, &[], |report| {
        let document = report.document();
        let mut tables = document.tables();
        let found = tables
            .find(|found| found.csv == Some(table))
            .expect("a table");
        found
            .statistics()
            .map(|(of, column)| (of.name, column))
            .collect()
    })
}
