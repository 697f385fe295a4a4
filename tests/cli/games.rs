//! `verify` of files of games, and `bench perft`.

use std::fs;
use std::process::Command;

use patchwork_test_support::program::{PROJECT, Workspace, binary, text};

/// Games of an independent program.
fn independent_games() -> String {
    format!("{PROJECT}/tests/data/random-games.tsv.gz")
}

/// A workspace with a small tournament that has been played, and its games in a format.
fn exported(format: &str) -> (Workspace, String) {
    let home = Workspace::played();
    let games = home.ok(&format!("export results/small --format {format}"));
    (home, games)
}

type Change<'a> = &'a dyn Fn(&str) -> String;

/// The first two games of a table, with a change to a column of the first.
fn changed(table: &str, column: usize, change: Change<'_>) -> String {
    let lines: Vec<&str> = table.lines().collect();
    let mut fields: Vec<String> = lines[1].split('\t').map(str::to_owned).collect();
    fields[column] = change(&fields[column]);
    format!("{}\n{}\n{}\n", lines[0], fields.join("\t"), lines[2])
}

/// The first game of a PGN file, and the first two.
fn first_two(pgn: &str) -> (&str, String) {
    let (first, rest) = pgn.split_once("\n[Event").expect("60 games");
    let second = rest.split("\n[Event").next().expect("a game");
    (first, format!("{first}\n[Event{second}"))
}

/// Checks a file of two games, in the first of which a mismatch is found at this line.
fn expect_mismatch(home: &Workspace, file: &str, content: &str, line: u32, expected: &str) {
    home.write(file, content);
    let output = home.run(&["verify", file]);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert_eq!(text(&output.stdout), "2 games, 1 mismatch\n");
    assert!(
        message.starts_with(&format!("line {line}: ")) && message.contains(expected),
        "{message}"
    );
}

/// Checks that a file is refused by a sentence that names it.
fn expect_refusal(home: &Workspace, file: &str, content: &str, expected: &str) {
    home.write(file, content);
    home.refuses(&["verify", file], &format!("{file} ... {expected}"));
}

#[test]
fn games_of_an_independent_program_follow_the_rules() {
    let found = Workspace::new().ok(&["verify", &independent_games()]);
    assert_eq!(found, "100 games, 0 mismatches\n");
}

#[test]
fn mismatches_in_tables_are_named() {
    let (home, table) = exported("tsv");
    let mismatches: [(usize, Change<'_>, &str); 9] = [
        (2, &|actions| format!("S:a1 {actions}"), "ply 1"),
        (
            2,
            &|actions| actions.rsplit_once(' ').expect("two").0.to_owned(),
            "more numbers",
        ),
        (2, &|actions| format!("{actions} A"), "ply"),
        (2, &|actions| format!("Q {actions}"), "'Q' is not an action"),
        (3, &|counts| format!("1 {counts}"), "ply 1"),
        (3, &|counts| format!("{counts} 1"), "more numbers"),
        (4, &|scores| format!("{scores}0"), "scores"),
        (
            5,
            &|winner| (if winner == "first" { "second" } else { "first" }).to_owned(),
            "winner",
        ),
        (
            6,
            &|bonus| (if bonus == "-" { "first" } else { "-" }).to_owned(),
            "bonus_7x7",
        ),
    ];
    for (column, change, expected) in mismatches {
        let content = changed(&table, column, change);
        expect_mismatch(&home, "games.tsv", &content, 2, expected);
    }
}

#[test]
fn tables_that_cannot_be_read_are_refused() {
    let (home, table) = exported("tsv");
    let head = table.lines().next().expect("names of columns");
    let bad = [
        (changed(&table, 0, &|_| "orignal".into()), "line 2"),
        (changed(&table, 1, &|ring| ring[2..].to_owned()), "line 2"),
        (changed(&table, 4, &|_| "1\t2".into()), "columns"),
        (
            head.replace("actions", "moves"),
            "no column is named actions",
        ),
        (String::new(), "is empty"),
    ];
    for (content, expected) in bad {
        expect_refusal(&home, "games.tsv", &content, expected);
    }
}

/// The columns that define a game are required; those that describe it are optional.
#[test]
fn tables_may_lack_columns_and_have_them_in_any_order() {
    let (home, table) = exported("tsv");
    let lines: Vec<&str> = table.lines().collect();
    let part = |columns: &[usize], separator: &str| -> String {
        let rows = lines.iter().map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            let cells: Vec<&str> = columns.iter().map(|&column| cells[column]).collect();
            cells.join(separator) + "\n"
        });
        rows.collect()
    };
    let games = lines.len() - 1;
    for text in [part(&[2, 0, 1], "\t"), part(&[5, 1, 2, 0], ",")] {
        home.write("games.csv", &text);
        let found = home.ok("verify games.csv");
        assert_eq!(found, format!("{games} games, 0 mismatches\n"));
    }
}

