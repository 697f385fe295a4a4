//! `tune`: from a file to a proven agent, with interruptions; invalid input; optimisers connected by a pipe.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use serde_json::{Value, json};

use patchwork_test_support::program::{
    PROJECT, Workspace, binary, expect_in, kill_until_done, rows, signal, text,
};
use patchwork_test_support::server::Server;

#[path = "../../benches/tuning/cost.rs"]
mod cost;

/// A search whose best value is much better than the base.
const PICKS: &str = r#"name = "picks"
base = "mcts-fast-1{rollout.pick=uniform}"
pairs = 60
equal = "budget"
[budget]
iterations = 8
[space]
"rollout.pick" = ["greedy", "uniform", "softmax"]
"rollout.temperature" = { values = [0.5, 2.0], when = { "rollout.pick" = "softmax" } }
[proof]
elo1 = 60
pairs = 120
slow_pairs = 2
"#;

/// A search over numbers and a condition.
const MCTS: &str = r#"name = "mcts"
base = "mcts-fast-1"
pairs = 40
equal = "budget"
[budget]
iterations = 3
[space]
"search.exploration" = { low = 0.1, high = 3.0, log = true }
"rollout.pick" = ["greedy", "epsilon-greedy"]
"rollout.epsilon" = { low = 0.0, high = 0.5, step = 0.1, when = { "rollout.pick" = ["epsilon-greedy"] } }
[proof]
pairs = 10
slow_pairs = 2
"#;

const FILES: [&str; 5] = [
    "tuning.json",
    "candidates.csv",
    "importance.csv",
    "effects.csv",
    "convergence.csv",
];

fn workspace() -> Workspace {
    let home = Workspace::new();
    home.write("tournaments/picks.toml", PICKS);
    home.write("tournaments/mcts.toml", MCTS);
    home
}

#[test]
fn a_better_agent_is_found_proven_and_written() {
    let home = workspace();
    let report = home.ok("tune tournaments/picks.toml");
    for expected in [
        "rollout.pick",
        "accept H1",
        "is better than mcts-fast-1{rollout.pick=uniform} at",
    ] {
        assert!(report.contains(expected), "{report}");
    }
    let best = home.text("results/picks/best.toml");
    expect_in(&best, "type = \"mcts\" ... # proof: ");
    // It says under which condition it is better.
    assert_eq!(
        best.matches("at 8 iterations per decision.").count(),
        2,
        "{best}"
    );
    // The file is a valid agent, and the folders are ordinary results folders.
    let shown = home.ok("agents show results/picks/best.toml");
    assert!(shown.contains("pick = "), "{shown}");
    for folder in [
        "results/picks",
        "results/picks/proof",
        "results/picks/slow",
        "results/picks/time",
    ] {
        let report = home.ok(&["report", folder]);
        assert!(report.contains("mcts-fast-1"), "{report}");
    }
    // The folder of a tuning is a tuning.
    let again = home.ok("report results/picks");
    expect_in(
        &again,
        "rollout.pick ... is better than mcts-fast-1{rollout.pick=uniform} at ... Page: results/picks/tuning.html",
    );
    assert_eq!(
        home.report("results/picks")["winner"],
        home.json_file("results/picks/tuning.json")["winner"]
    );
    let server = Server::start(home.command("web results --address 127.0.0.1:0"));
    let index = server.get("/", "");
    expect_in(
        &index,
        "<tr data-name=\"picks\" ... decided, ... The winner is better than",
    );
    assert!(!index.contains("proof"), "{index}");
    expect_in(
        &server.get("/results/picks/report", ""),
        "200 OK ... is better than",
    );
    // Candidates of searches are rated only if somebody asks for them.
    home.refuses(
        "rate results",
        "results: has only searches for better agents",
    );
    expect_in(
        &home.ok("rate results --only *uniform* --only *greedy* --only *softmax*"),
        "mcts-fast-1{rollout.pick=uniform}",
    );
    assert!(!home.ok("export results/picks --format tsv").is_empty());

    // Data that differ from run to run are kept apart.
    assert!(report.contains("At equal processor time, "), "{report}");
    let times = home.json_file("results/picks/times.json");
    assert!(
        times["milliseconds"].as_u64() >= Some(1) && times["equal_time"]["games"] == 4,
        "{times}"
    );
    assert!(times["winner_seconds"].as_f64() > Some(0.0), "{times}");

    let folder = |name: &str| FILES.map(|file| home.read(&format!("{name}/picks/{file}")));
    let (files, games) = (folder("results"), home.read("results/picks/games.db"));
    // Nothing is played again, and the number of threads makes no difference.
    assert_eq!(home.ok("tune tournaments/picks.toml"), report);
    assert_eq!(folder("results"), files);
    assert_eq!(home.read("results/picks/games.db"), games);
    home.ok("tune tournaments/picks.toml --threads 5 --results other -q");
    assert_eq!(folder("other"), files);
    assert_eq!(home.text("other/picks/best.toml"), best);
}

