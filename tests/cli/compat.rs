//! What version 0.1 wrote is read: tests/data/v0.1 has the games that it exported from a results folder, the manifest of the
//! folder, the ledger that an import made of them, and a file of self-play. What this version does not read, it refuses with
//! a sentence.

use std::fs;
use std::path::Path;

use crate::support::program::{PROJECT, Workspace, data, small};

/// `mcts-fast` as it was in version 0.1.
const FAST: &str = include_str!("../../agents/archive/mcts-fast-1.toml");

/// A workspace with the ledger that was made of the games of version 0.1.
fn with_old_folder() -> Workspace {
    let home = Workspace::new();
    fs::create_dir_all(home.path("results/old")).expect("created");
    let ledger = home.ledger_path("results/old");
    fs::copy(data("v0.1/old/games.db"), ledger).expect("copied");
    home
}

#[test]
fn games_of_version_0_1_are_imported_reported_and_continued() {
    let home = with_old_folder();
    let exported = fs::read_to_string(data("v0.1/old.tsv")).expect("readable");
    let export = |results: &str| home.ok(&["export", results, "--format", "tsv"]);
    assert_eq!(export("results/old"), exported);
    // The import can be repeated.
    let [lines, manifest] = ["v0.1/old.jsonl", "v0.1/manifest.json"].map(data);
    let [file, plan] = [&lines, &manifest].map(|path| path.to_str().expect("UTF-8"));
    home.ok(&["import", file, "--tournament", plan, "--into", "again/old"]);
    assert_eq!(export("again/old"), exported);
    let lines = fs::read_to_string(&lines).expect("readable");
    assert_eq!(home.export("again/old"), lines);
    assert_eq!(home.export("results/old"), lines);

    let version = home.report("results/old")["version"].clone();
    assert_eq!(version, "0.1.0");
    assert_ne!(version, env!("CARGO_PKG_VERSION"));
    home.ok(&["verify", "results/old", "--sample", "3", "-q"]);
    // One pair more: the twelve games are there.
    home.write("agents/mcts-fast.toml", FAST);
    let agents = r#"["random", "greedy-inorder", "mcts-fast{budget.iterations=20}"]"#;
    let text =
        format!("name = \"old\"\nseed = 11\nagents = {agents}\npairs = 3\nthoughts = \"top-2\"\n");
    home.write("tournaments/old.toml", &text);
    let said = home.run(&["run", "tournaments/old.toml"]).stderr;
    let said = String::from_utf8_lossy(&said);
    assert!(said.contains("12 of 18 games are there"), "{said}");
    assert_eq!(home.report("results/old")["games"], 18);
}

#[test]
fn a_folder_of_version_0_2_or_older_gets_the_way_to_bring_it_over() {
    let home = Workspace::new();
    home.write("tournaments/old.toml", &small("old", 1));
    fs::create_dir_all(home.path("results/old")).expect("created");
    home.write("results/old/games.bin", "PWGAMES");
    home.write("results/old/manifest.json", "{}");
    for command in [
        &["report", "results/old"][..],
        &["export", "results/old", "--format", "tsv"],
        &["analyze", "replay", "results/old", "0"],
        &["verify", "results/old", "--sample", "1"],
        &["rate", "results/old"],
        &["run", "tournaments/old.toml"],
        &["run", "tournaments/old.toml", "--dry-run"],
        &["import", "results/old", "--into", "new"],
    ] {
        let sentence = home.refused(command);
        assert!(
            sentence.contains("results/old holds games.bin")
                && sentence.contains("export DIR --output games.jsonl")
                && sentence.contains("import games.jsonl"),
            "{command:?}: {sentence}"
        );
    }
    assert_eq!(home.text("results/old/games.bin"), "PWGAMES");
    assert!(!home.ledger_path("results/old").exists());
}