#[test]
fn mismatches_in_pgn_are_named() {
    let (home, pgn) = exported("pgn");
    let (first, two) = first_two(&pgn);
    let (old, new) = if first.contains("[Result \"1-0\"]") {
        ("1-0", "0-1")
    } else {
        ("0-1", "1-0")
    };
    let mismatches = [
        (
            two.replacen("1. ", "1... ", 1),
            "ply 1 is the first player's",
        ),
        (two.replacen("[Score \"", "[Score \"1", 1), "scores"),
        (two.replacen("[Bonus \"", "[Bonus \"x", 1), "bonus_7x7"),
        (first.replace(old, new) + &two[first.len()..], "winner"),
    ];
    for (content, expected) in mismatches {
        expect_mismatch(&home, "games.pgn", &content, 1, expected);
    }
}

#[test]
fn pgn_that_cannot_be_read_is_refused() {
    let (home, pgn) = exported("pgn");
    let (_, two) = first_two(&pgn);
    let bad = [
        (two.replacen(" 2.", " 2. A 4.", 1), "out of order"),
        (two.replacen("1. ", "1. Q ", 1), "'Q' is not part of a game"),
        (two.replace("[Track \"original\"]\n", ""), "no header Track"),
        (
            two.replace("original", "orignal"),
            "'orignal' is not a track",
        ),
        (two.replacen("[Ring \"", "[Ring \"1 ", 1), "comes twice"),
        (
            two.replacen("[First", "First", 1),
            "'First' is not part of a game",
        ),
        (two.replacen("1. ", "1. A {never ", 1), "does not end"),
        (
            two.trim_end().trim_end_matches(['0', '1', '-']).to_owned(),
            "has no end",
        ),
        ("{ a comment alone }".to_owned(), "no game"),
    ];
    for (content, expected) in bad {
        expect_refusal(&home, "games.pgn", &content, expected);
    }
}

#[test]
fn broken_archives_and_folders_are_refused() {
    let home = Workspace::new();
    let gzip = fs::read(independent_games()).expect("readable");
    fs::write(home.path("half.tsv.gz"), &gzip[..gzip.len() / 2]).expect("written");
    home.refuses("verify half.tsv.gz", "half.tsv.gz");
    home.refuses("verify agents", "agents");
}

#[test]
fn perft_counts_from_the_command_line() {
    let home = Workspace::new();
    let table = include_str!("../../crates/engine/tests/data/perft.tsv");
    let mut ring = String::new();
    for line in table.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [track, of_line, actions, one, two] = columns[..] else {
            panic!("five columns: {line}");
        };
        ring = of_line.to_owned();
        let counts = home.ok(&format!(
            "bench perft 2 --track {track} --ring '{of_line}' --actions '{actions}'"
        ));
        assert_eq!(counts, format!("1\t{one}\n2\t{two}\n"));
    }
    home.refuses(
        &[
            "bench",
            "perft",
            "1",
            "--ring",
            &ring,
            "--actions",
            "A S:a1",
        ],
        "--actions: ply 2",
    );
    home.refuses(
        &["bench", "perft", "1", "--ring", &ring, "--actions", "17:z1"],
        "--actions ... 'z1'",
    );
    home.refuses(
        &["bench", "perft", "1", "--ring", &ring[3..]],
        "--ring ... missing",
    );
}

#[cfg(unix)]
#[test]
fn games_are_read_from_a_pipe() {
    let home = Workspace::new();
    let script = "cat \"$1\" | \"$0\" verify /dev/stdin";
    let output = Command::new("sh")
        .args(["-c", script, &binary()])
        .arg(format!("{PROJECT}/tests/data/random-games.tsv.gz"))
        .current_dir(home.path(""))
        .output()
        .expect("started");
    assert_eq!(text(&output.stdout), "100 games, 0 mismatches\n");
}
