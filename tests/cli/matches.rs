//! `match`.

use crate::support::program::{AGENTS, Workspace};

#[test]
fn matches_are_played_and_kept_when_asked() {
    let home = Workspace::new();
    let report = home.ok(&[
        "match",
        "greedy-regret",
        "random",
        "--pairs",
        "5",
        "--quiet",
        "--full",
    ]);
    assert!(
        report.contains("greedy-regret against random: 10 games"),
        "{report}"
    );
    assert!(home.path("results/matches").is_dir());
    let other = ["match", "random", "greedy-regret", "--pairs", "1", "-q"];
    // Below results/matches, both orders of the agents have one folder.
    let other = home.ok(&[&other[..], &["--no-save"]].concat());
    assert!(
        other.contains("random against greedy-regret: 2 games"),
        "{other}"
    );
    let saved = home.ok(&[
        "match",
        "greedy-regret",
        "random",
        "--pairs",
        "5",
        "--save",
        "duel",
        "--full",
    ]);
    // Everything except the times is the same again.
    let pairing = |report: &str| {
        let line = report
            .lines()
            .find(|line| line.starts_with("greedy-regret  random"));
        line.expect("the pairing").to_owned()
    };
    assert_eq!(pairing(&saved), pairing(&report));
    assert!(
        home.ok(&["replay", "results/duel", "9"])
            .contains("the bytes agree")
    );
    let by_file = home.ok(&[
        "match",
        "agents/greedy-regret.toml",
        "random",
        "--pairs",
        "5",
        "--quiet",
        "--full",
    ]);
    assert_eq!(by_file.lines().next(), report.lines().next());
    // A game with a time budget cannot be replayed, but it can be checked.
    let fast = home.text("agents/mcts-fast.toml");
    home.write(
        "agents/timed.toml",
        &fast.replace("iterations = 30", "milliseconds = 2"),
    );
    home.ok(&[
        "match", "timed", "random", "--pairs", "1", "--save", "timed", "-q",
    ]);
    let replayed = home.ok(&["replay", "results/timed", "1"]);
    assert!(
        replayed.contains("time budget") && replayed.contains("legal game"),
        "{replayed}"
    );
    assert!(
        home.refused(&["match", "random", "random"])
            .contains("comes twice")
    );
    assert!(
        home.refused(&["match", "random", "rndom"])
            .contains("did you mean random?")
    );
    home.write("agents/my bot.toml", "type = \"random\"\n");
    let sentence = home.refused(&["match", "my bot", "random"]);
    assert!(
        sentence.contains(
            "my bot.toml: an agent is named as its file: expected letters, digits, '-', '_' and '.'"
        ),
        "{sentence}"
    );
    std::fs::remove_file(home.path("agents/my bot.toml")).expect("removed");
    for seed in ["18446744073709551615", "-1", "x"] {
        let sentence = home.refused(&["match", "random", "greedy-inorder", "--seed", seed]);
        assert!(
            sentence.contains("expected a whole number from 0 to 9223372036854775807"),
            "{sentence}"
        );
    }
    assert!(
        home.refused(&["match", "random", "mcts-fast", "--save", "a/b"])
            .contains("--save")
    );
    let list = home.ok(&["agents", "list"]);
    for name in AGENTS {
        assert!(list.contains(name), "{list}");
    }
}

/// Settings survive the manifest unchanged, to the last bit.
#[test]
fn odd_numbers_in_agent_files_survive() {
    let home = Workspace::new();
    let good = home.text("agents/mcts-uniform.toml");
    for (i, number) in [
        "1.6094379124341003",
        "0.9234015847884877",
        "1.4000000000000001",
        "0.1",
    ]
    .iter()
    .enumerate()
    {
        let name = format!("odd{i}");
        let agent = format!("{good}\n[search]\nexploration = {number}\n");
        home.write(&format!("agents/{name}.toml"), &agent);
        home.ok(&[
            "match", &name, "random", "--pairs", "1", "--save", &name, "-q",
        ]);
        home.ok(&[
            "match", &name, "random", "--pairs", "1", "--save", &name, "-q",
        ]);
        let replayed = home.ok(&["replay", &format!("results/{name}"), "1"]);
        assert!(replayed.contains("the bytes agree"), "{replayed}");
    }
}
