//! `match`.

use patchwork_test_support::program::{AGENTS, Workspace, expect_in};

#[test]
fn matches_are_played_and_kept_when_asked() {
    let home = Workspace::new();
    let report = home.ok("match greedy-regret random --pairs 5 --quiet --full");
    expect_in(&report, "greedy-regret against random: 10 games");
    assert!(home.path("results/matches").is_dir());
    // Below results/matches, both orders of the agents have one folder.
    let other = home.ok("match random greedy-regret --pairs 1 -q --no-save");
    expect_in(&other, "random against greedy-regret: 2 games");
    let saved = home.ok("match greedy-regret random --pairs 5 --save duel --full");
    // Everything except the times is the same again.
    let pairing = |report: &str| {
        let line = report
            .lines()
            .find(|line| line.starts_with("greedy-regret  random"));
        line.expect("the pairing").to_owned()
    };
    assert_eq!(pairing(&saved), pairing(&report));
    assert!(
        home.ok("analyze replay results/duel 9")
            .contains("the bytes agree")
    );
    let by_file = home.ok("match agents/greedy-regret.toml random --pairs 5 --quiet --full");
    assert_eq!(by_file.lines().next(), report.lines().next());
    // A game with a time budget cannot be replayed, but it can be checked.
    let fast = home.text("agents/mcts-fast.toml");
    home.write(
        "agents/timed.toml",
        &fast.replace("iterations = 30", "milliseconds = 2"),
    );
    home.ok("match timed random --pairs 1 --save timed -q");
    let replayed = home.ok("analyze replay results/timed 1");
    expect_in(&replayed, "time budget ... legal game");
    home.refuses("match random rndom", "did you mean random?");
    home.write("agents/my bot.toml", "type = \"random\"\n");
    home.refuses(
        &["match", "my bot", "random"],
        "my bot.toml: an agent is named as its file: expected letters, digits, '-', '_' and '.'",
    );
    std::fs::remove_file(home.path("agents/my bot.toml")).expect("removed");
    for seed in ["18446744073709551615", "-1", "x"] {
        home.refuses(
            &["match", "random", "greedy-inorder", "--seed", seed],
            "expected a whole number from 0 to 9223372036854775807",
        );
    }
    home.refuses("match random mcts-fast --save a/b", "--save");
    let list = home.ok("agents list");
    for name in AGENTS {
        assert!(list.contains(name), "{list}");
    }
}

/// Settings survive the manifest unchanged, to the last bit.
#[test]
#[ignore = "many processes"]
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
        home.ok(&format!("match {name} random --pairs 1 --save {name} -q"));
        home.ok(&format!("match {name} random --pairs 1 --save {name} -q"));
        let replayed = home.ok(&["analyze", "replay", &format!("results/{name}"), "1"]);
        assert!(replayed.contains("the bytes agree"), "{replayed}");
    }
}

/// The first line is the difference in the order of the arguments, at every width.
#[test]
fn a_match_begins_with_its_answer() {
    let home = Workspace::new();
    let answer = |a: &str, b: &str, columns: &str| {
        let args = format!("match {a} {b} --pairs 10 --quiet --no-save");
        let output = home.command(&args).env("COLUMNS", columns).output();
        let text = String::from_utf8(output.expect("run").stdout).expect("UTF-8");
        let end = text.find(" against ").expect("a heading");
        let words: Vec<&str> = text[..end].split_whitespace().collect();
        words.join(" ")
    };
    let wide = answer("greedy-regret", "random", "200");
    assert!(wide.starts_with('+'), "{wide}");
    for part in [
        "for greedy-regret minus random: LOS ",
        ", score ",
        ", 10 pairs",
    ] {
        assert!(wide.contains(part), "{wide}");
    }
    assert_eq!(answer("greedy-regret", "random", "40"), wide);
    let turned = answer("random", "greedy-regret", "80");
    assert!(turned.starts_with('\u{2212}'), "{turned}");
    expect_in(&turned, "for random minus greedy-regret");
}

#[test]
fn an_agent_plays_a_copy_of_itself() {
    let home = Workspace::new();
    let mirror = "match random random --pairs 5 --save null";
    let first = home.ok(&format!("{mirror} --quiet"));
    assert!(first.contains("for random minus random (2): "), "{first}");
    expect_in(&first, "random against random (2): 10 games");
    assert!(!first.contains("played the same moves"), "{first}");
    let verified = home.ok("verify results/null --sample 10");
    assert!(verified.contains("10 games"), "{verified}");
    assert_eq!(
        home.ok("report results/null").lines().next(),
        first.lines().next()
    );
}

#[test]
fn a_budget_is_for_the_agents_that_have_one() {
    let home = Workspace::new();
    let match_of = |a: &'static str, b: &'static str| {
        let rest = [
            "--pairs",
            "1",
            "--set",
            "budget.iterations=3",
            "--quiet",
            "--no-save",
        ];
        [&["match", a, b][..], &rest].concat()
    };
    let report = home.ok(&match_of("greedy-regret", "mcts-fast"));
    let sides = "greedy-regret against mcts-fast{budget.iterations=3}";
    assert!(report.contains(sides), "{report}");
    home.refuses(
        &match_of("greedy-regret", "random"),
        "budget.iterations=3: no agent here has a budget",
    );
}

/// 0 for H1, 1 for H0, 3 for neither; the calculator has the same.
#[test]
fn the_exit_code_is_the_verdict() {
    let home = Workspace::new();
    let code = |args: &[&str]| home.command(args).output().expect("run").status.code();
    let sides = ["greedy-regret", "random"];
    for ([a, b], test, expected) in [
        (sides, "--sprt=0,100", 0),
        ([sides[1], sides[0]], "--sprt=0,100", 1),
        (sides, "--sprt=0,1", 3),
    ] {
        let args = ["match", a, b, "--pairs", "30", "-q", "--no-save", test];
        assert_eq!(code(&args), Some(expected), "{args:?}");
    }
    for (pairs, expected) in [("0,0,10,0,90", 0), ("90,0,10,0,0", 1), ("1,0,1,0,1", 3)] {
        let args = ["rate", "--pairs", pairs, "--sprt", "0,30"];
        assert_eq!(code(&args), Some(expected), "{pairs}");
    }
}
