//! `run`: from files to results folders that survive interruptions.

use std::fs;
use std::process::{Command, Stdio};

use patchwork_engine::agent::register;
use patchwork_tournament::{Manifest, Results};
use serde_json::Value;

use patchwork_test_support::program::{
    PROJECT, Workspace, binary, expect_in, kill_until_done, rows, signal, small, text,
};

#[path = "../../examples/own-player/saver.rs"]
mod saver;

#[test]
fn a_tournament_from_files_to_reports() {
    let home = Workspace::new();
    let report = home.ok("run tournaments/small.toml");
    for expected in [
        "small: 60 games",
        "mcts-regret",
        "Standings",
        "Moving first is worth",
        "A game takes",
    ] {
        assert!(report.contains(expected), "{report}");
    }
    // Wherever the lines end.
    let words: Vec<&str> = report.split_whitespace().collect();
    for expected in [
        "rated highest, has",
        "legal actions on average at its own plies",
    ] {
        assert!(words.join(" ").contains(expected), "{report}");
    }
    assert!(report.lines().count() <= 40, "{report}");
    assert!(
        report.ends_with("Page: results/small/report.html\n"),
        "{report}"
    );
    let full = home.ok("report results/small --full");
    for expected in ["First-player", "Branching", "7x7", "Settings"] {
        assert!(full.contains(expected), "{full}");
    }
    assert!(
        full.lines().all(|line| line.chars().count() <= 80),
        "{full}"
    );
    // The folder has what a person opens.
    let files = || {
        let entries = std::fs::read_dir(home.path("results/small")).expect("a folder");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        names.collect::<std::collections::BTreeSet<_>>()
    };
    let opened = ["games.db", "report.html", "summary.json"].map(Into::into);
    assert_eq!(files(), opened.into());
    // Reports read saved files, so they are the same at any time.
    assert_eq!(home.ok("report results/small"), report);
    // Running again plays nothing and reports the same.
    let games = home.read("results/small/games.db");
    let (result, _) = report.split_once("Page: ").expect("a line about the page");
    let quiet = home.ok("run tournaments/small.toml --quiet");
    assert_eq!(quiet, result);
    let json = home.json("run tournaments/small.toml --quiet --format json");
    assert_eq!(json, home.report("results/small"));
    assert_eq!(home.read("results/small/games.db"), games);
    // A command that has ended leaves one file of its ledger.
    assert_eq!(home.ledger_files("results/small"), ["games.db"]);
}

#[test]
fn the_numbers_of_a_report_agree_with_each_other() {
    let home = Workspace::played();
    let json = home.ok("report results/small --format json");
    assert_eq!(json.as_bytes(), home.read("results/small/summary.json"));
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["games"], 60);
    let ratings = json["ratings"].as_array().expect("a list");
    assert_eq!(ratings.len(), 6);
    let elo = |row: &Value| row["elo"]["value"].as_f64().expect("a number");
    let linked = ratings.iter().filter(|row| row["separated"] == false);
    assert!(
        linked.map(elo).sum::<f64>().abs() < 1e-6,
        "the mean of the agents that wins link is 0"
    );
    for row in ratings {
        // An end that the wins do not limit is null.
        assert!(row["elo"]["low"].as_f64().is_none_or(|low| low <= elo(row)));
        assert!(
            row["elo"]["high"]
                .as_f64()
                .is_none_or(|high| high >= elo(row))
        );
        assert_eq!(row["games"], 20);
        let score = row["wins"].as_f64().expect("a number") / 20.0;
        assert_eq!(row["score"].as_f64(), Some(score));
    }
    assert_eq!(
        ratings.last().map(|row| &row["agent"]),
        Some(&Value::from("random"))
    );
    let first = &json["first_player"];
    assert_eq!(first["games"], 60);
    for at in [
        "/win_rate/value",
        "/win_rate/low",
        "/win_rate/high",
        "/elo/value",
    ] {
        assert!(first.pointer(at).is_some_and(Value::is_f64), "{at}");
    }
    let number = |at: &str| json.pointer(at).and_then(Value::as_f64).expect(at);
    assert!(number("/sizes/0/legal/value") > 20.0);
    let classes = json["branching"].as_array().expect("a list");
    let by_ply = classes.iter().filter(|class| class["by"] == "ply");
    assert!(by_ply.clone().count() > 30);
    assert!(by_ply.clone().all(|class| class["legal"]["value"].is_f64()));
    let plies = number("/branching/0/first") + number("/branching/0/second");
    assert!((plies / 60.0 - number("/sizes/0/plies/value")).abs() < 1e-9);
}

