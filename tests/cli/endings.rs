//! The formats of files by the endings of their names.

use std::fs::File;
use std::io::Read as _;

use flate2::read::MultiGzDecoder;

use patchwork_test_support::program::{Workspace, rows};

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
    home.refuses("export results/m -o games.csv", "--table");
    let two = "export results/m -o x.tsv --format pgn";
    home.refuses(two, "x.tsv ... .pgn");
    assert!(!home.path("games.csv").exists() && !home.path("x.tsv").exists());
    home.refuses("export results/m", "--format");
    home.refuses("verify games.jsonl", "holds JSON lines");
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
        home.refuses(&[name, source, "-o", "x.pdf"], "x.pdf ... .csv");
        home.refuses(
            &[name, source, "-o", "x.csv", "--format", "json"],
            "x.csv ... .json",
        );
    }
    for [command, table] in rows(
        "
        report => patches
        export => plies
        export => games
    ",
    ) {
        let of = format!("{command} results/m --table {table}");
        home.ok(&format!("{of} -o t.csv"));
        let printed = home.ok(&format!("{of} --format csv"));
        assert_eq!(home.text("t.csv"), printed);
        home.refuses(&format!("{of} -o t.json"), ".csv");
    }
}

#[test]
fn names_that_say_otherwise_are_refused() {
    let home = saved();
    home.ok("export results/m -o games.pgn");
    for [from, to, expected] in rows(
        "
        games.pgn => games.tsv => .pgn
        games.pgn => games.jsonl => .pgn
        tournaments/small.toml => small.csv => .toml
    ",
    ) {
        home.write(to, &home.text(from));
        let command = if to == "small.csv" { "run" } else { "rate" };
        home.refuses(&[command, to], &format!("{to} ... {expected}"));
    }
    // Other names may have any contents.
    for to in ["games", "games.txt", "games.bak"] {
        home.write(to, &home.text("games.pgn"));
        assert_eq!(home.json(&["rate", to, "--format", "json"])["games"], 4);
    }
    home.refuses(
        "run tournaments/small.toml --plan small.plan",
        "ends in .json",
    );
}