#[test]
#[ignore = "many games at a budget of time"]
fn settings_that_change_the_cost_are_compared_at_equal_processor_time() {
    let home = workspace();
    let file = PICKS.replace("equal = \"budget\"\n", "");
    home.write("tournaments/picks.toml", &file);
    let command = "tune tournaments/picks.toml --format json";
    let report = home.json(command);
    let condition = "at equal processor time, ";
    let takes = " ms per decision in place of 8 iterations";
    let conclusion = report["conclusion"].as_str().expect("a text");
    expect_in(conclusion, &format!("{condition} ... {takes}"));
    if home.path("results/picks/best.toml").exists() {
        let best = home.text("results/picks/best.toml");
        assert_eq!(best.matches(takes).count(), 2, "{best}");
        assert!(best.contains("processor_milliseconds = "), "{best}");
    }
    assert!(!home.path("results/picks/time").exists());
    // A search that goes on has the measured time of before.
    let time = home.json_file("results/picks/equal-time.json");
    let other = json!({ "base": time["base"], "processor_milliseconds": 2 });
    home.write("results/picks/equal-time.json", &other.to_string());
    let said = home.ok("tune tournaments/picks.toml --dry-run");
    expect_in(&said, "at equal processor time, 2 ms per decision");
    // Exploration changes what is found, and not what it costs.
    let file = format!(
        "{}[space]\n\"search.exploration\" = [0.7, 1.0]\n",
        file.split_once("[space]").expect("a space").0
    );
    home.write("tournaments/same.toml", &file);
    let said = home.ok("tune tournaments/same.toml --dry-run");
    assert!(said.contains("at 8 iterations per decision"), "{said}");
}

/// The short form of `cargo bench --bench tuning -- cost`.
#[test]
#[ignore = "many games at a budget of time"]
fn games_at_equal_cost_do_not_contradict_verdicts() {
    let home = tempfile::tempdir().expect("a folder");
    let sizes = cost::Sizes {
        searches: 5,
        pairs: [8, 16, 10],
    };
    let all = cost::verdicts(home.path(), &sizes, "processor-time");
    assert_eq!(all.conclusions.len(), 5);
    for conclusion in &all.conclusions {
        expect_in(conclusion, "at equal processor time, ");
    }
    // By chance, one of them may be.
    assert!(all.contradicted <= 1, "{:#?}", all.conclusions);
    assert!(all.contradicted <= all.proven);
}

#[test]
fn a_dry_run_says_what_would_be_played_and_writes_nothing() {
    let home = workspace();
    let command = "tune tournaments/picks.toml --dry-run";
    let said = home.ok(command);
    for expected in [
        "Folder:      results/picks\n",
        "Search:      at most 120 games, ",
        "Proof:       at most 240 games, ",
        "4x budget:   at most 4 games, ",
        "Equal time:  at most 4 games, ",
        "Missing:     at most 368 games\n",
        "Estimated: ",
    ] {
        assert!(said.contains(expected), "{expected}: {said}");
    }
    let told = home.json(&format!("{command} --format json"));
    assert_eq!(told["planned"], 368);
    assert_eq!(told["stored"], 0);
    assert!(told["seconds"].as_f64() > Some(0.0), "{told}");
    assert_eq!(told["parts"][1]["part"], "proof");
    assert_eq!(told["parts"][1]["folder"], "results/picks/proof");
    assert!(!home.path("results").exists(), "nothing is written");
}

