//! Runs the binary in its own folder.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::sleep;
use std::time::{Duration, Instant};

pub use patchwork_engine::testing::rows;
use serde_json::Value;
use tempfile::TempDir;

/// The folder of the project.
pub const PROJECT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The agents of the test tournaments.
pub const AGENTS: [&str; 6] = [
    "random",
    "greedy-inorder",
    "greedy-regret",
    "mcts-uniform",
    "mcts-fast",
    "mcts-regret",
];

/// A temporary folder with agents and tournaments, in which commands run.
pub struct Workspace {
    home: TempDir,
}

impl Workspace {
    /// Shipped agents with smaller budgets, and a tournament of them.
    pub fn new() -> Self {
        let home = Self {
            home: tempfile::tempdir().expect("a folder for the test"),
        };
        fs::create_dir(home.path("agents")).expect("created");
        fs::create_dir(home.path("tournaments")).expect("created");
        for name in AGENTS {
            let file = Path::new(PROJECT).join(format!("agents/{name}.toml"));
            let text = fs::read_to_string(file).expect("readable");
            home.write(
                &format!("agents/{name}.toml"),
                &text.replace("= 1000", "= 30"),
            );
        }
        home.write("tournaments/small.toml", &small("small", 2));
        home
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("written");
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).expect("readable")
    }

    pub fn text(&self, name: &str) -> String {
        text(&self.read(name))
    }

    pub fn command<'a>(&self, line: impl CommandLine<'a>) -> Command {
        let mut command = program(line);
        command.current_dir(self.home.path());
        command
    }

    pub fn run<'a>(&self, line: impl CommandLine<'a>) -> Output {
        self.command(line).output().expect("started")
    }

    /// The standard output of a command that must succeed.
    pub fn ok<'a>(&self, line: impl CommandLine<'a>) -> String {
        let words = line.words();
        success(&words, &self.run(&words[..]))
    }

    /// The JSON that a command prints, which must succeed.
    pub fn json<'a>(&self, line: impl CommandLine<'a>) -> Value {
        serde_json::from_str(&self.ok(line)).expect("JSON")
    }

    /// The error message of a command that must fail.
    pub fn refused<'a>(&self, line: impl CommandLine<'a>) -> String {
        let words = line.words();
        refusal(&words, &self.run(&words[..]))
    }

    /// Checks that a command fails with a message that has these parts; see [`expect_in`].
    pub fn refuses<'a>(&self, line: impl CommandLine<'a>, parts: &str) {
        let words = line.words();
        let message = refusal(&words, &self.run(&words[..]));
        for part in parts.split(" ... ") {
            assert!(
                message.contains(part),
                "{words:?}: no '{part}' in: {message}"
            );
        }
    }

    /// The JSON in a file.
    pub fn json_file(&self, name: &str) -> Value {
        serde_json::from_slice(&self.read(name)).expect("JSON")
    }

    /// The report of a results folder.
    pub fn report(&self, results: &str) -> Value {
        self.json(&["report", results, "--format", "json"])
    }

    /// The games of a results folder, as JSON with one game per line.
    pub fn export(&self, results: &str) -> String {
        self.ok(&["export", results, "--format", "jsonl"])
    }

    /// The games of a results folder.
    pub fn games(&self, results: &str) -> Vec<Value> {
        let export = self.export(results);
        let games = export.lines().map(serde_json::from_str);
        games.collect::<Result<_, _>>().expect("JSON")
    }

    /// The games of a results folder without their numbers, which depend on the order in which it got its agents.
    pub fn unnumbered(&self, results: &str) -> Vec<Value> {
        let mut games = self.games(results);
        let objects = games.iter_mut().filter_map(Value::as_object_mut);
        objects.for_each(|game| drop(game.remove("game")));
        games
    }

    /// Plays a match of two cheap agents and keeps it in `results/m`.
    pub fn save_match(&self, pairs: u32) {
        self.save_match_in("m", "greedy-inorder", pairs);
    }

    /// Plays a match of `random` against another agent, or continues it, and keeps it in a results folder.
    pub fn save_match_in(&self, results: &str, other: &str, pairs: u32) {
        let folder = format!("results/{results}");
        let command = format!("match random {other} --pairs {pairs} --save {results} -q");
        match self.path(&folder).exists() {
            true => drop(self.ok(&command)),
            false => self.once(&folder, &format!("{other} {pairs}"), &command),
        }
    }

    /// Plays the tournament [`small`] of this name and this number of pairs.
    pub fn play_small(&self, name: &str, pairs: u32) {
        let (file, folder) = (
            format!("tournaments/{name}.toml"),
            format!("results/{name}"),
        );
        self.write(&file, &small(name, pairs));
        let command = format!("run {file} -q");
        self.once(&folder, &format!("{name} {pairs}"), &command);
    }

    /// A workspace in which `tournaments/small.toml` has been played.
    pub fn played() -> Self {
        let home = Self::new();
        home.play_small("small", 2);
        home
    }

    /// Makes a folder by a command, or copies the one that was made for another test with the same key.
    pub fn once(&self, folder: &str, key: &str, command: &str) {
        type Files = Vec<(OsString, Vec<u8>)>;
        static MADE: Mutex<BTreeMap<String, Arc<OnceLock<Files>>>> = Mutex::new(BTreeMap::new());
        let mut made = MADE.lock().expect("unpoisoned");
        let files = Arc::clone(made.entry(key.to_owned()).or_default());
        drop(made);
        let dir = self.path(folder);
        let files = files.get_or_init(|| {
            self.ok(command);
            let there = fs::read_dir(&dir).expect("a folder");
            let names = there.map(|file| file.expect("a file").file_name());
            let contents =
                names.map(|name| (name.clone(), fs::read(dir.join(name)).expect("a file")));
            contents.collect()
        });
        fs::create_dir_all(&dir).expect("created");
        for (name, content) in files {
            fs::write(dir.join(name), content).expect("written");
        }
    }
}

