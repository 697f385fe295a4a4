//! The text, the page, the CSV tables and the JSON of random tournaments contain the same numbers and the
//! same marks. The formats are read back and compared; wins and marks are also counted from the games.
//!
//! `REPORT_CASES=500 cargo test --test all reports::agree` tries more cases.

use std::collections::{BTreeMap, BTreeSet};

use patchwork_rating::sprt::{EloModel, Sprt};
use patchwork_tournament::{Format, Gauntlet};
use proptest::prelude::{ProptestConfig, Strategy, any, prop_oneof, proptest};
use proptest::sample::select;
use serde_json::Value;

use super::forms::{
    Forms, SeenTable, page_answers, page_cards, page_notes, page_tables, text_grids, text_notes,
    text_tables,
};
use super::seen::{Seen, is_rounded_from};
use super::staged::Staged;

const NAMES: [&str; 6] = ["ada", "ben", "cleo", "dora", "=emil", "f&g"];

/// CSV tables and the places of their rows in the JSON, with the same names.
const ROWS: [(&str, &str); 9] = [
    ("ratings", "/ratings"),
    ("pairings", "/pairings"),
    ("comparisons", "/comparisons"),
    ("sizes", "/sizes"),
    ("lengths", "/lengths"),
    ("scores", "/scores/histogram"),
    ("margins", "/scores/margins"),
    ("composition", "/scores/composition"),
    ("patches", "/patches"),
];

/// The columns of each CSV table that together name a row.
const KEYS: [(&str, &[&str]); 17] = [
    ("ratings", &["agent"]),
    ("comparisons", &["a", "b"]),
    ("pairings", &["a", "b"]),
    ("sweep", &["key", "value"]),
    ("sweep-pairs", &["a", "a_value", "b", "b_value"]),
    ("searches", &["agent"]),
    ("terminations", &["agent", "reason"]),
    ("first-player", &["by", "value"]),
    ("lengths", &["agent", "length"]),
    ("branching", &["agent", "by", "value"]),
    ("sizes", &["by", "a", "b"]),
    ("composition", &["role"]),
    ("scores", &["points"]),
    ("margins", &["margin"]),
    ("patches", &["patch"]),
    ("rings", &["track", "ring"]),
    ("games", &["game"]),
];

/// A table that people see: the section and the title, the CSV table, and for each column its heading, the
/// CSV column of its value, and whether it has an interval.
struct Shown {
    section: &'static str,
    title: &'static str,
    csv: &'static str,
    /// The heading and the CSV column that together name a row.
    names: &'static [(&'static str, &'static str)],
    columns: &'static [(&'static str, &'static str, bool)],
}

const SHOWN: [Shown; 5] = [
    Shown {
        section: "Standings",
        title: "",
        csv: "ratings",
        names: &[("agent", "agent")],
        columns: &[
            ("Elo", "elo", true),
            ("games", "games", false),
            ("wins", "wins", false),
            ("score", "score", false),
            ("margin", "mean_margin", false),
            ("iter/s", "iterations_per_s", false),
            ("time/move", "seconds_per_move", false),
        ],
    },
    Shown {
        section: "Neighbours in rank",
        title: "",
        csv: "comparisons",
        names: &[("agent", "a"), ("next", "b")],
        columns: &[
            ("Elo", "elo", true),
            ("LOS", "los", false),
            ("adjusted p", "p_adjusted", false),
        ],
    },
    Shown {
        section: "Pairings",
        title: "",
        csv: "pairings",
        names: &[("agent", "a"), ("opponent", "b")],
        columns: &[
            ("score", "a_score", true),
            ("margin", "margin", true),
            ("1st wins", "first_win_rate", true),
        ],
    },
    Shown {
        section: "Searches",
        title: "",
        csv: "searches",
        names: &[("agent", "agent")],
        columns: &[
            ("forced", "forced", false),
            ("solved", "solved", false),
            ("iter/move", "iterations_per_move", false),
            ("depth", "mean_depth", false),
            ("median", "time_p50", false),
            ("99%", "time_p99", false),
        ],
    },
    Shown {
        section: "Patches",
        title: "",
        csv: "patches",
        names: &[("patch", "patch")],
        columns: &[
            ("price", "price", false),
            ("bought", "rate", false),
            ("worth", "worth", true),
        ],
    },
];

fn cases() -> u32 {
    let told = std::env::var("REPORT_CASES").ok();
    told.and_then(|told| told.parse().ok()).unwrap_or(12)
}

fn strength() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => (-100..100).prop_map(f64::from),
        2 => select(vec![-1500.0, 1500.0]),
        1 => select(vec![f64::INFINITY, f64::NEG_INFINITY]),
    ]
}

