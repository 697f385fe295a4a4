//! docs/ledger.md: its questions are asked of a small tournament, and its tables are those of the ledger.
//!
//! `tests/data/plies.txt` has what sections of the report said of the same tournament, before questions took their place.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rusqlite::Connection;
use rusqlite::types::ValueRef;
use tempfile::TempDir;

use super::{Span, spans};
use patchwork_test_support::program::{PROJECT, program, section, text};

/// Where the statements and descriptions of the tables are.
const SCHEMA: &str = "crates/tournament/src/ledger/schema.sql";

/// Questions that games of a healthy tournament without a fleet and without bots do not answer, by a part of them.
const MAY_BE_EMPTY: &[&str] = &["fault IS NOT NULL", "FROM deliveries", "highest_estimate"];

fn page() -> String {
    fs::read_to_string(Path::new(PROJECT).join("docs/ledger.md")).expect("readable")
}

/// The heading of the questions to the two tables, and that after it.
const TWO_TABLES: [&str; 2] = ["## Questions to the two tables\n", "\n## From Python"];

/// The page without the questions to the two tables, and these.
fn parts() -> (String, String) {
    let page = page();
    let (before, rest) = page.split_once(TWO_TABLES[0]).expect("a section");
    let (part, after) = rest.split_once(TWO_TABLES[1]).expect("its end");
    (before.to_owned() + after, part.to_owned())
}

/// The SQL of a part of the page, one statement a block.
fn questions(part: &str) -> Vec<String> {
    let blocks = spans(part).into_iter().filter_map(|span| match span {
        Span::Code {
            language: "sql",
            lines,
        } => Some(lines.join("\n")),
        _ => None,
    });
    blocks.collect()
}

/// A ledger of a few games with recorded candidates.
fn ledger() -> (TempDir, PathBuf) {
    let home = tempfile::tempdir().expect("a folder for the test");
    let file = "name = \"t\"\nagents = [\"mcts-fast\", \"greedy-inorder\", \"random\"]\npairs = 4\n\
                thoughts = \"top-2\"\ncommon_rings = true\nbudget.iterations = 20\n";
    fs::write(home.path().join("t.toml"), file).expect("written");
    let run = program(&["run", "t.toml", "--quiet"])
        .current_dir(home.path())
        .output()
        .expect("started");
    assert!(run.status.success(), "{}", text(&run.stderr));
    let path = home.path().join("results/t/games.db");
    (home, path)
}

#[test]
fn the_questions_of_the_page_are_answered() {
    let (home, path) = ledger();
    let questions = questions(&parts().0);
    assert!(questions.len() >= 12, "{}", questions.len());
    let connection = Connection::open(&path).expect("opened");
    for question in &questions {
        let mut statement = connection
            .prepare(question)
            .unwrap_or_else(|error| panic!("{question}: {error}"));
        if statement.column_count() == 0 {
            assert_eq!(statement.execute([]), Ok(1), "{question}");
            continue;
        }
        let mut rows = statement.query([]).expect("bound");
        let mut count = 0;
        while rows
            .next()
            .unwrap_or_else(|error| panic!("{question}: {error}"))
            .is_some()
        {
            count += 1;
        }
        let may_be_empty = MAY_BE_EMPTY.iter().any(|part| question.contains(part));
        assert!(count > 0 || may_be_empty, "no row: {question}");
    }
    let largest = questions
        .iter()
        .find(|question| question.contains("AS points"));
    let game = connection.query_row(largest.expect("a question for games"), [], |row| row.get(0));
    let game: i64 = game.expect("a game");
    drop(connection);
    // The shell, where it is installed.
    let script = format!(".bail on\n{}\n", questions.join("\n"));
    fs::write(home.path().join("questions.sql"), script).expect("written");
    let shell = Command::new("sqlite3")
        .arg(&path)
        .arg(".read questions.sql")
        .current_dir(home.path())
        .output();
    if let Ok(shell) = shell {
        let said = text(&shell.stderr);
        assert!(shell.status.success() && said.is_empty(), "{said}");
        assert!(text(&shell.stdout).contains("greedy-inorder"));
    }
    // The program reads the folder as before, and knows the game.
    for command in [
        &["verify", "results/t", "--sample", "24", "--quiet"][..],
        &["analyze", "replay", "results/t", &game.to_string()],
    ] {
        let done = program(command).current_dir(home.path()).output();
        let done = done.expect("started");
        assert!(done.status.success(), "{}", text(&done.stderr));
    }
}

