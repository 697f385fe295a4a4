//! Games with people, by lines.

use std::io::Write as _;
use std::process::Stdio;

use patchwork_test_support::program::{
    Workspace, catches_interrupts, expect_in, program, signal, success, text, wait_until,
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
    expect_in(&shown, "is a program of its own or a person");
    assert!(shown.contains("human (first) advances"));
    assert!(
        home.ok(&["report", dir, "--format", "html"])
            .contains("human")
    );
    let arguments = format!("analyze {dir} 1 --agent greedy-regret");
    assert!(home.ok(&arguments).contains("human"));
}

#[test]
fn people_play_nowhere_else() {
    let home = Workspace::new();
    home.write("agents/me.toml", "type = \"human\"\n");
    home.refuses("match me random", "me is a person");
    home.refuses("match random human", "human is a person");
    home.write("agents/typo.toml", "type = \"hum\"\n");
    let sentence = home.refused("match random typo");
    let expected = "type: unknown value \"hum\"; expected random, greedy, flat, alpha-beta, mcts or external\n";
    assert!(sentence.ends_with(expected), "{sentence}");
    home.refuses("play human human", "SECOND: expected an agent");
    home.refuses("play human nobody", "there is no agent 'nobody'");
    let adviser = "play human random --adviser nobody";
    home.refuses(adviser, "there is no agent 'nobody'");
    let name = ["play", "human", "random", "--save", "../x"];
    home.refuses(&name, "'../x' cannot be the name of a folder");
    assert!(!home.path("results").exists(), "nothing is written");
    // A folder with other games is not touched.
    home.ok("match random greedy-regret --pairs 1 --quiet --save mine");
    let other = "play human random --save mine --seed 9";
    home.refuses(other, "results/mine");
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
        .command("play human random")
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
    expect_in(&said, "the game is not over and is not kept");
    drop(input);
    assert!(!home.path("results").exists(), "nothing is written");
}
