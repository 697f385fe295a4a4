//! Tuning with games played by a fleet.

use crate::fleet::{Fleet, Process, Server};
use patchwork_test_support::bots::{script, write_bot};
use patchwork_test_support::program::{Workspace, expect_in, wait_until};

/// A search whose best value is much better than the base, so that all proofs are played.
const PICKS: &str = r#"name = "picks"
base = "mcts-fast-1{rollout.pick=uniform}"
pairs = 40
equal = "budget"
[budget]
iterations = 4
[space]
"rollout.pick" = ["greedy", "uniform", "softmax"]
"rollout.temperature" = { values = [0.5, 2.0], when = { "rollout.pick" = "softmax" } }
[proof]
elo1 = 100
pairs = 60
slow_pairs = 2
"#;

const FILES: [&str; 6] = [
    "tuning.json",
    "candidates.csv",
    "importance.csv",
    "effects.csv",
    "convergence.csv",
    "best.toml",
];

/// A search on a fleet that notices losses at once.
const TUNE: [&str; 9] = [
    "tune",
    "tournaments/picks.toml",
    "-q",
    "--ack-wait",
    "3",
    "--audit",
    "1",
    "--window",
    "6",
];

/// The search on one machine in the folder `once`, and a server.
fn fleet_and_search(search: &str) -> Option<Fleet> {
    let file = "name = 't'\nseed = 5\ntrack = 'original'\nagents = ['random', 'greedy-inorder']\npairs = 1\n";
    let fleet = Fleet::of(file, |_| ())?;
    fleet.home.write("tournaments/picks.toml", search);
    let once = "tune tournaments/picks.toml -q --results once";
    fleet.home.ok(once);
    Some(fleet)
}

/// The results of a search in a folder, without measurements.
fn outcome(home: &Workspace, results: &str) -> Vec<(String, String)> {
    let file = |name: &str| format!("{results}/picks/{name}");
    let mut all: Vec<_> = FILES
        .iter()
        .map(|name| (name.to_string(), home.text(&file(name))))
        .collect();
    // At equal time, the budget is the measured time.
    for folder in ["picks", "picks/proof", "picks/slow"] {
        let games = [
            "export",
            &format!("{results}/{folder}"),
            "--format",
            "jsonl",
        ];
        all.push((folder.to_owned(), home.ok(&games)));
    }
    all
}

fn is_same(home: &Workspace) {
    for (fleet, once) in outcome(home, "results").iter().zip(outcome(home, "once")) {
        assert_eq!(*fleet, once);
    }
}

/// Who played the games of the search.
fn deliveries(home: &Workspace) -> Vec<String> {
    home.deliveries("results/picks")
}

fn ends_well(search: Process) -> String {
    let (code, out, err) = search.end();
    assert_eq!(code, Some(0), "{err}");
    out
}

#[test]
fn a_search_on_a_fleet_finds_what_one_machine_finds() {
    let Some(fleet) = fleet_and_search(PICKS) else {
        return;
    };
    let _workers = ["w1", "w2"].map(|name| fleet.worker(name));
    let report = ends_well(fleet.spawn(&TUNE));
    assert!(report.contains("is better than mcts-fast-1"), "{report}");
    is_same(&fleet.home);
    // Who played is stored beside the games, whose names contain commas.
    let games = fleet.home.export("results/picks");
    let beside = deliveries(&fleet.home);
    assert_eq!(beside.len(), games.lines().count());
    let by_both = |line: &String| [",w1,", ",w2,"].iter().any(|by| line.contains(by));
    assert!(beside.iter().all(by_both), "{beside:?}");
    assert!(
        beside.iter().any(|line| line.starts_with("mcts-fast-1{")),
        "{beside:?}"
    );
    // Nothing is played again, so the fleet is not needed.
    let again = fleet.home.ok(&TUNE[..3]);
    let until_times = |report: &str| report.split("At equal time").next().map(str::to_owned);
    assert_eq!(until_times(&again), until_times(&report));
    assert_eq!(deliveries(&fleet.home).len(), beside.len());
}