fn staged() -> impl Strategy<Value = Staged> {
    let shape = (2..=NAMES.len(), any::<bool>(), 1..=4_u32, any::<u32>());
    let course = (
        select(vec![30.0, -200.0, 1e6]),
        proptest::option::weighted(0.3, 0..40_usize),
        proptest::option::weighted(0.3, 3..20_u32),
    );
    let strengths = proptest::collection::vec(strength(), NAMES.len());
    (shape, strengths, course).prop_map(
        |((count, is_gauntlet, pairs, seed), strengths, (seat, most_games, faults))| {
            let agents: Vec<(&str, f64)> = NAMES.into_iter().zip(strengths).take(count).collect();
            let challengers = vec![NAMES[0].to_owned()];
            let format: Format = match is_gauntlet {
                true => Gauntlet { challengers }.into(),
                false => Format::RoundRobin,
            };
            let is_tested = is_gauntlet && pairs > 2;
            let mut staged = Staged::new(&agents, format, pairs, seed.into());
            if is_tested {
                let test = Sprt::new(0.0, 300.0, 0.05, 0.05, EloModel::Logistic).expect("a test");
                staged.plan = staged.plan.with_test(test).expect("a plan with a test");
            }
            staged.seat = seat;
            staged.most_games = most_games.unwrap_or(usize::MAX);
            staged.faults = faults;
            staged
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_four_forms_agree(staged in staged()) {
        agree(&Forms::of(&staged.results("random")));
    }
}

/// A game that ended by a fault says who won, and nothing about the seat.
#[test]
fn games_that_all_end_by_faults_agree() {
    let mut staged = Staged::new(&[("ada", 0.0), ("ben", 0.0)], Format::RoundRobin, 1, 1);
    staged.faults = Some(1);
    let forms = Forms::of(&staged.results("faults"));
    agree(&forms);
    for form in [&forms.wide, &forms.page] {
        assert!(form.contains("Games lost by a fault"));
        assert!(!form.contains("First-player advantage"));
        assert!(!form.contains("Branching and length by agent"));
    }
    assert_eq!(forms.csv("patches").len(), 33);
}

fn agree(forms: &Forms) {
    let json = forms.json();
    same_in_csv_and_json(forms, &json);
    rows_have_names(forms);
    marks_follow_from_the_games(forms, &json);
    let (text, page) = (text_tables(&forms.wide), page_tables(&forms.page));
    if json["games"] == 0 {
        assert!(text.is_empty() && page.is_empty());
        return;
    }
    same_in_text_and_page(&text, &page);
    for table in &page {
        let mut names = BTreeSet::new();
        let is_new = |row: &Vec<String>| names.insert(row[..2].to_vec());
        assert!(table.rows.iter().all(is_new), "{table:?}");
    }
    csv_of_the_page_is_that_of_the_tables(forms);
    words_are_numbers_of_the_json(forms, &json);
    grids_are_the_same(forms, &page);
    for shown in &SHOWN {
        for tables in [&text, &page] {
            shown_as_in_csv(forms, tables, shown);
        }
    }
    first_player_is_that_of_the_json(&json, &text);
    arrows_are_open_ends(forms, &page);
    ranks_and_los_are_those_of_the_tables(forms, &text);
    ranks_and_los_are_those_of_the_tables(forms, &page);
    the_page_holds_all_games(forms, &json);
    warnings_are_the_same(forms, &json);
    headlines_are_the_same(forms);
}

/// A deviating format is detected.
#[test]
fn a_form_that_differs_is_found() {
    let agents = [("ada", f64::INFINITY), ("ben", 20.0), ("cleo", 0.0)];
    let staged = Staged::new(&agents, Format::RoundRobin, 6, 1);
    let results = staged.results("differs");
    agree(&Forms::of(&results));
    let differs = |change: &dyn Fn(&mut Forms)| {
        let mut forms = Forms::of(&results);
        let before = forms.all();
        change(&mut forms);
        assert!(forms.all() != before, "nothing was changed");
        let agrees = std::panic::catch_unwind(|| agree(&forms));
        assert!(agrees.is_err());
    };
    let first = |text: &mut String, from: &str, to: &str| *text = text.replacen(from, to, 1);
    differs(&|forms| first(&mut forms.wide, "ada *", "ada  "));
    differs(&|forms| first(&mut forms.wide, " above ", " below "));
    differs(&|forms| first(&mut forms.wide, "100.0%", " 99.9%"));
    differs(&|forms| first(&mut forms.wide, " * No wins", " No wins"));
    differs(&|forms| first(&mut forms.page, "ada *", "ada"));
    differs(&|forms| first(&mut forms.page, "▸", ""));
    differs(&|forms| first(&mut forms.page, ">above ", ">below "));
    differs(&|forms| first(&mut forms.page, ">24</td>", ">25</td>"));
    differs(&|forms| {
        first(
            &mut forms.json,
            "\"separated\": true",
            "\"separated\": false",
        )
    });
    differs(&|forms| first(&mut forms.json, "\"perfect\": true", "\"perfect\": false"));
    differs(&|forms| first(&mut forms.json, "\"wins\": 24", "\"wins\": 23"));
    differs(&|forms| {
        first(
            forms.csv.get_mut("ratings").expect("a table"),
            ",true",
            ",false",
        )
    });
    differs(&|forms| {
        first(
            forms.csv.get_mut("games").expect("a table"),
            ",first,",
            ",second,",
        )
    });
    differs(&|forms| first(&mut forms.brief, "A game takes", "A match takes"));
}

/// What a column has of a row in JSON: a value, or a part of an estimate.
fn of_column<'a>(row: &'a Value, column: &str) -> Option<&'a Value> {
    if let Some(value) = row.get(column) {
        return value.get("value").or(Some(value));
    }
    let (key, part) = column.rsplit_once('_')?;
    row.get(key)?.get(part)
}