#[test]
#[ignore = "many searches"]
fn time_limits_a_search() {
    let home = workspace();
    let file = PICKS.replace("pairs = 60\n", "seconds = 1\n");
    home.write("tournaments/timed.toml", &file);
    let report = home.json("tune tournaments/timed.toml --format json -q");
    // As many as the machine plays in a second, and fewer than without a limit.
    let pairs = report["pairs"].as_u64().expect("a number");
    assert!((1..1_000_000).contains(&pairs), "{pairs}");
    // With both, the first that is reached.
    let file = PICKS.replace("pairs = 60\n", "pairs = 6\nseconds = 1000\n");
    home.write("tournaments/timed.toml", &file);
    let report = home.json("tune tournaments/timed.toml --format json -q");
    assert!(report["pairs"].as_u64() <= Some(6), "{report}");
}

#[test]
fn a_winner_that_is_not_proven_is_not_written() {
    let home = workspace();
    home.write(
        "tournaments/none.toml",
        &PICKS
            .replace("pairs = 120", "pairs = 2")
            .replace("\"picks\"", "\"none\""),
    );
    let report = home.json("tune tournaments/none.toml --format json -q");
    let conclusion = report["conclusion"].as_str().expect("a text");
    assert!(
        conclusion.starts_with("No better agent was found"),
        "{conclusion}"
    );
    assert!(!home.path("results/none/best.toml").exists());
}

#[test]
fn every_method_ends_with_a_report() {
    let home = workspace();
    let list = "race\"\ncandidates = [{ \"search.exploration\" = 0.3 }, { \"search.exploration\" = 2.0 }]\n#\"";
    for (name, method) in [("spsa", "spsa"), ("random", "random"), ("race", list)] {
        let text = MCTS
            .replace(
                "pairs = 40",
                &format!("pairs = 24\nobjective = \"score\"\nmethod = \"{method}\""),
            )
            .replace("name = \"mcts\"", &format!("name = \"{name}\""));
        home.write("tournaments/method.toml", &text);
        let report = home.ok("tune tournaments/method.toml -q");
        assert!(report.contains(&format!(
            "{name}: {name} of mcts-fast-1 against mcts-fast-1, "
        )));
        expect_in(&report, "Recommended settings ... (base)");
    }
}

#[test]
#[ignore = "many processes"]
fn killed_searches_resume_to_the_same_candidates() {
    let home = workspace();
    let tune = |results: &str, threads: &str| {
        let arguments = format!("tune tournaments/mcts.toml -q --results {results}");
        let mut command = home.command(&format!("{arguments} --threads {threads}"));
        command.stdout(Stdio::null());
        command
    };
    assert!(tune("whole", "2").status().expect("started").success());
    kill_until_done(|| tune("killed", "2"), || ());
    assert!(tune("killed", "1").status().expect("started").success());
    for file in FILES {
        let read = |results: &str| home.text(&format!("{results}/mcts/{file}"));
        assert_eq!(read("killed"), read("whole"), "{file}");
    }
    let games = |results: &str| home.ok(&["export", &format!("{results}/mcts"), "--format", "tsv"]);
    assert_eq!(games("killed"), games("whole"));
}

