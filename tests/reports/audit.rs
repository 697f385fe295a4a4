//! `scripts/audit`, which shares no code with the arena, recomputes the numbers of reports from the games alone, and finds
//! numbers that were changed. Skipped without Python.

use std::process::{Command, Output};

use serde_json::{Value, json};

use patchwork_test_support::program::{PROJECT, Workspace, binary, text};

/// The audit of these files and folders of a workspace; `None` without Python.
fn audit(home: &Workspace, paths: &[&str]) -> Option<Output> {
    let mut command = Command::new("python3");
    let script = command.arg(format!("{PROJECT}/scripts/audit"));
    script.args(paths.iter().map(|path| home.path(path)));
    script.env("PATCHWORK_ARENA", binary()).output().ok()
}

fn agrees(home: &Workspace, paths: &[&str]) {
    if let Some(output) = audit(home, paths) {
        let said = text(&output.stdout) + &text(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{paths:?}: {said}");
        assert!(said.contains(", 0 differ"), "{said}");
    }
}

/// Cheap agents of unequal strength.
const FIVE: &str = r#""mcts-fast{budget.iterations=8}", "mcts-fast{budget.iterations=20}", "mcts-regret{budget.iterations=8}",
    "greedy-regret", "greedy-inorder""#;

/// Plays a tournament into `results/NAME`.
fn play(home: &Workspace, name: &str, rest: &str) {
    home.write("t.toml", &format!("name = \"{name}\"\n{rest}"));
    home.ok("run t.toml -q");
}

#[test]
fn the_audit_agrees_with_the_report_and_finds_changed_numbers() {
    let home = Workspace::new();
    let agents = "agents = [\"random\", \"greedy-inorder\", \"greedy-regret\"]";
    play(
        &home,
        "s",
        &format!("{agents}\npairs = 8\ncommon_rings = true\n"),
    );
    agrees(&home, &["results/s"]);
    let mut report: Value = home.report("results/s");
    let changed = [
        ("/ratings/0/elo/value", 0.01, "].elo.value"),
        ("/ratings/1/elo/high", 1.0, "].elo.high"),
        ("/comparisons/0/elo/se", 0.01, "].elo.se"),
        ("/first_player/margin/high", 0.1, "first_player.margin.high"),
        ("/branching/10/legal/value", 0.01, "].legal.value"),
        ("/patches/3/win_rate/low", -0.01, "].win_rate.low"),
    ];
    for (pointer, by, _) in changed {
        let number = report.pointer_mut(pointer).expect(pointer);
        *number = json!(number.as_f64().expect("a number") + by);
    }
    home.write("changed.json", &report.to_string());
    if let Some(output) = audit(&home, &["results/s", "changed.json"]) {
        let said = text(&output.stdout);
        assert_eq!(output.status.code(), Some(1), "{said}");
        for (_, _, name) in changed {
            assert!(
                said.contains(&format!("{name}: the report says")),
                "{name}: {said}"
            );
        }
        assert!(said.contains(", 6 differ"), "{said}");
    }
}

#[test]
#[ignore = "minutes of Python"]
fn the_audit_agrees_with_the_report_of_every_design() {
    let home = Workspace::new();
    let gauntlet = "format = \"gauntlet\"\nchallengers = [\"mcts-fast{budget.iterations=30}\"]\n\
                    agents = [\"mcts-fast{budget.iterations=8}\", \"greedy-regret\"]\npairs = 60\n";
    let sweep = "agents = []\npairs = 6\n[sweep]\nbase = \"mcts-fast{budget.iterations=10}\"\n[sweep.keys]\n\
                 \"search.exploration\" = [0.1, 3.0]\n\"budget.iterations\" = [6, 20]\n";
    let perfect = "agents = [\"random\", \"mcts-fast{budget.iterations=20}\", \"mcts-fast{budget.iterations=8}\"]\n";
    for (name, rest) in [
        (
            "round-robin",
            format!("agents = [{FIVE}, \"random\"]\npairs = 12\n"),
        ),
        (
            "few",
            format!("agents = [{FIVE}]\npairs = 5\ncommon_rings = true\n"),
        ),
        ("gauntlet", gauntlet.replace("60", "12")),
        ("test", format!("{gauntlet}[sprt]\nelo0 = 0\nelo1 = 60\n")),
        (
            "normalized",
            format!("{gauntlet}[sprt]\nelo0 = 0\nelo1 = 60\nmodel = \"normalized\"\n"),
        ),
        ("sweep", sweep.to_owned()),
        (
            "perfect",
            format!("{perfect}pairs = 12\ncommon_rings = true\n"),
        ),
        (
            "two",
            format!("{perfect}pairs = 3\n").replace("\"random\", ", ""),
        ),
        ("original", format!("agents = [{FIVE}]\npairs = 5\n")),
        (
            "komi",
            format!("agents = [{FIVE}]\npairs = 5\ntrack = \"revised+2\"\n"),
        ),
    ] {
        play(&home, name, &rest);
        agrees(&home, &[&format!("results/{name}")]);
    }
    agrees(&home, &["results/original", "results/komi"]);
}

#[test]
fn rate_and_report_say_the_same_where_pairings_share_rings() {
    let home = Workspace::new();
    play(
        &home,
        "s",
        &format!("agents = [{FIVE}]\npairs = 8\ncommon_rings = true\n"),
    );
    let (reported, rated) = (
        home.report("results/s"),
        home.json("rate results/s --full --format json"),
    );
    let near = |one: &Value, other: &Value, what: &str| match (one.as_f64(), other.as_f64()) {
        (Some(one), Some(other)) => assert!((one - other).abs() < 1e-6, "{what}: {one} {other}"),
        (one, other) => assert_eq!(one, other, "{what}"),
    };
    for (at, end) in [
        ("/first_player/elo", "low"),
        ("/first_player/elo", "high"),
        ("/consistency", "p"),
    ] {
        let pointer = format!("{at}/{end}");
        let [one, other] = [&reported, &rated].map(|json| json.pointer(&pointer).expect("there"));
        near(one, other, &pointer);
    }
}
