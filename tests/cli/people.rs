//! Games with people, by lines.

use std::io::Write as _;
use std::process::Stdio;

use patchwork_test_support::program::{
    Workspace, catches_interrupts, program, signal, success, text, wait_until, words,
};

#[test]
fn a_game_by_lines_is_kept_and_understood_by_the_other_commands() {
    let home = Workspace::new();
    let arguments = [
        "play",
        "human",
        "greedy-regret",
        "--adviser",
        "greedy-inorder",
    ];
    let mut child = home
        .command(&arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("started");
    let mut input = child.stdin.take().expect("piped");
    // One of these actions is legal and continues the game; the others are answered with an error.
    let mut lines = "nonsense\nhint\nlegal\nA\nundo\n".to_owned();
    let squares = (b'a'..=b'i').flat_map(|c| (1..=9).map(move |r| format!("S:{}{r}\n", c as char)));
    let squares: String = squares.collect();
    for _ in 0..60 {
        lines += "A\n";
        lines += &squares;
    }
    // The game is over before the last line is read.
    let _ = input.write_all(lines.as_bytes());
    drop(input);
    let output = child.wait_with_output().expect("ended");
    let said = success(&arguments, &output);
    for part in [
        "'nonsense' is not an action",
        "greedy-inorder would play",
        "Took back your last move.",
        "greedy-regret (second) wins",
        "Kept as game 1 of results/human-greedy-regret.",
    ] {
        assert!(said.contains(part), "no {part}");
    }
    let dir = "results/human-greedy-regret";
    let shown = home.ok(&["analyze", "replay", dir, "1", "--show"]);
    assert!(
        shown.contains("is a program of its own or a person"),
        "{shown}"
    );
    assert!(shown.contains("human (first) advances"));
    assert!(
        home.ok(&["report", dir, "--format", "html"])
            .contains("human")
    );
    let arguments = ["analyze", dir, "1", "--agent", "greedy-regret"];
    assert!(home.ok(&arguments).contains("human"));
}

#[test]
fn people_play_nowhere_else() {
    let home = Workspace::new();
    home.write("agents/me.toml", "type = \"human\"\n");
    let sentence = home.refused(&["match", "me", "random"]);
    assert!(sentence.contains("me is a person"), "{sentence}");
    let sentence = home.refused(&["match", "random", "human"]);
    assert!(sentence.contains("human is a person"), "{sentence}");
    home.write("agents/typo.toml", "type = \"hum\"\n");
    let sentence = home.refused(&["match", "random", "typo"]);
    let expected = "type: unknown value \"hum\"; expected random, greedy, flat, alpha-beta, mcts or external\n";
    assert!(sentence.ends_with(expected), "{sentence}");
    assert!(
        home.refused(&["play", "human", "human"])
            .contains("SECOND: expected an agent")
    );
    assert!(
        home.refused(&["play", "human", "nobody"])
            .contains("there is no agent 'nobody'")
    );
    let adviser = ["play", "human", "random", "--adviser", "nobody"];
    assert!(
        home.refused(&adviser)
            .contains("there is no agent 'nobody'")
    );
    let name = ["play", "human", "random", "--save", "../x"];
    assert!(
        home.refused(&name)
            .contains("'../x' cannot be the name of a folder")
    );
    assert!(!home.path("results").exists(), "nothing is written");
    // A folder with other games is not touched.
    home.ok(&words(
        "match random greedy-regret --pairs 1 --quiet --save mine",
    ));
    let other = ["play", "human", "random", "--save", "mine", "--seed", "9"];
    assert!(home.refused(&other).contains("results/mine"));
    let arguments = ["play", "human", "random"];
    let output = program(&arguments)
        .current_dir(home.path(""))
        .output()
        .expect("started");
    assert_eq!(
        output.status.code(),
        Some(130),
        "no input: the game is not over"
    );
}

#[test]
#[cfg(target_os = "linux")]
fn ctrl_c_ends_a_game_while_a_line_is_awaited() {
    let home = Workspace::new();
    let mut child = home
        .command(&["play", "human", "random"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("started");
    // The input stays open: nobody types anything.
    let input = child.stdin.take();
    wait_until("it listens for Ctrl-C", || catches_interrupts(&child));
    signal(&child, "-INT");
    let output = child.wait_with_output().expect("ended");
    assert_eq!(output.status.code(), Some(130));
    let said = text(&output.stderr);
    assert!(
        said.contains("the game is not over and is not kept"),
        "{said}"
    );
    drop(input);
    assert!(!home.path("results").exists(), "nothing is written");
}
