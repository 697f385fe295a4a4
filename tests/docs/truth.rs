//! What the texts name exists: files, modules, and tests that a command runs. The texts use the words of the field.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use patchwork_test_support::program::{PROJECT, text};

use super::{Span, made_pages, pages, spans, split};

/// The files that git would keep, as paths from the project's folder. `None` without git, as in an unpacked package.
fn files() -> Option<Vec<String>> {
    let listed = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(PROJECT)
        .output();
    let listed = listed.ok().filter(|output| output.status.success())?;
    let files = text(&listed.stdout);
    Some(files.lines().map(str::to_owned).collect())
}

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(PROJECT).join(path)).unwrap_or_default()
}

/// The pages, and the other texts of the project.
fn texts() -> Vec<PathBuf> {
    let root = Path::new(PROJECT);
    let mut texts = pages();
    texts.retain(|page| !page.ends_with("CHANGELOG.md"));
    texts.extend(["SECURITY.md", "results/README.md"].map(|name| root.join(name)));
    texts
}

/// What a text has in backticks outside of fenced code. The worked examples of CONTRIBUTING.md add files.
fn quoted(page: &Path) -> Vec<String> {
    let content = fs::read_to_string(page).expect("readable");
    let content = content.split("## How to add things").next();
    let (prose, _) = split(content.unwrap_or_default());
    let quoted = prose.split('`').skip(1).step_by(2);
    quoted.map(|code| code.replace('\n', " ")).collect()
}