#[test]
fn tables_are_printed_as_they_are_saved() {
    let home = Workspace::played();
    let print = |table: &str| {
        home.ok(&format!(
            "report results/small --format csv --table {table}"
        ))
    };
    // Plies count from 1.
    let branching = print("branching");
    assert!(branching.contains("\n,ply,1,") && branching.contains("\nrandom,ply,1,"));
    assert!(!branching.contains(",ply,0,"));
    // Into a folder, all tables are written.
    let tables = home.path("tables");
    std::fs::create_dir(&tables).expect("created");
    let into = "report results/small --format csv -o tables";
    home.ok(into);
    let files: Vec<_> = std::fs::read_dir(&tables).expect("a folder").collect();
    assert!(files.len() > 10);
    for file in files {
        let path = file.expect("an entry").path();
        let table = path.file_stem().and_then(|stem| stem.to_str());
        let table = table.expect("a name");
        assert_eq!(home.text(&format!("tables/{table}.csv")), print(table));
    }
    home.refuses(&format!("{into} --full"), "--full: requires");
    home.refuses(
        &format!("{into} --table patches"),
        "tables is a folder, for all tables",
    );
}

#[test]
fn exports_are_read_back_and_have_all_thoughts() {
    let home = Workspace::played();
    home.ok("export results/small --format tsv --output games.tsv");
    assert_eq!(home.ok("verify games.tsv"), "60 games, 0 mismatches\n");
    let pgn = home.ok("export results/small --format pgn");
    assert_eq!(pgn.matches("[Event \"small\"]").count(), 60);
    assert!(pgn.contains(", iterations 30"), "{pgn}");
    home.write("games.pgn", &pgn);
    assert_eq!(home.ok("verify games.pgn"), "60 games, 0 mismatches\n");
    let line = &home.games("results/small")[0];
    let plies = line["legal_actions"].as_array().map(Vec::len);
    for key in [
        "values",
        "proven",
        "nodes",
        "mean_depths",
        "max_depths",
        "entropies",
    ] {
        assert_eq!(line[key].as_array().map(Vec::len), plies, "{key}");
    }
}

#[test]
fn every_game_can_be_replayed() {
    let home = Workspace::played();
    let games = home.games("results/small");
    let numbers = [0, 33, 59].map(|at| games[at]["game"].to_string());
    let numbers = numbers.iter().map(String::as_str);
    for game in numbers.chain(["mcts-fast|random/1/1"]) {
        let replayed = home.ok(&["analyze", "replay", "results/small", game]);
        assert!(replayed.contains("the bytes agree"), "{replayed}");
    }
    let shown = home.ok("analyze replay results/small 3 --show");
    expect_in(&shown, "a b c d e f g h i ... Ply 30:");
    for bad in [
        "60",
        "-1",
        "x",
        "a|b/0/0",
        "mcts-fast|random/2/0",
        "mcts-fast|random/0/2",
        "",
    ] {
        home.refuses(
            &["analyze", "replay", "results/small", "--", bad],
            "is not a game of this plan",
        );
    }
}

