//! Mistakes in tournament and agent files are reported in one sentence.

use std::fs;

use patchwork_test_support::program::{Workspace, small, text};

#[test]
fn mistakes_in_tournament_files_get_one_sentence() {
    let home = Workspace::new();
    home.write(
        "agents/broken.toml",
        "type = \"mcts\"\n[budget]\niterations = 0\n",
    );
    fs::create_dir(home.path("more")).expect("created");
    home.write("more/random.toml", "type = \"random\"\n");
    let file = "tournaments/bad.toml";
    let good = small("bad", 2);
    let agents = |list: &str| good.replace("[\"random\", \"greedy-*\", \"mcts-*\"]", list);
    let cases: Vec<(String, &[&str])> = vec![
        (
            agents("[\"random\", \"mcts-fsat\"]"),
            &["agents", "mcts-fsat", "did you mean mcts-fast?"],
        ),
        (agents("[]"), &["agents", "expected at least two"]),
        (agents("[\"random\"]"), &["agents", "expected at least two"]),
        (
            agents("[\"random\", \"random\"]"),
            &["agents", "random comes twice"],
        ),
        (
            // Globs may overlap: this is one agent.
            agents("[\"random\", \"rand*\", \"r*\"]"),
            &["agents", "expected at least two"],
        ),
        (
            agents("[\"random\", \"../more/random.toml\"]"),
            &["agents", "random comes twice"],
        ),
        (
            agents("[\"random\", \"no-*\"]"),
            &["agents", "no agent matches 'no-*'"],
        ),
        (agents("[\"random\", \"a[\"]"), &["agents", "'"]),
        (
            agents("[\"random\", \"no/such.toml\"]"),
            &["agents", "no/such.toml"],
        ),
        (agents("[\"random\", \"\"]"), &["agents"]),
        (agents("\"random\""), &["agents", "expected a list"]),
        (agents("[\"random\", 3]"), &["agents", "expected a string"]),
        (
            agents("[\"random\", \"broken\"]"),
            &["agents/broken.toml", "budget.iterations", "found 0"],
        ),
        (
            good.replace("pairs = 2", "pairs = 0"),
            &["pairs", "found 0"],
        ),
        (
            good.replace("pairs = 2", "pairs = -2"),
            &["pairs", "found -2"],
        ),
        (good.replace("pairs = 2", "pairs = 2.5"), &["pairs", "2.5"]),
        (
            good.replace("pairs = 2", "pairs = 4000000000"),
            &["pairs", "expected at most"],
        ),
        (good.replace("pairs = 2", ""), &["missing key `pairs`"]),
        (
            good.replace("pairs", "pears"),
            &["unknown key `pears`", "did you mean pairs?"],
        ),
        (
            good.replace("\"original\"", "\"orignal\""),
            &["track", "did you mean original?"],
        ),
        (good.replace("seed = 5", "seed = -5"), &["seed", "-5"]),
        (good.replace("\"bad\"", "\"../bad\""), &["name", "../bad"]),
        (good.replace("\"bad\"", "\"\""), &["name", "''"]),
        (good.replace("\"bad\"", "7"), &["name", "expected a string"]),
        (
            "type = \"random\"\n".into(),
            &[
                "bad.toml:1: type: a key of agent files",
                "match",
                "expected a tournament file",
            ],
        ),
        (
            "base = \"random\"\n[space]\n".into(),
            &[
                "bad.toml:2: space: a key of tuning files",
                "`patchwork-arena tune`",
            ],
        ),
        (
            "agent = \"random\"\ngames = 1\n".into(),
            &[
                "bad.toml:1: agent: a key of self-play files",
                "learn selfplay",
            ],
        ),
        (String::new(), &["missing key `name`"]),
        (
            good.replace("seed = 5", "seed = -1"),
            &["bad.toml:2: seed: expected a whole number from 0 to 9223372036854775807, found -1"],
        ),
        (
            good.replace("seed = 5", "seed = 18446744073709551615"),
            &[
                "bad.toml:2: seed: 18446744073709551615 is out of range",
                "expected a whole number from 0 to 9223372036854775807",
            ],
        ),
        (
            good.replace("pairs = 2", &format!("pairs = [1, 1{}]", "0".repeat(60))),
            &["bad.toml:6: pairs: 10000", "is out of range"],
        ),
        ("{}}".into(), &["bad.toml:1: not valid TOML"]),
        ("\0\0".into(), &["not valid TOML"]),
    ];
    for (content, expected) in cases {
        home.write(file, &content);
        let sentence = home.refused(&["run", file]);
        for part in expected {
            assert!(
                sentence.contains(part),
                "{content}\n{sentence} lacks {part}"
            );
        }
        assert!(sentence.contains(".toml"), "{sentence}");
    }
    fs::write(home.path(file), b"name = \"\xff\"").expect("written");
    assert!(home.refused(&["run", file]).contains(file));
    for other in ["tournaments", "no-such-file.toml"] {
        assert!(home.refused(&["run", other]).contains(other));
    }
    for threads in ["0", "-1", "x", "100000"] {
        let threads = format!("--threads={threads}");
        let sentence = home.refused(&["run", "tournaments/small.toml", &threads]);
        assert!(sentence.contains("--threads"), "{sentence}");
    }
    assert!(home.refused(&["rnu", "x.toml"]).contains("'rnu'"));
    assert!(home.refused(&["run"]).contains("<FILE>"));
    assert!(!home.path("results").exists(), "nothing is written");
}