#[test]
fn files_that_the_texts_name_exist() {
    let folders = [
        ".ci",
        ".github",
        "agents",
        "benches",
        "crates",
        "docs",
        "examples",
        "extras",
        "fuzz",
        "python",
        "scripts",
        "src",
        "tests",
        "tournaments",
    ];
    let mut missing = Vec::new();
    for page in texts() {
        for code in quoted(&page) {
            for word in code.split(' ') {
                let word = word.trim_matches(|c: char| ",;:()[]'\"".contains(c));
                let folder = word.split('/').next().unwrap_or_default();
                let is_source = word.contains('/') && word.ends_with(".rs");
                let is_path = word.contains('/') && folders.contains(&folder) || is_source;
                // A pattern, a place in a text, or what the reader makes.
                let is_open = word.contains(['*', '<', '{', '|', '=', '?']);
                let is_made = ["mine", "my-", "my."]
                    .iter()
                    .any(|made| word.contains(made));
                let places = [PROJECT.to_owned(), format!("{PROJECT}/python")];
                let exists = || places.iter().any(|at| Path::new(at).join(word).exists());
                if is_path && !is_open && !is_made && !exists() {
                    missing.push(format!("{}: {word}", page.display()));
                }
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn modules_and_types_that_the_texts_name_exist() {
    let Some(files) = files() else { return };
    let mut names: BTreeSet<String> = BTreeSet::new();
    for path in files.iter().filter(|path| path.ends_with(".rs")) {
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let source = read(path);
        names.extend(source.split(|c| !is_name(c)).map(str::to_owned));
        names.extend(path.split(['/', '.']).map(str::to_owned));
    }
    let mut unknown = Vec::new();
    for page in texts() {
        for code in quoted(&page) {
            let is_name = |c: char| c.is_alphanumeric() || "_:".contains(c);
            if !code.contains("::") || !code.chars().all(is_name) {
                continue;
            }
            let parts = code.split("::").filter(|part| !part.is_empty());
            let missing = parts.into_iter().find(|part| !names.contains(*part));
            unknown.extend(missing.map(|part| format!("{}: {code}: {part}", page.display())));
        }
    }
    assert!(unknown.is_empty(), "{unknown:#?}");
}

/// The help of a subcommand and of those below it, from the page of commands.
fn help_of(commands: &str, subcommand: &str) -> String {
    let parts = commands.split("\n#").filter(|part| {
        let title = part.trim_start_matches('#').trim_start();
        title.split_whitespace().next() == Some(subcommand)
    });
    parts.collect()
}

#[test]
fn options_that_the_prose_names_exist() {
    let home = tempfile::tempdir().expect("a folder");
    let (Some(_), Some(files)) = (made_pages(home.path()), files()) else {
        return;
    };
    let commands = fs::read_to_string(home.path().join("commands.md")).expect("readable");
    let sources = files
        .iter()
        .filter(|path| path.ends_with(".rs") || path.starts_with("scripts/"));
    let sources: String = sources.map(|path| read(path)).collect();
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let names: BTreeSet<&str> = sources.split(|c| !is_name(c)).collect();
    let mut wrong = Vec::new();
    for page in texts() {
        let content = fs::read_to_string(&page).expect("readable");
        let code = split(&content).1.join("\n");
        for quoted in quoted(&page) {
            let words: Vec<&str> = quoted.split_whitespace().collect();
            let first = words.iter().find(|word| **word != "patchwork-arena");
            let help = help_of(&commands, first.unwrap_or(&""));
            if help.is_empty() && !quoted.starts_with("--") {
                continue;
            }
            for word in words.iter().filter(|word| word.starts_with("--")) {
                let option = word.split('=').next().unwrap_or_default();
                let option = option.trim_end_matches(|c: char| ".,:)".contains(c));
                let of_any = || {
                    // Options of fleets and of scripts are names of their sources, those of other programs stand in a command.
                    let name = option[2..].replace('-', "_");
                    commands.contains(option)
                        || names.contains(&*name)
                        || [&sources, &code].iter().any(|text| text.contains(option))
                };
                let is_known = match help.is_empty() {
                    true => of_any(),
                    false => help.contains(option) || option == "--nats",
                };
                if option.len() > 2 && !is_known {
                    wrong.push(format!("{}: {quoted}: {option}", page.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Code in the pages is code of the front page of a crate, which is compiled there.
#[test]
fn code_in_the_pages_is_compiled() {
    let Some(files) = files() else { return };
    let fronts = files.iter().filter(|path| path.ends_with("/README.md"));
    let fronts: String = fronts.map(|path| read(path)).collect();
    let own = Path::new(PROJECT).join("CONTRIBUTING.md");
    for page in pages().into_iter().filter(|page| *page != own) {
        let content = fs::read_to_string(&page).expect("readable");
        for span in spans(&content) {
            if let Span::Code {
                language: "rust",
                lines,
            } = span
            {
                let code = lines.join("\n");
                assert!(fronts.contains(&code), "{}: {code}", page.display());
            }
        }
    }
}

/// The tests of the project by their whole names, with the folder of their package.
fn tests(files: &[String]) -> Vec<(String, String)> {
    let mut tests = Vec::new();
    for path in files.iter().filter(|path| path.ends_with(".rs")) {
        let of_package = path
            .split_once("src/")
            .or_else(|| path.split_once("/tests/"));
        let (package, module) = match of_package {
            Some((package, module)) => (package.trim_end_matches('/'), module),
            None => ("", path.strip_prefix("tests/").unwrap_or(path)),
        };
        let module = module.trim_end_matches(".rs").replace('/', "::");
        let source = read(path);
        let mut is_test = false;
        // Modules inside of a file: their names and how far they are indented.
        let mut inside: Vec<(usize, &str)> = Vec::new();
        for line in source.lines() {
            let start = line.trim_start();
            let depth = line.len() - start.len();
            if start == "}" {
                inside.retain(|(outer, _)| *outer < depth);
            }
            if let Some(name) = start
                .strip_prefix("mod ")
                .and_then(|of| of.strip_suffix(" {"))
            {
                inside.push((depth, name));
            }
            is_test |= start == "#[test]";
            let function = start.strip_prefix("fn ").filter(|_| is_test);
            if let Some(name) = function.and_then(|of| of.split('(').next()) {
                let inner: String = inside.iter().map(|(_, name)| format!("{name}::")).collect();
                tests.push((package.to_owned(), format!("{module}::{inner}{name}")));
                is_test = false;
            }
        }
    }
    tests
}

/// The commands `cargo test` in a text, from the word `test` on.
fn commands(path: &str) -> Vec<String> {
    let content = read(path);
    let spans: Vec<String> = if path.ends_with(".md") {
        let (prose, code) = split(&content);
        let quoted = prose.split('`').skip(1).step_by(2);
        let quoted = quoted.map(|code| code.replace('\n', " "));
        quoted.chain(code.into_iter().map(str::to_owned)).collect()
    } else {
        content.lines().map(str::to_owned).collect()
    };
    let found = spans
        .iter()
        .filter_map(|span| span.split_once("cargo test "));
    // The command ends with the code, the text or the line.
    let ends = ['`', '"', ';', ')', '|', '#', '>'];
    let found = found.filter_map(|(_, rest)| rest.split(ends).next());
    found.map(|command| command.trim().to_owned()).collect()
}

/// What a command `cargo test` names that does not exist.
fn wrong(
    command: &str,
    tests: &[(String, String)],
    packages: &[(String, String)],
) -> Option<String> {
    let with_value = [
        "--color",
        "--features",
        "--target",
        "--target-dir",
        "--profile",
    ];
    let (mut folders, mut filters) = (Vec::new(), Vec::new());
    let mut words = command.split_whitespace();
    while let Some(word) = words.next() {
        match word {
            "-p" => {
                let name = words.next()?;
                match packages.iter().find(|(of, _)| of == name) {
                    Some((_, at)) => folders.push(at.as_str()),
                    None => return Some(format!("no package {name}")),
                }
            }
            "--test" => {
                let name = words.next()?;
                let places = ["tests/{}.rs", "tests/{}/main.rs"].map(|at| at.replace("{}", name));
                if name != "all" && !places.iter().any(|at| Path::new(PROJECT).join(at).exists()) {
                    return Some(format!("no test {name}"));
                }
                folders.push("");
            }
            "--skip" => filters.extend(words.next()),
            word if with_value.contains(&word) => drop(words.next()),
            word if word.starts_with('-') => {}
            word => filters.push(word),
        }
    }
    let is_here = |at: &str| folders.is_empty() || folders.contains(&at);
    let matches = |filter: &str| {
        let mut tests = tests.iter();
        tests.any(|(at, name)| is_here(at) && name.contains(filter))
    };
    let missing = |filter: &&str| !matches(filter);
    let mut filters = filters.into_iter();
    filters
        .find(missing)
        .map(|filter| format!("no test matches {filter}"))
}

#[test]
fn commands_in_texts_and_sources_run_tests_that_exist() {
    let Some(files) = files() else { return };
    let tests = tests(&files);
    let manifests = files.iter().filter(|path| path.ends_with("Cargo.toml"));
    let packages: Vec<(String, String)> = manifests
        .filter_map(|path| {
            let manifest: toml::Table = read(path).parse().expect("TOML");
            let name = manifest.get("package")?.get("name")?.as_str()?.to_owned();
            let folder = path.trim_end_matches("Cargo.toml").trim_end_matches('/');
            Some((name, folder.to_owned()))
        })
        .collect();
    let is_text = |path: &&String| {
        let ends = [".md", ".rs", ".yml", ".toml", ".py"];
        let starts = ["scripts/", ".ci/"];
        ends.iter().any(|end| path.ends_with(end)) || starts.iter().any(|at| path.starts_with(at))
    };
    let mut found = 0;
    let mut mistakes = Vec::new();
    // This file has commands that are wrong on purpose.
    let own = file!().replace('\\', "/");
    for path in files.iter().filter(is_text).filter(|path| **path != own) {
        for command in commands(path) {
            found += 1;
            let mistake = wrong(&command, &tests, &packages);
            mistakes.extend(mistake.map(|what| format!("{path}: {command}: {what}")));
        }
    }
    assert!(mistakes.is_empty(), "{mistakes:#?}");
    assert!(found > 20, "only {found} commands");
    let is_wrong = |command: &str| wrong(command, &tests, &packages).is_some();
    for command in [
        "-p patchwork-nothing",
        "--test nothing",
        "--lib report::json",
        "--test all page::nothing",
    ] {
        assert!(is_wrong(command), "{command}");
    }
}

/// The words that CONTRIBUTING.md lists stand in no page and in no help text.
#[test]
fn the_texts_use_the_words_of_the_field() {
    let home = tempfile::tempdir().expect("a folder");
    let help = made_pages(home.path()).map(|_| home.path().join("commands.md"));
    let list = read("CONTRIBUTING.md");
    let (_, list) = list.split_once("| not | but |\n").expect("a table");
    let rows = list
        .lines()
        .skip(1)
        .take_while(|line| line.starts_with('|'));
    let words: Vec<String> = rows
        .flat_map(|row| row.split('|').nth(1).expect("a cell").split(','))
        .map(|word| word.trim().to_lowercase())
        .collect();
    assert!(words.len() > 10, "{words:?}");
    let mut found = Vec::new();
    let list = Path::new(PROJECT).join("CONTRIBUTING.md");
    for page in pages().into_iter().chain(help).filter(|page| *page != list) {
        let content = fs::read_to_string(&page).expect("readable").to_lowercase();
        let content = content.split_whitespace().collect::<Vec<_>>().join(" ");
        let wrong = words.iter().filter(|word| content.contains(&***word));
        found.extend(wrong.map(|word| format!("{}: {word}", page.display())));
    }
    assert!(found.is_empty(), "{found:#?}");
}

/// Guides and reference, the laboratory, and the largest pages have room, but not for everything.
#[test]
fn the_pages_are_short() {
    let words = |page: &PathBuf| {
        let content = fs::read_to_string(page).expect("readable");
        content.split_whitespace().count()
    };
    let docs = Path::new(PROJECT).join("docs");
    let (lab, own): (Vec<PathBuf>, Vec<PathBuf>) = pages()
        .into_iter()
        .filter(|page| page.starts_with(&docs))
        .partition(|page| page.starts_with(docs.join("lab")));
    // The statistics are generated, the study is mostly tables, and the summary is the contents of the book.
    let without = |pages: Vec<PathBuf>, name: &str| -> usize {
        let pages = pages.iter();
        let pages = pages.filter(|page| !page.ends_with(name) && !page.ends_with("SUMMARY.md"));
        pages.map(words).sum()
    };
    let sums = [
        ("docs", without(own, "statistics.md"), 42_000),
        ("docs/lab", without(lab, "study.md"), 12_000),
        ("docs/search.md", words(&docs.join("search.md")), 3_000),
        ("docs/report.md", words(&docs.join("report.md")), 3_000),
        (
            "README.md",
            words(&Path::new(PROJECT).join("README.md")),
            800,
        ),
        (
            "CHANGELOG.md",
            words(&Path::new(PROJECT).join("CHANGELOG.md")),
            800,
        ),
    ];
    for (what, words, most) in sums {
        assert!(
            words <= most,
            "{what} has {words} words; expected at most {most}"
        );
    }
}
