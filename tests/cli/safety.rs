//! Hostile names and careless paths do no harm, and programs can read the state of a run.

use std::fs;

use patchwork_tournament::replay::replay;
use patchwork_tournament::{Results, TournamentError};
use serde_json::Value;

use patchwork_test_support::program::{Workspace, expect_in, text};

#[test]
fn files_of_the_store_are_never_overwritten() {
    let home = Workspace::new();
    home.save_match(2);
    let before = home.read("results/m/games.db");
    // While a ledger is open, the two other files belong to it.
    let targets = [
        "results/m/games.db",
        "results/m/games.db-wal",
        "results/m/games.db-shm",
        "results/../results/m/games.db",
    ];
    for target in targets {
        for (command, format) in [("export", "tsv"), ("report", "text")] {
            home.refuses(
                &[command, "results/m", "--format", format, "-o", target],
                &format!("{target} ... choose another file"),
            );
        }
    }
    if cfg!(unix) {
        #[cfg(unix)]
        std::os::unix::fs::symlink("results/m/games.db", home.path("link")).expect("linked");
        home.refuses(
            "export results/m --format tsv -o link",
            "choose another file",
        );
    }
    assert!(before == home.read("results/m/games.db"));
    assert_eq!(home.ledger_files("results/m"), ["games.db"]);
    // A plan does not replace the file that it is made from.
    home.write(
        "t.toml",
        "name = 't'\nagents = ['random', 'greedy-inorder']\npairs = 1\n",
    );
    home.refuses("run t.toml --plan ./t.toml", "./t.toml: is also read");
    assert!(home.text("t.toml").starts_with("name"));
    // What is not a results folder is not replaced by one.
    fs::create_dir(home.path("mine")).expect("made");
    home.write("mine/note", "");
    home.refuses(
        "import results/m --into mine",
        "mine: cannot be made: there is something else",
    );
    assert!(!home.path(".mine.unfinished").exists());
    // Other files in the folder, and files with these names elsewhere, belong to the user.
    home.ok("export results/m --format tsv -o results/m/games.tsv");
    home.ok("export results/m --format tsv -o games.db");
    home.ok("report results/m -o results/m/report.html");
}

#[test]
fn nothing_hostile_reaches_the_terminal() {
    let home = Workspace::new();
    home.save_match(2);
    let evil = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{9b}31m\r\u{202e}";
    let json = format!("{:?}", "x").replace('x', "\\u001b]0;owned\\u0007\\u001b[2J");
    home.write(
        "t.tsv",
        &format!("first\tsecond\twinner\nA{evil}\tb\tfirst\nb\tA{evil}\tfirst\n"),
    );
    home.write(
        "t.jsonl",
        &format!("{{\"first\": {json}, \"second\": \"b\", \"winner\": \"b\"}}\n"),
    );
    home.write(
        "bad.tsv",
        &format!("first\tsecond\twinner\n{evil}\tb\t{evil}x\n"),
    );
    home.write(
        "games.tsv",
        &format!("track\tring\tactions\n{evil}\t1\tA\n"),
    );
    home.write("book.tsv", &format!("{evil}\t1 2 3\n"));
    home.write(
        &format!("agents/a{}.toml", "\u{1b}[31m"),
        "type = \"random\"\n",
    );
    home.write(
        "agents/odd.toml",
        "type = \"random\"\ndescription = \"\\u001B[31mred\\u0007\"\n",
    );
    home.write(
        "tournaments/evil.toml",
        "name = \"\\u001B[2Jx\"\nagents = [\"\\u001B[31m\", \"random\"]\npairs = 1\n",
    );
    fs::create_dir(home.path("results/e")).expect("created");
    fs::copy(home.ledger_path("results/m"), home.ledger_path("results/e")).expect("copied");
    let manifest = home.manifest("results/m");
    let named = manifest.replacen("\"random against greedy-inorder\"", &json.to_string(), 1);
    assert_ne!(named, manifest);
    home.set_manifest("results/e", &named);
    let commands: &[&[&str]] = &[
        &["rate", "t.tsv"],
        &["rate", "t.tsv", "--format", "json"],
        &["rate", "t.jsonl"],
        &["rate", "bad.tsv"],
        &["rate", "t.tsv", "--anchor", "\u{1b}[31m"],
        &["verify", "games.tsv"],
        &[
            "match", "random", "odd", "--pairs", "1", "--rings", "book.tsv",
        ],
        &["match", "random", "\u{1b}[31m"],
        &["match", "random", "odd{\u{1b}[31m=1}"],
        &["play", "odd", "random", "--show"],
        &["play", "odd", "random", "--set", "\u{1b}[31m=1"],
        &["analyze", "--agent", "odd", "--quiet"],
        &["agents", "list"],
        &["agents", "show", "odd"],
        &["run", "tournaments/evil.toml"],
        &["run", "\u{1b}[31m.toml"],
        &["report", "results/e"],
        &["report", "results/e", "--format", "json"],
        &["analyze", "replay", "results/e", "0", "--show"],
        &["analyze", "replay", "results/e", "\u{1b}[31m"],
        &["export", "results/\u{1b}[31m", "--format", "pgn"],
        &["\u{1b}[31m"],
    ];
    for command in commands {
        let output = home.run(*command);
        for bytes in [&output.stdout, &output.stderr] {
            let printed = text(bytes);
            let hostile = |c: char| (c.is_control() && c != '\n' && c != '\t') || c == '\u{202e}';
            assert!(!printed.contains(hostile), "{command:?}: {printed:?}");
        }
    }
    // Data is written unchanged.
    let csv = home.ok("rate t.tsv --format csv");
    assert!(csv.contains(&format!("A{evil}")), "{csv:?}");
    let json = home.json("rate t.tsv --format json");
    let names = json["ratings"].as_array().expect("ratings").iter();
    assert!(
        names.clone().any(|row| row["agent"] == format!("A{evil}")),
        "{json}"
    );
    let sentence = text(&home.run("agents list").stderr);
    assert!(sentence.contains("expected letters, digits"), "{sentence}");
}