/// What the ratings predict of a pairing, if it is told of its first agent.
fn prediction<'a>(json: &'a Value, pairing: &Value) -> Option<&'a Value> {
    let fits = json.pointer("/consistency/pairings")?.as_array()?;
    let is_same = |fit: &&Value| (&fit["a"], &fit["b"]) == (&pairing["a"], &pairing["b"]);
    fits.iter().find(is_same)
}

/// Every cell of a table is the value of its key.
fn same_in_csv_and_json(forms: &Forms, json: &Value) {
    for (table, at) in ROWS {
        let rows = forms.csv(table);
        let told = json.pointer(at).and_then(Value::as_array).expect("rows");
        assert_eq!(rows.len(), told.len(), "{table}");
        for (row, told) in rows.iter().zip(told) {
            let predicted = (at == "/pairings").then(|| prediction(json, told));
            for (column, cell) in row {
                let value = match (&predicted, column.as_str()) {
                    // Told of the other agent, or not at all.
                    (Some(None), "expected" | "surprise") => continue,
                    (Some(Some(fit)), "expected" | "surprise") => of_column(fit, column),
                    _ => of_column(told, column),
                };
                let value = value.unwrap_or_else(|| panic!("{at}/{column}"));
                let same = match value {
                    Value::Null => cell.is_empty(),
                    Value::Number(number) => cell.parse() == Ok(number.as_f64().expect("a number")),
                    Value::String(text) => *cell == spreadsheet(text),
                    Value::Bool(flag) => cell.parse() == Ok(*flag),
                    other => panic!("{at}/{column}: {other}"),
                };
                assert!(same, "{table} {column}: '{cell}' and {value}");
            }
        }
    }
    let games = forms.csv("games");
    let all = json["games"].as_u64().expect("a number");
    if games.len() as u64 != all {
        assert!(games.len() >= 50 && (games.len() as u64) < all);
        return;
    }
    let lost = games.iter().filter(|game| !game["termination"].is_empty());
    let told = forms.csv("terminations");
    let told: usize = told
        .iter()
        .map(|row| row["games"].parse::<usize>().expect("a number"))
        .sum();
    assert_eq!(lost.count(), told);
}

/// Each row of a CSV table is named by some of its columns, no two columns have the same name, and numbers are those of programs.
fn rows_have_names(forms: &Forms) {
    for (table, csv) in &forms.csv {
        let (_, key) = KEYS.iter().find(|(name, _)| name == table).expect("a key");
        let head: Vec<&str> = csv.lines().next().expect("a head").split(',').collect();
        assert_eq!(BTreeSet::from_iter(&head).len(), head.len(), "{head:?}");
        let mut names = BTreeSet::new();
        for row in forms.csv(table) {
            let name: Vec<String> = key.iter().map(|column| row[*column].clone()).collect();
            assert!(names.insert(name), "{table}: {row:?}");
        }
        assert!(!csv.contains('−'), "{table}");
    }
}

