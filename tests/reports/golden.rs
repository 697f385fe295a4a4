//! The reports of five small tournaments, as they were last reviewed.
//!
//! After an intended change, run `UPDATE_REPORTS=1 cargo test --test all reports::golden` and review the
//! difference before committing it.

use std::fmt::Write as _;
use std::fs;

use patchwork_rating::sprt::{EloModel, Sprt};
use patchwork_tournament::{Format, Gauntlet};
use serde_json::Value;

use super::forms::{Forms, page_cards, page_tables};
use super::staged::Staged;
use patchwork_test_support::program::data;

#[test]
fn round_robin() {
    let agents = [
        ("ada", 150.0),
        ("ben", 60.0),
        ("cleo", 0.0),
        ("dora", -200.0),
    ];
    let staged = Staged::new(&agents, Format::RoundRobin, 12, 1);
    check("round-robin", &staged);
}

#[test]
fn gauntlet_with_sprt() {
    let agents = [("new", 140.0), ("old", 0.0)];
    let challengers = vec!["new".to_owned()];
    let mut staged = Staged::new(&agents, Gauntlet { challengers }, 200, 2);
    let test = Sprt::new(0.0, 60.0, 0.05, 0.05, EloModel::Logistic).expect("a test");
    staged.plan = staged.plan.with_test(test).expect("a plan with a test");
    check("gauntlet-sprt", &staged);
}

#[test]
fn faults() {
    let agents = [("a", 120.0), ("b", 0.0), ("c", -120.0)];
    let mut staged = Staged::new(&agents, Format::RoundRobin, 4, 4);
    staged.faults = Some(12);
    check("faults", &staged);
}

#[test]
fn perfect_scores() {
    let agents = [
        ("always", f64::INFINITY),
        ("sometimes", 20.0),
        ("often", 100.0),
        ("never", f64::NEG_INFINITY),
    ];
    let staged = Staged::new(&agents, Format::RoundRobin, 8, 5);
    check("perfect-scores", &staged);
}

#[test]
fn one_pair() {
    let agents = [("one", 0.0), ("two", 0.0)];
    check("one-pair", &Staged::new(&agents, Format::RoundRobin, 1, 6));
}

/// Compares a report with its golden files.
fn check(name: &str, staged: &Staged) {
    let forms = Forms::of(&staged.results(name));
    let mut json = String::new();
    write_value(&mut json, &forms.json(), 0);
    compare(&format!("{name}.json"), &(json + "\n"));
    let page = page_numbers(&forms.page);
    let texts = format!(
        "== brief\n{}== full\n{}== page\n{page}",
        forms.brief, forms.full
    );
    compare(&format!("{name}.txt"), &texts);
}

fn compare(file: &str, told: &str) {
    let path = data("reports").join(file);
    if std::env::var_os("UPDATE_REPORTS").is_some() {
        fs::write(&path, told).expect("written");
    }
    let saved = fs::read_to_string(&path).unwrap_or_default();
    let line = (1..).zip(saved.lines().zip(told.lines()));
    let mut line = line.filter(|(_, (saved, told))| saved != told);
    assert!(
        saved == told,
        "tests/data/reports/{file} differs: {:?}\nif this is meant: UPDATE_REPORTS=1 cargo test --test all reports::golden",
        line.next()
    );
}

/// The contents of a page's headlines and tables.
fn page_numbers(page: &str) -> String {
    let mut text = String::new();
    for card in page_cards(page) {
        writeln!(text, "{}", card.join("\t")).expect("a string takes all");
    }
    for table in page_tables(page) {
        let title = format!("\n{}: {}", table.section, table.title);
        writeln!(text, "{title}\n{}", table.heads.join("\t")).expect("a string takes all");
        for row in &table.rows {
            writeln!(text, "{}", row.join("\t")).expect("a string takes all");
        }
    }
    text
}

/// JSON with nine significant digits, since the last digits depend on the machine's floating-point functions.
/// Objects of plain values take one line each.
fn write_value(out: &mut String, value: &Value, depth: usize) {
    let is_flat = |value: &Value| match value {
        Value::Array(items) => items
            .iter()
            .all(|item| !item.is_object() && !item.is_array()),
        Value::Object(fields) => fields
            .values()
            .all(|item| !item.is_object() && !item.is_array()),
        _ => true,
    };
    let flat = is_flat(value);
    let gap = if flat {
        String::new()
    } else {
        format!("\n{}", " ".repeat(depth + 1))
    };
    let end = if flat {
        String::new()
    } else {
        format!("\n{}", " ".repeat(depth))
    };
    let comma = if flat { ", " } else { "," };
    match value {
        Value::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                *out += if i > 0 { comma } else { "" };
                *out += &gap;
                write_value(out, item, depth + 1);
            }
            *out += &end;
            out.push(']');
        }
        Value::Object(fields) => {
            out.push('{');
            for (i, (key, item)) in fields.iter().enumerate() {
                *out += if i > 0 { comma } else { "" };
                *out += &gap;
                *out += &format!("\"{key}\": ");
                write_value(out, item, depth + 1);
            }
            *out += &end;
            out.push('}');
        }
        Value::Number(number) if number.is_f64() => {
            let number = number.as_f64().expect("a float");
            *out += &rounded(number);
        }
        other => *out += &other.to_string(),
    }
}

/// A number with nine significant digits.
fn rounded(number: f64) -> String {
    let digits: f64 = format!("{number:.8e}").parse().expect("a number");
    digits.to_string()
}
