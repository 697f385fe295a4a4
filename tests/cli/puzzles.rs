//! The puzzles of the other papers.

use serde_json::Value;

use patchwork_test_support::program::{Workspace, rows, section};

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

fn pentominoes(home: &Workspace, arguments: &[&str]) -> Value {
    let all = [
        &["paper", "puzzle", "pentominoes", "--format", "json"],
        arguments,
    ]
    .concat();
    json(&home.ok(&all))
}

#[test]
fn pentominoes_are_packed_in_three_ways() {
    let home = Workspace::new();
    for (model, failures) in [("basic", 541), ("improved", 541)] {
        let answer = pentominoes(&home, &["--board", "12x5", "--model", model]);
        assert_eq!(answer["failures"], failures);
        assert_eq!(answer["nodes"], 1094);
        assert_eq!(answer["solutions"], 1);
        assert_eq!(answer["complete"], true);
    }
    let all = pentominoes(&home, &["--board", "10x6", "--all", "--model", "bits"]);
    assert_eq!(
        (&all["solutions"], &all["distinct"]),
        (&9356.into(), &2339.into())
    );
    assert!(all["seconds"].as_f64().is_some_and(|seconds| seconds > 0.0));
}

#[test]
fn layouts_are_shown() {
    let home = Workspace::new();
    let board = ["--board", "8x8", "--holes", "d4,e4,d5,e5", "--show"];
    let answer = pentominoes(&home, &[&board[..], &["--model", "bits"]].concat());
    let rows = answer["layouts"][0]["rows"]
        .as_array()
        .expect("rows")
        .clone();
    let rows: Vec<&str> = rows.iter().filter_map(Value::as_str).collect();
    assert_eq!(rows.len(), 8);
    assert_eq!(&rows[3][3..5], "..");
    let pieces = answer["layouts"][0]["pieces"].as_array().expect("pieces");
    assert_eq!(pieces.len(), 12);
    assert_eq!(pieces[0]["squares"].as_array().map(Vec::len), Some(5));
    let text = [
        &["paper", "puzzle", "pentominoes", "--model", "bits"],
        &board[..],
    ]
    .concat();
    let text = home.ok(&text);
    assert!(
        text.starts_with(rows[0]) && text.contains("solutions 1  distinct 1"),
        "{text}"
    );
    // Walls separate the copies of a piece.
    let text =
        home.ok("paper puzzle pentominoes --board 2x2 --pieces 2*XX --all --show --model bits");
    assert!(text.contains("+--+--+"), "{text}");
    assert!(text.contains("solutions 2  distinct 1"), "{text}");
}

#[test]
fn what_pieces_cannot_fill_is_refused() {
    let home = Workspace::new();
    for [arguments, expected] in rows(
        "
        --board 7x7 => --board: the pieces have 60 squares and the board has 49
        --board 10x6 --pieces L,Q => 'Q' is not a piece
        --board 60x1 => --board: 60x1 is not a size; expected 1 to 32
        --board 30x2 => --board: piece F does not fit on the board anywhere
        --board ten => expected rows x columns, such as 10x6
        --board 8x8 --holes d4,e4,d5,k9 => --holes: k9 is not on the board
        --board 8x8 --holes 44 => '44' is not a square
        --board 4x5 --pieces 10*XX => piece A is used more than once
        --table --model bits => --table: expected --model improved or basic
        --all => --board
        ",
    ) {
        home.refuses(&format!("paper puzzle pentominoes {arguments}"), expected);
    }
}

#[test]
fn battleships_are_found_and_generated() {
    let home = Workspace::new();
    let file = "magazine.txt";
    home.write(
        file,
        &section("systems/battleships.txt", "games-1998-08-no1"),
    );
    let answer = home.ok(&format!(
        "paper puzzle battleships {file} --all --format json"
    ));
    let answer = json(&answer);
    assert_eq!(answer["solutions"], 1);
    assert_eq!(answer["first"][2], ".##...#...");
    let without = format!("paper puzzle battleships {file} --all --no-hints --format json");
    assert_eq!(json(&home.ok(&without))["solutions"], 89);

    let small = ["--size", "6x6", "--fleet", "3x1 2x2 1x2"];
    let generate = [
        &["paper", "puzzle", "battleships", "--generate", "7"],
        &small[..],
    ]
    .concat();
    let text = home.ok(&generate);
    assert_eq!(text, home.ok(&generate));
    home.write("made.txt", &text);
    let answer = home.ok("paper puzzle battleships made.txt --all --format json");
    assert_eq!(json(&answer)["solutions"], 1);
    let solved = home.ok("paper puzzle battleships made.txt");
    let picture = solved.split("\n\n").next().expect("a picture");
    assert!(
        text.ends_with(&format!("solution\n{picture}\n")),
        "{text}{solved}"
    );
}

#[test]
fn mistakes_in_battleships_are_refused() {
    let home = Workspace::new();
    let good = "size 3 3\nrows 1 0 1\ncols 1 0 1\nfleet 1x2\ngrid\n...\n...\n...\n";
    home.write("good.txt", good);
    let answer = home.ok("paper puzzle battleships good.txt --all --format json");
    assert_eq!(json(&answer)["solutions"], 2);
    for [from, to, expected] in rows(
        "
        rows 1 0 1 => rows 1 1 1 => the rows have 3 occupied squares
        grid\\n... => grid\\nc.c => the hints show 2 occupied squares in row 1, whose sum is 1
        grid\\n...\\n... => grid\\ncw.\\nc.. => contradicts
        size 3 3 => size 99 3 => expected rows and columns, each 1 to 24
        size 3 3 => sizes 3 3 => line 1: unknown key `sizes`
        ",
    ) {
        home.write("bad.txt", &good.replacen(from, to, 1));
        home.refuses(
            "paper puzzle battleships bad.txt",
            &format!("bad.txt:  ... {expected}"),
        );
    }
    home.refuses("paper puzzle battleships no.txt", "no.txt");
    home.refuses("paper puzzle battleships", "<FILE>");
    let full = "paper puzzle battleships --generate 1 --size 4x4";
    home.refuses(full, "found no place on the 4x4 board");
}