/// The files that the page saves are those of the CSV tables.
fn csv_of_the_page_is_that_of_the_tables(forms: &Forms) {
    let mut files = 0;
    for part in forms.page.split(" data-file=\"").skip(1) {
        let (file, rest) = part.split_once("\" data-csv=\"").expect("a file");
        let csv = rest.split_once('"').expect("its contents").0;
        let entities = [
            ("&quot;", "\""),
            ("&lt;", "<"),
            ("&gt;", ">"),
            ("&amp;", "&"),
        ];
        let csv = entities.iter().fold(csv.to_owned(), |csv, (entity, text)| {
            csv.replace(entity, text)
        });
        let table = file.strip_suffix(".csv").expect("a table");
        assert_eq!(csv, forms.csv[table], "{file}");
        files += 1;
    }
    assert!(files > 3);
}

/// All estimates in the JSON: value, low and high.
fn estimates(value: &Value, all: &mut Vec<[Option<f64>; 3]>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| estimates(item, all)),
        Value::Object(fields) if fields.contains_key("se") => {
            all.push(["value", "low", "high"].map(|key| fields[key].as_f64()));
        }
        Value::Object(fields) => fields.values().for_each(|item| estimates(item, all)),
        _ => {}
    }
}

/// Every estimate that a sentence has is one of the JSON, with its interval.
fn words_are_numbers_of_the_json(forms: &Forms, json: &Value) {
    let mut known = Vec::new();
    estimates(json, &mut known);
    let turned: Vec<_> = known
        .iter()
        .map(|[value, low, high]| [value, high, low].map(|end| end.map(|end| -end)))
        .collect();
    known.extend(turned);
    for text in [&forms.wide, &forms.brief] {
        let text = text.replace("\n  ", " ");
        for (at, _) in text.match_indices(" (95%: ") {
            let end = at + text[at..].find([')', ',']).expect("a bracket");
            let interval = &text[at + " (95%: ".len()..end];
            let words = text[..at]
                .trim_end_matches(" Elo")
                .trim_end_matches(" points");
            let value = words.rsplit(' ').next().expect("a number");
            let is_it = |[value_of, low, high]: &[Option<f64>; 3]| {
                Seen::value(value).is_rounded(*value_of)
                    && Seen::interval(value, interval).is_interval(*value_of, [*low, *high])
            };
            assert!(known.iter().any(is_it), "{value} {interval}");
        }
    }
}

/// The intervals that the text and the page have for the difference of two agents, next to their names: in the answers, in the
/// table of neighbours and in that of the tests.
fn intervals_of(forms: &Forms, [a, b]: [&str; 2]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let brief = forms.brief.replace("\n  ", " ");
    let lines = brief.lines().map(str::to_owned);
    for line in lines.chain(page_answers(&forms.page)) {
        let names = [
            format!("{a} minus {b}"),
            format!("{a} is ahead of {b}"),
            format!("over {b}"),
        ];
        if names.iter().any(|name| line.contains(name)) {
            let (_, interval) = line.split_once("95%: ").expect("an interval");
            let end = interval.find([')', ',']).expect("its end");
            found.insert(interval[..end].to_owned());
        }
    }
    for tables in [text_tables(&forms.wide), page_tables(&forms.page)] {
        for table in tables {
            let Some(place) = table.heads.iter().position(|head| head == "Elo") else {
                continue;
            };
            let is_pair = |row: &&Vec<String>| row[..2] == [a, b];
            for row in table.rows.iter().filter(is_pair) {
                found.insert(row[place + 1].clone());
            }
        }
    }
    found
}

/// What the text and the page have in a row of a table: the values under a heading with their intervals.
fn said_of(forms: &Forms, section: &str, row: &str, head: &str) -> BTreeSet<[String; 2]> {
    let tables = [text_tables(&forms.wide), page_tables(&forms.page)];
    let tables = tables
        .iter()
        .flatten()
        .filter(|table| table.section == section);
    let mut found = BTreeSet::new();
    for table in tables {
        let Some(place) = table.heads.iter().position(|told| told == head) else {
            continue;
        };
        let has_interval = table.heads.get(place + 1).is_some_and(|head| head == "95%");
        for told in table.rows.iter().filter(|told| told[0] == row) {
            let interval = if has_interval { &told[place + 1] } else { "-" };
            found.insert([told[place].clone(), interval.to_owned()]);
        }
    }
    found
}

