//! The program outside the project: shipped agents are built in, and `init` writes files to start from.

use std::fs;

use patchwork_test_support::program::{expect_in, program, rows, success, text};

#[test]
fn shipped_agents_are_found_in_an_empty_folder_and_give_way_to_files() {
    let home = tempfile::tempdir().expect("a folder for the test");
    let run = |line: &str| {
        let mut command = program(line);
        command.current_dir(home.path()).output().expect("started")
    };
    let ok = |line: &str| success(&[line], &run(line));

    let said = ok("match champion mcts-fast --pairs 1 --quiet --set budget.iterations=5");
    expect_in(&said, "champion ... 2 games");
    ok("play random greedy-regret --quiet");
    let shown = ok("agents show mcts-fast");
    assert!(shown.contains("iterations = 1000"), "{shown}");
    let champion = ok("agents show champion");
    assert!(champion.contains("\n# 60000 games: "), "{champion}");
    // Frozen versions are found by their names. Lists and patterns leave them out.
    let (listed, frozen) = (ok("agents list"), ok("agents list --archive"));
    assert!(listed.contains("mcts-regret-wide") && !listed.contains("mcts-regret-wide-1"));
    assert!(frozen.contains("mcts-regret-wide-1") && !frozen.contains("mcts-uniform"));
    assert!(ok("agents show mcts-fast-1").contains("iterations = 1000"));
    let output = run("match random mcts-*-1 --pairs 1");
    assert_eq!(output.status.code(), Some(2));
    let file = home.path().join("one.toml");
    fs::write(
        &file,
        "name = \"one\"\npairs = 1\nagents = [\"greedy-*\", \"random\"]\n",
    )
    .expect("written");
    ok("run one.toml --quiet");
    assert!(home.path().join("results/one/summary.json").is_file());

    // With --agents, nothing else is searched.
    fs::create_dir(home.path().join("agents")).expect("created");
    let refused = "match random mcts-fast --agents agents";
    let output = run(refused);
    assert_eq!(output.status.code(), Some(2));
    let sentence = text(&output.stderr);
    expect_in(&sentence, "there is no agent 'random' in agents");

    // A file hides the shipped agent with its name, and may extend a shipped agent.
    let mine = "description = \"mine\"\ntype = \"random\"\n";
    fs::write(home.path().join("agents/mcts-fast.toml"), mine).expect("written");
    let other = "extends = \"mcts-regret\"\nbudget.iterations = 7\n";
    fs::write(home.path().join("agents/other.toml"), other).expect("written");
    let shown = ok("agents show mcts-fast");
    assert!(shown.contains("type = \"random\""), "{shown}");
    let shown = ok("agents show other");
    expect_in(&shown, "iterations = 7 ... type = \"mcts\"");
    let listed = ok("agents list");
    let lines: Vec<&str> = listed
        .lines()
        .filter(|line| line.starts_with("mcts-fast "))
        .collect();
    assert!(
        matches!(lines[..], [line] if line.contains("mine")),
        "{listed}"
    );
}

#[test]
fn init_writes_files_that_play_and_overwrites_nothing() {
    let home = tempfile::tempdir().expect("a folder for the test");
    let run = |line: &str| {
        let mut command = program(line);
        command.current_dir(home.path()).output().expect("started")
    };
    let said = success(&["init"], &run("init new"));
    let next = "Next: cd 'new' && patchwork-arena run tournaments/my-tournament.toml";
    assert_eq!(said.lines().last(), Some(next));
    assert_eq!(
        said.lines()
            .filter(|line| line.starts_with("wrote new/"))
            .count(),
        7
    );

    // The first line of each file names its schema.
    for file in [
        "agents/my-search",
        "agents/my-greedy",
        "tournaments/my-tournament",
        "tournaments/my-tuning",
    ] {
        let file = home.path().join(format!("new/{file}.toml"));
        let text = fs::read_to_string(&file).expect("written");
        let line = text.lines().next().unwrap_or_default();
        let schema = line
            .strip_prefix("#:schema ")
            .expect("the name of a schema");
        assert!(
            file.parent().expect("a folder").join(schema).is_file(),
            "{line}"
        );
    }
    for [subcommand, file, games] in rows(
        "
        run => tournaments/my-tournament.toml => 200 games
        tune => tournaments/my-tuning.toml => at most 400 games
    ",
    ) {
        let mut command = program(&[subcommand, file, "--dry-run"]);
        command.current_dir(home.path().join("new"));
        let output = command.output().expect("started");
        let plan = success(&[subcommand], &output);
        assert!(plan.contains(games), "{plan}");
    }

    let file = home.path().join("new/agents/my-greedy.toml");
    fs::write(&file, "mine").expect("written");
    fs::remove_file(home.path().join("new/agents/my-search.toml")).expect("removed");
    let said = success(&["init"], &run("init new"));
    assert!(said.contains("kept  new/agents/my-greedy.toml"), "{said}");
    assert!(said.contains("wrote new/agents/my-search.toml"), "{said}");
    assert_eq!(fs::read(&file).expect("kept"), b"mine");

    fs::write(home.path().join("file"), "").expect("written");
    let output = run("init file");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("file/agents/my-search.toml: cannot be written"));
}
