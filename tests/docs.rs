//! The documentation: links lead somewhere, commands and files exist, and the book lists every page.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use patchwork_board::BoardSession;
use serde_json::Value;

use patchwork_test_support::program::{PROJECT, binary, program, text};

mod ledger;
mod runs;
mod truth;

/// The pages: the README, the other texts at the top, and docs/.
fn pages() -> Vec<PathBuf> {
    let root = Path::new(PROJECT);
    let mut pages: Vec<PathBuf> = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
        .map(|name| root.join(name))
        .into();
    for folder in ["docs", "docs/lab"] {
        let entries = fs::read_dir(root.join(folder)).expect("readable");
        let entries = entries.map(|entry| entry.expect("readable").path());
        pages.extend(entries.filter(|path| path.extension().is_some_and(|end| end == "md")));
    }
    pages.sort();
    pages
}

/// Lines fit into an editor, except rows of tables, pictures, commands and signatures.
#[test]
fn lines_have_at_most_120_characters() {
    let folders = ["crates", "extras"].map(|name| Path::new(PROJECT).join(name));
    let crates = folders
        .iter()
        .flat_map(|folder| fs::read_dir(folder).expect("readable"));
    let front_pages = crates.map(|entry| entry.expect("readable").path().join("README.md"));
    let front_pages = front_pages.filter(|page| page.exists());
    for page in pages().into_iter().chain(front_pages) {
        let text = fs::read_to_string(&page).expect("readable");
        for span in spans(&text) {
            let Span::Prose(line) = span else { continue };
            let is_free = line.trim_start().starts_with(['|', '!', '`']) || line.starts_with("**`");
            assert!(
                is_free || line.chars().count() <= 120,
                "{}: {line}",
                page.display()
            );
        }
    }
}

/// A part of a page.
enum Span<'a> {
    /// Text outside of fenced code.
    Prose(&'a str),
    /// Fenced code, with the name of its language, which may be empty.
    Code {
        language: &'a str,
        lines: Vec<&'a str>,
    },
}

/// The text and the fenced code of a page, line by line outside of code.
fn spans(page: &str) -> Vec<Span<'_>> {
    let mut spans = Vec::new();
    let mut open: Option<(&str, Vec<&str>)> = None;
    for line in page.lines() {
        match (line.trim_start().strip_prefix("```"), &mut open) {
            (Some(language), None) => open = Some((language, Vec::new())),
            (Some(_), Some(_)) => {
                let (language, lines) = open.take().expect("open");
                spans.push(Span::Code { language, lines });
            }
            (None, Some((_, lines))) => lines.push(line),
            (None, None) => spans.push(Span::Prose(line)),
        }
    }
    spans
}

/// The text without fenced code, and the lines of fenced code without a language.
fn split(page: &str) -> (String, Vec<&str>) {
    let (mut prose, mut commands) = (String::new(), Vec::new());
    for span in spans(page) {
        match span {
            Span::Prose(line) => {
                prose += line;
                prose.push('\n');
            }
            Span::Code {
                language: "",
                lines,
            } => commands.extend(lines),
            Span::Code { .. } => {}
        }
    }
    (prose, commands)
}

