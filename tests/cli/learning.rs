//! `learn selfplay`, `learn` and agents with a network.

use std::fs;

use patchwork_test_support::program::{Workspace, expect_in, rows, text};

const PLAN: &str = "agent = \"mcts-fast\"\ngames = 8\nbudget = { iterations = 30 }\n";
const AGENT: &str =
    "extends = \"mcts-estimate\"\nestimate = \"../small.net\"\n[budget]\niterations = 60\n";

/// Self-play games, and a network trained on them.
fn learned(home: &Workspace) -> String {
    home.write("plan.toml", PLAN);
    home.ok("learn selfplay plan.toml --output games.selfplay -q");
    home.ok("learn games.selfplay --output small.net -q --held-out 4")
}

#[test]
fn an_agent_plays_with_what_was_learned() {
    let home = Workspace::new();
    let card = learned(&home);
    assert!(card.starts_with("8 games: games.selfplay\n"), "{card}");
    assert!(card.contains("\n0.00 to 1.00 "), "{card}");
    home.write("agents/learner.toml", AGENT);
    let shown = home.ok("agents show learner");
    assert!(shown.contains("small.net#"), "{shown}");
    let keys = "agents = [\"learner\", \"random\"]\npairs = 2\n";
    home.write("tournaments/t.toml", &format!("name = \"t\"\n{keys}"));
    let report = home.ok("run tournaments/t.toml -q");
    assert!(report.contains("learner"), "{report}");
    home.ok("verify results/t --sample 4 -q");
    // The report does not need the network; playing more games does.
    fs::remove_file(home.path("small.net")).expect("removed");
    home.ok("report results/t");
    home.refuses(
        "run tournaments/t.toml -q",
        "small.net: the network cannot be read",
    );
}

#[test]
fn games_and_networks_are_the_same_on_any_number_of_threads_and_after_a_stop() {
    let home = Workspace::new();
    learned(&home);
    let (games, net) = (home.read("games.selfplay"), home.read("small.net"));
    fs::write(home.path("again.selfplay"), &games[..games.len() / 3]).expect("written");
    let play = "learn selfplay plan.toml -o again.selfplay --threads 3";
    let output = home.run(play);
    assert!(output.status.success());
    assert!(text(&output.stdout).contains("again.selfplay holds 8 games"));
    assert_eq!(home.read("again.selfplay"), games);
    fs::rename(home.path("again.selfplay"), home.path("games.selfplay")).expect("renamed");
    for threads in ["1", "3"] {
        let arguments = "learn games.selfplay -o other.net -q --held-out 4";
        home.ok(&format!("{arguments} --threads {threads}"));
        assert_eq!(home.read("other.net"), net, "{threads}");
    }
}

#[test]
fn mistakes_are_sentences() {
    let home = Workspace::new();
    learned(&home);
    let plan = |text: &str| {
        home.write("plan.toml", text);
        home.refused("learn selfplay plan.toml -o new.selfplay -q")
    };
    for [text, expected] in rows(
        r#"
        games = 3 => missing
        agent = "mcts-fast"\ngames = 0 => plan.toml:2: games
        agent = "no-such"\ngames = 3 => no-such
        agent = "mcts-*"\ngames = 3 => agent: 'mcts-*' matches several agents
        agent = "champion"\ngames = 3 => agent: its games depend on time
        agent = "random"\ngames = 3\nopening = { share = 2.0 } => opening.share: expected a number from 0 to 1, found 2
        agent = "random"\ngames = 3\nopening = { plies = 999 } => found 999
        agent = "random"\ngames = 3\nmoves = 1 => unknown key `moves`
    "#,
    ) {
        let sentence = plan(text);
        assert!(sentence.contains(expected), "{text}: {sentence}");
        assert!(!home.path("new.selfplay").exists(), "{text}");
    }
    home.refuses("learn selfplay plan.toml -o games.selfplay -q", "moves");
    home.write("plan.toml", "agent = \"random\"\ngames = 3\n");
    home.refuses(
        "learn selfplay plan.toml -o games.selfplay -q",
        "games.selfplay: the file has games of another plan",
    );

    let learn = |files: &str| home.refused(&format!("learn -o x.net -q {files}"));
    assert!(learn("no.selfplay").contains("no.selfplay: "));
    assert!(learn("plan.toml").contains("plan.toml: the file has no self-play games"));
    assert!(
        learn("games.selfplay --outcome nan").contains("--outcome: expected a number from 0 to 1")
    );
    assert!(learn("games.selfplay --rate 0").contains("--rate: expected a number above 0"));
    let twice = learn("games.selfplay ./games.selfplay");
    assert!(twice.contains("./games.selfplay: given twice"), "{twice}");
    let before = home.read("games.selfplay");
    for [target, expected] in rows(
        "
        games.selfplay => games.selfplay: is also read
        nowhere/x.net => nowhere/x.net: there is no folder nowhere
        agents => agents: is a folder
    ",
    ) {
        home.refuses(&["learn", "games.selfplay", "-o", target, "-q"], expected);
    }
    assert_eq!(home.read("games.selfplay"), before);
    fs::write(home.path("torn.selfplay"), &before[..before.len() - 1]).expect("written");
    let output = home.run("learn torn.selfplay -o x.net --held-out 4");
    let said = text(&output.stderr);
    assert!(
        output.status.success() && said.contains("torn.selfplay: an incomplete game"),
        "{said}"
    );
    fs::write(home.path("torn.selfplay"), &before[..40]).expect("written");
    let none = learn("torn.selfplay");
    expect_in(&none, "torn.selfplay: there are no positions to learn from");
    let mut games = home.read("games.selfplay");
    games[18] = 2;
    fs::write(home.path("later.selfplay"), &games).expect("written");
    let expected = "later.selfplay: the file has version 2; this program reads version 1";
    assert!(learn("later.selfplay").contains(expected));
    games[18] = 1;
    games[100] ^= 1;
    fs::write(home.path("bad.selfplay"), games).expect("written");
    assert!(learn("bad.selfplay").contains("bad.selfplay: game 1 is damaged"));

    home.write("agents/learner.toml", AGENT);
    let net = home.read("small.net");
    let agent = |bytes: &[u8]| {
        fs::write(home.path("small.net"), bytes).expect("written");
        home.refused("agents show learner")
    };
    for (bytes, expected) in [
        (&net[..net.len() - 1], "the network is damaged"),
        (b"name = 'x'", "the file is not a network"),
        (
            &[&net[..14], &[9, 0, 0, 0], &net[18..]].concat(),
            "the network has version 9",
        ),
        (
            &[&net[..18], &[9, 0, 0, 0], &net[22..]].concat(),
            "the network has 9 weights",
        ),
    ] {
        let sentence = agent(bytes);
        assert!(sentence.contains("learner.toml"), "{sentence}");
        assert!(sentence.contains("estimate: "), "{sentence}");
        assert!(sentence.contains(expected), "{sentence}");
    }
}
