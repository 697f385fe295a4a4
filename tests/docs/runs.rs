//! The commands and the files in the texts work: every command is run in a folder that looks like the project with few
//! and short games, and every agent, tournament or tuning file in the texts is read.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use tempfile::TempDir;

use super::{Span, made_pages, pages, spans};
use patchwork_test_support::program::{PROJECT, binary, text};

/// What is not run, and why. A command that contains the first text is skipped.
const NOT_RUN: &[(&str, &str)] = &[
    (
        "cargo install",
        "a release build; tests/cli/installed.rs uses the program in an empty folder",
    ),
    ("cargo test", "this test is a part of it"),
    (
        "cargo run --release --example",
        "the examples are tests of their own",
    ),
    ("podman", "needs a container engine"),
    ("scripts/study", "tests/cli/study.rs runs it"),
    (
        "patchwork-arena web",
        "a server; tests/cli/web.rs runs it. --export is run",
    ),
    (
        "play human",
        "waits for a person; tests/cli/people.rs plays",
    ),
    (
        "champion human",
        "waits for a person; tests/cli/people.rs plays",
    ),
    (
        "patchwork-arena fleet",
        "needs a server; tests/fleet runs it",
    ),
    (
        "patchwork-arena bench",
        "measures speed; tests/cli/program.rs compares its signature",
    ),
    (
        "--as-published --learning",
        "minutes; tests/packing.rs runs the learning heuristics",
    ),
    (
        "puzzle pentominoes --table",
        "minutes; the tests of patchwork-papers compare the table",
    ),
    (
        "puzzle pentominoes --board 10x6 --all",
        "seconds without optimisation; tests/tilings.rs counts these solutions",
    ),
    ("duckdb", "another program"),
];

/// Options that are shortened: the value that replaces theirs, if it is not a list.
const SHORTER: &[(&str, &str)] = &[
    ("--pairs", "1"),
    ("--iterations", "50"),
    ("--time", "50ms"),
    ("--orders", "3"),
    ("--order-range", "0..3"),
    ("--epochs", "1"),
    ("--games", "2"),
    ("--cards", "3"),
];

/// Options that some commands get in addition: what the command begins with, and the options.
const MORE: &[(&str, &str)] = &[
    (
        "patchwork-arena paper puzzle nmbr9 --draft free",
        "--cards 3",
    ),
    (
        "patchwork-arena paper packing --as-published",
        "--order-range 0..3",
    ),
    ("patchwork-arena paper packing", "--orders 3"),
    ("patchwork-arena learn games", "--epochs 1"),
    ("patchwork-arena match", "--pairs 1 --quiet"),
];