/// Fills a table from a CSV file with a header.
fn fill(connection: &Connection, table: &str, csv: &[u8]) {
    let mut reader = csv::Reader::from_reader(csv);
    let columns = reader.headers().expect("a header").clone();
    let of_table = format!("SELECT group_concat(name) FROM pragma_table_info('{table}')");
    let names: String = connection
        .query_row(&of_table, [], |row| row.get(0))
        .expect("a table");
    assert_eq!(names, columns.iter().collect::<Vec<_>>().join(","));
    let values = vec!["?"; columns.len()].join(", ");
    let insert = format!("INSERT INTO {table} VALUES ({values})");
    let mut insert = connection.prepare(&insert).expect("prepared");
    for row in reader.records() {
        let row = row.expect("a row");
        insert
            .execute(rusqlite::params_from_iter(row.iter()))
            .expect("inserted");
    }
}

/// The rows of a question with the names of their columns, as text.
fn answer(connection: &Connection, question: &str) -> Vec<BTreeMap<String, String>> {
    let mut statement = connection
        .prepare(question)
        .unwrap_or_else(|error| panic!("{question}: {error}"));
    let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let rows = statement.query_map([], |row| {
        let cell = |(place, name): (usize, &String)| {
            Ok((
                name.clone(),
                match row.get_ref(place)? {
                    ValueRef::Integer(number) => number.to_string(),
                    ValueRef::Real(number) => number.to_string(),
                    ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned(),
                    _ => String::new(),
                },
            ))
        };
        names.iter().enumerate().map(cell).collect()
    });
    let rows = rows.expect("bound").collect::<Result<_, _>>();
    rows.unwrap_or_else(|error| panic!("{question}: {error}"))
}

/// Checks the columns of a CSV table that rows have, too: numbers may differ in the last digits.
fn assert_agree(rows: &[BTreeMap<String, String>], expected: &str, what: &str) {
    let mut reader = csv::Reader::from_reader(expected.as_bytes());
    let expected = reader.deserialize::<BTreeMap<String, String>>();
    let expected: Vec<_> = expected.map(|row| row.expect("a row")).collect();
    assert_eq!(rows.len(), expected.len(), "{what}");
    for (row, expected) in rows.iter().zip(&expected) {
        for (name, value) in expected.iter().filter(|(name, _)| row.contains_key(*name)) {
            let agree = match (row[name].parse::<f64>(), value.parse::<f64>()) {
                (Ok(one), Ok(other)) => (one - other).abs() < 1e-8,
                _ => row[name] == *value,
            };
            assert!(agree, "{what}, {name}: {row:?}; expected {expected:?}");
        }
    }
}

#[test]
fn the_two_tables_answer_what_sections_of_the_report_said() {
    let (home, path) = ledger();
    let export = |arguments: &[&str]| {
        let done = program(arguments).current_dir(home.path()).output();
        let done = done.expect("started");
        assert!(done.status.success(), "{}", text(&done.stderr));
        done.stdout
    };
    let tables = ["games", "plies"];
    let csv = tables.map(|table| export(&["export", "results/t", "--table", table]));
    let (makes, asks): (Vec<_>, Vec<_>) = questions(&parts().1)
        .into_iter()
        .partition(|question| question.starts_with("CREATE"));
    let connection = Connection::open_in_memory().expect("opened");
    makes
        .iter()
        .for_each(|table| connection.execute_batch(table).expect("made"));
    tables
        .iter()
        .zip(&csv)
        .for_each(|(table, csv)| fill(&connection, table, csv));
    let (updates, asks): (Vec<_>, Vec<_>) = asks
        .into_iter()
        .partition(|question| question.starts_with("UPDATE"));
    updates
        .iter()
        .for_each(|update| connection.execute_batch(update).expect("updated"));
    let ask = |part: &str| {
        let mut found = asks.iter().filter(|question| question.contains(part));
        let question = found
            .next()
            .unwrap_or_else(|| panic!("no question: {part}"));
        answer(&connection, question)
    };
    for (part, file) in [
        ("AS squares", "economy"),
        ("AS chance", "chances"),
        ("WITH firsts", "first-purchases"),
        ("AS square,", "covered-early"),
        ("AS tenth", "calibration"),
    ] {
        assert_agree(&ask(part), &section("plies.txt", file), part);
    }
    // The mean income at space 29, by income and by agent.
    let sums = |rows: &[BTreeMap<String, String>]| {
        let number = |row: &BTreeMap<String, String>, name: &str| {
            row[name].parse::<f64>().expect("a number")
        };
        let sum = |row| number(row, "seats") * number(row, "income");
        (
            rows.iter().map(|row| number(row, "seats")).sum::<f64>(),
            rows.iter().map(sum).sum::<f64>(),
        )
    };
    let mut economy = ask("AS squares");
    economy.retain(|row| row["space"] == "29");
    let by_income = ask("GROUP BY income");
    assert_eq!(sums(&by_income), sums(&economy));
    let mut patches = ask("AS bought");
    patches.sort_by_key(|row| row["patch"].parse::<u8>().expect("a patch"));
    assert_agree(&patches, &section("plies.txt", "patches"), "patches");
    // The numbers of the games are those of the ledger.
    let known = Connection::open(&path).expect("opened");
    let of = |connection: &Connection| {
        answer(
            connection,
            "SELECT game, sum(plies) AS plies FROM games GROUP BY game",
        )
    };
    assert_eq!(of(&connection), of(&known));
    let counted = "SELECT game, count(*) AS plies FROM plies GROUP BY game";
    assert_eq!(answer(&connection, counted), of(&known));
}

