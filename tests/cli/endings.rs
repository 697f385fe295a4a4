//! The formats of files by the endings of their names.

use std::fs::File;
use std::io::Read as _;

use flate2::read::MultiGzDecoder;

use patchwork_test_support::program::Workspace;

fn saved() -> Workspace {
    let home = Workspace::new();
    home.save_match(2);
    home
}

fn unpacked(home: &Workspace, name: &str) -> String {
    let mut text = String::new();
    let file = File::open(home.path(name)).expect("written");
    MultiGzDecoder::new(file)
        .read_to_string(&mut text)
        .expect("gzip");
    text
}

#[test]
fn exports_have_the_format_of_their_ending() {
    let home = saved();
    for format in ["jsonl", "tsv", "pgn"] {
        let expected = home.ok(&["export", "results/m", "--format", format]);
        let (plain, packed) = (format!("games.{format}"), format!("GAMES.{format}.GZ"));
        home.ok(&["export", "results/m", "-o", &plain]);
        assert_eq!(home.text(&plain), expected);
        home.ok(&["export", "results/m", "-o", &packed]);
        assert_eq!(unpacked(&home, &packed), expected);
        // What is written is read.
        for file in [&plain, &packed] {
            assert_eq!(home.json(&["rate", file, "--format", "json"])["games"], 4);
            if format != "jsonl" {
                let said = home.ok(&["verify", file]);
                assert_eq!(said, "4 games, 0 mismatches\n");
            }
        }
    }
    let sentence = home.refused(&["export", "results/m", "-o", "games.csv"]);
    assert!(sentence.contains("--table"), "{sentence}");
    let two = ["export", "results/m", "-o", "x.tsv", "--format", "pgn"];
    let sentence = home.refused(&two);
    assert!(
        sentence.contains("x.tsv") && sentence.contains(".pgn"),
        "{sentence}"
    );
    assert!(!home.path("games.csv").exists() && !home.path("x.tsv").exists());
    let sentence = home.refused(&["export", "results/m"]);
    assert!(sentence.contains("--format"), "{sentence}");
    let sentence = home.refused(&["verify", "games.jsonl"]);
    assert!(sentence.contains("holds JSON lines"), "{sentence}");
}

#[test]
fn reports_and_ratings_have_the_format_of_their_ending() {
    let home = saved();
    for (name, source, forms) in [
        ("report", "results/m", &["txt", "json", "csv", "html"][..]),
        ("rate", "results/m", &["txt", "json", "csv"]),
    ] {
        for form in forms {
            let expected = match *form {
                "txt" if name == "rate" => home.ok(&[name, source]),
                // The line about the page is for the terminal.
                "txt" => {
                    let text = home.ok(&[name, source]);
                    text.split("Page: ").next().expect("text").to_owned()
                }
                form => home.ok(&[name, source, "--format", form]),
            };
            let file = format!("x.{form}");
            home.ok(&[name, source, "-o", &file]);
            assert_eq!(home.text(&file), expected, "{name} {form}");
            let file = file + ".gz";
            home.ok(&[name, source, "-o", &file]);
            assert_eq!(unpacked(&home, &file), expected, "{name} {form}");
        }
        let sentence = home.refused(&[name, source, "-o", "x.pdf"]);
        assert!(
            sentence.contains("x.pdf") && sentence.contains(".csv"),
            "{sentence}"
        );
        let sentence = home.refused(&[name, source, "-o", "x.csv", "--format", "json"]);
        assert!(
            sentence.contains("x.csv") && sentence.contains(".json"),
            "{sentence}"
        );
    }
    for (command, table) in [
        ("report", "patches"),
        ("export", "plies"),
        ("export", "games"),
    ] {
        let of = [command, "results/m", "--table", table];
        home.ok(&[&of[..], &["-o", "t.csv"]].concat());
        let printed = home.ok(&[&of[..], &["--format", "csv"]].concat());
        assert_eq!(home.text("t.csv"), printed);
        let sentence = home.refused(&[&of[..], &["-o", "t.json"]].concat());
        assert!(sentence.contains(".csv"), "{sentence}");
    }
}

#[test]
fn names_that_say_otherwise_are_refused() {
    let home = saved();
    home.ok(&["export", "results/m", "-o", "games.pgn"]);
    for (from, to, expected) in [
        ("games.pgn", "games.tsv", ".pgn"),
        ("games.pgn", "games.jsonl", ".pgn"),
        ("tournaments/small.toml", "small.csv", ".toml"),
    ] {
        home.write(to, &home.text(from));
        let command = if to == "small.csv" { "run" } else { "rate" };
        let sentence = home.refused(&[command, to]);
        assert!(
            sentence.contains(to) && sentence.contains(expected),
            "{sentence}"
        );
    }
    // Other names may have any contents.
    for to in ["games", "games.txt", "games.bak"] {
        home.write(to, &home.text("games.pgn"));
        assert_eq!(home.json(&["rate", to, "--format", "json"])["games"], 4);
    }
    let sentence = home.refused(&["run", "tournaments/small.toml", "--plan", "small.plan"]);
    assert!(sentence.contains("ends in .json"), "{sentence}");
}