#[cfg(unix)]
#[test]
fn an_interrupted_search_keeps_its_games_and_resumes() {
    let home = workspace();
    let tune = |results: &str, more: &str| {
        home.command(&format!(
            "tune tournaments/mcts.toml --results {results} {more}"
        ))
    };
    assert!(
        tune("whole", "-q")
            .output()
            .expect("started")
            .status
            .success()
    );
    // A search that has ended before it was interrupted starts again.
    let output = loop {
        let mut child = tune("stopped", "--threads 2")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("started");
        home.wait_for_stored("stopped/mcts", 20, &mut child);
        signal(&child, "-INT");
        let output = child.wait_with_output().expect("ended");
        if output.status.code() != Some(0) {
            break output;
        }
        fs::remove_dir_all(home.path("stopped")).expect("removed");
    };
    assert_eq!(output.status.code(), Some(130));
    assert!(output.stdout.is_empty(), "there is no report yet");
    let said = text(&output.stderr);
    expect_in(
        &said,
        "Stopped: the games are saved in stopped/mcts. To resume:\n  ",
    );
    assert!(!home.path("stopped/mcts/tuning.json").exists());
    let there = |results: &str| home.ok(&["export", &format!("{results}/mcts"), "--format", "tsv"]);
    let (kept, all) = (there("stopped"), there("whole"));
    let kept = kept.lines().count();
    assert!(kept > 1 && kept < all.lines().count(), "{kept} games");
    // The rest is played, and the results are as if nothing had happened.
    let output = tune("stopped", "-q").output().expect("started");
    assert!(output.status.success());
    for file in FILES {
        let read = |results: &str| home.text(&format!("{results}/mcts/{file}"));
        assert_eq!(read("stopped"), read("whole"), "{file}");
    }
    assert_eq!(there("stopped"), there("whole"));
}