#[test]
fn searches_and_workers_that_are_killed_come_to_the_same() {
    let Some(fleet) = fleet_and_search(PICKS) else {
        return;
    };
    let mut worker = fleet.worker("w0");
    let mut search = fleet.spawn(&TUNE);
    let reached = |games: usize| {
        wait_until("games are stored", || {
            deliveries(&fleet.home).len() >= games
        });
    };
    for (number, games) in [(1, 7), (2, 31)] {
        reached(games);
        worker.signal("-KILL");
        worker = fleet.worker(&format!("w{number}"));
        reached(games + 5);
        search.signal("-KILL");
        drop(search);
        search = fleet.spawn(&[&TUNE[..], &["--take-over"]].concat());
    }
    ends_well(search);
    is_same(&fleet.home);
    drop(worker);
}

#[test]
fn a_search_that_is_stopped_says_how_it_goes_on() {
    // The search cannot end before it is stopped.
    let search = PICKS.replace("pairs = 40", "pairs = 1000000");
    let home = Workspace::new();
    let Some(server) =
        Server::configured(&home, "authorization { user: fleet, password: secret }\n")
    else {
        return;
    };
    home.write("tournaments/picks.toml", &search);
    let url = server.url().replace("nats://", "nats://fleet:secret@");
    let _worker = Process::spawn(home.command(&format!("fleet worker -q --nats {url}")));
    let search = Process::spawn(home.command(&[&TUNE[..], &["--nats", &url]].concat()));
    wait_until("games are stored", || !deliveries(&home).is_empty());
    search.signal("-INT");
    let (code, _, err) = search.end();
    assert_eq!(code, Some(130), "{err}");
    expect_in(
        &err,
        "Stopped: the games are saved in results/picks. To resume:\n  ",
    );
    assert!(err.contains(&format!("--nats {}", server.url())), "{err}");
    assert!(!err.contains("secret"), "{err}");
}

#[test]
fn opponents_that_are_programs_play_only_where_they_may() {
    let home = |home: &Workspace| write_bot(home, "bot", &script("", "echo legal"), "");
    let file = "name = 't'\nseed = 5\ntrack = 'original'\nagents = ['bot', 'random']\npairs = 1\n";
    let Some(fleet) = Fleet::of(file, home) else {
        return;
    };
    let search = PICKS
        .replace("pairs = 40", "opponents = [\"bot\"]\npairs = 6")
        .replace("pairs = 60", "pairs = 2");
    fleet.home.write("tournaments/picks.toml", &search);
    let once = ["tune", "tournaments/picks.toml", "-q", "--results", "once"];
    fleet.home.ok(&once);
    let search = fleet.spawn(&TUNE);
    let (code, _, err) = fleet.worker("w").end();
    assert_eq!(code, Some(2), "{err}");
    let sentence = "the fleet's tournament picks has the agent bot, which starts another program";
    assert!(err.contains(sentence), "{err}");
    let _worker = fleet.worker_of_bots("w");
    ends_well(search);
    for file in &FILES[..5] {
        let read = |results: &str| fleet.home.text(&format!("{results}/picks/{file}"));
        assert_eq!(read("results"), read("once"), "{file}");
    }
}

#[test]
fn a_server_that_is_not_there_gets_one_sentence_before_anything_is_written() {
    let home = Workspace::new();
    home.write("tournaments/picks.toml", PICKS);
    let url = format!("nats://user:secret@127.0.0.1:{}", crate::fleet::free_port());
    let sentence = home.refused(&["tune", "tournaments/picks.toml", "-q", "--nats", &url]);
    assert!(
        sentence.starts_with("error: --nats: nats://127.0.0.1:"),
        "{sentence}"
    );
    assert!(!home.path("results").exists());
    home.refuses("tune tournaments/picks.toml --fleet other", "--nats");
}