#[test]
fn results_do_not_depend_on_threads_or_interruptions() {
    let home = Workspace::played();
    let run = |results: &str, threads: &str| -> Command {
        home.command(&format!(
            "run tournaments/small.toml --results {results} --threads {threads} --quiet"
        ))
    };
    let export = |results: &str| home.export(&format!("{results}/small"));
    let succeeds = |mut run: Command| run.status().expect("started").success();
    assert!(succeeds(run("one", "1")));
    let expected = export("one");
    assert_eq!(expected.lines().count(), 60);
    assert!(!expected.contains("nanos"));
    assert_eq!(export("results"), expected, "a thread for each core");

    // The run is killed again and again, each time a little later. What is left can be read, and no game is lost again.
    let mut stored = 0;
    kill_until_done(
        || run("killed", "2"),
        || {
            if home.ledger_path("killed/small").exists() {
                let there = Results::read(&home.path("killed/small")).expect("readable");
                let there = there.games.len();
                assert!(there >= stored, "{there} after {stored}");
                stored = there;
            }
        },
    );
    assert!(succeeds(run("killed", "1")));
    assert_eq!(export("killed"), expected);
}

#[cfg(unix)]
#[test]
fn ctrl_c_saves_what_is_done_and_says_how_to_go_on() {
    let home = Workspace::new();
    home.write("tournaments/long.toml", &small("long", 2000));
    let command = ["run", "tournaments/long.toml", "--threads", "2"];
    let mut child = home
        .command(&command)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("started");
    home.wait_for_stored("results/long", 30, &mut child);
    // A second run into the same folder is refused while the first goes on.
    home.refuses(&command, "results/long");

    signal(&child, "-INT");
    let output = child.wait_with_output().expect("ended");
    assert_eq!(output.status.code(), Some(130));
    let message = text(&output.stderr);
    expect_in(
        &message,
        "of 60,000 games are saved in results/long. To resume:\n",
    );
    let end = "run tournaments/long.toml --threads 2\n";
    assert!(message.ends_with(end), "{message}");
    let report = home.ok("report results/long");
    expect_in(&report, "(incomplete) ... of 60,000 games");
    assert_eq!(home.ledger_files("results/long"), ["games.db"]);
}

#[test]
fn a_plan_that_shares_no_game_is_not_mixed_into_an_old_folder() {
    let home = Workspace::played();
    let before = home.manifest("results/small");
    let games = home.rows("results/small");
    let file = home.read("results/small/games.db");
    for [old, new, expected] in rows(
        r"
        seed = 5 => seed = 6 => seed: 5 there, 6 here
        original => revised => track: original there, revised here
        pairs = 2 => pairs = 2\ncommon_rings = true => rings: each pairing's own there, common to all pairings here
        ",
    ) {
        let changed = small("small", 2).replace(old, new);
        home.write("tournaments/changed.toml", &changed);
        let expected = format!("{expected} ... results/small");
        home.refuses("run tournaments/changed.toml", &expected);
    }
    assert_eq!(home.read("results/small/games.db"), file);
    // A description is not a setting.
    let agent = home.text("agents/mcts-fast.toml");
    home.write(
        "agents/mcts-fast.toml",
        &agent.replace("description = \"", "description = \"x "),
    );
    home.ok("run tournaments/small.toml --quiet");
    assert_eq!(home.rows("results/small"), games);
    let manifest = home.manifest("results/small");
    assert_ne!(before, manifest);
    assert_eq!(before, manifest.replace("\"x One cheap", "\"One cheap"));
}

#[test]
fn results_that_cannot_be_read_get_one_sentence() {
    let home = Workspace::played();
    let games = home.ledger_path("results/small");
    let whole = fs::read(&games).expect("readable");
    let export = home.export("results/small");
    let game = home.rows("results/small")[17].0;

    let change = format!("UPDATE games SET first_points = first_points + 1 WHERE game = {game}");
    home.change("results/small", &change);
    let damaged = fs::read(&games).expect("readable");
    for command in [
        "report results/small",
        "export results/small --format jsonl",
        "analyze replay results/small 0",
        "run tournaments/small.toml",
    ] {
        home.refuses(
            command,
            &format!(
                "results/small/games.db: damaged: ... the row of the game {game} in the table games"
            ),
        );
    }
    assert_eq!(
        fs::read(&games).expect("readable"),
        damaged,
        "nothing is changed"
    );

    // A row that is missing is noticed. What is whole is saved, and a run plays the rest again.
    fs::write(&games, &whole).expect("written");
    home.change(
        "results/small",
        &format!("DELETE FROM games WHERE game = {game}"),
    );
    home.refuses(
        "report results/small",
        "games.db: damaged: the table games has 59 rows; expected 60",
    );
    let into = "import results/small --into saved/small";
    let output = home.run(into);
    assert_eq!(
        text(&output.stderr),
        "results/small: took 59 games; 1 game lost to damage\n"
    );
    assert!(output.status.success());
    home.ok("run tournaments/small.toml -q --results saved");
    assert_eq!(home.export("saved/small"), export);
    fs::write(&games, &whole).expect("written");

    let json = home.manifest("results/small");
    // The database itself refuses a text that is not JSON.
    for bad in ["{}", "[1]", &json.replace("\"seed\":5", "\"seed\":6")] {
        home.set_manifest("results/small", bad);
        home.refuses(
            "report results/small",
            "games.db: the manifest is not valid: ",
        );
    }

    fs::create_dir(home.path("empty")).expect("created");
    for other in ["empty", "no-such-folder", "agents/random.toml"] {
        home.refuses(&["report", other], other);
    }
}

