//! Searches with real games: a crippled agent recovers, `mcts-fast-1` improves, and the overhead of a search is
//! measured.
//!
//! They run the program and measure its processor time, so that other work on the machine matters little.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

/// Ten minutes on two cores.
const CORE_SECONDS: f64 = 1200.0;

/// Number of pairs of the matches that measure the gain.
const PAIRS: &str = "150";

/// `mcts-fast-1` with 100 times the exploration, uniform picks, and random placements.
const CRIPPLED: &str = "mcts-fast-1{search.exploration=70.0, rollout.pick=uniform, rollout.strategy=all/some/random, \
                        expansion.strategy=all/some/random}";

/// A search that may change every spoilt setting.
fn recovery() -> String {
    format!(
        r#"name = "recover"
base = "{CRIPPLED}"
pairs = 600
equal = "budget"
[budget]
iterations = 200
[space]
"search.exploration" = {{ low = 0.05, high = 100.0, log = true }}
"rollout.pick" = ["greedy", "epsilon-greedy", "uniform"]
"rollout.epsilon" = {{ low = 0.05, high = 0.5, step = 0.05, when = {{ "rollout.pick" = "epsilon-greedy" }} }}
"rollout.strategy" = ["in-order/some/first", "bl/some/first", "bl-lb/every/regret", "all/some/random"]
"expansion.strategy" = ["in-order/some/first", "bl/some/first", "bl-lb/every/regret", "all/some/random"]
[proof]
elo1 = 100
pairs = 400
slow_pairs = 0
"#
    )
}

/// A folder in which the program is run.
struct Workshop {
    home: TempDir,
}

impl Workshop {
    fn new() -> Self {
        Self {
            home: tempfile::tempdir().expect("a folder"),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    /// The program's output, and its processor time in seconds.
    fn run(&self, arguments: &[&str]) -> (Vec<u8>, f64) {
        let before = processor_time();
        let agents = Path::new(env!("CARGO_MANIFEST_DIR")).join("agents");
        let output = Command::new(env!("CARGO_BIN_EXE_patchwork-arena"))
            .args(arguments)
            .args(["-q", "--threads", "2", "--agents"])
            .arg(agents)
            .current_dir(self.home.path())
            .output()
            .expect("the program starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {said}");
        (output.stdout, processor_time() - before)
    }

    /// The report of a search, and its processor time.
    fn tune(&self, file: &Path) -> (Value, f64) {
        let (report, seconds) = self.run(&["tune", &file.to_string_lossy(), "--format", "json"]);
        (serde_json::from_slice(&report).expect("JSON"), seconds)
    }

    /// The Elo of the agent whose name `is_one` minus that of the other.
    fn compare(
        &self,
        name: &str,
        agents: [&str; 2],
        iterations: u32,
        is_one: fn(&str) -> bool,
    ) -> Difference {
        let [one, other] = agents;
        let set = format!("budget.iterations={iterations}");
        self.run(&[
            "match", one, other, "--set", &set, "--pairs", PAIRS, "--seed", "2011", "--save", name,
        ]);
        let summary = fs::read(self.path(&format!("results/{name}/summary.json")));
        let summary: Value = serde_json::from_slice(&summary.expect("a summary")).expect("JSON");
        let found = &summary["comparisons"][0];
        let number = |key: &str| found[key].as_f64();
        let elo = number("elo").unwrap_or(f64::NAN);
        let low = number("low").unwrap_or(f64::NEG_INFINITY);
        let high = number("high").unwrap_or(f64::INFINITY);
        // The stronger agent comes first.
        match found["a"].as_str().is_some_and(is_one) {
            true => Difference { elo, low, high },
            false => Difference {
                elo: -elo,
                low: -high,
                high: -low,
            },
        }
    }
}

/// A difference in Elo with its 95% interval.
struct Difference {
    elo: f64,
    low: f64,
    high: f64,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{:+.0} Elo [{:+.0}, {:+.0}]",
            self.elo, self.low, self.high
        )
    }
}

/// The processor time in seconds of all child processes that were waited for.
fn processor_time() -> f64 {
    /// Clock ticks per second on Linux.
    const TICKS: f64 = 100.0;
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name, in parentheses, may contain spaces. After it comes field 3; fields 16 and 17 are needed.
    let fields = stat
        .rsplit(')')
        .next()
        .unwrap_or_default()
        .split_whitespace();
    let ticks = fields
        .skip(13)
        .take(2)
        .filter_map(|field| field.parse::<f64>().ok());
    ticks.sum::<f64>() / TICKS
}

fn verdict(reached: bool) -> &'static str {
    if reached { "reached" } else { "missed" }
}

/// Target: at least 80% of the lost Elo is recovered in 10 minutes on two cores.
pub(crate) fn recover() {
    let workshop = Workshop::new();
    let file = workshop.path("recover.toml");
    fs::write(&file, recovery()).expect("written");
    let (report, seconds) = workshop.tune(&file);
    println!("{}", report["conclusion"].as_str().unwrap_or_default());
    println!("winner: {}", report["winner"].as_str().unwrap_or_default());
    let lost = workshop.compare("lost", ["mcts-fast-1", CRIPPLED], 200, |name| {
        !name.contains("exploration=70")
    });
    let best = "results/recover/best.toml";
    if !workshop.path(best).is_file() {
        println!("recovery of a crippled agent: no better agent was proven: missed");
        return;
    }
    let is_best = |name: &str| name.starts_with("best");
    let more = workshop.compare("back", [best, "mcts-fast-1"], 200, is_best);
    println!(
        "the intact agent is {lost} from the crippled one; the winner is {more} from the intact one"
    );
    // The lower end of the loss gives the smaller share.
    let share = |more: f64| 100.0 * (1.0 + more / lost.low);
    println!(
        "recovered {:.0}% [{:.0}, {:.0}] of at least {:.0} Elo in {seconds:.0} core-seconds, target 80% in {CORE_SECONDS:.0}: {}",
        share(more.elo),
        share(more.low),
        share(more.high),
        lost.low,
        verdict(share(more.elo) >= 80.0 && seconds <= CORE_SECONDS)
    );
}

/// Targets: the test accepts an agent that is at least 80 Elo better than `mcts-fast-1` at 1,000 iterations,
/// and less than 2% of the processor time is spent on anything but games.
pub(crate) fn improve() {
    let workshop = Workshop::new();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tournaments/tune-mcts-fast.toml");
    let (report, seconds) = workshop.tune(&file);
    println!("{}", report["conclusion"].as_str().unwrap_or_default());
    println!("winner: {}", report["winner"].as_str().unwrap_or_default());
    // All games exist now, so a second run measures everything except games.
    let (again, rest) = workshop.tune(&file);
    assert_eq!(again, report, "the same games give the same report");
    println!(
        "overhead {rest:.1} of {seconds:.0} core-seconds, {:.1}%, target below 2%: {}",
        100.0 * rest / seconds,
        verdict(rest < 0.02 * seconds)
    );
    let is_accepted = report["proof"]["verdict"] == "accept H1";
    let best = "results/tune-mcts-fast/best.toml";
    if !is_accepted {
        println!("80 Elo from mcts-fast-1: the test did not accept the winner: missed");
        return;
    }
    let is_best = |name: &str| name.starts_with("best");
    let found = workshop.compare("new", [best, "mcts-fast-1"], 1000, is_best);
    println!(
        "on new setups the winner is {found} from mcts-fast-1, target +80: {}",
        verdict(found.elo >= 80.0)
    );
}
