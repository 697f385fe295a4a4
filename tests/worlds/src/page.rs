//! docs/statistics.md is made from the declarations of the statistics and from where they are used.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use patchwork_rating::statistic::{RATINGS, SEQUENTIAL};
use patchwork_rating::{Estimation, Statistic};
use patchwork_report::TournamentReport;
use patchwork_report::document::ReportTable;
use patchwork_test_support::program::PROJECT;
use patchwork_test_support::tournaments::{names, plan};
use patchwork_tournament::stats::statistics::{GAMES, SEARCHES, SWEEPS};
use patchwork_tournament::{Format, Manifest, Results};
use patchwork_tune::statistics::TUNINGS;
use serde_json::Value;

/// The groups of the page.
const GROUPS: [(&str, &[&Statistic]); 6] = [
    ("Ratings", RATINGS),
    ("Two agents under a sequential test", SEQUENTIAL),
    ("The game", GAMES),
    ("Sweeps", SWEEPS),
    ("Tunings", TUNINGS),
    ("Searches", SEARCHES),
];

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(PROJECT).join(path)).expect("readable")
}

/// The keys of the report that have the description of a statistic.
fn keys(schema: &Value) -> BTreeMap<String, Vec<String>> {
    let mut keys = BTreeMap::new();
    collect(schema, schema, "", &mut keys);
    keys
}

fn collect(root: &Value, at: &Value, path: &str, keys: &mut BTreeMap<String, Vec<String>>) {
    let name = at["$ref"]
        .as_str()
        .and_then(|to| to.strip_prefix("#/$defs/"));
    let at = name.map_or(at, |name| &root["$defs"][name]);
    for (key, property) in at["properties"].as_object().into_iter().flatten() {
        let path = format!("{path}{}{key}", if path.is_empty() { "" } else { "." });
        if let Some(text) = property["description"].as_str() {
            keys.entry(text.to_owned()).or_default().push(path.clone());
        }
        let rows = &property["items"];
        match rows.is_object() {
            true => collect(root, rows, &format!("{path}[]"), keys),
            false => collect(root, property, &path, keys),
        }
    }
    for inner in at["anyOf"].as_array().into_iter().flatten() {
        collect(root, inner, path, keys);
    }
}

/// The columns of the CSV tables that have a statistic.
fn columns() -> BTreeMap<&'static str, Vec<String>> {
    let plan = plan(&names(), Format::RoundRobin, 1).expect("a plan");
    let results = Results::empty(Manifest::new("t".to_owned(), plan));
    let report = TournamentReport::new(&results).expect("no games");
    let document = report.document();
    let mut columns = BTreeMap::new();
    for table in document.tables() {
        let csv = table.csv.map(|csv| csv.name());
        for (statistic, key) in ReportTable::statistics(table) {
            if let (Some(csv), false) = (csv, key.is_empty()) {
                let of: &mut Vec<String> = columns.entry(statistic.name).or_default();
                of.push(format!("[`{csv}`](tables.md#{csv}) `{key}`"));
            }
        }
    }
    columns
}

fn method(page: &mut String, method: &Estimation) {
    let Estimation {
        name,
        clusters,
        estimator,
        interval,
    } = method;
    let rows = [
        ("clusters", clusters),
        ("estimator", estimator),
        ("interval", interval),
    ];
    write!(page, "### {name}\n\n| | |\n|---|---|\n").expect("written");
    for (head, text) in rows.into_iter().filter(|(_, text)| !text.is_empty()) {
        writeln!(page, "| {head} | {text} |").expect("written");
    }
    page.push('\n');
}

/// The anchor of a heading.
fn anchor(heading: &str) -> String {
    heading.to_lowercase().replace('\'', "").replace(' ', "-")
}

fn generated() -> String {
    let schema: Value = serde_json::from_str(&read("docs/report.schema.json")).expect("JSON");
    let (keys, columns) = (keys(&schema), columns());
    let (mut page, mut methods) = (String::new(), Vec::new());
    for (title, statistics) in GROUPS {
        write!(page, "## {title}\n\n").expect("written");
        for &Statistic {
            name,
            about,
            formula,
            method,
        } in statistics
        {
            write!(page, "### {name}\n\n| | |\n|---|---|\n| what | {about} |\n").expect("written");
            writeln!(page, "| formula | `{}` |", formula.replace('|', "\\|")).expect("written");
            writeln!(
                page,
                "| estimate | [{}](#{}) |",
                method.name,
                anchor(method.name)
            )
            .expect("written");
            if let Some(columns) = columns.get(name) {
                writeln!(page, "| tables | {} |", columns.join(", ")).expect("written");
            }
            if let Some(keys) = keys.get(*about) {
                let keys: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
                writeln!(page, "| JSON | {} |", keys.join(", ")).expect("written");
            }
            page.push('\n');
            if !methods.contains(&method) {
                methods.push(method);
            }
        }
    }
    page.push_str("## How they are estimated\n\n");
    methods
        .into_iter()
        .for_each(|one| self::method(&mut page, one));
    page
}

const START: &str = "<!-- statistics -->\n";
const END: &str = "<!-- end of statistics -->\n";

#[test]
fn the_page_of_statistics_is_that_of_the_declarations() {
    let path = "docs/statistics.md";
    let page = read(path);
    let (before, rest) = page.split_once(START).expect("the start");
    let (kept, after) = rest.split_once(END).expect("the end");
    let made = generated();
    if std::env::var_os("UPDATE_STATISTICS").is_some() {
        fs::write(
            Path::new(PROJECT).join(path),
            format!("{before}{START}{made}{END}{after}"),
        )
        .expect("written");
    } else {
        assert!(
            kept == made,
            "{path}: run UPDATE_STATISTICS=1 cargo test -p patchwork-worlds"
        );
    }
}

/// A statistic has one name, one sentence and, if it is an estimate of a report, a place there.
#[test]
fn statistics_are_declared_once() {
    let all: Vec<&Statistic> = GROUPS
        .iter()
        .flat_map(|(_, statistics)| *statistics)
        .copied()
        .collect();
    for (place, one) in all.iter().enumerate() {
        for other in &all[..place] {
            assert!(
                one.name != other.name && one.about != other.about,
                "{}",
                one.name
            );
        }
        assert!(
            one.about.ends_with('.') && one.about.matches(". ").count() == 0,
            "{}",
            one.about
        );
    }
}
