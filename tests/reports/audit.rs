//! `scripts/audit`, which shares no code with the arena, finds the numbers of a report in the games alone, and finds
//! a number that was changed. Skipped without Python.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use patchwork_rating::sprt::{EloModel, Sprt};
use patchwork_report::TournamentReport;
use patchwork_tournament::export::write_json_lines;
use patchwork_tournament::{Format, Gauntlet, Results};
use serde_json::{Value, json};

use super::staged::Staged;
use patchwork_test_support::program::{PROJECT, Workspace, text};

const FIVE: [(&str, f64); 5] = [
    ("a", 150.0),
    ("b", 60.0),
    ("c", 0.0),
    ("d", -60.0),
    ("e", -300.0),
];

fn has_python() -> bool {
    let found = Command::new("python3").arg("--version").output();
    found.is_ok_and(|found| found.status.success())
}

fn audit(games: &Path, report: &Path) -> Output {
    let mut command = Command::new("python3");
    command.arg(Path::new(PROJECT).join("scripts/audit"));
    command.args([games, report]).output().expect("started")
}

/// The audit of a tournament whose report is changed first.
fn audited(results: &Results, change: impl Fn(&mut Value)) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    let (games, report) = (folder.path().join("g.jsonl"), folder.path().join("r.json"));
    let mut bytes = Vec::new();
    write_json_lines(results, &mut bytes).expect("written");
    fs::write(&games, bytes).expect("written");
    let mut bytes = Vec::new();
    let told = TournamentReport::new(results).expect("readable");
    told.write_json(&mut bytes).expect("written");
    let mut json: Value = serde_json::from_slice(&bytes).expect("JSON");
    change(&mut json);
    fs::write(&report, json.to_string()).expect("written");
    audit(&games, &report)
}

fn names(agents: &[(&str, f64)]) -> Vec<String> {
    agents.iter().map(|(name, _)| (*name).to_owned()).collect()
}

fn tested(agents: &[(&str, f64)], challengers: usize, model: EloModel) -> Staged {
    let challengers = names(&agents[..challengers]);
    let mut staged = Staged::new(agents, Gauntlet { challengers }, 60, 2);
    let test = Sprt::new(-10.0, 90.0, 0.05, 0.05, model).expect("a test");
    staged.plan = staged.plan.with_test(test).expect("a plan with a test");
    staged
}

fn designs() -> Vec<(&'static str, Staged)> {
    let gauntlet = Gauntlet {
        challengers: names(&FIVE[..1]),
    };
    let mut faulty = Staged::new(&FIVE, Format::RoundRobin, 2, 4);
    faulty.faults = Some(6);
    let mut interrupted = Staged::new(&FIVE, Format::RoundRobin, 9, 7);
    interrupted.most_games = 57;
    let perfect = [
        ("always", f64::INFINITY),
        ("often", 100.0),
        ("sometimes", 20.0),
        ("never", f64::NEG_INFINITY),
    ];
    vec![
        ("round robin", Staged::new(&FIVE, Format::RoundRobin, 12, 1)),
        ("gauntlet", Staged::new(&FIVE, gauntlet, 15, 2)),
        ("test", tested(&FIVE[..2], 1, EloModel::Logistic)),
        ("normalized", tested(&FIVE[..3], 1, EloModel::Normalized)),
        ("two tests", tested(&FIVE[1..4], 2, EloModel::Logistic)),
        ("faults", faulty),
        ("interrupted", interrupted),
        (
            "perfect scores",
            Staged::new(&perfect, Format::RoundRobin, 8, 5),
        ),
        (
            "one pair",
            Staged::new(&FIVE[..2], Format::RoundRobin, 1, 6),
        ),
    ]
}

#[test]
#[ignore = "a simulation"]
fn the_audit_agrees_with_the_report_of_every_design() {
    if !has_python() {
        return;
    }
    for (name, staged) in designs() {
        let output = audited(&staged.results(name), |_| {});
        let said = text(&output.stdout) + &text(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{name}: {said}");
        assert!(said.contains(" numbers agree with "), "{said}");
    }
}

#[test]
fn the_audit_agrees_where_pairings_share_setups() {
    if !has_python() {
        return;
    }
    let home = Workspace::new();
    home.write(
        "tournaments/s.toml",
        "name = \"s\"\nagents = [\"random\", \"greedy-inorder\", \"greedy-regret\"]\npairs = 8\ncommon_rings = true\n",
    );
    home.ok("run tournaments/s.toml -q");
    home.ok("export results/s -o games.jsonl.gz");
    home.ok("report results/s -o report.json");
    let output = audit(&home.path("games.jsonl.gz"), &home.path("report.json"));
    let said = text(&output.stdout) + &text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
}

#[test]
#[ignore = "a simulation"]
fn the_audit_finds_a_changed_number() {
    if !has_python() {
        return;
    }
    let round_robin = Staged::new(&FIVE[..3], Format::RoundRobin, 6, 1).results("changed");
    let test = tested(&FIVE[..2], 1, EloModel::Logistic).results("changed");
    for (results, pointer, by) in [
        (&round_robin, "/ratings/0/elo/value", 0.01),
        (&round_robin, "/ratings/1/elo/low", 1.0),
        (&round_robin, "/comparisons/0/elo/se", 0.01),
        (&round_robin, "/first_player/elo/value", 0.01),
        (&round_robin, "/first_player/margin/high", 0.1),
        (&round_robin, "/branching/0/legal/value", 0.01),
        (&round_robin, "/branching/10/legal/value", 0.01),
        (&test, "/sprt/tests/0/llr", 0.001),
        (&test, "/sprt/tests/0/path/2/llr", 0.001),
    ] {
        let output = audited(results, |json| {
            let number = json.pointer_mut(pointer).expect(pointer);
            *number = json!(number.as_f64().expect("a number") + by);
        });
        let said = text(&output.stdout);
        assert_eq!(output.status.code(), Some(1), "{pointer}: {said}");
        assert!(said.contains("the report says"), "{pointer}: {said}");
    }
}
