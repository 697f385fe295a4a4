//! Runs the binary in its own folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

pub(crate) const PROJECT: &str = env!("CARGO_MANIFEST_DIR");

/// The agents of the test tournaments.
pub(crate) const AGENTS: [&str; 6] = [
    "random",
    "greedy-inorder",
    "greedy-regret",
    "mcts-uniform",
    "mcts-fast",
    "mcts-regret",
];

/// A temporary folder with agents and tournaments, in which commands run.
pub(crate) struct Workspace {
    home: TempDir,
}

impl Workspace {
    /// Shipped agents with smaller budgets, and a tournament of them.
    pub(crate) fn new() -> Self {
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

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("written");
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).expect("readable")
    }

    pub(crate) fn text(&self, name: &str) -> String {
        text(&self.read(name))
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = program(arguments);
        command.current_dir(self.home.path());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("started")
    }

    /// The standard output of a command that must succeed.
    pub(crate) fn ok(&self, arguments: &[&str]) -> String {
        success(arguments, &self.run(arguments))
    }

    /// The JSON that a command prints, which must succeed.
    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        serde_json::from_str(&self.ok(arguments)).expect("JSON")
    }

    /// The JSON in a file.
    pub(crate) fn json_file(&self, name: &str) -> Value {
        serde_json::from_slice(&self.read(name)).expect("JSON")
    }

    /// The report of a results folder.
    pub(crate) fn report(&self, results: &str) -> Value {
        self.json(&["report", results, "--format", "json"])
    }

    /// The games of a results folder, as JSON with one game per line.
    pub(crate) fn export(&self, results: &str) -> String {
        self.ok(&["export", results, "--format", "jsonl"])
    }

    /// The games of a results folder.
    pub(crate) fn games(&self, results: &str) -> Vec<Value> {
        let export = self.export(results);
        let games = export.lines().map(serde_json::from_str);
        games.collect::<Result<_, _>>().expect("JSON")
    }

    /// The games of a results folder without their numbers, which depend on the order in which it got its agents.
    pub(crate) fn unnumbered(&self, results: &str) -> Vec<Value> {
        let mut games = self.games(results);
        let objects = games.iter_mut().filter_map(Value::as_object_mut);
        objects.for_each(|game| drop(game.remove("game")));
        games
    }

    /// Plays a match of two cheap agents and keeps it in `results/m`.
    pub(crate) fn save_match(&self, pairs: u32) {
        self.save_match_in("m", "greedy-inorder", pairs);
    }

    /// Plays a match of `random` against another agent, or continues it, and keeps it in a results folder.
    pub(crate) fn save_match_in(&self, results: &str, other: &str, pairs: u32) {
        let pairs = pairs.to_string();
        self.ok(&[
            "match", "random", other, "--pairs", &pairs, "--save", results, "-q",
        ]);
    }

    /// The error message of a command that must fail.
    pub(crate) fn refused(&self, arguments: &[&str]) -> String {
        refusal(arguments, &self.run(arguments))
    }
}

/// Fails a test that would hang: longer than any step takes on the busiest machine.
pub(crate) const LONG: Duration = Duration::from_secs(300);

/// Waits until a condition holds.
pub(crate) fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < LONG, "never: {what}");
        sleep(Duration::from_millis(5));
    }
}

/// Sends a signal, such as `-INT`, to a command that may have ended.
pub(crate) fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    let kill = Command::new("kill").args([name, &id]).output();
    kill.expect("started");
}

/// Whether a process has a handler for Ctrl-C.
#[cfg(target_os = "linux")]
pub(crate) fn catches_interrupts(child: &Child) -> bool {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).expect("readable");
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    caught.expect("a mask") & 2 != 0
}

/// Runs a command until it succeeds by itself. Until then it is killed again and again, first at its start and each
/// time later by a fifth; `killed` runs after each kill.
pub(crate) fn kill_until_done(command: impl Fn() -> Command, mut killed: impl FnMut()) {
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

/// The path of the binary; only integration tests know it. The variable `PATCHWORK_ARENA_BINARY` names a copy of it that
/// builds beside the tests do not replace.
pub(crate) fn binary() -> String {
    const BUILT: Option<&str> = option_env!("CARGO_BIN_EXE_patchwork-arena");
    std::env::var("PATCHWORK_ARENA_BINARY")
        .unwrap_or_else(|_| BUILT.expect("an integration test").to_owned())
}

/// The binary with these arguments and without input.
pub(crate) fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(binary());
    command.args(arguments).stdin(Stdio::null());
    command
}

/// The standard output of a command that must succeed. The verdict of a sequential test is not a failure.
pub(crate) fn success(arguments: &[&str], output: &Output) -> String {
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
pub(crate) fn refusal(arguments: &[&str], output: &Output) -> String {
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
    assert_eq!(text(&output.stdout), "", "{arguments:?}");
    assert_eq!(message.lines().count(), 1, "{arguments:?}: {message}");
    assert!(message.starts_with("error: "), "{message}");
    message
}

/// A file of `tests/data`.
pub(crate) fn data(file: &str) -> PathBuf {
    Path::new(PROJECT).join("tests/data").join(file)
}

/// The part of a file of `tests/data` between the line `== NAME` and the next line that begins so.
pub(crate) fn section(file: &str, name: &str) -> String {
    let text = fs::read_to_string(data(file)).expect("readable");
    let start = format!("== {name}\n");
    let mut parts = text.split_inclusive('\n').skip_while(|line| *line != start);
    assert!(parts.next().is_some(), "{file} has no section {name}");
    parts.take_while(|line| !line.starts_with("== ")).collect()
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// The words of a command line without quotes.
pub(crate) fn words(line: &str) -> Vec<&str> {
    line.split(' ').collect()
}

/// A round-robin of all agents.
pub(crate) fn small(name: &str, pairs: u32) -> String {
    format!(
        "name = \"{name}\"\nseed = 5\ntrack = \"original\"\nformat = \"round-robin\"\n\
         agents = [\"random\", \"greedy-*\", \"mcts-*\"]\npairs = {pairs}\n"
    )
}