/// Numbers that several tables and answers have are the same everywhere.
fn numbers_have_one_value(forms: &Forms) {
    const SIZES: &str = "Branching and length by agent and pairing";
    let cells: [(&str, &[[&str; 3]]); 3] = [
        (
            "Moving first is worth ",
            &[["First-player advantage", "all", "Elo"]],
        ),
        ("A game takes ", &[[SIZES, "all agents", "plies"]]),
        (
            "no answer has it",
            &[
                ["Branching factor", "every ply", "legal actions"],
                [SIZES, "all agents", "legal"],
            ],
        ),
    ];
    let brief = forms.brief.replace("\n  ", " ");
    for (start, places) in cells {
        let mut found = BTreeSet::new();
        for [section, row, head] in places {
            let said = said_of(forms, section, row, head);
            assert_eq!(said.len(), 1, "{section} {row} {head}: {said:?}");
            found.extend(said);
        }
        let lines = brief.lines().map(str::to_owned);
        for line in lines.chain(page_answers(&forms.page)) {
            if let Some((value, rest)) = line.strip_prefix(start).and_then(|l| l.split_once(' ')) {
                let (_, interval) = rest.split_once("95%: ").expect("an interval");
                let (interval, _) = interval.split_once(')').expect("its end");
                found.insert([value.to_owned(), interval.to_owned()]);
            }
        }
        assert_eq!(found.len(), 1, "{start}: {found:?}");
    }
}

/// The intervals of the difference of the first two agents of six tournaments, and other numbers that stand in several places.
#[test]
fn a_difference_has_one_interval() {
    let three = [("ada", 60.0), ("ben", 20.0), ("cleo", -40.0)];
    let gauntlet = || Gauntlet {
        challengers: vec!["ada".to_owned()],
    };
    let test = Sprt::new(0.0, 300.0, 0.05, 0.05, EloModel::Logistic).expect("a test");
    let round_robin = Staged::new(&three, Format::RoundRobin, 20, 3);
    let of_two = Staged::new(&three[..2], Format::RoundRobin, 20, 3);
    let mut stopped = Staged::new(&three[..2], gauntlet(), 200, 3);
    stopped.plan = stopped.plan.with_test(test).expect("a plan with a test");
    let mut running = Staged {
        most_games: 8,
        ..Staged::new(&three[..2], gauntlet(), 200, 3)
    };
    let slow = Sprt::new(0.0, 20.0, 0.05, 0.05, EloModel::Logistic).expect("a test");
    running.plan = running.plan.with_test(slow).expect("a plan with a test");
    let mut used_up = Staged::new(&three[..2], gauntlet(), 3, 3);
    used_up.plan = used_up.plan.with_test(test).expect("a plan with a test");
    let faults = Staged {
        faults: Some(5),
        ..Staged::new(&three, Format::RoundRobin, 20, 4)
    };
    for (name, staged, words) in [
        ("round robin", round_robin, ""),
        ("two agents", of_two, ""),
        ("stopped", stopped, "corrected for the stopping of the test"),
        ("running", running, "however often one looks"),
        ("used up", used_up, ""),
        ("faults", faults, ""),
    ] {
        let forms = Forms::of(&staged.results("six"));
        agree(&forms);
        numbers_have_one_value(&forms);
        let json = forms.json();
        let first = |key: &str| json["ratings"][0][key].as_str().expect("a name").to_owned();
        let second = json["ratings"][1]["agent"]
            .as_str()
            .expect("a name")
            .to_owned();
        let leader = first("agent");
        let mut found = intervals_of(&forms, [&leader, &second]);
        found.extend(intervals_of(&forms, [&second, &leader]));
        assert_eq!(found.len(), 1, "{name}: {found:?}");
        assert!(
            words.is_empty() || forms.brief.replace("\n  ", " ").contains(words),
            "{name}: {}",
            forms.brief
        );
    }
}

/// Guards names that a spreadsheet would read as formulas.
fn spreadsheet(text: &str) -> String {
    if text.starts_with('=') {
        format!("'{text}")
    } else {
        text.to_owned()
    }
}

