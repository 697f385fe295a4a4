//! Hostile names and careless paths do no harm, and programs can read the state of a run.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use patchwork_arena::tournament::Results;
use patchwork_arena::tournament::replay::replay;
use serde_json::Value;
use twox_hash::XxHash3_64;

use crate::support::program::{Workspace, refusal, small, text, wait_until};
use crate::support::server::Server;

#[test]
fn files_of_the_store_are_never_overwritten() {
    let home = Workspace::new();
    home.save_match(2);
    let kept = || ["results/m/games.bin", "results/m/manifest.json"].map(|file| home.read(file));
    let before = kept();
    let targets = [
        "results/m/games.bin",
        "results/m/manifest.json",
        "results/../results/m/games.bin",
    ];
    for target in targets {
        let commands = [
            vec!["export", "results/m", "--format", "tsv", "-o", target],
            vec!["report", "results/m", "--ring-book", target],
        ];
        for command in commands {
            let sentence = home.refused(&command);
            assert!(
                sentence.contains(target) && sentence.contains("choose another file"),
                "{sentence}"
            );
        }
    }
    if cfg!(unix) {
        #[cfg(unix)]
        std::os::unix::fs::symlink("results/m/games.bin", home.path("link")).expect("linked");
        let sentence = home.refused(&["export", "results/m", "--format", "tsv", "-o", "link"]);
        assert!(sentence.contains("choose another file"), "{sentence}");
    }
    assert!(before == kept());
    // A plan does not replace the file that it is made from.
    home.write(
        "t.toml",
        "name = 't'\nagents = ['random', 'greedy-inorder']\npairs = 1\n",
    );
    let sentence = home.refused(&["plan", "t.toml", "--output", "./t.toml"]);
    assert!(sentence.contains("./t.toml: is also read"), "{sentence}");
    assert!(home.text("t.toml").starts_with("name"));
    // What is not a results folder is not replaced by one.
    fs::create_dir(home.path("mine")).expect("made");
    home.write("mine/note", "");
    let sentence = home.refused(&["merge", "results/m", "--into", "mine"]);
    assert!(
        sentence.contains("mine: cannot be made: there is something else"),
        "{sentence}"
    );
    assert!(!home.path(".mine.unfinished").exists());
    // Other files in the folder, and files with these names elsewhere, belong to the user.
    home.ok(&[
        "export",
        "results/m",
        "--format",
        "tsv",
        "-o",
        "results/m/games.tsv",
    ]);
    home.ok(&["export", "results/m", "--format", "tsv", "-o", "games.bin"]);
    home.ok(&["report", "results/m", "--html"]);
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
    let manifest = home.text("results/m/manifest.json");
    let named = manifest.replacen("\"name\": \"m\"", &format!("\"name\": {json}"), 1);
    home.write("results/e/manifest.json", &named);
    fs::copy(
        home.path("results/m/games.bin"),
        home.path("results/e/games.bin"),
    )
    .expect("copied");
    let commands: &[&[&str]] = &[
        &["rate", "t.tsv"],
        &["rate", "t.tsv", "--format", "json"],
        &["rate", "t.jsonl"],
        &["rate", "bad.tsv"],
        &["rate", "t.tsv", "--anchor", "\u{1b}[31m"],
        &["check-games", "games.tsv"],
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
        &["replay", "results/e", "0", "--show"],
        &["replay", "results/e", "\u{1b}[31m"],
        &["export", "results/\u{1b}[31m", "--format", "pgn"],
        &["\u{1b}[31m"],
    ];
    for command in commands {
        let output = home.run(command);
        for bytes in [&output.stdout, &output.stderr] {
            let printed = text(bytes);
            let hostile = |c: char| (c.is_control() && c != '\n' && c != '\t') || c == '\u{202e}';
            assert!(!printed.contains(hostile), "{command:?}: {printed:?}");
        }
    }
    // Data is written unchanged.
    let csv = home.ok(&["rate", "t.tsv", "--format", "csv"]);
    assert!(csv.contains(&format!("A{evil}")), "{csv:?}");
    let json = home.json(&["rate", "t.tsv", "--format", "json"]);
    let names = json["ratings"].as_array().expect("ratings").iter();
    assert!(
        names.clone().any(|row| row["agent"] == format!("A{evil}")),
        "{json}"
    );
    let sentence = text(&home.run(&["agents", "list"]).stderr);
    assert!(sentence.contains("expected letters, digits"), "{sentence}");
}