#[test]
fn an_export_of_an_unfinished_tournament_says_so() {
    let home = Workspace::new();
    home.play_small("t", 1);
    let output = home.run("export results/t --format jsonl");
    assert_eq!(text(&output.stderr), "");
    let games = text(&output.stdout).lines().count();
    home.keep_games("results/t", games - 1);
    let output = home.run("export results/t --format jsonl");
    let expected = format!(
        "results/t: the tournament is not finished: {} of {games} games\n",
        games - 1
    );
    assert_eq!(text(&output.stderr), expected);
    assert!(output.status.success());
}

#[test]
fn programs_read_the_progress_as_json() {
    let home = Workspace::new();
    let run = |more: &str| {
        let line = "match random greedy-inorder --pairs 3 --no-save";
        let output = home.run(&format!("{line} {more}"));
        assert_ne!(output.status.code(), Some(2));
        text(&output.stderr)
    };
    let said = run("--progress json");
    let lines: Vec<Value> = said
        .lines()
        .map(|line| serde_json::from_str(line).expect("an object on a line"))
        .collect();
    let last = lines.last().expect("a line at the end");
    assert_eq!((&last["games"], &last["planned"]), (&6.into(), &6.into()));
    assert!(last["games_per_second"].as_f64() > Some(0.0), "{last}");
    assert_eq!(last["seconds_left"], 0.0);
    let leader = &last["leaders"][0];
    assert!(
        leader["agent"].is_string() && leader["elo"]["value"].is_number(),
        "{last}"
    );
    assert_eq!(last["sprt"], Value::Null);
    let said = run("--progress json --sprt 0,400");
    let last: Value = serde_json::from_str(said.lines().last().expect("a line")).expect("JSON");
    assert!(
        last["sprt"]["llr"].is_number() && last["sprt"]["upper"].is_number(),
        "{last}"
    );
    assert_eq!(run("--progress json --quiet"), "");
    home.refuses("match random no-such --progress json", "no-such");
}

#[test]
fn a_seed_stands_for_a_ring() {
    let home = Workspace::new();
    let counts = home.ok("bench perft 1 --seed 7");
    assert_ne!(counts, home.ok("bench perft 1 --seed 8"));
    assert_eq!(home.ok("bench perft 1"), home.ok("bench perft 1 --seed 1"));
    let game = home.ok("play random greedy-inorder --seed 7 --show");
    let ring = |text: &str| {
        let line = text.lines().find(|line| line.starts_with("Ring: "));
        line.expect("a ring").to_owned()
    };
    let position = home.ok("analyze --agent random --seed 7");
    assert_eq!(ring(&position), ring(&game));
}

/// Records with valid checksums that no program wrote.
#[test]
#[ignore = "many processes"]
fn reports_and_replays_refuse_the_same_records() {
    let home = Workspace::new();
    home.save_match(2);
    let folder = home.path("results/m");
    let (game, whole, _) = home.rows("results/m").swap_remove(0);
    let actions = |results: &Results| -> Result<Vec<_>, TournamentError> {
        let games = results.games.iter();
        games
            .map(|game| Ok(game?.record.actions().collect::<Vec<_>>()))
            .collect()
    };
    let played = actions(&Results::read(&folder).expect("as played")).expect("as played");
    let (mut illegal, mut invented) = (None, None);
    // One bit of each byte, and others until both kinds were found: the bytes hold times, so they differ from run to run.
    for turn in 0..8 {
        if illegal.is_some() && invented.is_some() {
            break;
        }
        for at in 0..whole.len() {
            let mut record = whole.clone();
            record[at] ^= 1 << ((at + turn) % 8);
            home.forge_record("results/m", game, &record);
            let results = Results::read(&folder).expect("the checksum is that of the row");
            match actions(&results) {
                Ok(actions) => {
                    let plan = &results.manifest.plan;
                    for entry in results.games.iter() {
                        let again = replay(plan, &entry.expect("it was read"));
                        assert!(again.is_ok(), "byte {at}: {again:?}");
                    }
                    if actions != played {
                        invented = Some(record);
                    }
                }
                Err(error) if error.to_string().contains("is not a legal game") => {
                    illegal = Some(record);
                }
                Err(_) => {}
            }
        }
    }
    // A legal game that its agents would not play differs from the columns, or when it is played again.
    let invented = invented.expect("some actions are others");
    home.forge_record("results/m", game, &invented);
    home.ok("report results/m");
    let verified = home.run("verify results/m --sample 4");
    let (said, refused) = (text(&verified.stdout), text(&verified.stderr));
    assert!(
        !verified.status.success()
            && (said.contains("it differs from ply")
                || refused.contains("its columns are not those of its record")),
        "{said}{refused}"
    );
    let illegal = illegal.expect("some actions cannot be played");
    home.forge_record("results/m", game, &illegal);
    let told = |command: &str| home.refused(command);
    let sentence = told("report results/m");
    expect_in(&sentence, "results/m: the game  ... is not a legal game");
    assert_eq!(told("analyze replay results/m 0"), sentence);
    assert_eq!(told("export results/m --format jsonl"), sentence);
}