#[test]
fn self_play_and_networks_of_version_0_1_are_continued_and_used() {
    let home = Workspace::new();
    fs::copy(data("v0.1/old.selfplay"), home.path("old.selfplay")).expect("copied");
    home.write("agents/mcts-fast.toml", FAST);
    let plan = "agent = \"mcts-fast\"\ngames = 4\nseed = 3\nbudget = { iterations = 10 }\n";
    home.write("plan.toml", plan);
    let before = home.read("old.selfplay");
    home.ok(&[
        "learn",
        "selfplay",
        "plan.toml",
        "--output",
        "old.selfplay",
        "-q",
    ]);
    assert_eq!(home.read("old.selfplay"), before, "its games are there");
    home.write("plan.toml", &plan.replace("games = 4", "games = 5"));
    home.ok(&[
        "learn",
        "selfplay",
        "plan.toml",
        "--output",
        "old.selfplay",
        "-q",
    ]);
    assert!(home.read("old.selfplay").starts_with(&before));

    // The network of champion-2 is a file of version 0.1, and as a file it is the same agent's network.
    let net = Path::new(PROJECT).join("crates/engine/src/agent/net/learned-2.net");
    fs::copy(net, home.path("agents/old.net")).expect("copied");
    // The action and the value of each ply, without the agent's name and times.
    let decisions = |estimate: &str| -> Vec<[String; 2]> {
        let agent =
            format!("mcts-fast{{budget.iterations=20, rollout.depth=0, estimate='{estimate}'}}");
        let said = home.ok(&["play", &agent, "random", "--seed", "5"]);
        let rows = said.lines().map(|line| line.split_whitespace().collect());
        rows.filter(|row: &Vec<&str>| row.get(1).is_some_and(|seat| *seat == "first"))
            .map(|row| [row[3].to_owned(), row[4].to_owned()])
            .collect()
    };
    let from_file = decisions("old.net");
    assert!(from_file.len() > 10, "{from_file:?}");
    assert_eq!(from_file, decisions("learned-2"));
}

#[test]
fn what_a_later_version_wrote_is_refused_with_a_sentence() {
    let home = with_old_folder();
    home.write("tournaments/old.toml", &small("old", 1));
    let before = home.manifest("results/old");
    let ledger = home.ledger("results/old");
    ledger.pragma_update(None, "user_version", 9).expect("set");
    drop(ledger);
    for command in [
        &["report", "results/old"][..],
        &["run", "tournaments/old.toml"],
        &["import", "results/old", "--into", "new"],
    ] {
        let sentence = home.refused(command);
        let expected =
            "results/old/games.db has tables of version 9, and this program reads version 2";
        assert!(sentence.contains(expected), "{sentence}");
    }
    assert_eq!(home.manifest("results/old"), before);

    let change = |file: &str, at: usize, byte: u8| {
        let mut bytes = home.read(file);
        bytes[at] = byte;
        fs::write(home.path(file), bytes).expect("written");
    };
    fs::copy(data("v0.1/old.selfplay"), home.path("new.selfplay")).expect("copied");
    change("new.selfplay", 18, 2);
    let sentence = home.refused(&["learn", "new.selfplay", "--output", "x.net"]);
    let expected = "new.selfplay: the file has version 2; this program reads version 1";
    assert!(sentence.contains(expected), "{sentence}");

    let net = Path::new(PROJECT).join("crates/engine/src/agent/net/learned-2.net");
    fs::copy(net, home.path("agents/new.net")).expect("copied");
    change("agents/new.net", 14, 2);
    let agent = "mcts-fast{estimate='new.net'}";
    let sentence = home.refused(&["play", agent, "random"]);
    let expected = "new.net: the network has version 2; this program reads version 1";
    assert!(sentence.contains(expected), "{sentence}");
}

#[cfg(unix)]
#[test]
fn a_bot_of_a_later_protocol_is_refused_with_a_sentence() {
    let home = Workspace::new();
    let bot = crate::support::bots::script("", "echo unused");
    let bot = bot.replace("patchworkok 1", "patchworkok 2");
    crate::support::bots::write_bot(&home, "later", &bot, "");
    let said = home.run(&["agents", "check", "--", "agents/later.sh"]);
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    let expected = "it speaks version 2 of the protocol; expected 1";
    assert!(said.contains(expected), "{said}");
}