/// Wins, perfect scores and separated agents, from the table of games.
fn marks_follow_from_the_games(forms: &Forms, json: &Value) {
    let games = forms.csv("games");
    let mut wins: BTreeMap<&str, BTreeMap<&str, u64>> = BTreeMap::new();
    let mut played: BTreeMap<&str, u64> = BTreeMap::new();
    for game in &games {
        let (first, second) = (&*game["first"], &*game["second"]);
        let (winner, loser) = if game["winner"] == "first" {
            (first, second)
        } else {
            (second, first)
        };
        *wins.entry(winner).or_default().entry(loser).or_default() += 1;
        *played.entry(first).or_default() += 1;
        *played.entry(second).or_default() += 1;
    }
    let agents: Vec<&str> = played.keys().copied().collect();
    let reach = |links: &dyn Fn(&str, &str) -> bool, from: &str| -> BTreeSet<String> {
        let mut reached = BTreeSet::from([from.to_owned()]);
        for _ in &agents {
            let next = agents
                .iter()
                .filter(|next| reached.iter().any(|one| links(one, next)));
            let next: Vec<String> = next.map(|&next| next.to_owned()).collect();
            reached.extend(next);
        }
        reached
    };
    let beats = |a: &str, b: &str| wins.get(a).is_some_and(|lost| lost.contains_key(b));
    let meets = |a: &str, b: &str| beats(a, b) || beats(b, a);
    let component = |agent: &str| -> BTreeSet<String> {
        let beaten = reach(&beats, agent);
        beaten
            .into_iter()
            .filter(|other| reach(&beats, other).contains(agent))
            .collect()
    };
    for row in json["ratings"].as_array().expect("rows") {
        let name = spreadsheet(row["agent"].as_str().expect("a name"));
        let Some(&games) = played.get(&*name) else {
            assert_eq!(
                (&row["games"], &row["elo"]["value"]),
                (&Value::from(0), &Value::Null)
            );
            continue;
        };
        let won: u64 = wins
            .get(&*name)
            .into_iter()
            .flat_map(BTreeMap::values)
            .sum();
        assert_eq!(
            (&row["games"], &row["wins"]),
            (&games.into(), &won.into()),
            "{name}"
        );
        assert_eq!(row["perfect"], won == 0 || won == games, "{name}");
        // The linked agents are the largest group with chains of wins between all its members.
        let met = reach(&meets, &name);
        let sizes = met.iter().map(|agent| component(agent).len());
        let largest = sizes.max().expect("itself");
        let of_largest = met.iter().filter(|agent| component(agent).len() == largest);
        let is_alone = of_largest.count() == largest;
        let separated = met.len() > largest && (!is_alone || component(&name).len() < largest);
        assert_eq!(row["separated"], separated, "{name}");
    }
    let connected = agents
        .first()
        .is_none_or(|first| reach(&meets, first).len() == agents.len());
    assert_eq!(json["connected"], connected);
}

/// Every row of a table in the text is a row of the same table on the page.
fn same_in_text_and_page(text: &[SeenTable], page: &[SeenTable]) {
    for table in text {
        let same = |other: &&SeenTable| {
            let title = if table.title.is_empty() {
                &table.section
            } else {
                &table.title
            };
            other.section == table.section && other.title == *title
        };
        let other = page.iter().find(same);
        let other = other.unwrap_or_else(|| panic!("{}/{}", table.section, table.title));
        // The page also draws shapes; the columns of the text are in the same order.
        let mut places = Vec::new();
        for head in &table.heads {
            let from = places.last().map_or(0, |last| last + 1);
            let found = other.heads[from..].iter().position(|told| told == head);
            places.push(from + found.unwrap_or_else(|| panic!("{head} in {:?}", other.heads)));
        }
        for row in &table.rows {
            let is_row = |told: &Vec<String>| {
                places
                    .iter()
                    .zip(row)
                    .all(|(&place, cell)| told[place] == *cell)
            };
            assert!(other.rows.iter().any(is_row), "{row:?} in {other:?}");
        }
    }
    let titles = |tables: &[SeenTable]| -> BTreeSet<String> {
        tables.iter().map(|table| table.section.clone()).collect()
    };
    assert!(titles(text).is_subset(&titles(page)));
}

fn grids_are_the_same(forms: &Forms, page: &[SeenTable]) {
    for grid in text_grids(&forms.wide) {
        let mut same = page.iter().filter(|table| table.section == grid.section);
        let other = same.next().expect("a grid");
        assert_eq!(grid.rows.len(), other.rows.len());
        for (row, told) in grid.rows.iter().zip(&other.rows) {
            let cells = |cells: &[String]| -> Vec<String> {
                let cells = cells.iter().map(|cell| cell.replace('·', "-"));
                cells.collect()
            };
            assert_eq!(cells(row)[1..], cells(told)[1..], "{grid:?} {other:?}");
        }
    }
}