/// Fails a test that would hang: longer than any step takes on the busiest machine.
pub const LONG: Duration = Duration::from_secs(300);

/// Waits until a condition holds.
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < LONG, "never: {what}");
        sleep(Duration::from_millis(5));
    }
}

/// Sends a signal, such as `-INT`, to a command that may have ended.
pub fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    let kill = Command::new("kill").args([name, &id]).output();
    kill.expect("started");
}

/// Whether a process has a handler for Ctrl-C.
#[cfg(target_os = "linux")]
pub fn catches_interrupts(child: &Child) -> bool {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).expect("readable");
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    caught.expect("a mask") & 2 != 0
}

/// Runs a command until it succeeds by itself. Until then it is killed again and again, first at its start and each
/// time later by a fifth; `killed` runs after each kill.
pub fn kill_until_done(command: impl Fn() -> Command, mut killed: impl FnMut()) {
    let mut delay = Duration::ZERO;
    loop {
        let mut command = command();
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().expect("started");
        sleep(delay);
        let status = child.try_wait().expect("asked");
        child.kill().expect("killed");
        let _ = child.wait().expect("gone");
        if let Some(status) = status {
            assert!(status.success(), "{command:?}");
            return;
        }
        killed();
        delay = delay.mul_f64(1.2) + Duration::from_millis(2);
    }
}

/// The path of the binary, which Cargo builds before the integration tests, beside the folder of their programs. The variable
/// `PATCHWORK_ARENA_BINARY` names a copy of it that builds beside the tests do not replace.
pub fn binary() -> String {
    std::env::var("PATCHWORK_ARENA_BINARY").unwrap_or_else(|_| {
        let test = std::env::current_exe().expect("a program");
        let folder = test.ancestors().nth(2).expect("a folder of programs");
        let name = format!("patchwork-arena{}", std::env::consts::EXE_SUFFIX);
        folder.join(name).to_str().expect("UTF-8").to_owned()
    })
}

/// The binary with these arguments and without input.
pub fn program<'a>(line: impl CommandLine<'a>) -> Command {
    let mut command = Command::new(binary());
    command.args(line.words()).stdin(Stdio::null());
    command
}

/// The standard output of a command that must succeed. The verdict of a sequential test is not a failure.
pub fn success(arguments: &[&str], output: &Output) -> String {
    let said = text(&output.stderr);
    let is_test = arguments
        .iter()
        .any(|word| word.starts_with("--sprt") || *word == "--elo0");
    let is_verdict = is_test && matches!(output.status.code(), Some(1 | 3));
    let succeeds = output.status.success() || is_verdict;
    assert!(succeeds, "{arguments:?}: {said}");
    text(&output.stdout)
}

/// The error message of a command that must fail: one line, exit code 2, no other output.
pub fn refusal(arguments: &[&str], output: &Output) -> String {
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
    assert_eq!(text(&output.stdout), "", "{arguments:?}");
    assert_eq!(message.lines().count(), 1, "{arguments:?}: {message}");
    assert!(message.starts_with("error: "), "{message}");
    message
}

/// A file of `tests/data`.
pub fn data(file: &str) -> PathBuf {
    Path::new(PROJECT).join("tests/data").join(file)
}

/// The part of a file of `tests/data` between the line `== NAME` and the next line that begins so.
pub fn section(file: &str, name: &str) -> String {
    let text = fs::read_to_string(data(file)).expect("readable");
    let start = format!("== {name}\n");
    let mut parts = text.split_inclusive('\n').skip_while(|line| *line != start);
    assert!(parts.next().is_some(), "{file} has no section {name}");
    parts.take_while(|line| !line.starts_with("== ")).collect()
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// Checks that a text has these parts, in any order: what stands between ` ... `.
pub fn expect_in(text: &str, parts: &str) {
    for part in parts.split(" ... ") {
        assert!(text.contains(part), "no '{part}' in: {text}");
    }
}

/// The arguments of a command: one after the other, or in a line, where those with spaces stand in single quotes.
pub trait CommandLine<'a> {
    fn words(self) -> Vec<&'a str>;
}

impl<'a> CommandLine<'a> for &'a str {
    fn words(self) -> Vec<&'a str> {
        let parts = self.split('\'').enumerate();
        let words = parts.flat_map(|(i, part)| match i % 2 {
            0 => part.split_whitespace().collect(),
            _ => vec![part],
        });
        words.collect()
    }
}

impl<'a> CommandLine<'a> for &'a String {
    fn words(self) -> Vec<&'a str> {
        self.as_str().words()
    }
}

impl<'a> CommandLine<'a> for &[&'a str] {
    fn words(self) -> Vec<&'a str> {
        self.to_vec()
    }
}

impl<'a, const N: usize> CommandLine<'a> for &[&'a str; N] {
    fn words(self) -> Vec<&'a str> {
        self.to_vec()
    }
}

/// A round-robin of all agents.
pub fn small(name: &str, pairs: u32) -> String {
    format!(
        "name = \"{name}\"\nseed = 5\ntrack = \"original\"\nformat = \"round-robin\"\n\
         agents = [\"random\", \"greedy-*\", \"mcts-*\"]\npairs = {pairs}\n"
    )
}

impl<'a> CommandLine<'a> for &Vec<&'a str> {
    fn words(self) -> Vec<&'a str> {
        self.clone()
    }
}