#[test]
fn all_mistakes_of_a_file_are_told_with_their_lines() {
    let home = Workspace::new();
    home.write(
        "agents/broken.toml",
        "type = \"mcts\"\n[budget]\niterations = 0\n[expansion]\nstrategy = \"x\"\n[rollout]\nstrategy = 7\n",
    );
    let told = |file: &str, content: &str| {
        home.write(file, content);
        let output = home.run(&["run", file]);
        assert_eq!(output.status.code(), Some(2));
        text(&output.stderr)
    };
    let said = told(
        "tournaments/bad.toml",
        "name = \"a/b\"\nseed = 1\ngames = 3\nagents = [\"randm\", \"no-*\", \"broken\"]\nrings = \"no.tsv\"\n",
    );
    for part in [
        "  tournaments/bad.toml:1: name: 'a/b'",
        "  tournaments/bad.toml:3: unknown key `games`",
        "  tournaments/bad.toml:4: agents: there is no agent 'randm'",
        "  tournaments/bad.toml:4: agents: no agent matches 'no-*'",
        "agents/broken.toml:3: budget.iterations: ",
        "agents/broken.toml:5: expansion.strategy: ",
        "agents/broken.toml:7: rollout.strategy: ",
        "  tournaments/bad.toml:5: rings: there is no file no.tsv",
    ] {
        assert!(said.contains(part), "{said} lacks {part}");
    }
    assert!(said.starts_with("error: 8 mistakes\n"), "{said}");
    assert!(!said.contains("did you mean name?"), "{said}");
    let said = told(
        "tournaments/types.toml",
        "name = 3\nseed = \"x\"\npairs = -1\ntrack = \"no\"\nagents = 5\n[sprt]\nelo0 = \"a\"\nelo1 = 5\n",
    );
    assert!(said.starts_with("error: 6 mistakes\n"), "{said}");
    for line in [1, 2, 3, 4, 5, 7] {
        assert!(
            said.contains(&format!("  tournaments/types.toml:{line}: ")),
            "{said}"
        );
    }
    let said = told(
        "tournaments/sweep.toml",
        "name = \"s\"\npairs = 1\n[sweep]\nbase = \"mcts-fast\"\n[sweep.keys]\n\"search.exploration\" = []\n\
         \"rollout.strategy\" = 3\n",
    );
    assert!(said.starts_with("error: 2 mistakes\n"), "{said}");
    assert!(
        said.contains("sweep.toml:6: ") && said.contains("sweep.toml:7: "),
        "{said}"
    );
    let many: String = (0..20).map(|i| format!("key{i} = 1\n")).collect();
    let said = told(
        "tournaments/many.toml",
        &format!("name = \"m\"\npairs = 1\nagents = [\"random\"]\n{many}"),
    );
    assert!(
        said.contains("\n  and 1") && said.lines().count() == 12,
        "{said}"
    );
}