/// A table or view of the ledger as a table of the page.
fn described(connection: &Connection, schema: &str, kind: &str, name: &str) -> String {
    let start = format!("CREATE {} {name} ", kind.to_uppercase());
    let at = schema.find(&start).expect("its statement");
    let (before, statement) = schema.split_at(at);
    let about = before
        .lines()
        .next_back()
        .and_then(|line| line.strip_prefix("-- "));
    let statement = statement.split(";\n").next().unwrap_or_default();
    let kind = if kind == "view" { " (view)" } else { "" };
    let mut page = format!(
        "\n### {name}{kind}\n{}\n\n| column | type | what it is |\n|---|---|---|\n",
        textwrap::fill(about.expect("a description before the statement"), 120)
    );
    let mut columns = connection
        .prepare("SELECT name, type, \"notnull\" OR pk > 0 FROM pragma_table_xinfo(?)")
        .expect("prepared");
    let columns = columns
        .query_map([name], |row| row.try_into())
        .expect("bound");
    for column in columns {
        let (column, form, required): (String, String, bool) = column.expect("read");
        let mut lines = statement.lines().filter_map(|line| line.split_once(" -- "));
        let is_of = |code: &str| {
            let mut words = code.trim().trim_end_matches(',').split([' ', '.']);
            match kind.is_empty() {
                true => words.next() == Some(&*column),
                false => words.next_back() == Some(&*column),
            }
        };
        let found = lines.find(|(code, _)| is_of(code));
        let (code, about) = found.unwrap_or_else(|| panic!("{name}.{column} has no description"));
        let form = match (kind.is_empty(), required || code.contains(" GENERATED ")) {
            (false, _) => String::new(),
            (true, true) => form,
            (true, false) => format!("{form} or NULL"),
        };
        page += &format!("| `{column}` | {form} | {about} |\n");
    }
    match kind.is_empty() {
        true => page,
        // The types of the columns of a view are those of its tables.
        false => page
            .replace(
                "| column | type | what it is |\n|---|---|---|",
                "| column | what it is |\n|---|---|",
            )
            .replace(" |  | ", " | "),
    }
}

#[test]
fn the_tables_in_the_document_are_those_of_the_ledger() {
    let schema = fs::read_to_string(Path::new(PROJECT).join(SCHEMA)).expect("readable");
    let connection = Connection::open_in_memory().expect("opened");
    connection.execute_batch(&schema).expect("valid");
    let mut all = connection
        .prepare(
            "SELECT type, name FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY rowid",
        )
        .expect("prepared");
    let all = all.query_map([], |row| row.try_into()).expect("bound");
    let mut tables = String::new();
    for one in all {
        let (kind, name): (String, String) = one.expect("read");
        tables += &described(&connection, &schema, &kind, &name);
    }
    let page = page();
    let how = "UPDATE_SCHEMA=1 cargo test --test all docs";
    let start = format!("<!-- Generated by {how} -->\n");
    let end = "<!-- End of the tables -->";
    let (before, rest) = page.split_once(&start).expect("a start");
    let (_, after) = rest.split_once(end).expect("an end");
    let expected = format!("{before}{start}{tables}\n{end}{after}");
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        fs::write(Path::new(PROJECT).join("docs/ledger.md"), &expected).expect("written");
    } else {
        assert!(
            page == expected,
            "docs/ledger.md is not up to date: run {how}"
        );
    }
}