#[test]
fn an_export_of_an_unfinished_tournament_says_so() {
    let home = Workspace::new();
    home.write("tournaments/t.toml", &small("t", 1));
    home.ok(&["run", "tournaments/t.toml", "-q"]);
    let output = home.run(&["export", "results/t", "--format", "jsonl"]);
    assert_eq!(text(&output.stderr), "");
    let games = text(&output.stdout).lines().count();
    // The last game was not saved completely.
    let bytes = home.read("results/t/games.bin");
    fs::write(home.path("results/t/games.bin"), &bytes[..bytes.len() - 1]).expect("written");
    let output = home.run(&["export", "results/t", "--format", "jsonl"]);
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
    let run = |more: &[&str]| {
        let line = ["match", "random", "greedy-inorder", "--pairs", "3"];
        let output = home.run(&[&line[..], more].concat());
        assert!(output.status.success());
        text(&output.stderr)
    };
    let said = run(&["--progress", "json"]);
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
        leader["agent"].is_string() && leader["elo"].is_number(),
        "{last}"
    );
    assert_eq!(last["sprt"], Value::Null);
    let said = run(&["--progress", "json", "--sprt", "0,400"]);
    let last: Value = serde_json::from_str(said.lines().last().expect("a line")).expect("JSON");
    assert!(
        last["sprt"]["llr"].is_number() && last["sprt"]["upper"].is_number(),
        "{last}"
    );
    assert_eq!(run(&["--progress", "json", "--quiet"]), "");
    let sentence = home.refused(&["match", "random", "no-such", "--progress", "json"]);
    assert!(sentence.contains("no-such"), "{sentence}");
}

#[test]
fn a_seed_stands_for_a_ring() {
    let home = Workspace::new();
    let counts = home.ok(&["perft", "1", "--seed", "7"]);
    assert_ne!(counts, home.ok(&["perft", "1", "--seed", "8"]));
    assert_eq!(
        home.ok(&["perft", "1"]),
        home.ok(&["perft", "1", "--seed", "1"])
    );
    let game = home.ok(&["play", "random", "greedy-inorder", "--seed", "7", "--show"]);
    let ring = |text: &str| {
        let line = text.lines().find(|line| line.starts_with("Ring: "));
        line.expect("a ring").to_owned()
    };
    let position = home.ok(&["analyze", "--agent", "random", "--seed", "7"]);
    assert_eq!(ring(&position), ring(&game));
}

/// The games file with one bit of its first frame changed, and a matching checksum.
fn forged(whole: &[u8], at: usize, bit: usize) -> Option<Vec<u8>> {
    let mut bytes = whole.to_vec();
    let (head, payload) = (16, 32);
    let length = u32::from_le_bytes(whole[head + 4..head + 8].try_into().expect("four bytes"));
    let end = payload + length as usize;
    let place = payload + at;
    if place >= end {
        return None;
    }
    bytes[place] ^= 1 << bit;
    let sum = XxHash3_64::oneshot_with_seed(length.into(), &bytes[payload..end]);
    bytes[head + 8..payload].copy_from_slice(&sum.to_le_bytes());
    Some(bytes)
}

/// Frames with valid checksums that no program wrote.
#[test]
fn reports_and_replays_refuse_the_same_frames() {
    let home = Workspace::new();
    home.save_match(2);
    let (folder, games) = (home.path("results/m"), home.path("results/m/games.bin"));
    let whole = fs::read(&games).expect("readable");
    let actions = |results: &Results| -> Vec<_> {
        let games = results.games.iter();
        games.map(|game| game.record.actions()).collect()
    };
    let played = actions(&Results::read(&folder).expect("as played"));
    let (mut illegal, mut invented) = (None, None);
    // One bit of each byte, and others until both kinds were found: the bytes hold times, so they differ from run to run.
    for turn in 0..8 {
        if illegal.is_some() && invented.is_some() {
            break;
        }
        for at in 0.. {
            let Some(bytes) = forged(&whole, at, (at + turn) % 8) else {
                break;
            };
            fs::write(&games, &bytes).expect("written");
            match Results::read(&folder) {
                Ok(results) => {
                    let plan = &results.manifest.plan;
                    for entry in results.games.iter() {
                        let again = replay(plan, &entry.record);
                        assert!(again.is_ok(), "byte {at}: {again:?}");
                    }
                    if actions(&results) != played {
                        invented = Some(bytes);
                    }
                }
                Err(error) if error.to_string().contains("is not a legal game") => {
                    illegal = Some(bytes);
                }
                Err(_) => {}
            }
        }
    }
    // A legal game that its agents would not play is found by playing it again.
    fs::write(&games, invented.expect("some actions are others")).expect("written");
    home.ok(&["report", "results/m"]);
    let verified = home.run(&["verify", "results/m", "--sample", "4"]);
    let said = text(&verified.stdout);
    assert!(
        !verified.status.success() && said.contains("Wrong:     1 game"),
        "{said}"
    );
    assert!(said.contains("it differs from ply"), "{said}");
    fs::write(&games, illegal.expect("some actions cannot be played")).expect("written");
    let told = |command: &[&str]| home.refused(command);
    let sentence = told(&["report", "results/m"]);
    assert!(
        sentence.contains("games.bin") && sentence.contains("is not a legal game"),
        "{sentence}"
    );
    assert_eq!(told(&["replay", "results/m", "0"]), sentence);
    assert_eq!(
        told(&["export", "results/m", "--format", "jsonl"]),
        sentence
    );
}

