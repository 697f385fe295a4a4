//! `report`.

use std::fs;

use serde_json::Value;

use crate::support::program::{Desk, small, text};

#[test]
fn ring_books_are_rings_that_were_played() {
    let desk = Desk::new();
    desk.write(
        "tournaments/cheap.toml",
        "name = \"cheap\"\nagents = [\"random\", \"greedy-inorder\"]\npairs = 60\n",
    );
    desk.ok(&["run", "tournaments/cheap.toml", "--quiet"]);
    let book = |more: &[&str]| {
        let arguments = ["report", "results/cheap", "--ring-book", "rings.txt"];
        assert_eq!(desk.ok(&[&arguments[..], more].concat()), "");
        let book = text(&desk.read("rings.txt"));
        assert!(book.starts_with("# "), "{book}");
        let lines = book.lines().filter(|line| !line.starts_with('#'));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let all = book(&[]);
    assert_eq!(all.len(), 60);
    let games = desk.ok(&["export", "results/cheap", "--format", "tsv"]);
    for line in &all {
        let fields: Vec<&str> = line.split('\t').collect();
        assert_eq!((fields[0], fields[1].split(' ').count()), ("original", 33));
        assert_eq!(games.matches(fields[1]).count(), 2);
    }
    assert_eq!(book(&["--most", "7"]), &all[..7]);
    assert_eq!(book(&["--rings", "balanced", "--most", "3"]).len(), 3);
    // There is no end to a ring book that cannot be made: the old file stays.
    desk.write("tournaments/two.toml", &small("two", 1));
    let none = "report results/two --ring-book rings.txt --rings first";
    desk.ok(&["run", "tournaments/two.toml", "--quiet"]);
    let before = desk.read("rings.txt");
    let refused = desk.refused(&none.split(' ').collect::<Vec<_>>());
    assert!(refused.contains("ring"), "{refused}");
    assert_eq!(desk.read("rings.txt"), before);
}

#[test]
fn reports_of_hardly_any_games_have_no_odd_numbers() {
    let desk = Desk::new();
    desk.write(
        "tournaments/one.toml",
        "name = \"one\"\nagents = [\"random\", \"greedy-regret\"]\npairs = 5\n",
    );
    desk.ok(&["run", "tournaments/one.toml", "--quiet"]);
    let games = desk.path("results/one/games.bin");
    let whole = fs::read(&games).expect("readable");
    let frames: Vec<usize> = (8..whole.len())
        .filter(|&at| whole[at..].starts_with(&[0xF5, 0x67, 0xD2, 0x9B]))
        .collect();
    assert_eq!(frames.len(), 10);
    for (count, end) in [
        (0, frames[0]),
        (1, frames[1]),
        (2, frames[2]),
        (10, whole.len()),
    ] {
        fs::write(&games, &whole[..end]).expect("written");
        let report = desk.ok(&["report", "results/one"]);
        let json = desk.ok(&["report", "results/one", "--format", "json"]);
        let parsed: Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!(parsed["games"], count);
        let mut texts = vec![report, json];
        for table in ["ratings", "first-player", "branching", "patches", "rings"] {
            let arguments = ["report", "results/one", "--format", "csv", "--table", table];
            texts.push(desk.ok(&arguments));
        }
        for text in texts {
            assert!(!text.contains("NaN") && !text.contains("inf,"), "{text}");
        }
        for format in ["jsonl", "tsv", "pgn"] {
            desk.ok(&["export", "results/one", "--format", format]);
        }
        if count < 2 {
            let refused = desk.refused(&["report", "results/one", "--ring-book", "rings.txt"]);
            assert!(refused.contains("no ring has been played"), "{refused}");
        }
    }
    for (arguments, expected) in [
        (&["--format", "xml"][..], "text, json, csv"),
        (&["--format", "csv", "--table", "rating"], "ratings"),
        (&["--table", "rings"], "--format csv"),
        (&["--rings", "first"], "--ring-book"),
        (&["--ring-book", "r.txt", "--most", "0"], "0 is not in 1.."),
        (&["--ring-book", "no/such/folder"], "no/such/folder"),
    ] {
        let sentence = desk.refused(&[&["report", "results/one"], arguments].concat());
        assert!(sentence.contains(expected), "{sentence}");
    }
}
