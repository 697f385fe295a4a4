//! The ledger of a results folder: readers beside a writer, damage, what stands in its place, and where it cannot be
//! written.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use patchwork_engine::record::Entry;
use patchwork_engine::search::Stop;
use patchwork_engine::util::rng::{below, stream};
use patchwork_tournament::import::{Keep, import};
use patchwork_tournament::ledger::{Store, describe, facts, read_manifest};
use patchwork_tournament::verify::verify;
use patchwork_tournament::{Delivery, Results, Streams, TournamentError};
use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags};

use patchwork_test_support::bots::{script, write_bot};
use patchwork_test_support::ledger::write_ledger;
use patchwork_test_support::program::{
    Workspace, binary, expect_in, kill_until_done, section, signal, small, success, text,
    wait_until,
};
use patchwork_test_support::server::Server;

/// A tournament that takes longer than any test. To play a game takes many times as long as to read it: on a busy machine
/// a writer is not ahead of its readers for ever.
fn long(home: &Workspace) {
    let text = "name = 't'\nseed = 3\nagents = ['random', 'slow']\npairs = 2000000\n";
    let slow = "type = \"mcts\"\nbudget.iterations = 30\nexpansion.strategy = \"in-order/some/first\"\n\
                rollout.pick = \"greedy\"\nrollout.strategy = \"in-order/some/first\"\n";
    home.write("agents/slow.toml", slow);
    home.write("t.toml", text);
}

fn start(home: &Workspace, arguments: &[&str]) -> Child {
    let mut command = home.command(arguments);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command.spawn().expect("started")
}

/// The output of a command that ends, whatever it finds.
fn ends(mut command: Command) -> Output {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("started");
    let what = format!("{command:?} ends");
    wait_until(&what, || child.try_wait().expect("asked").is_some());
    child.wait_with_output().expect("ended")
}

#[cfg(unix)]
#[test]
#[ignore = "many processes"]
fn readers_beside_a_writer_never_fail() {
    readers(3);
}

#[cfg(unix)]
#[test]
#[ignore = "minutes"]
fn a_thousand_readers_beside_a_writer_never_fail_in_full() {
    readers(200);
}

/// Each round has five readers. The writer continues the games of another one, and is killed in the end.
#[cfg(unix)]
fn readers(rounds: u32) {
    let home = Workspace::new();
    long(&home);
    let run = ["run", "t.toml", "--threads", "1", "-q"];
    let mut first = start(&home, &run);
    home.wait_for_stored("results/t", 50, &mut first);
    interrupt(&home, first);
    let begun = home.stored("results/t");
    let mut writer = start(&home, &run);
    home.wait_for_stored("results/t", begun + 50, &mut writer);
    // The shell's reader, the only one now, must not take the writer's log away when it closes. Newer versions of SQLite do
    // not where the writer has lost its lock, others do.
    let has_shell = Command::new("sqlite3").arg("-version").output().is_ok();
    let shell = || {
        let mut command = Command::new("sqlite3");
        command.arg(home.ledger_path("results/t"));
        command.arg("SELECT (SELECT count(*) FROM games) - rows FROM totals WHERE name = 'games'");
        let output = command.output().expect("started");
        assert_eq!(success(&["sqlite3"], &output), "0\n");
        assert!(home.path("results/t/games.db-wal").exists());
    };
    if has_shell {
        shell();
    }
    let server = Server::start(home.command("web results --address 127.0.0.1:0"));
    let mut before = begun;
    for round in 0..rounds {
        // A reader sees all games of a transaction or none, and later readers see no fewer.
        let lines = home.export("results/t").lines().count();
        let report = home.report("results/t");
        let games = report["games"].as_u64().expect("a number") as usize;
        assert!(
            before <= lines && lines <= games,
            "{before} {lines} {games}"
        );
        home.ok("rate results/t --format csv");
        let answer = server.get("/api/results/t", "");
        assert!(answer.starts_with("HTTP/1.1 200"), "{round}: {answer:.500}");
        if has_shell {
            shell();
        }
        before = games;
        // The writer goes on.
        home.wait_for_stored("results/t", games + 1, &mut writer);
        assert!(writer.try_wait().expect("asked").is_none(), "it writes");
    }
    drop(server);
    before = home.stored("results/t");
    writer.kill().expect("killed");
    let _ = writer.wait().expect("gone");
    let kept = home.stored("results/t");
    assert!(before <= kept, "{kept} of {before}");
    let mut last = start(&home, &run);
    home.wait_for_stored("results/t", kept + 50, &mut last);
    interrupt(&home, last);
    assert!(home.stored("results/t") > kept);
}

/// Interrupts a writer, which leaves nothing beside its ledger.
#[cfg(unix)]
fn interrupt(home: &Workspace, writer: Child) {
    signal(&writer, "-INT");
    let output = writer.wait_with_output().expect("ended");
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
    assert_eq!(home.ledger_files("results/t"), ["games.db"]);
}

#[cfg(unix)]
#[test]
fn a_second_writer_is_refused() {
    let home = Workspace::new();
    long(&home);
    let other = "match random slow --pairs 1 --seed 3 -q";
    home.ok(&format!("{other} --save m"));
    let mut writer = start(&home, &["run", "t.toml", "--threads", "1", "-q"]);
    home.wait_for_stored("results/t", 10, &mut writer);
    for command in [
        "run t.toml",
        "import results/m --into results/t",
        "match random slow --save t --seed 3",
    ] {
        let sentence = home.refused(command);
        let expected = "results/t: another process is writing to this folder";
        assert!(sentence.contains(expected), "{command:?}: {sentence}");
    }
    signal(&writer, "-INT");
    let output = writer.wait_with_output().expect("ended");
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
}