/// What the reader has before a command: a part of the command, and the shell script that makes it.
const BEFORE: &[(&str, &str)] = &[
    ("results/more", "cp -r results/quickstart results/more"),
    (
        "results/monday",
        "for day in monday tuesday; do patchwork-arena match random greedy-inorder --pairs 1 --save $day -q; done",
    ),
    (
        "games.tsv --anchor",
        "patchwork-arena export results/quickstart --output games.tsv && sed -i s/cheap-cheap/alpha/g games.tsv",
    ),
    ("cutechess.pgn", "for of in cutechess fastchess; do patchwork-arena export results/quickstart --output $of.pgn; done"),
    ("learn games", "test -e games.selfplay || patchwork-arena learn selfplay tournaments/selfplay.toml --output games.selfplay"),
    ("import R1/zoo", "patchwork-arena run tournaments/zoo.toml --plan zoo.json
        for part in 1 2 3; do patchwork-arena run zoo.json --shard $part/3 --results R$part --quiet; done"),
    ("verify R3/zoo", "test -d R3/zoo || patchwork-arena run tournaments/zoo.toml --results R3 --quiet"),
    ("run results/zoo", "test -d results/zoo || patchwork-arena run tournaments/zoo.toml --quiet"),
    ("import parts/*/zoo", "for part in 1 2; do patchwork-arena run tournaments/zoo.toml --shard $part/2 --results parts/$part --quiet; done
        rm -rf results/zoo"),
    ("import games.jsonl", "patchwork-arena export results/zoo --output games.jsonl"),
    ("import DAMAGED", "cp -r results/quickstart DAMAGED"),
    ("python3 bot.py", "cp agents/external/largest.py bot.py"),
    ("battleships instance.txt", "patchwork-arena paper puzzle battleships --generate 7 > instance.txt"),
    ("--agents my-agents", "cp -r agents my-agents"),
    ("battleships FILE", "patchwork-arena paper puzzle battleships --generate 7 > FILE"),
    ("crates/engine/src/agent/evaluation/net", "mkdir -p crates/engine/src/agent/evaluation/net"),
    ("~/.config/fish", "mkdir -p ~/.config/fish/completions"),
    ("~/.local/share", "mkdir -p ~/.local/share/bash-completion/completions ~/.local/share/man/man1"),
];

/// What a new reader follows line by line: nothing else is done before a command.
const LITERAL: [&str; 3] = ["README.md", "docs/first-hour.md", "docs/tasks.md"];

/// A shell that finds the program, in a folder of which it is also the home.
fn shell(home: &Path, script: &str) -> Result<String, String> {
    let path = format!(
        "{}:{}",
        home.join("bin").display(),
        std::env::var("PATH").unwrap_or_default()
    );
    let output = Command::new("sh")
        .args(["-euc", script])
        .current_dir(home)
        .env("HOME", home)
        .env("PATH", path)
        .stdin(Stdio::null())
        .output()
        .expect("started");
    if output.status.success() {
        Ok(text(&output.stdout))
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

/// A settings file with small numbers: few games of short searches.
fn reduced(file: &str) -> String {
    let mut kept = String::new();
    for line in file.lines() {
        let key = line.split('=').next().unwrap_or_default().trim();
        let small = match key {
            "iterations" | "nodes" => "10",
            "milliseconds" | "processor_milliseconds" | "seconds" | "pairs" | "slow_pairs" => "1",
            "games" => "4",
            _ => "",
        };
        if small.is_empty() {
            kept += &line.replace("agents = [\"*\"]", "agents = [\"greedy-*\", \"random\"]");
        } else {
            kept += &format!("{key} = {small}");
        }
        kept.push('\n');
    }
    kept
}

/// The project in small, with the games of the quickstart.
fn project() -> TempDir {
    let home = tempfile::tempdir().expect("a folder for the test");
    let root = Path::new(PROJECT);
    for folder in ["agents", "agents/archive", "tournaments"] {
        let to = home.path().join(folder);
        fs::create_dir(&to).expect("created");
        for entry in fs::read_dir(root.join(folder)).expect("readable") {
            let path = entry.expect("readable").path();
            if path.is_file() {
                let name = path.file_name().expect("a name");
                let file = reduced(&fs::read_to_string(&path).expect("readable"));
                // Enough games for rings whose effect can be told.
                let file = if name == "quickstart.toml" {
                    file.replace("pairs = 1", "pairs = 9")
                } else {
                    file
                };
                fs::write(to.join(name), file).expect("written");
            }
        }
    }
    fs::create_dir(home.path().join("bin")).expect("created");
    let program = binary();
    let script = format!(
        "ln -s '{program}' bin/patchwork-arena; cp -r '{PROJECT}/agents/external' agents/external
        mkdir -p docs/lab/study tests
        cp '{PROJECT}'/docs/lab/study/sample.jsonl.gz docs/lab/study
        cp -r '{PROJECT}/scripts' scripts
        cp -r '{PROJECT}/tests/data' tests/data
        patchwork-arena run tournaments/quickstart.toml --quiet"
    );
    shell(home.path(), &script).expect("a small quickstart");
    home
}

/// The files that the commands of a page use, as paths and contents, and the commands. A file begins with a comment that
/// is its path.
fn steps(page: &str) -> (Vec<(String, String)>, Vec<String>) {
    let (mut files, mut commands) = (Vec::new(), Vec::new());
    for span in spans(page) {
        match span {
            Span::Prose(prose) => {
                let quoted = prose.split('`').skip(1).step_by(2);
                let ours = quoted.filter(|code| code.starts_with("patchwork-arena "));
                // NAME, DIR and A stand for what the reader has.
                let is_placeholder = |word: &str| {
                    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
                    !word.is_empty() && word.chars().all(|c| c.is_ascii_uppercase())
                };
                let whole = ours.filter(|code| {
                    let words: Vec<&str> = code.split([' ', ',']).collect();
                    let names_an_option = words.last().is_some_and(|word| word.starts_with("--"));
                    words.len() > 2 && !names_an_option && !words.into_iter().any(is_placeholder)
                });
                commands.extend(whole.map(str::to_owned));
            }
            Span::Code {
                language: "toml",
                lines,
            } => {
                let path = lines[0].strip_prefix("# ");
                if let Some(path) = path.filter(|path| path.ends_with(".toml")) {
                    files.push((path.to_owned(), reduced(&lines.join("\n"))));
                }
            }
            Span::Code {
                language: "" | "sh",
                lines,
            } => {
                let joined = lines.join("\n").replace("\\\n", "").replace("|\n", "|");
                for command in joined.lines() {
                    let command = command.split(" # ").next().unwrap_or_default().trim_end();
                    let command = command.replace("cargo run --release -- ", "patchwork-arena ");
                    let starts = [
                        "awk ",
                        "patchwork-arena ",
                        "cargo ",
                        "duckdb ",
                        "mkdir ",
                        "podman ",
                        "printf ",
                        "scripts/",
                    ];
                    if starts.iter().any(|start| command.starts_with(start)) {
                        commands.push(command);
                    }
                }
            }
            // Python that needs only its standard library; python/check runs docs/python.md.
            Span::Code {
                language: "python",
                lines,
            } if lines[0] == "import gzip, json" => {
                commands.push(format!("python3 - <<'EOF'\n{}\nEOF", lines.join("\n")));
            }
            // The help of the program, with examples.
            Span::Code {
                language: "text",
                lines,
            } => {
                let mut lines = lines.iter().skip_while(|line| !line.starts_with("Example"));
                lines.next();
                let mut examples: Vec<String> = Vec::new();
                for line in lines.take_while(|line| line.starts_with("  ")) {
                    match examples.last_mut() {
                        Some(last) if !line.starts_with("  patchwork-arena") => {
                            *last += &format!(" {}", line.trim());
                        }
                        _ => examples.push(line.trim().to_owned()),
                    }
                }
                commands.extend(examples);
            }
            Span::Code { .. } => {}
        }
    }
    (files, commands)
}

/// A command with few games and short searches.
fn shorter(command: &str) -> String {
    let mut words: Vec<&str> = command.split(' ').collect();
    for at in 1..words.len() {
        if let Some((_, short)) = SHORTER
            .iter()
            .find(|(option, _)| *option == words[at - 1] && !words[at].contains(','))
        {
            words[at] = short;
        }
    }
    let mut command = words.join(" ").replace("milliseconds=50", "milliseconds=1");
    for (start, options) in MORE {
        let (option, _) = options.split_once(' ').expect("an option and its value");
        if command.starts_with(start) && !command.contains(option) {
            command = format!("{command} {options}");
        }
    }
    if command.contains("--sprt ") {
        // The exit code of a sequential test is its verdict.
        command += " || test $? -ne 2";
    }
    command
}

/// Shortens what a command has written for the commands after it.
fn after(command: &str, home: &Path) {
    let tuning = home.join("my-arena/tournaments/my-tuning.toml");
    if command.starts_with("patchwork-arena init my-arena") {
        let file = fs::read_to_string(&tuning).expect("written");
        fs::write(&tuning, reduced(&file)).expect("written");
    }
    let best = home.join("results/my-tuning/best.toml");
    if command.starts_with("patchwork-arena tune my-arena") && !best.exists() {
        // A pair of games proves nothing. What the agent would be is checked elsewhere.
        let said = format!(
            "agents show my-arena/agents/my-search.toml > '{}'",
            best.display()
        );
        if best.parent().is_some_and(Path::exists) {
            shell(home, &format!("patchwork-arena {said}")).expect("an agent");
        }
    }
}

/// What is wrong with the commands of the pages, and which were run.
#[derive(Default)]
struct Followed {
    failed: Vec<String>,
    run: usize,
    /// The entries of [`NOT_RUN`] that were needed.
    left_out: BTreeSet<&'static str>,
}

impl Followed {
    /// Follows a page in a copy of the small project.
    fn follow(&mut self, page: &Path, base: &Path) {
        let name = page.strip_prefix(PROJECT).unwrap_or(page).display();
        let (files, commands) = steps(&fs::read_to_string(page).expect("readable"));
        if commands.is_empty() {
            return;
        }
        let home = tempfile::tempdir().expect("a folder for the test");
        let copy = format!("cp -a '{}'/. .", base.display());
        shell(home.path(), &copy).expect("copied");
        for (path, content) in files {
            fs::write(home.path().join(path), content).expect("written");
        }
        for command in commands {
            let left_out = NOT_RUN.iter().find(|(part, _)| command.contains(part));
            if let Some((part, _)) = left_out
                && !command.contains("web --export")
            {
                self.left_out.insert(part);
                continue;
            }
            let is_literal = LITERAL
                .iter()
                .any(|literal| Path::new(PROJECT).join(literal) == page);
            let before = BEFORE
                .iter()
                .filter(|(part, _)| !is_literal && command.contains(part));
            let before: Vec<&str> = before.map(|(_, script)| *script).collect();
            if let Err(said) = shell(home.path(), &before.join("\n")) {
                self.failed
                    .push(format!("{name}: before {command}: {said}"));
            }
            let short = shorter(&command);
            if let Err(said) = shell(home.path(), &short) {
                self.failed
                    .push(format!("{name}: {command} (as {short}): {said}"));
            }
            after(&command, home.path());
            self.run += 1;
        }
    }
}

#[cfg(unix)]
#[test]
fn every_command_of_the_first_hour_runs() {
    let base = project();
    let mut followed = Followed::default();
    for page in ["README.md", "docs/first-hour.md"] {
        followed.follow(&Path::new(PROJECT).join(page), base.path());
    }
    assert!(followed.failed.is_empty(), "{:#?}", followed.failed);
    assert!(followed.run > 4, "only {} commands", followed.run);
}

#[cfg(unix)]
#[test]
#[ignore = "many processes"]
fn every_command_in_the_texts_runs() {
    let (base, made) = (project(), tempfile::tempdir().expect("a folder"));
    let mut pages = pages();
    pages.retain(|page| !page.ends_with("CHANGELOG.md"));
    // The page of commands has the examples of the help.
    pages.extend(made_pages(made.path()).map(|_| made.path().join("commands.md")));
    let next = AtomicUsize::new(0);
    let work = || {
        let mut followed = Followed::default();
        while let Some(page) = pages.get(next.fetch_add(1, Ordering::Relaxed)) {
            followed.follow(page, base.path());
        }
        followed
    };
    let all = thread::scope(|scope| {
        [scope.spawn(work), scope.spawn(work)].map(|worker| worker.join().expect("no panic"))
    });
    let failed: Vec<_> = all.iter().flat_map(|one| &one.failed).collect();
    assert!(failed.is_empty(), "{failed:#?}");
    let run: usize = all.iter().map(|one| one.run).sum();
    assert!(run > 120, "only {run} commands");
    for (part, _) in NOT_RUN {
        let is_needed = all.iter().any(|one| one.left_out.contains(part));
        assert!(is_needed, "no command in the texts contains '{part}'");
    }
}

/// The files in the texts, of which some are parts: they are completed by the keys that the text takes as given.
#[test]
#[ignore = "many processes"]
fn every_settings_file_in_the_texts_is_read() {
    let base = project();
    let home = base.path();
    let given = "cp agents/mcts-fast.toml agents/mcts-new.toml
        cp agents/mcts-fast.toml agents/mine.toml
        patchwork-arena learn selfplay tournaments/selfplay.toml --output games.selfplay
        patchwork-arena learn games.selfplay --epochs 1 --output my.net
        mkdir -p my-arena/agents results/my-tuning
        cp agents/mcts-fast.toml my-arena/agents/my-search.toml
        cp agents/mcts-fast.toml results/my-tuning/best.toml";
    shell(home, given).expect("what the texts take as given");
    let (mut failed, mut read) = (Vec::new(), 0);
    for page in pages() {
        let content = fs::read_to_string(&page).expect("readable");
        for span in spans(&content) {
            let Span::Code {
                language: "toml",
                lines,
            } = span
            else {
                continue;
            };
            let file = lines.join("\n");
            let has = |key: &str| {
                let is_key = |line: &&str| {
                    line.strip_prefix(key)
                        .is_some_and(|rest| rest.trim_start().starts_with('='))
                };
                lines.iter().any(is_key)
            };
            let is_part = |start: &str| file.starts_with(start);
            // The networks of self-play files are made by the commands of their page, which another test runs.
            let is_other =
                file.contains("player = ") || file.contains("patchwork-engine = ") || has("games");
            let (path, file, command) = if is_other {
                continue;
            } else if has("type") || has("extends") {
                (
                    "read.toml",
                    file,
                    "cp my.net read.toml agents && patchwork-arena agents show read",
                )
            } else if is_part("[space]") {
                let file = format!(
                    "name = \"space\"\nbase = \"mcts-fast\"\npairs = 1\n{file}\n[proof]\npairs = 1\nslow_pairs = 0\n[budget]\niterations = 10"
                );
                ("read.toml", file, "patchwork-arena tune read.toml --quiet")
            } else if has("base") && !has("agents") {
                (
                    "read.toml",
                    reduced(&file),
                    "patchwork-arena tune read.toml --quiet",
                )
            } else {
                let file = match () {
                    () if is_part("[sprt]") => format!(
                        "name = \"t\"\nformat = \"gauntlet\"\nchallengers = [\"random\"]\nagents = [\"greedy-regret\"]\npairs = 9\n{file}"
                    ),
                    () if has("name") => file,
                    () => format!("name = \"t\"\npairs = 1\n{file}"),
                };
                (
                    "tournaments/read.toml",
                    file,
                    "patchwork-arena run tournaments/read.toml --dry-run",
                )
            };
            fs::write(home.join(path), &file).expect("written");
            if let Err(said) = shell(home, command) {
                failed.push(format!("{}: {file}: {said}", page.display()));
            }
            read += 1;
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
    assert!(read > 12, "only {read} files");
}