/// A table shows the numbers of its CSV table, rounded, and the marks of its agents.
fn shown_as_in_csv(forms: &Forms, tables: &[SeenTable], shown: &Shown) {
    let title = if shown.title.is_empty() {
        shown.section
    } else {
        shown.title
    };
    let is_it = |table: &&SeenTable| {
        let is_group = shown.csv == "ratings";
        table.section == shown.section
            && (is_group || table.title == title || table.title == shown.title)
    };
    let rows = forms.csv(shown.csv);
    let Some(table) = tables.iter().find(is_it) else {
        assert!(
            rows.is_empty() || shown.csv != "ratings",
            "{}",
            shown.section
        );
        return;
    };
    let ratings = forms.csv("ratings");
    let separated: BTreeSet<&str> = (ratings.iter())
        .filter(|row| row["separated"] == "true")
        .map(|row| &*row["agent"])
        .collect();
    let marked = ["Standings", "Neighbours in rank"].contains(&shown.section);
    for seen in &table.rows {
        let cell = |head: &str| {
            let place = table.heads.iter().position(|told| told == head);
            place.map(|place| (place, &*seen[place]))
        };
        let name = |head: &str| {
            let told = cell(head).expect("a name").1;
            let (plain, mark) = (
                told.strip_suffix(" *").unwrap_or(told),
                told.ends_with(" *"),
            );
            let plain = spreadsheet(plain);
            let is_agent = ratings.iter().any(|row| row["agent"] == plain);
            let wanted = marked && is_agent && separated.contains(&*plain);
            assert_eq!(mark, wanted, "{}: {told}", shown.section);
            plain
        };
        let names: Vec<(String, &str)> = shown
            .names
            .iter()
            .map(|&(head, key)| (name(head), key))
            .collect();
        let is_row =
            |row: &&BTreeMap<String, String>| names.iter().all(|(name, key)| row[*key] == *name);
        let row = rows.iter().find(is_row);
        let row = row.unwrap_or_else(|| panic!("{names:?} in {}", shown.csv));
        let number = |key: &str| row[key].parse::<f64>().ok();
        for &(head, key, interval) in shown.columns {
            let Some((place, told)) = cell(head) else {
                // A column without any number is left out, and Elo if a test has it.
                let is_tested = !forms.json()["sprt"].is_null();
                assert!(
                    rows.iter().all(|row| row[key].is_empty())
                        || head == "solved"
                        || (head == "Elo" && (is_tested || rows.len() == 2)),
                    "{head}"
                );
                continue;
            };
            let what = format!("{} {names:?} {head}: '{told}' of {row:?}", shown.section);
            assert!(Seen::value(told).is_rounded(number(key)), "{what}");
            if interval {
                let [low, high] = ["low", "high"].map(|end| format!("{key}_{end}"));
                let ends = [number(&low), number(&high)];
                let has_interval = table.heads.get(place + 1).is_some_and(|head| head == "95%");
                let none = rows
                    .iter()
                    .all(|row| row[&low].is_empty() && row[&high].is_empty());
                assert!(
                    has_interval || none || table.rows.len() < rows.len() || rows.len() == 2,
                    "{what}"
                );
                if has_interval {
                    let interval = Seen::interval(told, &seen[place + 1]);
                    assert!(
                        interval.is_interval(number(key), ends),
                        "{what}: {interval:?}"
                    );
                } else {
                    // The interval of two agents is that of their difference.
                    assert!(ends == [None, None] || rows.len() == 2, "{what}");
                }
            }
        }
    }
}

/// The rows of the first player's advantage that the text has.
fn first_player_is_that_of_the_json(json: &Value, text: &[SeenTable]) {
    let first = &json["first_player"];
    let table = text
        .iter()
        .find(|table| table.section == "First-player advantage");
    let Some(table) = table else {
        return;
    };
    let classes = first["by_gap"].as_array().expect("rows");
    let told = [first].into_iter().chain(classes);
    for (row, told) in table.rows.iter().zip(told) {
        for (head, key) in [("games", "games"), ("1st wins", "win_rate"), ("Elo", "elo")] {
            if let Some(place) = table.heads.iter().position(|told| told == head) {
                assert!(
                    is_rounded_from(&row[place], of_column(told, key).and_then(Value::as_f64)),
                    "{row:?} {told}"
                );
            }
        }
    }
}

/// A small tournament fits on the page with all its games; of a larger one, many games do.
fn the_page_holds_all_games(forms: &Forms, json: &Value) {
    let start = "<script id=\"games-data\" type=\"application/json\">";
    let (_, data) = forms.page.split_once(start).expect("data");
    let (data, _) = data.split_once("</script>").expect("an end");
    let data: Value = serde_json::from_str(data).expect("JSON");
    let games = data["games"].as_array().expect("games");
    let all = json["games"].as_u64().expect("a number");
    if games.len() as u64 != all {
        assert!(games.len() >= 50 && (games.len() as u64) < all);
        return;
    }
    let lost = games.iter().filter(|game| game.get("fault").is_some());
    let told = forms.csv("games");
    let told = told.iter().filter(|game| !game["termination"].is_empty());
    assert_eq!(lost.count(), told.count());
}