#[test]
fn bad_files_are_refused_by_one_sentence() {
    let home = workspace();
    let refused = |file: &str, expected: &str| {
        home.write("tournaments/broken.toml", file);
        home.refuses(
            "tune tournaments/broken.toml",
            &format!("tournaments/broken.toml ... {expected}"),
        );
    };
    for [from, to, expected] in rows(
        r#"
        pairs = 40 => pairs = 0 => pairs
        pairs = 40 => pears = 40 => unknown key `pears`
        pairs = 40\n =>  => pairs: the key is missing
        equal = "budget" => equal = "time" => unknown value "time"
        base = "mcts-fast-1" => base = "mcts-fsat" => did you mean mcts-fast?
        base = "mcts-fast-1" => base = "mcts-*" => matches several agents
        base = "mcts-fast-1"\npairs = 40\nequal = "budget"\n[budget]\niterations = 3 => base = "mcts-fast-1{budget.iterations=3}"\npairs = 40 => expected an agent without a budget in its name; set it in the table [budget] instead
        name = "mcts" => name = "a/b" => cannot name a results folder
        pairs = 40 => pairs = 40\nopponents = [] => opponents: the list is empty
        pairs = 40 => pairs = 40\nopponents = ["nobody"] => there is no agent 'nobody'
        pairs = 40 => pairs = 40\nmethod = "luck" => unknown value "luck"
        pairs = 40 => pairs = 40\nmethod = "race" => candidates: none
        pairs = 40 => pairs = 40\nfinal_share = 2.0 => final_share is 2
        search.exploration => search.explration => unknown key `explration`
        low = 0.1, high = 3.0 => low = 1.0, high = 0.5 => expected low < high
        high = 3.0 => high = 3.0, none = true => "search.exploration": none: without the key, the value is 0.7
        low = 0.1, high = 3.0 => low = 2.0, high = 3.0 => is out of range, expected 2 to 3
        low = 0.0, high = 0.5 => low = 0.0, high = 1.5 => rollout.epsilon
        ["greedy", "epsilon-greedy"] => [] => the list of values is empty
        "rollout.pick" = [ => "budget.iterations" = [1, 2]\n"rollout.pick" = [ => "budget.iterations": cannot be tuned
        "rollout.pick" = [ => "threads" = [1, 2]\n"rollout.pick" = [ => "threads": cannot be tuned
        "rollout.pick" = [ => "expansion.prior.decay" = [1.0, 2.0]\n"rollout.pick" = [ => space: "expansion.prior.decay": requires search.select = "puct"
        iterations = 3 => seconds = 3 => seconds
        iterations = 3 => iterations = 0 => budget.iterations: expected a whole number from 1 to 4294967295, found 0
        [space] => [start]\n"search.exploration" = 9.0\n[space] => the value of [start], where the search starts: 9.0 is out of range
        [space] => [start]\n"search.exploration" = nan\n[space] => "search.exploration": the value of [start], where the search starts: found NaN
        [space] => [start]\n"rollout.epsilon" = 9.0\n[space] => "rollout.epsilon": the value of [start], where the search starts: 9.0 is out of range
        pairs = 40 => pairs = 40\nmethod = "race"\ncandidates = [{ "search.exploration" = [1.0] }] => candidates: "search.exploration": found [1.0]
        pairs = 40 => pairs = 2\nmethod = "race"\ncandidates = [{ "search.exploration" = 1.0 }, { "search.exploration" = 2.0 }] => pairs is 2, expected at least 3
        pairs = 10 => elo1 = -5 => proof: elo0 is 0 and elo1 is -5
        "#,
    ) {
        let broken = MCTS.replacen(from, to, 1);
        assert_ne!(broken, MCTS, "{from}");
        refused(&broken, expected);
    }
    let halving = "[space]\n\"search.allocation\" = [\"selection\", \"halving\"]";
    let halving = MCTS.replace("[space]", halving);
    let halving = halving.replace("mcts-fast-1\"", "mcts-fast-1{search.choice=value}\"");
    refused(
        &halving.replace("\"budget\"", "\"processor-time\""),
        "equal: ",
    );
    let empty = MCTS.lines().filter(|line| !line.starts_with('"'));
    refused(&empty.collect::<Vec<_>>().join("\n"), "there are no keys");
    assert!(!home.path("results").exists(), "nothing is written");
}

/// Starts a search with an optimiser at the other end of three pipes.
fn start_external(home: &Workspace, options: &str) -> Child {
    home.command(&format!(
        "tune tournaments/picks.toml --external -q {options}"
    ))
    .stdin(Stdio::piped())
    .stdout(Stdio::piped())
    .stderr(Stdio::piped())
    .spawn()
    .expect("started")
}

/// Runs a search with an optimiser that writes these lines. Returns the program's lines, its errors and its
/// exit code.
fn converse(home: &Workspace, lines: &[String]) -> (Vec<Value>, String, Option<i32>) {
    let mut child = start_external(home, "");
    let mut input = child.stdin.take().expect("piped");
    for line in lines {
        // The program may have ended at an earlier line.
        let _ = writeln!(input, "{line}");
    }
    drop(input);
    let output = child.wait_with_output().expect("ended");
    let said = text(&output.stdout);
    let said = said
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"));
    (said.collect(), text(&output.stderr), output.status.code())
}

fn ask(id: u64, pick: &str, pairs: u32) -> String {
    json!({ "ask": { "id": id, "point": { "rollout.pick": pick }, "pairs": pairs } }).to_string()
}

#[test]
fn an_outside_optimiser_drives_the_search() {
    let home = workspace();
    let good = "greedy";
    let best = json!({ "best": { "point": { "rollout.pick": good } } }).to_string();
    let lines = [
        ask(1, good, 10),
        ask(2, "uniform", 10),
        ask(3, good, 5),
        best,
    ];
    let (said, _, code) = converse(&home, &lines);
    assert_eq!(code, Some(0));
    assert_eq!(said[0]["space"]["pairs"], 60);
    assert_eq!(said[0]["space"]["keys"]["rollout.pick"]["values"][0], good);
    for (line, id) in said[1..4].iter().zip(1..) {
        assert_eq!(line["tell"]["id"], id);
        assert!(line["tell"]["error"].as_f64() > Some(0.0));
    }
    assert!(said[1]["tell"]["value"].as_f64() > Some(0.5));
    let report = &said[4]["report"];
    assert_eq!(report["games"], 50);
    assert_eq!(report["method"], "external");
    assert_eq!(report["proof"]["verdict"], "accept H1");
    let best = home.text("results/picks/best.toml");
    assert!(best.contains("tuned by external"), "{best}");
}

#[test]
fn a_candidate_of_an_outside_optimiser_needs_no_games_before_its_proof() {
    let home = workspace();
    let best = json!({ "best": { "point": { "rollout.pick": "greedy" } } }).to_string();
    let (said, _, code) = converse(&home, &[best]);
    assert_eq!(code, Some(0));
    assert_eq!(said[1]["report"]["proof"]["verdict"], "accept H1");
    assert!(home.path("results/picks/best.toml").is_file());
}

#[test]
fn a_search_without_pairs_for_a_race_recommends_what_it_played() {
    let home = workspace();
    for method in ["ntbea", "spsa", "random"] {
        for keys in [
            "final_share = 0.0",
            "final_share = 1.0\nfinalists = 12",
            "finalists = 39",
        ] {
            let file = MCTS
                .replace(
                    "name = \"mcts\"",
                    &format!("name = \"{method}\"\nmethod = \"{method}\""),
                )
                .replace("pairs = 40", &format!("pairs = 8\n{keys}"));
            home.write("tournaments/few.toml", &file);
            let report = home.json("tune tournaments/few.toml -q --format json");
            let candidates = report["candidates"].as_array().expect("a list");
            let winner = candidates
                .iter()
                .find(|row| row["settings"] == report["winner"]);
            let pairs = winner.and_then(|row| row["pairs"].as_u64());
            assert!(pairs > Some(0), "{method}, {keys}: {report}");
            fs::remove_dir_all(home.path("results")).expect("removed");
        }
    }
}

#[test]
fn an_outside_optimiser_that_errs_loses_nothing() {
    let home = workspace();
    let (one, two) = (ask(1, "uniform", 6), ask(2, "greedy", 6));
    for (wrong, expected) in [
        ("nonsense".to_owned(), "line 2: expected {\"ask\": ...}"),
        (one.clone(), "line 2: ask 1: the id was used before"),
        (
            ask(2, "greedi", 6),
            "line 2: ask 2: \"rollout.pick\": \"greedi\" is not one of",
        ),
        (ask(2, "uniform", 0), "line 2: ask 2: pairs is 0"),
        (
            ask(2, "uniform", 55),
            "line 2: ask 2: pairs is 55, and 54 of 60 are left",
        ),
        (
            json!({ "best": { "point": {} } }).to_string(),
            "line 2: best: \"rollout.pick\": the value is missing",
        ),
    ] {
        let (said, error, code) = converse(&home, &[one.clone(), wrong, two.clone()]);
        assert_eq!(code, Some(2), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
        assert!(error.contains(expected), "{error}");
        // Requests before the mistake are answered.
        assert_eq!(said[1]["tell"]["id"], 1);
        assert!(
            said[2]["error"]
                .as_str()
                .is_some_and(|what| what.contains(expected))
        );
    }
    let (said, error, code) = converse(&home, std::slice::from_ref(&one));
    let told = said[2]["error"].as_str();
    assert!(told.is_some_and(|what| error.contains(what)), "{said:?}");
    assert_eq!(code, Some(2));
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(error.contains("the standard input ended before"), "{error}");
    // The games are those of the first run.
    let games = home.read("results/picks/games.db");
    let (said, ..) = converse(&home, &[one]);
    assert_eq!(said[1]["tell"]["pairs"], 6);
    assert_eq!(home.read("results/picks/games.db"), games);
}

#[test]
fn an_outside_optimiser_that_falls_silent_is_not_waited_for() {
    let home = workspace();
    let mut child = start_external(&home, "--patience 1");
    // The pipe stays open.
    let mut input = child.stdin.take().expect("piped");
    writeln!(input, "{}", ask(1, "uniform", 6)).expect("read");
    let output = child.wait_with_output().expect("ended");
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(error.contains("no line arrived"), "{error}");
    assert!(error.contains("1 second (--patience)"), "{error}");
    let said = text(&output.stdout);
    assert!(said.contains("\"tell\""), "{said}");
    drop(input);
}

/// It was this program that was silent.
#[cfg(unix)]
#[test]
fn a_stop_is_not_charged_to_an_outside_optimiser() {
    let home = workspace();
    let mut child = start_external(&home, "--patience 4");
    let mut said = BufReader::new(child.stdout.take().expect("piped")).lines();
    let greeting = said.next().expect("a line").expect("readable");
    assert!(greeting.contains("space"), "{greeting}");
    signal(&child, "-STOP");
    sleep(Duration::from_secs(5));
    signal(&child, "-CONT");
    sleep(Duration::from_millis(500));
    assert!(child.try_wait().expect("asked").is_none(), "it waits on");
    drop(child.stdin.take());
    let output = child.wait_with_output().expect("ended");
    let error = text(&output.stderr);
    assert!(error.contains("the standard input ended"), "{error}");
}

/// A Python program that asks, reads and ends, like the Optuna example without Optuna.
const SCRIPT: &str = r#"
import json, subprocess, sys
arena = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
hear = lambda: json.loads(arena.stdout.readline())
say = lambda line: print(json.dumps(line), file=arena.stdin, flush=True)
values = hear()["space"]["keys"]["rollout.pick"]["values"][:2]
results = []
for number, value in enumerate(values):
    say({"ask": {"id": number, "point": {"rollout.pick": value}, "pairs": 5}})
    results.append((hear()["tell"]["value"], value))
say({"best": {"point": {"rollout.pick": max(results)[1]}}})
print(hear()["report"]["winner"])
sys.exit(arena.wait())
"#;

#[test]
#[ignore = "many processes"]
fn python_drives_the_search() {
    let python = |arguments: &[&str]| {
        let mut command = Command::new("python3");
        command.args(arguments);
        command
    };
    let has = |what: &str| {
        let tried = python(&["-c", what]).stderr(Stdio::null()).status();
        tried.is_ok_and(|status| status.success())
    };
    if !has("import json") {
        eprintln!("skipped: there is no python3");
        return;
    }
    let home = workspace();
    let binary = binary();
    let tune = [
        &binary,
        "tune",
        "tournaments/picks.toml",
        "--external",
        "-q",
    ];
    let output = python(&[&["-c", SCRIPT], &tune[..]].concat())
        .current_dir(home.path(""))
        .output()
        .expect("started");
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).starts_with("rollout.pick="));

    let example = Path::new(PROJECT).join("examples/optuna_tune.py");
    if !has("import optuna") {
        eprintln!("skipped: there is no Optuna for {}", example.display());
        return;
    }
    let output = python(&[&example.to_string_lossy(), "tournaments/mcts.toml", "-q"])
        .env("PATCHWORK_ARENA", binary)
        .current_dir(home.path(""))
        .output()
        .expect("started");
    assert!(output.status.success(), "{}", text(&output.stderr));
}

#[test]
fn shipped_searches_are_valid() {
    let home = workspace();
    for name in [
        "tune-quick",
        "tune-rollout",
        "tune-pairing-5",
        "tune-mcts-fast",
        "tune-champion",
    ] {
        let file = Path::new(PROJECT).join(format!("tournaments/{name}.toml"));
        let text = fs::read_to_string(file).expect("readable");
        // The file is read completely before a game is played, so the last error is that of the folder.
        home.write(&format!("tournaments/{name}.toml"), &text);
        home.write("blocked", "");
        let agents = Path::new(PROJECT).join("agents");
        home.refuses(
            &[
                "tune",
                &format!("tournaments/{name}.toml"),
                "--agents",
                &agents.to_string_lossy(),
                "--results",
                "blocked",
                "-q",
            ],
            "blocked",
        );
    }
}

/// Answers are sent one by one, so an optimiser that waits for each answer gets it.
#[test]
fn answers_come_at_once() {
    let home = workspace();
    let mut child = home
        .command("tune tournaments/picks.toml --external -q")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("started");
    let mut input = child.stdin.take().expect("piped");
    let mut output = BufReader::new(child.stdout.take().expect("piped")).lines();
    let mut hear = || output.next().expect("a line").expect("readable");
    assert!(hear().starts_with("{\"space\":"));
    for id in 0..3 {
        writeln!(input, "{}", ask(id, "uniform", 2)).expect("written");
        assert!(hear().starts_with(&format!("{{\"tell\":{{\"id\":{id},")));
    }
    child.kill().expect("killed");
    let _ = child.wait().expect("gone");
}
