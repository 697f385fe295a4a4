//! The worked examples of CONTRIBUTING.md: each adds something with one file and one line in a list.

use std::fs;
use std::path::Path;
use std::process::Command;

const PROJECT: &str = env!("CARGO_MANIFEST_DIR");
const MANUAL: &str = include_str!("../CONTRIBUTING.md");

/// A new file, its text, the list and the line that is added there.
struct Addition {
    file: String,
    text: String,
    list: String,
    line: String,
}

/// The examples: a sentence with the file, the line and the list in backticks, and the text of the file below.
fn additions() -> Vec<Addition> {
    let examples = MANUAL.split("\n### ").skip(1);
    let example = |part: &str| {
        let (_, rest) = part.split_once('\n').expect("a title");
        let (sentence, rest) = rest.split_once("```rust\n").expect("a file");
        let (text, _) = rest.split_once("```\n").expect("an end of the file");
        let mut quoted = sentence.split('`').skip(1).step_by(2).map(str::to_owned);
        let mut next = || quoted.next().expect("file, line and list");
        let (file, line, list) = (next(), next(), next());
        Addition {
            file,
            text: text.to_owned(),
            list,
            line,
        }
    };
    examples.map(example).collect()
}

/// The list with a line after its first entry.
fn with_line(list: &str, line: &str) -> String {
    let opening = list.find("! {\n").expect("a list") + 4;
    assert!(!list[opening..].contains("! {\n"), "the only list");
    let mut end = opening;
    for entry in list[opening..].split_inclusive('\n') {
        end += entry.len();
        if !entry.trim_start().starts_with('#') {
            break;
        }
    }
    format!("{}    {line}\n{}", &list[..end], &list[end..])
}

#[test]
fn every_row_of_the_table_has_an_example() {
    let rows = MANUAL.lines().filter(|line| line.starts_with("| ["));
    let rows: Vec<(&str, &str)> = rows
        .map(|row| {
            let mut quoted = row.split('`').skip(1).step_by(2);
            (
                quoted.next().expect("a folder"),
                quoted.next().expect("a list"),
            )
        })
        .collect();
    let additions = additions();
    assert_eq!(rows.len(), 11);
    assert_eq!(rows.len(), additions.len());
    for ((folder, list), addition) in rows.into_iter().zip(additions) {
        assert_eq!(addition.list, list);
        let name = addition.file.strip_prefix(folder).expect("in the folder");
        let module = name.strip_suffix(".rs").expect("a source file");
        assert!(addition.line.contains(module), "{}", addition.line);
        assert!(!Path::new(PROJECT).join(&addition.file).exists(), "{name}");
        let text = fs::read_to_string(Path::new(PROJECT).join(list)).expect("a list");
        let longer = with_line(&text, &addition.line);
        assert_eq!(longer.lines().count(), text.lines().count() + 1);
    }
}

/// A setting of searches, where it is declared and where it has an effect: a file, a text and what replaces it.
const SETTING: [(&str, &str, &str); 3] = [
    (
        "crates/search/src/settings.rs",
        "        // At most more iterations than",
        "        /// The number of iterations between two looks whether a search can end; 64 by default.
        pub looks: u32 = (64) in 1..=1024; since \"0.4\",
        // At most more iterations than",
    ),
    ("crates/search/src/tree_search.rs", "done % BETWEEN_LOOKS", "done % settings.looks"),
    (
        "crates/search/src/tree_search.rs",
        "/// Iterations between two looks whether a search can end.\nconst BETWEEN_LOOKS: u32 = 64;\n\n",
        "",
    ),
];

#[test]
#[ignore = "compiles the program again; .ci/run runs it"]
fn a_file_and_a_line_are_enough() {
    let copy = tempfile::tempdir().expect("a folder");
    for entry in fs::read_dir(PROJECT).expect("the project") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_owned();
        if !["target", ".git", "results", "fuzz", "python"]
            .iter()
            .any(|left| name == *left)
        {
            copy_all(&path, &copy.path().join(name));
        }
    }
    for Addition {
        file,
        text,
        list,
        line,
    } in additions()
    {
        fs::write(copy.path().join(file), text).expect("written");
        let list = copy.path().join(list);
        let before = fs::read_to_string(&list).expect("a list");
        fs::write(list, with_line(&before, &line)).expect("written");
    }
    for (file, before, after) in SETTING {
        let path = copy.path().join(file);
        let text = fs::read_to_string(&path).expect("a file");
        assert_eq!(text.matches(before).count(), 1, "{file}");
        fs::write(path, text.replace(before, after)).expect("written");
    }
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .unwrap_or_else(|| Path::new(PROJECT).join("target").into());
    let status = Command::new(env!("CARGO"))
        .args([
            "clippy",
            "--workspace",
            "--quiet",
            "--offline",
            "--locked",
            "--",
            "-D",
            "warnings",
        ])
        .current_dir(copy.path())
        .env("CARGO_TARGET_DIR", target)
        .status();
    assert!(status.expect("started").success());
}

fn copy_all(from: &Path, to: &Path) {
    if !from.is_dir() {
        fs::copy(from, to).expect("copied");
        return;
    }
    fs::create_dir_all(to).expect("created");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        copy_all(&entry.path(), &to.join(entry.file_name()));
    }
}