/// A limit on file sizes stands in for a full disk, which a test cannot make.
#[cfg(unix)]
#[test]
#[ignore = "many processes"]
fn a_full_disk_loses_nothing() {
    let home = Workspace::new();
    // Games are stored at least every 200 ms, so that those of many transactions fit.
    let cheap = small("small", 1000).replace(", \"mcts-*\"", "");
    home.write("tournaments/small.toml", &cheap);
    let script = "ulimit -f 512; exec \"$0\" \"$@\"";
    let output = Command::new("sh")
        .args(["-c", script, &binary()])
        .args(["run", "tournaments/small.toml", "--quiet"])
        .current_dir(home.path(""))
        .output()
        .expect("started");
    let sentence = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{sentence}");
    assert!(
        sentence.contains("games.db") && sentence.lines().count() == 1,
        "{sentence}"
    );
    let report = home.ok("report results/small");
    let done = report
        .split_once("small: ")
        .and_then(|(_, rest)| rest.split_once(" of 6,000 games"))
        .map(|(done, _)| done.to_owned())
        .expect("some games are saved");
    assert!(home.stored("results/small") > 5, "{report}");
    let sentence = text(&home.run("run tournaments/small.toml").stderr);
    expect_in(&sentence, &format!("{done} of 6,000 games are there"));
    assert!(
        home.ok("report results/small")
            .contains("small: 6,000 games")
    );
}

/// The folder's name is not part of the pattern.
#[test]
fn globs_work_in_folders_with_odd_names() {
    let home = Workspace::new();
    let odd = home.path("odd [1] *");
    fs::create_dir(&odd).expect("created");
    fs::rename(home.path("agents"), odd.join("agents")).expect("moved");
    fs::rename(home.path("tournaments"), odd.join("tournaments")).expect("moved");
    let list = small("odd", 1).replace("\"greedy-*\"", "\"agents/greedy-*.toml\"");
    fs::write(odd.join("tournaments/paths.toml"), list).expect("written");
    for file in ["small", "paths"] {
        let file = odd.join(format!("tournaments/{file}.toml"));
        home.ok(&["run", file.to_str().expect("text"), "--quiet"]);
    }
}

/// A folder of a program that has registered a kind of agent of its own.
#[test]
fn a_kind_of_agent_that_is_not_registered_is_refused() {
    register::<saver::SaverSettings>();
    let home = Workspace::new();
    let file = format!("{PROJECT}/examples/own-player/tournament.toml");
    let manifest = Manifest::of_file(file.as_ref(), None).expect("a tournament");
    let dir = home.path("results/own-player");
    drop(Results::open(&dir, &manifest).expect("a folder"));
    let unknown = "type: unknown value \"saver\"; expected random, greedy, flat, alpha-beta, mcts or external";
    for arguments in [["report", "results/own-player"], ["run", &file]] {
        home.refuses(&arguments, unknown);
    }
    let message = home.refused("verify results/own-player --sample 1");
    let folder = "results/own-player/games.db: the manifest is not valid: plan.agents[2].config: ";
    assert!(message.contains(&format!("{folder}{unknown}")), "{message}");
}