/// The name by which a heading is linked.
fn anchor(heading: &str) -> String {
    let kept = heading.to_lowercase();
    let kept = kept
        .chars()
        .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[test]
fn every_link_leads_somewhere() {
    let mut broken = Vec::new();
    for page in pages() {
        let content = fs::read_to_string(&page).expect("readable");
        let (prose, _) = split(&content);
        for link in prose.split("](").skip(1) {
            let target = link.split([')', ' ']).next().unwrap_or_default();
            if target.starts_with("http") || target.starts_with('<') {
                continue;
            }
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let path = match file {
                "" => page.clone(),
                file => page.parent().expect("a folder").join(file),
            };
            let at = format!(
                "{}: {target}",
                page.strip_prefix(PROJECT).expect("below").display()
            );
            // The book has the pages of docs/ alone.
            let docs = Path::new(PROJECT).join("docs");
            let whole = |path: &Path| path.canonicalize().expect("readable");
            let leaves = || page.starts_with(&docs) && !whole(&path).starts_with(whole(&docs));
            if !path.exists() || leaves() {
                broken.push(at);
            } else if !heading.is_empty() {
                let linked = fs::read_to_string(&path).expect("readable");
                let (prose, _) = split(&linked);
                let headings = prose.lines().filter(|line| line.starts_with('#'));
                if !headings
                    .map(|line| anchor(line.trim_start_matches('#').trim()))
                    .any(|name| name == heading)
                {
                    broken.push(at);
                }
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn the_book_lists_every_page_and_the_readme_is_short() {
    let docs = Path::new(PROJECT).join("docs");
    let summary = fs::read_to_string(docs.join("SUMMARY.md")).expect("readable");
    let listed: BTreeSet<&str> = summary
        .split("](")
        .skip(1)
        .filter_map(|link| link.split(')').next())
        .collect();
    for page in pages().iter().filter(|page| page.starts_with(&docs)) {
        let name = page
            .strip_prefix(&docs)
            .expect("below")
            .to_str()
            .expect("text");
        assert!(
            name == "SUMMARY.md" || listed.contains(name),
            "docs/SUMMARY.md does not list {name}"
        );
    }
    let readme = fs::read_to_string(Path::new(PROJECT).join("README.md")).expect("readable");
    assert!(
        readme.lines().count() <= 150,
        "{} lines",
        readme.lines().count()
    );
}

/// What `--help` of a subcommand says.
fn help(words: &[&str]) -> Option<String> {
    let arguments = [words, &["--help"]].concat();
    let output = program(&arguments)
        .env("COLUMNS", "100")
        .output()
        .expect("started");
    output.status.success().then(|| text(&output.stdout))
}

#[test]
fn commands_in_the_texts_have_these_subcommands_options_and_files() {
    let root = Path::new(PROJECT);
    let mut wrong = Vec::new();
    let scripts = [".ci", ".github/workflows", "scripts"].map(|folder| root.join(folder));
    let scripts = scripts.map(|folder| fs::read_dir(folder).expect("readable"));
    let scripts = scripts.into_iter().flatten();
    let scripts = scripts.map(|entry| entry.expect("readable").path());
    let scripts = scripts.filter(|path| path.is_file());
    for page in pages().into_iter().chain(scripts) {
        let content = fs::read_to_string(&page).expect("readable");
        let name = page
            .strip_prefix(PROJECT)
            .expect("below")
            .display()
            .to_string();
        if name == "CHANGELOG.md" {
            continue;
        }
        let lines = if name.ends_with(".md") {
            split(&content).1
        } else {
            content.lines().collect()
        };
        for line in lines {
            let line = line.split(" # ").next().unwrap_or_default();
            for word in line.split_whitespace() {
                let word = word.trim_end_matches(')');
                let is_ours = ["tournaments/", "scripts/", "examples/", "python/examples/"];
                let is_file =
                    is_ours.iter().any(|start| word.starts_with(start)) && !word.contains('*');
                if is_file && !word.contains("mine") && !root.join(word).exists() {
                    wrong.push(format!("{name}: no file {word}"));
                }
            }
            let by_cargo = || {
                let (options, command) = line.split_once("cargo run ")?.1.split_once("-- ")?;
                (!options.contains("--example")).then_some(command)
            };
            let line = line.trim_start_matches(['#', ' ']);
            let command = line.strip_prefix("patchwork-arena ");
            let Some(command) = command.or_else(by_cargo) else {
                continue;
            };
            let command = command.split('|').next().unwrap_or_default();
            let words: Vec<&str> = command.split_whitespace().collect();
            let Some(mut found) = help(&words[..1]) else {
                // Fleets are a feature, which the tests of the program do not have.
                if !words[0].starts_with('-') && words[0] != "fleet" {
                    wrong.push(format!("{name}: no subcommand: {line}"));
                }
                continue;
            };
            for depth in 2..=words.len() {
                if !found.contains(&format!("\n  {} ", words[depth - 1])) {
                    break;
                }
                found = help(&words[..depth]).unwrap_or(found);
            }
            for option in words.iter().filter(|word| word.starts_with("--")) {
                let option = option.split('=').next().unwrap_or(option);
                if !["--help", "--version"].contains(&option) && !found.contains(option) {
                    wrong.push(format!("{name}: no option {option}: {line}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The board shows each level with its Elo and how far the interval reaches down.
#[test]
fn the_levels_in_the_text_are_those_of_the_board() {
    let answer = BoardSession::default().call(r#"{"ask":"levels"}"#);
    let answer: Value = serde_json::from_str(&answer).expect("JSON");
    let levels = answer["ok"]["levels"].as_array().expect("a list");
    let page = fs::read_to_string(Path::new(PROJECT).join("docs/people.md")).expect("readable");
    let table = page.split("| name | agent | iterations | Elo | 95% interval |\n");
    let rows = table.last().expect("the table").lines().skip(1);
    let rows: Vec<Vec<&str>> = rows
        .take_while(|row| row.starts_with('|'))
        .map(|row| row.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    assert_eq!(rows.len(), levels.len());
    for (row, level) in rows.iter().zip(levels) {
        let (rating, margin) = (&level["rating"], &level["margin"]);
        let [rating, margin] = [rating, margin].map(|number| number.as_f64().expect("a number"));
        let name = level["name"].as_str().expect("a name");
        assert_eq!(row[0].split(' ').next(), Some(name));
        assert_eq!(row[1].trim_matches('`'), level["agent"], "{name}");
        let iterations = level["iterations"].as_u64().map(|count| count.to_string());
        assert_eq!(
            row[2].replace(',', ""),
            iterations.unwrap_or_default(),
            "{name}"
        );
        assert_eq!(row[3].parse(), Ok(rating), "{name}");
        let (low, high) = row[4].split_once(" to ").expect("two ends");
        let [low, high] = [low, high].map(|end| end.parse::<f64>().expect("a number"));
        // The margin is the longer side of the interval; all of them are rounded.
        let longer = (rating - low).max(high - rating);
        assert!((longer - margin).abs() <= 1.0, "{name}");
    }
}

/// Makes the page of commands in a folder; returns what is said. `None` without Python.
fn made_pages(folder: &Path) -> Option<String> {
    let made = Command::new("python3")
        .arg(Path::new(PROJECT).join("scripts/reference"))
        .arg(folder)
        .env("PATCHWORK_ARENA", binary())
        .env("PYTHON", "false")
        .output();
    let Ok(made) = made else {
        eprintln!("skipped: there is no Python");
        return None;
    };
    let said = text(&made.stderr);
    assert!(made.status.success(), "{said}");
    Some(said)
}

/// The page of commands is made from the help of the program.
#[test]
fn the_page_of_commands_has_the_help_of_every_subcommand() {
    let home = tempfile::tempdir().expect("a folder");
    let Some(said) = made_pages(home.path()) else {
        return;
    };
    // `false` is a Python without the package.
    assert!(
        said.starts_with("The Python reference is left out"),
        "{said}"
    );
    assert!(!home.path().join("python-reference.md").exists());
    let page = fs::read_to_string(home.path().join("commands.md")).expect("readable");
    for heading in [
        "## run",
        "## report",
        "### agents check",
        "#### paper puzzle nmbr9",
    ] {
        let words: Vec<&str> = heading.split(' ').skip(1).collect();
        let help = help(&words).expect("help");
        let part = format!("\n{heading}\n```text\n{}\n```\n", help.trim_end());
        assert!(page.contains(&part), "{heading}");
    }
}