/// The ranks and the likelihoods in the standings are those of the tables.
fn ranks_and_los_are_those_of_the_tables(forms: &Forms, tables: &[SeenTable]) {
    let mut of_tables = tables.iter();
    let table = of_tables.find(|table| table.section == "Standings");
    let place = |head: &str| {
        let table = table.expect("standings");
        table.heads.iter().position(|told| told == head)
    };
    let (ratings, comparisons) = (forms.csv("ratings"), forms.csv("comparisons"));
    for (i, row) in table
        .into_iter()
        .flat_map(|table| table.rows.iter().enumerate())
    {
        let [best, worst] = ["best_rank", "worst_rank"].map(|key| &*ratings[i][key]);
        let wanted = match best == worst {
            true if best.is_empty() => "-".to_owned(),
            true => best.to_owned(),
            false => format!("{best}-{worst}"),
        };
        assert_eq!(row[place("rank").expect("ranks")], wanted, "{row:?}");
        let next = ratings.get(i + 1).map(|next| &next["agent"]);
        let is_next = |found: &&BTreeMap<String, String>| {
            found["a"] == ratings[i]["agent"] && Some(&found["b"]) == next
        };
        let found = comparisons.iter().find(is_next);
        let los = found.and_then(|found| found["los"].parse().ok());
        if let Some(place) = place("LOS") {
            assert!(is_rounded_from(&row[place], los), "{row:?} {los:?}");
        }
    }
}

/// The bars of the standings have arrows where intervals have no end.
fn arrows_are_open_ends(forms: &Forms, page: &[SeenTable]) {
    let table = page
        .iter()
        .find(|table| table.section == "Standings")
        .expect("standings");
    let rows = forms.csv("ratings");
    for (row, arrows) in rows.iter().zip(&table.arrows) {
        let ends = ["elo_low", "elo_high"].map(|key| row[key].is_empty());
        let is_tested = !forms.json()["sprt"].is_null();
        let wanted = if ends == [true, true] || rows.len() == 2 || is_tested {
            [false; 2]
        } else {
            ends
        };
        assert_eq!(*arrows, wanted, "{row:?}");
    }
}

/// The text and the page have the same warnings about ratings, and only where they apply.
fn warnings_are_the_same(forms: &Forms, json: &Value) {
    let separated = json["ratings"].as_array().expect("rows");
    let separated = separated.iter().any(|row| row["separated"] == true);
    let cases = [
        ("* No wins in both directions", separated),
        (
            "Jeffreys' prior (Firth's penalised likelihood) keeps",
            json["prior_used"] == true,
        ),
        (
            "Some groups of agents have not met",
            json["connected"] == false,
        ),
    ];
    let (text, page) = (text_notes(&forms.wide), page_notes(&forms.page));
    for (start, wanted) in cases {
        for notes in [&text, &page] {
            assert_eq!(
                notes.iter().any(|note| note.contains(start)),
                wanted,
                "{start}"
            );
        }
    }
    // All sentences of the text are on the page; there, those about an agent follow its name.
    // The footnotes of the text are those of fewer columns.
    let told = |note: &str| {
        let mut sentences = note.split_inclusive(". ");
        sentences.all(|sentence| page.iter().any(|told| told.contains(sentence.trim_end())))
    };
    for note in &text {
        let about = note
            .split_once(": ")
            .filter(|(name, _)| NAMES.contains(name));
        let is_told = told(note) || about.is_some_and(|(_, about)| told(about));
        assert!(is_told || is_only_in_text(note), "{note}\nin {page:#?}");
    }
}

/// Sentences about what the text leaves out, and lines that are not sentences on the page.
fn is_only_in_text(note: &str) -> bool {
    note.starts_with("Not listed: ") || note.contains(": type = ")
}

/// The lines of the brief text are the headlines of the page, possibly with fewer details in brackets.
fn headlines_are_the_same(forms: &Forms) {
    let (_, lines) = forms.brief.split_once("\n\n").expect("a heading");
    let (_, lines) = lines.rsplit_once("\n\n").expect("standings");
    let lines = lines.replace("\n  ", " ");
    let mut cards = page_cards(&forms.page).into_iter();
    let answers = page_answers(&forms.page);
    for line in lines.lines() {
        let is_card = |[value, name, more]: [String; 3]| {
            let told = line.strip_prefix(&*format!("{value} {name}"));
            let in_brackets = |rest: &str| {
                let rest = rest
                    .strip_prefix(" (")
                    .and_then(|rest| rest.strip_suffix(')'));
                rest.is_some_and(|rest| more.starts_with(rest))
            };
            told.is_some_and(|rest| rest.is_empty() || in_brackets(rest))
        };
        assert!(
            cards.any(is_card) || answers.iter().any(|told| told == line),
            "{line}"
        );
    }
}
