//! `bench` and the help.

use std::path::Path;

use crate::support::program::{PROJECT, Workspace};

#[test]
fn the_bench_signature_is_that_of_this_version() {
    let home = Workspace::new();
    let json = home.json(&["bench", "--json"]);
    // If this number changes, play has changed: say so in the commit.
    assert_eq!(json["signature"], "3b03055455154671");
    let rates = &json["mcts_iterations_per_s"];
    let rates = ["mcts-uniform", "mcts-fast-1", "mcts-regret-1"].map(|agent| &rates[agent]);
    for rate in [&json["random_games_per_s"], &json["rollouts_per_s"]]
        .into_iter()
        .chain(rates)
    {
        assert!(rate.as_f64().expect("a number") > 0.0);
    }
}

#[test]
fn every_subcommand_has_help_with_an_example() {
    let home = Workspace::new();
    let commands: [&[&str]; 29] = [
        &["tune"],
        &["selfplay"],
        &["learn"],
        &["plan"],
        &["import"],
        &["verify"],
        &["init"],
        &["completions"],
        &["man"],
        &["web"],
        &["play"],
        &["analyze"],
        &["rate"],
        &["sprt"],
        &["packing"],
        &["agents", "strategies"],
        &["characterize"],
        &["run"],
        &["match"],
        &["report"],
        &["export"],
        &["replay"],
        &["agents"],
        &["agents", "list"],
        &["agents", "check"],
        &["agents", "serve"],
        &["check-games"],
        &["perft"],
        &["bench"],
    ];
    for command in commands {
        let help = home.ok(&[command, &["--help"]].concat());
        assert!(
            help.contains("Example") && help.contains("  patchwork-arena "),
            "{help}"
        );
        // The files that it names are shipped.
        let words = help.split(|c: char| c.is_whitespace() || "'\"".contains(c));
        for file in words.filter(|word| word.starts_with("tournaments/")) {
            assert!(Path::new(PROJECT).join(file).exists(), "{file}: {help}");
        }
    }
    assert!(home.ok(&["--help"]).contains("check-games"));
}

#[cfg(not(feature = "cluster"))]
#[test]
fn a_program_without_fleets_says_how_one_with_them_is_built() {
    let home = Workspace::new();
    let nats = ["--nats", "nats://localhost"];
    for command in [
        &["cluster", "worker"][..],
        &["tune", "tournaments/small.toml"],
        &["match", "random", "greedy-inorder", "--save", "m"],
    ] {
        let sentence = home.refused(&[command, &nats].concat());
        let expected = "this program was built without fleets; build it with `cargo build --release --features cluster`";
        assert!(sentence.contains(expected), "{sentence}");
    }
    for command in ["tune", "match"] {
        let help = home.ok(&[command, "--help"]);
        assert!(!help.contains("nats"), "{help}");
    }
    assert!(!home.ok(&["--help"]).contains("cluster"));
    home.ok(&["man", "pages"]);
    assert!(!home.path("pages/patchwork-arena-cluster.1").exists());
}

#[test]
fn completions_and_manual_pages_know_every_subcommand() {
    let home = Workspace::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = home.ok(&["completions", shell]);
        assert!(
            script.contains("check-games") && script.contains("sprt"),
            "{shell}"
        );
    }
    assert!(home.refused(&["completions", "csh"]).contains("csh"));
    let said = home.ok(&["man", "pages"]);
    assert!(said.contains("pages/patchwork-arena.1"), "{said}");
    for page in ["", "-run", "-check-games", "-agents-list"] {
        let page = home.text(&format!("pages/patchwork-arena{page}.1"));
        assert!(page.contains(".TH") && page.contains(".SH"), "{page}");
    }
}