/// The file that holds the games of `results/m`.
const GAMES: &str = "results/m/games.bin";

/// Commands that read `results/m`, also to write to it.
const READERS: &[&[&str]] = &[
    &["run", "m.toml", "-q"],
    &["run", "m.toml", "--dry-run"],
    &["report", "results/m"],
    &["rate", "results/m"],
    &["export", "results/m", "--format", "tsv"],
    &["replay", "results/m", "0"],
    &["verify", "results/m", "--sample", "1"],
    &["merge", "results/m", "--into", "results/all"],
    &["run", "other.toml", "--reuse", "results/m"],
];

/// A finished tournament in `results/m`, and another one that could take its games.
fn finished(pairs: u32, agent: &str) -> Workspace {
    let home = Workspace::new();
    for name in ["m", "other"] {
        let plan = format!("name = '{name}'\nagents = ['random', '{agent}']\npairs = {pairs}\n");
        home.write(&format!("{name}.toml"), &plan);
    }
    home.ok(&["run", "m.toml", "-q"]);
    home
}

#[test]
fn commands_read_beside_a_running_tournament() {
    let home = finished(1, "mcts-fast");
    let plan = home.text("m.toml").replace("pairs = 1", "pairs = 1000000");
    home.write("m.toml", &plan);
    let mut run = home.command(&["run", "m.toml", "-q", "--threads", "1"]);
    let mut run = run.stdout(Stdio::null()).spawn().expect("started");
    let count = || home.ok(READERS[4]).lines().count();
    let before = count();
    wait_until("games are added", || count() > before);
    for reader in READERS[2..6].iter().cycle().take(8) {
        home.ok(reader);
    }
    assert!(run.try_wait().expect("asked").is_none(), "it still runs");
    run.kill().expect("killed");
    run.wait().expect("gone");
}

#[test]
fn damage_to_the_last_games_is_said_and_left_as_it_is() {
    let home = finished(4, "greedy-inorder");
    let whole = home.read(GAMES);
    // A bit of each of the last games, alone and together; a game takes more bytes than lie between two of these.
    let last = whole.len() - 700..whole.len();
    let places: Vec<usize> = last.step_by(70).collect();
    let alone = places.iter().map(|&at| vec![at]);
    for changed in alone.chain([places.clone()]) {
        let mut bytes = whole.clone();
        for &at in &changed {
            bytes[at] ^= 1 << (at % 8);
        }
        fs::write(home.path(GAMES), &bytes).expect("written");
        for reader in READERS {
            let sentence = home.refused(reader);
            assert!(sentence.contains("damaged"), "{changed:?}: {sentence}");
        }
        assert!(home.read(GAMES) == bytes, "{changed:?}");
    }
    fs::write(home.path(GAMES), whole).expect("written");
    for reader in READERS {
        home.ok(reader);
    }
}

#[cfg(unix)]
#[test]
fn what_is_not_a_plain_file_is_refused_in_place_of_one() {
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;
    use std::process::Command;

    let pipe = |path: &Path| {
        let made = Command::new("mkfifo").arg(path).status();
        assert!(made.expect("started").success());
    };
    let put: [&dyn Fn(&Path); 4] = [
        &pipe,
        &|path| symlink("/dev/zero", path).expect("linked"),
        &|path| fs::create_dir(path).expect("made"),
        &|path| drop(UnixListener::bind(path).expect("bound")),
    ];
    let home = finished(1, "greedy-inorder");
    let server = Server::start(home.command(&["web", "results", "--address", "127.0.0.1:0"]));
    for file in [GAMES, "results/m/manifest.json"] {
        let aside = home.path("aside");
        fs::rename(home.path(file), &aside).expect("moved");
        for put in put {
            put(&home.path(file));
            for reader in READERS {
                let mut command = home.command(reader);
                let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
                let mut child = command.spawn().expect("started");
                // A command that waits for somebody at the other end of a pipe would wait forever.
                wait_until("the command ends", || {
                    child.try_wait().expect("asked").is_some()
                });
                let output = child.wait_with_output().expect("an answer");
                let sentence = refusal(reader, &output);
                assert!(sentence.contains("is not a plain file"), "{sentence}");
            }
            for page in ["/api/results", "/api/results/m", "/results/m"] {
                assert!(server.get(page, "").starts_with("HTTP/1.1 "), "{page}");
            }
            let there = home.path(file);
            fs::remove_file(&there)
                .or_else(|_| fs::remove_dir(&there))
                .expect("removed");
        }
        fs::rename(&aside, home.path(file)).expect("moved");
    }
}