#[cfg(unix)]
#[test]
fn a_folder_that_is_moved_during_a_run_is_noticed() {
    let home = Workspace::new();
    long(&home);
    let mut writer = start(&home, &["run", "t.toml", "--threads", "1", "-q"]);
    home.wait_for_stored("results/t", 10, &mut writer);
    fs::rename(home.path("results/t"), home.path("moved")).expect("renamed");
    let output = writer.wait_with_output().expect("ended");
    let sentence = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{sentence}");
    expect_in(
        &sentence,
        "results/t was removed or replaced while this tournament ran",
    );
    assert!(home.games("moved").len() >= 10);
    assert!(!home.path("results/t").exists());
}

/// What stands in place of a ledger: made at a path.
#[cfg(unix)]
type Impostor = (&'static str, fn(&Workspace, &str));

#[cfg(unix)]
const IMPOSTORS: [Impostor; 7] = [
    ("is not a plain file", |home, path| {
        let made = Command::new("mkfifo").arg(home.path(path)).status();
        assert!(made.expect("started").success());
    }),
    ("is not a plain file", |home, path| {
        std::os::unix::fs::symlink("/dev/zero", home.path(path)).expect("linked");
    }),
    ("is not a plain file", |home, path| {
        fs::create_dir(home.path(path)).expect("made");
    }),
    ("is not a plain file", |home, path| {
        drop(std::os::unix::net::UnixListener::bind(home.path(path)).expect("bound"));
    }),
    ("is not a ledger of games", |home, path| {
        home.write(
            path,
            "A text that is longer than the header of a database. "
                .repeat(40)
                .as_str(),
        );
    }),
    ("is not a ledger of games", |home, path| {
        home.write(path, "")
    }),
    ("is not a ledger of games", |home, path| {
        let other = rusqlite::Connection::open(home.path(path)).expect("made");
        let table = "CREATE TABLE games (game INTEGER PRIMARY KEY)";
        other.execute_batch(table).expect("made");
    }),
];

#[cfg(unix)]
#[test]
#[ignore = "many processes"]
fn what_is_not_a_ledger_is_refused() {
    let home = Workspace::new();
    home.write("tournaments/t.toml", &small("t", 1));
    home.save_match(1);
    fs::create_dir_all(home.path("results/t")).expect("made");
    let ledger = home.ledger_path("results/t");
    for (expected, make) in IMPOSTORS {
        make(&home, "results/t/games.db");
        let kept = || match fs::metadata(&ledger) {
            Ok(found) if found.is_file() => Some(fs::read(&ledger).expect("readable")),
            _ => None,
        };
        let before = kept();
        for command in [
            "report results/t",
            "export results/t --format tsv",
            "analyze replay results/t 0",
            "verify results/t --sample 1",
            "rate results/t",
            "run tournaments/t.toml",
            "run tournaments/t.toml --dry-run",
            "run tournaments/t.toml --results r --import results/t",
            "match random greedy-inorder --save t",
            "import results/t --into new",
            "import results/m --into results/t",
        ] {
            let output = ends(home.command(command));
            let sentence = text(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{command:?}: {sentence}");
            expect_in(&sentence, &format!("results/t/games.db {expected}"));
            assert_eq!(sentence.lines().count(), 1, "{command:?}: {sentence}");
        }
        // The server shows the other folder.
        let server = Server::start(home.command("web results --address 127.0.0.1:0"));
        let index = server.get("/", "");
        assert!(index.contains("href=\"/results/m\""), "{index}");
        let answer = server.get("/api/results/t", "");
        assert!(
            !answer.is_empty() && !answer.starts_with("HTTP/1.1 200"),
            "{answer}"
        );
        drop(server);
        assert_eq!(kept(), before, "nothing is changed");
        match fs::remove_file(&ledger) {
            Ok(()) => {}
            Err(_) => fs::remove_dir(&ledger).expect("removed"),
        }
    }
    assert!(!home.path("new").exists() && !home.path("r").exists());
}

#[test]
fn the_plan_of_a_folder_is_chosen_when_nobody_else_can_change_it() {
    let home = Workspace::new();
    let (dir, games) = full_folder(&home);
    // Another command is writing a file beside the ledger.
    home.write("results/full/.report.html.1-0.tmp", "half");
    let opened = Results::open_as(&dir, |there| {
        let other = write_to(&dir).expect_err("locked");
        assert!(matches!(other, TournamentError::InUse(_)), "{other}");
        Ok(there.expect("a manifest").clone())
    });
    assert!(entries(&opened.expect("opened")) == games);
    assert!(home.path("results/full/.report.html.1-0.tmp").exists());
}

#[test]
fn what_has_no_ledger_is_refused_for_reading_and_writing() {
    let home = Workspace::new();
    let (full, _) = full_folder(&home);
    let manifest = read_manifest(&full).expect("a manifest");
    let place = home.path("place");
    fs::write(&place, "").expect("written");
    let said = |read: Result<Vec<Entry>, TournamentError>| read.expect_err("none").to_string();
    let expected = format!("{} is a file; expected a results folder", place.display());
    assert_eq!(said(read(&place)), expected);
    let written = Results::open(&place, &manifest).expect_err("a file");
    assert_eq!(written.to_string(), expected);
    let none = |dir: &Path| {
        format!(
            "{} is not a results folder: it has no games.db",
            dir.display()
        )
    };
    for dir in [home.path("missing"), home.path("")] {
        assert_eq!(said(read(&dir)), none(&dir));
    }
}

#[test]
fn a_ledger_of_a_later_version_is_refused() {
    let home = Workspace::new();
    home.play_small("t", 1);
    let ledger = home.ledger("results/t");
    ledger.pragma_update(None, "user_version", 9).expect("set");
    drop(ledger);
    let before = home.read("results/t/games.db");
    for command in [
        "report results/t",
        "run tournaments/t.toml",
        "import results/t --into new",
    ] {
        let sentence = home.refused(command);
        let expected =
            "results/t/games.db has tables of version 9, and this program reads version 4";
        assert!(sentence.contains(expected), "{sentence}");
    }
    assert!(home.read("results/t/games.db") == before);
    assert!(!home.path("new").exists());
}

#[test]
fn damage_to_the_last_games_is_said_and_left_as_it_is() {
    let home = Workspace::new();
    home.play_small("t", 1);
    let whole = home.read("results/t/games.db");
    let rows = home.rows("results/t");
    // Free parts of pages may hold older copies of a record.
    let places = rows[rows.len() - 5..].iter().map(|(_, record, _)| {
        let windows = whole.windows(record.len()).enumerate();
        let copies = windows.filter(|(_, bytes)| bytes == record);
        copies.map(|(at, _)| at + record.len() / 2).collect()
    });
    let places: Vec<Vec<usize>> = places.collect();
    assert!(places.iter().all(|copies| !copies.is_empty()));
    // A bit of each of the last games, alone and together.
    let alone = places.iter().cloned();
    for changed in alone.chain([places.concat()]) {
        let mut bytes = whole.clone();
        for &at in &changed {
            bytes[at] ^= 1 << (at % 8);
        }
        fs::write(home.ledger_path("results/t"), &bytes).expect("written");
        for reader in [
            "run tournaments/t.toml",
            "run tournaments/t.toml --dry-run",
            "report results/t",
            "rate results/t",
            "export results/t --format tsv",
            "analyze replay results/t 0",
            "verify results/t --sample 1",
        ] {
            home.refuses(reader, "games.db: damaged: the row of the game ");
        }
        assert!(home.read("results/t/games.db") == bytes, "{changed:?}");
    }
}

/// Tournaments of which the games are added in different ways: a name, files of agents, and the plan without its number of
/// pairs.
#[cfg(unix)]
const KILLED: [(&str, &str); 5] = [
    ("grown", "agents = ['random', 'copy']\npairs = {}\n"),
    (
        "swept",
        "agents = ['random']\npairs = {}\n[sweep]\nbase = 'mcts-fast'\n[sweep.keys]\nbudget.iterations = [1, 2]\n",
    ),
    (
        "timed",
        "agents = ['mcts-fast', 'random']\nbudget.milliseconds = 1\npairs = {}\n",
    ),
    ("bot", "agents = ['bot', 'random']\npairs = {}\n"),
    (
        "considered",
        "agents = ['mcts-fast', 'random']\nbudget.iterations = 2\nthoughts = 'top-2'\npairs = {}\n",
    ),
];

#[cfg(unix)]
#[test]
fn a_ledger_is_whole_after_kills_beside_readers() {
    kills(1);
}

#[cfg(unix)]
#[test]
#[ignore = "minutes"]
fn a_ledger_is_whole_after_six_hundred_kills_beside_readers_in_full() {
    kills(100);
}

/// Kills writers and readers at random moments. Committed games stay, later readers see no fewer, and all tables agree.
#[cfg(unix)]
fn kills(rounds: u32) {
    patchwork_bots::register();
    let home = Workspace::new();
    let stored = |folder: &str| {
        let read = Results::read(&home.path(folder)).expect("readable");
        read.games.len()
    };
    home.write("agents/copy.toml", "type = \"random\"\n");
    write_bot(&home, "bot", &script("", "echo legal"), "");
    home.save_match(100);
    let mut rng = stream(&[5]);
    let mut pause = || sleep(Duration::from_millis(below(400, &mut rng).into()));
    for (name, plan) in KILLED {
        let mut before = 0;
        for round in 1..=rounds {
            // The plan grows each time.
            let plan = plan.replace("{}", &(1000 * round).to_string());
            home.write("t.toml", &format!("name = '{name}'\nseed = 3\n{plan}"));
            let folder = format!("results/{name}");
            let mut writer = start(&home, &["run", "t.toml", "--threads", "1", "-q"]);
            home.wait_for_stored(&folder, before + 1, &mut writer);
            let mut reader = start(&home, &["rate", &folder, "--format", "csv"]);
            pause();
            reader.kill().expect("killed");
            let seen = stored(&folder);
            pause();
            writer.kill().expect("killed");
            writer.wait().expect("gone");
            reader.wait().expect("gone");
            assert!(before <= seen, "{name}, {round}: {seen} after {before}");
            let kept = stored(&folder);
            assert!(seen <= kept, "{name}, {round}: {kept} of {seen}");
            home.ok(&format!("verify {folder} --sample 1"));
            before = kept;
        }
    }
    // An import is there as a whole or not at all.
    for round in 0..rounds {
        let folder = format!("results/i{round}");
        fs::create_dir_all(home.path(&folder)).expect("made");
        home.ok(&format!(
            "match random greedy-inorder --pairs 1 --save i{round} -q"
        ));
        let into = ["import", "results/m", "--into", &folder, "-q"];
        let mut writer = start(&home, &into);
        pause();
        let seen = stored(&folder);
        writer.kill().expect("killed");
        writer.wait().expect("gone");
        let kept = stored(&folder);
        assert!(
            [2, 200].contains(&seen) && [2, 200].contains(&kept),
            "{seen} {kept}"
        );
        assert!(seen <= kept);
        home.ok(&format!("verify {folder} --sample 1"));
    }
}

/// Moves that were kept alone are verified, and are the same games as whole ones.
#[test]
fn moves_alone_are_verified_and_imported() {
    let home = Workspace::new();
    home.play_small("t", 1);
    home.ok("import results/t --into results/moves --moves-only");
    let games = home.games("results/moves").len();
    let verified = home.json("verify results/moves --format json");
    assert_eq!(verified["agree"], games, "{verified}");
    for (from, into) in [("t", "moves"), ("moves", "t")] {
        let imported = home.ok(&format!("import results/{from} --into results/{into}"));
        assert!(!imported.contains("another record"), "{imported}");
        assert_eq!(home.games(&format!("results/{into}")).len(), games);
    }
    let lines = home.export("results/moves");
    assert!(
        lines
            .lines()
            .all(|line| line.contains("\"moves_only\":true")),
        "{lines}"
    );
    home.write("moves.jsonl", &lines);
    home.ok("import moves.jsonl --into results/t");
    home.ok("import moves.jsonl --into results/again --tournament tournaments/t.toml");
    assert_eq!(
        home.json("verify results/again --format json")["agree"],
        games
    );
}

/// Every command refuses or reads what others made of a ledger, within limits of time and memory.
#[cfg(unix)]
#[test]
#[ignore = "minutes"]
fn edited_ledgers_cost_little_time_and_memory_in_full() {
    let home = Workspace::new();
    home.play_small("t", 1);
    let whole = home.read("results/t/games.db");
    for (statement, _) in edits() {
        fs::write(home.ledger_path("results/t"), &whole).expect("written");
        // SQLite refuses some of them.
        let _ = home.ledger("results/t").execute_batch(&statement);
        for command in [
            "rate results/t",
            "verify results/t --sample 1",
            "export results/t",
        ] {
            let mut limited = Command::new("sh");
            // Processor time in seconds, and memory in kilobytes.
            let script = format!("ulimit -t 2 -d 100000; exec '{}' {command}", binary());
            limited.args(["-c", &script]).current_dir(home.path(""));
            let output = ends(limited);
            let said = text(&output.stderr);
            let code = output.status.code();
            assert!(
                matches!(code, Some(0 | 2)),
                "{statement}, {command}: {code:?} {said}"
            );
        }
    }
}

/// Pages that stay open have places of their own.
#[cfg(unix)]
#[test]
fn pages_that_follow_a_tournament_leave_others_served() {
    let home = Workspace::new();
    home.save_match(1);
    let server = Server::start(home.command("web results --address 127.0.0.1:0"));
    let live: Vec<TcpStream> = (0..64)
        .map(|_| {
            let mut stream = TcpStream::connect(server.address).expect("connected");
            let host = server.address;
            let request = format!("GET /results/m/events HTTP/1.1\r\nHost: {host}\r\n\r\n");
            stream.write_all(request.as_bytes()).expect("sent");
            let mut answer = [0; 12];
            stream.read_exact(&mut answer).expect("an answer");
            assert_eq!(&answer, b"HTTP/1.1 200");
            stream
        })
        .collect();
    assert!(server.get("/", "").starts_with("HTTP/1.1 200"));
    assert!(
        server
            .get("/results/m/events", "")
            .starts_with("HTTP/1.1 503")
    );
    drop(live);
}

/// A folder with rows in every table, and its games. `others/t` has other records of them.
fn full_folder(home: &Workspace) -> (PathBuf, Vec<Entry>) {
    let plan = "name = 't'\nseed = 3\nagents = ['mcts-fast', 'mcts-regret']\npairs = 2\nthoughts = 'top-2'\n\
                budget.milliseconds = 1\n";
    home.write("t.toml", plan);
    for results in ["results", "others"] {
        home.ok(&format!("run t.toml -q --results {results}"));
    }
    let played = Results::read(&home.path("results/t")).expect("results");
    let dir = home.path("results/full");
    let mut store = Store::create(&dir, &played.manifest).expect("new");
    let games = entries(&played);
    games.iter().for_each(|game| append(&mut store, game));
    store.finish().expect("stored");
    home.ok("import others/t --into results/full -q");
    (dir, games)
}

/// Appends a game of this tournament that a worker delivered.
fn append(store: &mut Store, entry: &Entry) {
    let manifest = read_manifest(store.dir()).expect("a manifest");
    let address = Streams::new(&manifest.plan).address((&entry.record).into());
    let by = Delivery {
        worker: "w".to_owned(),
        attempt: 1,
    };
    store
        .append(&address, &entry.clone().into(), Some(&by))
        .expect("stored");
}

fn read(dir: &Path) -> Result<Vec<Entry>, TournamentError> {
    Results::read(dir).map(|results| entries(&results))
}

/// Opens a folder for writing and closes it.
fn write_to(dir: &Path) -> Result<(), TournamentError> {
    Results::open(dir, &read_manifest(dir)?)?.finish()
}

/// What others do to a ledger, and the sentence that reading or verifying says about it, or that nothing is wrong.
fn edits() -> Vec<(String, String)> {
    let tables =
        "tournament sessions agents setups games decisions considered deliveries others totals";
    let edits = section("edited-ledgers.txt", "edits");
    let mut all = Vec::new();
    for row in edits.lines() {
        let (statement, expected) = row.split_once(" => ").expect("a row");
        let count = if statement.contains("{table}") { 10 } else { 1 };
        for table in tables.split(' ').take(count) {
            let of = |text: &str| text.replace("{table}", table);
            all.push((of(statement), of(expected)));
        }
    }
    all
}

#[test]
fn an_edited_ledger_is_refused_with_a_sentence_or_read_and_written_right() {
    let home = Workspace::new();
    let (dir, games) = full_folder(&home);
    let path = dir.join("games.db");
    let whole = fs::read(&path).expect("readable");
    let (edits, mut wrong) = (edits(), Vec::new());
    assert!(edits.len() > 100, "{}", edits.len());
    for (statement, expected) in edits {
        let edited = home.ledger("results/full").execute_batch(&statement);
        // SQLite refuses an index of rows without numbers, for example.
        assert!(
            edited.is_ok() || expected.ends_with("SQLite"),
            "{statement}: {edited:?}"
        );
        let check = || verify(&dir, 0, 0, &Stop::new()).map(|_| ());
        let found = read(&dir);
        let said = match expected.split_once(": ") {
            None => found
                .and_then(|found| {
                    assert!(found == games, "{statement}");
                    facts(&dir).and_then(|_| write_to(&dir))
                })
                .and_then(|()| {
                    let again = import(&[home.path("others/t")], &dir, None, Keep::Everything);
                    again.map_err(TournamentError::from).and_then(|_| check())
                })
                .map_or_else(|error| error.to_string(), |()| expected.clone()),
            Some(("verify", _)) if found.is_ok() => check().expect_err(&statement).to_string(),
            _ => match (found, write_to(&dir)) {
                (Err(said), Err(_)) => said.to_string(),
                _ => "nothing".to_owned(),
            },
        };
        let expected = expected
            .split_once(": ")
            .map_or(&*expected, |(_, what)| what);
        if !said.contains(expected) {
            wrong.push(format!("{statement}: {said}; expected {expected}"));
        }
        fs::write(&path, &whole).expect("written");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[cfg(unix)]
#[test]
fn a_file_with_two_names_is_read_and_not_written() {
    use std::os::unix::fs::symlink;

    let home = Workspace::new();
    let (dir, games) = full_folder(&home);
    let (path, other) = (dir.join("games.db"), home.path("other.db"));
    fs::hard_link(&path, &other).expect("linked");
    let refused = |dir: &Path| {
        let error = write_to(dir).expect_err("two names");
        assert!(matches!(error, TournamentError::Linked(_)), "{error}");
        assert!(describe(dir, "", "").is_err());
        assert!(read(dir).expect("results") == games);
    };
    refused(&dir);
    fs::remove_file(&path).expect("removed");
    symlink(&other, &path).expect("linked");
    refused(&dir);
    fs::remove_file(&path).expect("removed");
    fs::rename(&other, &path).expect("renamed");
    write_to(&dir).expect("one name");
    // What SQLite would write beside it may lead to the files of others.
    for end in ["-wal", "-shm", "-journal"] {
        let (beside, victim) = (dir.join(format!("games.db{end}")), home.path("victim"));
        fs::write(&victim, "mine").expect("written");
        symlink(&victim, &beside).expect("linked");
        for error in [write_to(&dir), read(&dir).map(drop)] {
            let error = error.expect_err("a link");
            assert!(matches!(error, TournamentError::NotPlain(_)), "{error}");
        }
        assert_eq!(fs::read(&victim).expect("readable"), b"mine");
        fs::remove_file(&beside).expect("removed");
    }
    assert!(read(&dir).expect("results") == games);
}

/// What happens to the files of a ledger while games are written to it.
#[cfg(unix)]
type Change = fn(&Path) -> std::io::Result<()>;

#[cfg(unix)]
const CHANGES: [(&str, Change); 8] = [
    ("", |dir| fs::rename(dir, dir.with_extension("moved"))),
    ("", |dir| fs::remove_dir_all(dir)),
    ("", |dir| {
        let moved = dir.with_extension("moved");
        fs::rename(dir, &moved)?;
        fs::create_dir(dir)?;
        fs::copy(moved.join("games.db"), dir.join("games.db")).map(drop)
    }),
    // As an editor, a restored backup or a tool that synchronises does.
    ("games.db", |dir| {
        fs::copy(dir.join("games.db"), dir.join("new"))?;
        fs::rename(dir.join("new"), dir.join("games.db"))
    }),
    ("games.db", |dir| fs::remove_file(dir.join("games.db"))),
    ("games.db", |dir| {
        fs::rename(dir.join("games.db"), dir.join("aside"))?;
        std::os::unix::fs::symlink("aside", dir.join("games.db"))
    }),
    ("games.db-wal", |dir| {
        fs::remove_file(dir.join("games.db-wal"))
    }),
    ("games.db-wal", |dir| {
        fs::rename(dir.join("games.db-wal"), dir.join("aside"))?;
        fs::write(dir.join("games.db-wal"), "")
    }),
];

#[cfg(unix)]
#[test]
fn a_file_that_is_replaced_is_noticed_at_the_next_commit_and_at_the_end() {
    let home = Workspace::new();
    let (full, games) = full_folder(&home);
    let manifest = read_manifest(&full).expect("a manifest");
    for (number, (name, change)) in CHANGES.into_iter().enumerate() {
        for at_end in [false, true] {
            let dir = home.path(&format!("results/{number}-{at_end}"));
            let mut store = Store::create(&dir, &manifest).expect("new");
            append(&mut store, &games[0]);
            store.commit().expect("stored");
            if !at_end {
                append(&mut store, &games[1]);
            }
            change(&dir).expect("changed");
            let gone = match at_end {
                true => store.finish(),
                false => store.commit(),
            };
            let gone = gone.expect_err("replaced").to_string();
            let path = if name.is_empty() { dir } else { dir.join(name) };
            let expected = format!("{} was removed or replaced", path.display());
            assert!(gone.contains(&expected), "{gone}");
        }
    }
}

#[test]
fn a_reader_that_never_ends_leaves_the_log_and_an_exclusive_lock_is_said() {
    let home = Workspace::new();
    let (full, games) = full_folder(&home);
    let dir = home.path("results/new");
    let manifest = read_manifest(&full).expect("a manifest");
    let mut store = Store::create(&dir, &manifest).expect("new");
    games.iter().for_each(|game| append(&mut store, game));
    store.commit().expect("stored");
    let forgotten = home.ledger("results/new");
    let begun = forgotten.execute_batch("BEGIN; SELECT count(*) FROM games");
    begun.expect("readable");
    store.finish().expect("it does not wait");
    assert!(dir.join("games.db-wal").exists());
    assert!(read(&dir).expect("results") == games);
    drop(forgotten);
    let exclusive = home.ledger("results/new");
    let lock =
        "PRAGMA locking_mode = exclusive; BEGIN EXCLUSIVE; UPDATE tournament SET notes = 'x'";
    exclusive.execute_batch(lock).expect("locked");
    for error in [write_to(&dir), read(&dir).map(drop)] {
        let error = error.expect_err("locked");
        assert!(matches!(error, TournamentError::Locked(_)), "{error}");
    }
    drop(exclusive);
    assert!(read(&dir).expect("results") == games);
}

/// The games of a results folder.
fn entries(results: &Results) -> Vec<Entry> {
    let games = results.games.iter().collect::<Result<_, _>>();
    games.expect("readable")
}

/// The rows of all tables whose rows have checksums; `None` if they cannot be read.
fn checked_rows(dir: &Path) -> Option<Vec<Vec<Value>>> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
    let ledger = Connection::open_with_flags(dir.join("games.db"), flags).ok()?;
    let mut rows = Vec::new();
    for table in ["agents", "sessions", "setups", "decisions", "considered"] {
        let mut select = ledger.prepare(&format!("SELECT * FROM {table}")).ok()?;
        let columns = select.column_count();
        let read = |row: &rusqlite::Row<'_>| (0..columns).map(|at| row.get(at)).collect();
        let found: Result<Vec<_>, _> = select.query_map([], read).ok()?.collect();
        rows.extend(found.ok()?);
    }
    Some(rows)
}

#[test]
fn a_bit_that_flips_is_said_or_harmless_and_the_whole_games_are_saved() {
    flips(60);
}

#[test]
#[ignore = "minutes"]
fn each_bit_that_flips_is_said_or_harmless_in_full() {
    flips(5000);
}

fn flips(random: usize) {
    let home = Workspace::new();
    home.play_small("t", 4);
    let dir = home.path("results/t");
    let original = Results::read(&dir).expect("results");
    let whole = fs::read(home.ledger_path("results/t")).expect("readable");
    let expected = entries(&original);
    let all_rows = checked_rows(&dir);
    let page = usize::from(u16::from_be_bytes([whole[16], whole[17]]));
    // The head of each page and the places of its cells, and places anywhere.
    let heads = (0..whole.len() / page).flat_map(|number| {
        let head = number * page + if number == 0 { 100 } else { 0 };
        [0, 3, 4, 5, 6, 8, 11, 13].map(|at| (head + at) * 8 + (number + at) % 8)
    });
    let mut rng = stream(&[7]);
    let random = (0..random).map(|_| below(8 * whole.len() as u32, &mut rng) as usize);
    let places: Vec<usize> = heads.chain(random).collect();
    let (mut said, mut saved) = (0, 0);
    for place in places {
        let mut bytes = whole.clone();
        bytes[place / 8] ^= 1 << (place % 8);
        let damaged = home.path(&format!("damaged/{place}/t"));
        fs::create_dir_all(&damaged).expect("made");
        fs::write(damaged.join("games.db"), &bytes).expect("written");
        let error = match Results::read(&damaged) {
            Ok(results) => {
                assert!(entries(&results) == expected, "bit {place}");
                if checked_rows(&damaged) != all_rows {
                    // The other tables are compared with their checksums by `verify`.
                    let error = verify(&damaged, 0, 0, &Stop::new()).expect_err("damaged");
                    assert!(error.to_string().contains("games.db: damaged"), "{error}");
                }
                fs::remove_dir_all(damaged).expect("removed");
                continue;
            }
            Err(error) => error.to_string(),
        };
        said += 1;
        assert!(error.contains("games.db"), "bit {place}: {error}");
        // Reading changes nothing.
        assert!(fs::read(damaged.join("games.db")).expect("readable") == bytes);
        // An import takes longer than a look.
        if said % 8 != 0 {
            fs::remove_dir_all(damaged).expect("removed");
            continue;
        }
        let into = home.path(&format!("saved/{place}/t"));
        fs::create_dir_all(into.parent().expect("a folder")).expect("made");
        let manifest = Some(&original.manifest);
        let sources = [damaged.clone()];
        let (results, imported) = import(&sources, &into, manifest, Keep::Everything)
            .unwrap_or_else(|error| panic!("bit {place}: {error}"));
        saved += 1;
        let (all, taken) = (expected.len() as u64, imported[0].taken);
        let lost = imported[0].lost.unwrap_or(all - taken);
        assert_eq!(taken + lost, all, "bit {place}: {error}");
        assert_eq!(results.games.len() as u64, taken, "bit {place}");
        let there = entries(&results);
        assert!(
            there.iter().all(|entry| expected.contains(entry)),
            "bit {place}"
        );
        // One page holds at most this many games. One that leads to others may cost all of theirs.
        let is_leaf = whole[place / 8 / page * page] != 5;
        assert!(
            !is_leaf || lost <= 60,
            "bit {place}: {lost} games lost: {error}"
        );
        fs::remove_dir_all(home.path("damaged")).expect("removed");
        fs::remove_dir_all(home.path("saved")).expect("removed");
    }
    assert!(said > 40 && saved > 4, "{said} said, {saved} saved");
}

#[test]
fn lost_games_are_played_again_to_the_same_bytes() {
    let home = Workspace::new();
    home.play_small("t", 2);
    let export = home.export("results/t");
    let whole = fs::read(home.ledger_path("results/t")).expect("readable");
    // A page that is empty, as of a disk that has lost it.
    let page = usize::from(u16::from_be_bytes([whole[16], whole[17]]));
    let record = home.rows("results/t")[20].1.clone();
    // Pages of rows begin with this byte; a page above them may have old bytes of a row.
    let mut pages = (0..whole.len())
        .step_by(page)
        .filter(|&start| whole[start] == 13);
    let start = pages.find(|&start| {
        let mut parts = whole[start..start + page].windows(record.len());
        parts.any(|bytes| bytes == record)
    });
    let start = start.expect("the record of a game");
    let mut bytes = whole;
    bytes[start..start + page].fill(0);
    fs::write(home.ledger_path("results/t"), bytes).expect("written");
    for command in ["report results/t", "run tournaments/t.toml"] {
        home.refuses(command, "results/t/games.db: damaged: ");
    }
    let output = home.run("import results/t --into saved/t");
    let said = text(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("lost to damage"), "{said}");
    assert!(home.stored("saved/t") > 0);
    home.ok("run tournaments/t.toml -q --results saved");
    assert_eq!(home.export("saved/t"), export);
}

#[test]
fn records_that_differ_are_refused_or_kept_beside() {
    let home = Workspace::new();
    home.play_small("t", 1);
    let there = Results::read(&home.path("results/t")).expect("results");
    let mut others = entries(&there);
    let searched = others.iter_mut().find_map(|entry| {
        let plies = &mut entry.record.plies;
        plies.iter_mut().find(|ply| ply.thought.iterations > 0)
    });
    searched.expect("a search").thought.iterations += 1;
    write_ledger(&home.path("other/t"), &there.manifest, &others);
    let before = home.read("results/t/games.db");
    for into in ["results/t", "new"] {
        home.refuses(
            &["import", "results/t", "other/t", "--into", into],
            "other/t have different records of the same game",
        );
    }
    assert!(!home.path("new").exists());
    assert_eq!(home.read("results/t/games.db"), before);

    // Agents that depend on time may play otherwise each time.
    home.ok("match mcts-fast{budget.milliseconds=1} random --pairs 2 -q --save one");
    let there = Results::read(&home.path("results/one")).expect("results");
    let mut others = entries(&there);
    let ply = others.iter_mut().flat_map(|entry| &mut entry.record.plies);
    let mut searched = ply.filter(|ply| ply.thought.iterations > 0);
    searched.next().expect("a search").thought.iterations += 1;
    write_ledger(&home.path("results/two"), &there.manifest, &others);
    let export = home.export("results/one");
    let output = home.run("import results/two --into results/one");
    assert!(output.status.success());
    assert_eq!(
        text(&output.stderr),
        "results/two: took 0 games; 3 games already there; \
         1 game kept as another record of a game that is there\n"
    );
    assert_eq!(
        home.export("results/one"),
        export,
        "the first record counts"
    );
    let others = "SELECT count(*) FROM others JOIN games USING (game) WHERE source = 'results/two'";
    let kept: i64 = home
        .ledger("results/one")
        .query_row(others, [], |row| row.get(0))
        .expect("a count");
    assert_eq!(kept, 1);
}

#[test]
fn a_match_is_kept_and_goes_on() {
    let home = Workspace::new();
    let command = "match random greedy-inorder --pairs 4 -q";
    home.ok(&format!("{command} --no-save"));
    assert!(!home.path("results").exists());
    kill_until_done(|| home.command(command), || ());
    let folders: Vec<_> = fs::read_dir(home.path("results/matches"))
        .expect("a folder")
        .map(|folder| folder.expect("a folder").file_name())
        .collect();
    assert_eq!(folders.len(), 1, "{folders:?}");
    let results = format!("results/matches/{}", folders[0].to_str().expect("UTF-8"));
    assert_eq!(home.games(&results).len(), 8);
    let before = home.read(&format!("{results}/games.db"));
    home.ok(command);
    assert_eq!(home.read(&format!("{results}/games.db")), before);
    // More pairs are added to the games that are there, another seed is another match.
    let more = "match random greedy-inorder --pairs 6";
    let said = text(&home.run(more).stderr);
    assert!(said.contains("8 of 12 games are there"), "{said}");
    home.ok(&format!("{command} --seed 9"));
    let folders = fs::read_dir(home.path("results/matches")).expect("a folder");
    assert_eq!(folders.count(), 2);
}

#[test]
fn a_session_says_when_and_where_games_were_added() {
    let home = Workspace::new();
    home.save_match(1);
    home.save_match(1);
    home.save_match(2);
    let ledger = home.ledger("results/m");
    let select = "SELECT count(*), sum(ended >= started), min(version) FROM sessions";
    let found: (i64, i64, String) = ledger
        .query_row(select, [], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })
        .expect("sessions");
    // The second command added nothing.
    assert_eq!(found, (2, 2, env!("CARGO_PKG_VERSION").to_owned()));
}

/// Whether the columns of each row are those of its record, as another program sees them.
#[test]
fn the_columns_of_the_tables_are_those_of_the_exported_games() {
    let home = Workspace::new();
    home.play_small("t", 2);
    let ledger = home.ledger("results/t");
    let mut select = ledger
        .prepare(
            "SELECT first, second, pair, leg, ring, winner, first_points, second_points, plies, first_iterations + \
             second_iterations FROM named_games",
        )
        .expect("a view");
    let rows = select.query_map([], |row| {
        Ok(serde_json::json!([
            row.get::<_, String>(0)?,
            row.get::<_, String>(1)?,
            row.get::<_, i64>(2)?,
            row.get::<_, i64>(3)?,
            row.get::<_, String>(4)?,
            row.get::<_, String>(5)?,
            [row.get::<_, i64>(6)?, row.get::<_, i64>(7)?],
            row.get::<_, i64>(8)?,
            row.get::<_, i64>(9)?,
        ])
        .to_string())
    });
    let mut rows: Vec<String> = rows.expect("rows").map(|row| row.expect("a row")).collect();
    let games = home.games("results/t");
    let mut games: Vec<String> = games
        .iter()
        .map(|game| {
            let iterations = game["iterations"].as_array().expect("a list").iter();
            let iterations: u64 = iterations.filter_map(serde_json::Value::as_u64).sum();
            let winner = game["winner"].as_str().expect("a seat");
            serde_json::json!([
                game["first"],
                game["second"],
                game["pair"],
                i64::from(game["first"].as_str() > game["second"].as_str()),
                game["ring"],
                game[winner],
                game["scores"],
                game["legal_actions"].as_array().expect("a list").len(),
                iterations,
            ])
            .to_string()
        })
        .collect();
    rows.sort();
    games.sort();
    assert_eq!(rows, games);
}

/// A mount that only reads: the files that readers share cannot be made there.
#[cfg(target_os = "linux")]
#[test]
fn a_ledger_on_read_only_media_is_read() {
    let home = Workspace::new();
    home.save_match(2);
    let export = home.export("results/m");
    fs::create_dir_all(home.path("media")).expect("made");
    let mount = "mount -t tmpfs none media && cp -r results/m media && mount -o remount,ro media";
    let inside = |command: &str| {
        let mut unshare = Command::new("unshare");
        unshare.args(["--user", "--map-root-user", "--mount", "sh", "-c", command]);
        unshare.current_dir(home.path("")).output()
    };
    // Not every system lets a test mount.
    match inside(mount) {
        Ok(output) if output.status.success() => {}
        _ => return,
    }
    // Its path may have spaces.
    let program = format!("'{}'", patchwork_test_support::program::binary());
    let run = |arguments: &str| {
        let output = inside(&format!("{mount} && {program} {arguments}"));
        output.expect("started")
    };
    let output = run("export media/m --format jsonl");
    assert_eq!(success(&["export"], &output), export);
    success(&["report"], &run("report media/m"));
    // A command that was killed leaves its log: the last games are in it.
    let with_log = "cp -r results/m with-log && \
                    sqlite3 with-log/games.db 'PRAGMA journal_mode = wal' \"UPDATE tournament SET notes = 'x'\" '.shell cp -r with-log killed' && \
                    mount -t tmpfs none media && rm killed/games.db-shm && cp -r killed/. media && test -s media/games.db-wal && mount -o remount,ro media";
    if Command::new("sqlite3").arg("-version").output().is_ok() {
        let output = inside(&format!(
            "{{ {with_log}; }} > log && {program} export media --format jsonl"
        ))
        .expect("started");
        assert_eq!(success(&["export"], &output), export);
    }
    success(&["import"], &run("import media/m --into copy/m -q"));
    assert_eq!(home.export("copy/m"), export);
    for arguments in [
        "import copy/m --into media/m",
        "match random greedy-inorder --pairs 3 --save m --results media",
    ] {
        let output = run(arguments);
        let sentence = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {sentence}");
        assert!(
            sentence.contains("media/m") && sentence.lines().count() == 1,
            "{arguments}: {sentence}"
        );
    }
}
