//! docs/ledger.md: its questions are asked of a small tournament, and its tables are those of the ledger.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rusqlite::Connection;
use tempfile::TempDir;

use super::{Span, spans};
use crate::support::program::{PROJECT, program, text};

/// Where the statements and descriptions of the tables are.
const SCHEMA: &str = "crates/tournament/src/ledger/schema.sql";

/// Questions that games of a healthy tournament without a fleet and without bots do not answer, by a part of them.
const MAY_BE_EMPTY: &[&str] = &["fault IS NOT NULL", "FROM deliveries", "highest_estimate"];

fn page() -> String {
    fs::read_to_string(Path::new(PROJECT).join("docs/ledger.md")).expect("readable")
}

/// The SQL of the page, one statement a block.
fn questions(page: &str) -> Vec<String> {
    let blocks = spans(page).into_iter().filter_map(|span| match span {
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
    let questions = questions(&page());
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
