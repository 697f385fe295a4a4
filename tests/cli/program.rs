//! `bench` and the help.

use serde_json::Value;

use crate::support::program::Desk;

#[test]
fn the_bench_signature_is_that_of_this_version() {
    let desk = Desk::new();
    let json: Value = serde_json::from_str(&desk.ok(&["bench", "--json"])).expect("JSON");
    // A change of this number is a change of play: say so in the commit.
    assert_eq!(json["signature"], "3b03055455154671");
    let rates = &json["mcts_iterations_per_s"];
    let rates = ["mcts-uniform", "mcts-fast", "mcts-regret"].map(|agent| &rates[agent]);
    for rate in [&json["random_games_per_s"], &json["rollouts_per_s"]]
        .into_iter()
        .chain(rates)
    {
        assert!(rate.as_f64().expect("a number") > 0.0);
    }
}

#[test]
fn every_subcommand_has_help_with_an_example() {
    let desk = Desk::new();
    let commands: [&[&str]; 17] = [
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
        &["check-games"],
        &["perft"],
        &["bench"],
    ];
    for command in commands {
        let help = desk.ok(&[command, &["--help"]].concat());
        assert!(
            help.contains("Example") && help.contains("  patchwork-arena "),
            "{help}"
        );
    }
    assert!(desk.ok(&["--help"]).contains("check-games"));
}