#[test]
fn mistakes_in_agent_files_get_one_sentence() {
    let home = Workspace::new();
    let good = include_str!("../../agents/archive/mcts-regret-1.toml").replace("= 1000", "= 30");
    let cases: Vec<(String, &[&str])> = vec![
        (
            good.replace("iterations = 30", "iteratons = 30"),
            &["budget", "did you mean iterations?"],
        ),
        (
            good.replace("iterations = 30", "iterations = \"many\""),
            &["budget.iterations", "many"],
        ),
        (
            good.replace("iterations = 30", ""),
            &["budget", "milliseconds"],
        ),
        (
            good.replace("iterations = 30", "iterations = 3\nmilliseconds = 3"),
            &["budget", "more than one"],
        ),
        (
            good.replace("iterations = 30", "milliseconds = -3"),
            &["budget.milliseconds", "-3"],
        ),
        (
            good.replace("bl-lb/", "bllb/"),
            &["expansion.strategy", "did you mean bl-lb?"],
        ),
        (
            good.replace("/every/", "/all/"),
            &["expansion.strategy", "some or every"],
        ),
        (
            good.replace("/regret\"", "/regrets\""),
            &["mine.toml:9: expansion.strategy", "did you mean regret?"],
        ),
        (
            good.replace("\"greedy\"", "\"greddy\""),
            &["rollout.pick", "did you mean greedy?"],
        ),
        (
            good.replace("\"greedy\"", "\"epsilon-greedy\""),
            &["rollout.epsilon", "0 to 1"],
        ),
        (
            good.replace(
                "pick = \"greedy\"",
                "pick = \"epsilon-greedy\"\nepsilon = 1.5",
            ),
            &["rollout.epsilon", "1.5"],
        ),
        (
            good.replace("pick = \"greedy\"", "pick = \"greedy\"\nepsilon = 0.1"),
            &["epsilon"],
        ),
        (
            format!("{good}\n[search]\nexploration = -1.0\n"),
            &["search.exploration", "-1"],
        ),
        (
            format!("{good}\n[search]\nexploration = nan\n"),
            &["search.exploration"],
        ),
        (
            format!("{good}\n[search]\nvalue = \"winn\"\n"),
            &["search.value", "did you mean win?"],
        ),
        (
            format!("{good}\n[search]\nmargin_scale = 3.0\n"),
            &["search.margin_scale"],
        ),
        (
            format!("{good}\n[search]\nvalue = \"margin\"\nmargin_scale = 0.0\n"),
            &["margin_scale"],
        ),
        (
            format!("{good}\n[expansion.prior]\ndecay = 2.0\n"),
            &[
                "mine.toml",
                "expansion.prior: requires search.select = \"puct\"",
            ],
        ),
        (
            good.replace("\"mcts\"", "\"mtcs\""),
            &["type", "did you mean mcts?"],
        ),
        (
            good.replace("type = \"mcts\"", "type = 3"),
            &["type", "found a value of type integer"],
        ),
        (good.replace("type = \"mcts\"", ""), &["missing key `type`"]),
        (
            "type = \"random\"\nseed = 3\n".into(),
            &["unknown key `seed`"],
        ),
        (
            good.replace("[rollout]", "[rolout]"),
            &["unknown key `rolout`", "did you mean rollout?"],
        ),
    ];
    for (content, expected) in cases {
        home.write("agents/mine.toml", &content);
        let sentence = home.refused(&["match", "random", "mine"]);
        for part in ["agents/mine.toml"].iter().chain(expected) {
            assert!(
                sentence.contains(part),
                "{content}\n{sentence} lacks {part}"
            );
        }
    }
    let output = home.run(&["agents", "list"]);
    assert_eq!(output.status.code(), Some(2), "one file is bad");
    assert!(
        text(&output.stdout).contains("mcts-fast"),
        "the others are listed"
    );
    assert!(text(&output.stderr).contains("agents/mine.toml"));
}
