//! The program as its users meet it: the binary, its files, its output and its exit codes.

use std::fs;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

mod support;

use support::program::{AGENTS, BINARY, Desk, PROJECT, small, text};

#[test]
fn a_tournament_from_files_to_reports() {
    let desk = Desk::new();
    let report = desk.ok(&["run", "tournaments/small.toml"]);
    for expected in [
        "small: 60 games",
        "mcts-regret",
        "First-player",
        "Branching",
        "7x7",
    ] {
        assert!(report.contains(expected), "{report}");
    }
    for file in [
        "manifest.json",
        "games.bin",
        "summary.json",
        "ratings.csv",
        "pairings.csv",
    ] {
        assert!(
            desk.path(&format!("results/small/{file}")).is_file(),
            "{file}"
        );
    }
    // Reports are of saved files, and the same at any time.
    assert_eq!(desk.ok(&["report", "results/small"]), report);
    let json = desk.ok(&["report", "results/small", "--format", "json"]);
    assert_eq!(json.as_bytes(), desk.read("results/small/summary.json"));
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["games"], 60);
    let ratings = json["ratings"].as_array().expect("a list");
    assert_eq!(ratings.len(), 6);
    let elo = |row: &Value| row["elo"].as_f64().expect("a number");
    assert!(
        ratings.iter().map(elo).sum::<f64>().abs() < 1e-6,
        "the mean is 0"
    );
    for row in ratings {
        let low_to_high = row["low"].as_f64()..=row["high"].as_f64();
        assert!(low_to_high.contains(&row["elo"].as_f64()));
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
    for key in ["win_rate", "low", "high", "elo"] {
        assert!(first[key].is_f64(), "{key}");
    }
    assert!(json["branching"]["mean"].as_f64().expect("a number") > 20.0);
    let by_ply = json["branching"]["by_ply"].as_array().expect("a list");
    assert!(by_ply.len() > 30 && by_ply.iter().all(Value::is_f64));
    let plies = |key: &str| json["plies"][key].as_f64().expect("a number");
    assert!((plies("first") + plies("second") - plies("mean")).abs() < 1e-9);

    for table in [
        "ratings",
        "pairings",
        "first-player",
        "branching",
        "lengths",
        "decisions",
        "scores",
        "margins",
        "composition",
        "patches",
        "rings",
        "games",
    ] {
        let csv = desk.ok(&[
            "report",
            "results/small",
            "--format",
            "csv",
            "--table",
            table,
        ]);
        assert_eq!(
            csv.as_bytes(),
            desk.read(&format!("results/small/{table}.csv"))
        );
    }

    // Playing again plays nothing and reports the same.
    let games = desk.read("results/small/games.bin");
    assert_eq!(
        desk.ok(&["run", "tournaments/small.toml", "--quiet"]),
        report
    );
    assert_eq!(desk.read("results/small/games.bin"), games);

    // Exports are read back by the check, and every game can be played again.
    desk.ok(&[
        "export",
        "results/small",
        "--format",
        "tsv",
        "--output",
        "games.tsv",
    ]);
    assert_eq!(
        desk.ok(&["check-games", "games.tsv"]),
        "60 games, 0 mismatches\n"
    );
    let pgn = desk.ok(&["export", "results/small", "--format", "pgn"]);
    assert_eq!(pgn.matches("[Event \"small\"]").count(), 60);
    assert!(pgn.contains(", iterations 30"), "{pgn}");
    desk.write("games.pgn", &pgn);
    assert_eq!(
        desk.ok(&["check-games", "games.pgn"]),
        "60 games, 0 mismatches\n"
    );
    let jsonl = desk.ok(&["export", "results/small", "--format", "jsonl"]);
    let line: Value = serde_json::from_str(jsonl.lines().next().expect("60 lines")).expect("JSON");
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
    for game in ["0", "33", "59", "mcts-fast|random/1/1"] {
        let replayed = desk.ok(&["replay", "results/small", game]);
        assert!(replayed.contains("the bytes agree"), "{replayed}");
    }
    let shown = desk.ok(&["replay", "results/small", "7", "--show"]);
    assert!(
        shown.contains("a b c d e f g h i") && shown.contains("Ply 30:"),
        "{shown}"
    );
    for bad in [
        "60",
        "-1",
        "x",
        "a|b/0/0",
        "mcts-fast|random/2/0",
        "mcts-fast|random/0/2",
        "",
    ] {
        let sentence = desk.refused(&["replay", "results/small", "--", bad]);
        assert!(sentence.contains("is no game of this plan"), "{sentence}");
    }
}

#[test]
fn results_do_not_depend_on_threads_or_interruptions() {
    let desk = Desk::new();
    let run = |results: &str, threads: &str| -> Command {
        desk.command(&[
            "run",
            "tournaments/small.toml",
            "--results",
            results,
            "--threads",
            threads,
            "--quiet",
        ])
    };
    let export =
        |results: &str| desk.ok(&["export", &format!("{results}/small"), "--format", "jsonl"]);
    assert!(run("one", "1").output().expect("started").status.success());
    assert!(run("two", "2").output().expect("started").status.success());
    let expected = export("one");
    assert_eq!(expected.lines().count(), 60);
    assert!(!expected.contains("nanos"));
    assert_eq!(export("two"), expected);

    // Killed again and again, each time a little later, and once with a torn frame left behind.
    let mut kills = 0;
    for patience in (1..).map(|step| Duration::from_millis(40 * step)) {
        let mut child = run("killed", "2")
            .stdout(Stdio::null())
            .spawn()
            .expect("started");
        sleep(patience);
        let ended = child.try_wait().expect("asked").is_some();
        child.kill().expect("killed");
        let _ = child.wait().expect("gone");
        if ended {
            break;
        }
        kills += 1;
        let games = desk.path("killed/small/games.bin");
        if kills == 3
            && let Ok(bytes) = fs::read(&games)
        {
            let torn = bytes.len().saturating_sub(3).max(8);
            fs::write(&games, &bytes[..torn]).expect("torn");
        }
    }
    assert!(kills > 0);
    assert!(
        run("killed", "1")
            .output()
            .expect("started")
            .status
            .success()
    );
    assert_eq!(export("killed"), expected);
}

#[cfg(unix)]
#[test]
fn ctrl_c_saves_what_is_done_and_says_how_to_go_on() {
    let desk = Desk::new();
    desk.write("tournaments/long.toml", &small("long", 2000));
    let command = ["run", "tournaments/long.toml", "--threads", "2"];
    let mut child = desk
        .command(&command)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("started");
    let games = desk.path("results/long/games.bin");
    let start = Instant::now();
    while fs::metadata(&games).map_or(0, |file| file.len()) < 5000 {
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "no games are played"
        );
        assert!(child.try_wait().expect("asked").is_none(), "it goes on");
        sleep(Duration::from_millis(20));
    }
    // A second run into the same folder is refused while the first goes on.
    let sentence = desk.refused(&command);
    assert!(sentence.contains("results/long"), "{sentence}");

    let interrupt = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(interrupt.expect("started").success());
    let output = child.wait_with_output().expect("ended");
    assert_eq!(output.status.code(), Some(130));
    let message = text(&output.stderr);
    let last = message.lines().last().expect("a message");
    assert!(last.contains("are saved in results/long"), "{message}");
    assert!(
        last.contains("run tournaments/long.toml --threads 2"),
        "{message}"
    );
    let report = desk.ok(&["report", "results/long"]);
    assert!(report.contains("(incomplete)"), "{report}");
    assert!(report.contains("of 60000 games"), "{report}");
}

#[test]
fn a_changed_plan_is_not_mixed_into_an_old_folder() {
    let desk = Desk::new();
    desk.ok(&["run", "tournaments/small.toml", "--quiet"]);
    let before = [
        desk.read("results/small/manifest.json"),
        desk.read("results/small/games.bin"),
    ];
    let changes = [
        ("pairs = 2", "pairs = 3", "pairs is 2 there and 3 here"),
        ("seed = 5", "seed = 6", "seed is 5 there and 6 here"),
        ("\"original\"", "\"revised\"", "track is \"original\" there"),
        ("\"random\", ", "", "the agents are"),
    ];
    for (old, new, expected) in changes {
        desk.write(
            "tournaments/changed.toml",
            &small("small", 2).replace(old, new),
        );
        let sentence = desk.refused(&["run", "tournaments/changed.toml"]);
        assert!(
            sentence.contains(expected) && sentence.contains("results/small"),
            "{sentence}"
        );
    }
    let agent = text(&desk.read("agents/mcts-fast.toml"));
    desk.write("agents/mcts-fast.toml", &agent.replace("= 30", "= 31"));
    let sentence = desk.refused(&["run", "tournaments/small.toml"]);
    assert!(
        sentence.contains("settings of the agent mcts-fast"),
        "{sentence}"
    );
    // A description is no setting.
    desk.write(
        "agents/mcts-fast.toml",
        &agent.replace("description = \"", "description = \"x "),
    );
    desk.ok(&["run", "tournaments/small.toml", "--quiet"]);
    let after = [
        desk.read("results/small/manifest.json"),
        desk.read("results/small/games.bin"),
    ];
    assert_eq!(before, after);
}

#[test]
fn mistakes_in_tournament_files_get_one_sentence() {
    let desk = Desk::new();
    desk.write(
        "agents/broken.toml",
        "type = \"mcts\"\n[budget]\niterations = 0\n",
    );
    fs::create_dir(desk.path("more")).expect("created");
    desk.write("more/random.toml", "type = \"random\"\n");
    let file = "tournaments/bad.toml";
    let good = small("bad", 2);
    let agents = |list: &str| good.replace("[\"random\", \"greedy-*\", \"mcts-*\"]", list);
    let cases: Vec<(String, &[&str])> = vec![
        (
            agents("[\"random\", \"mcts-fsat\"]"),
            &["agents", "mcts-fsat", "did you mean mcts-fast?"],
        ),
        (agents("[]"), &["agents", "expected at least two"]),
        (agents("[\"random\"]"), &["agents", "expected at least two"]),
        (
            agents("[\"random\", \"random\"]"),
            &["agents", "random comes twice"],
        ),
        (
            agents("[\"random\", \"rand*\"]"),
            &["agents", "random comes twice"],
        ),
        (
            agents("[\"random\", \"../more/random.toml\"]"),
            &["agents", "random comes twice"],
        ),
        (
            agents("[\"random\", \"no-*\"]"),
            &["agents", "no agent matches 'no-*'"],
        ),
        (agents("[\"random\", \"a[\"]"), &["agents", "'"]),
        (
            agents("[\"random\", \"no/such.toml\"]"),
            &["agents", "no/such.toml"],
        ),
        (agents("[\"random\", \"\"]"), &["agents"]),
        (agents("\"random\""), &["agents", "expected a list"]),
        (agents("[\"random\", 3]"), &["agents", "expected a string"]),
        (
            agents("[\"random\", \"broken\"]"),
            &["agents/broken.toml", "budget.iterations", "`0`"],
        ),
        (good.replace("pairs = 2", "pairs = 0"), &["pairs", "`0`"]),
        (good.replace("pairs = 2", "pairs = -2"), &["pairs", "`-2`"]),
        (good.replace("pairs = 2", "pairs = 2.5"), &["pairs", "2.5"]),
        (
            good.replace("pairs = 2", "pairs = 4000000000"),
            &["pairs", "expected at most"],
        ),
        (good.replace("pairs = 2", ""), &["missing key `pairs`"]),
        (
            good.replace("pairs", "pears"),
            &["unknown key `pears`", "did you mean pairs?"],
        ),
        (
            good.replace("\"original\"", "\"orignal\""),
            &["track", "did you mean original?"],
        ),
        (good.replace("round-robin", "swiss"), &["format", "swiss"]),
        (good.replace("seed = 5", "seed = -5"), &["seed", "-5"]),
        (good.replace("\"bad\"", "\"../bad\""), &["name", "../bad"]),
        (good.replace("\"bad\"", "\"\""), &["name", "''"]),
        (good.replace("\"bad\"", "7"), &["name", "expected a string"]),
        (
            "type = \"random\"\n".into(),
            &["type", "expected a tournament file"],
        ),
        (String::new(), &["missing key `name`"]),
        ("{}}".into(), &["bad.toml:1: not valid TOML"]),
        ("\0\0".into(), &["not valid TOML"]),
    ];
    for (content, expected) in cases {
        desk.write(file, &content);
        let sentence = desk.refused(&["run", file]);
        for part in expected {
            assert!(
                sentence.contains(part),
                "{content}\n{sentence} lacks {part}"
            );
        }
        assert!(sentence.contains(".toml"), "{sentence}");
    }
    fs::write(desk.path(file), b"name = \"\xff\"").expect("written");
    assert!(desk.refused(&["run", file]).contains(file));
    for other in ["tournaments", "no-such-file.toml"] {
        assert!(desk.refused(&["run", other]).contains(other));
    }
    for threads in ["0", "-1", "x", "100000"] {
        let threads = format!("--threads={threads}");
        let sentence = desk.refused(&["run", "tournaments/small.toml", &threads]);
        assert!(sentence.contains("--threads"), "{sentence}");
    }
    assert!(desk.refused(&["rnu", "x.toml"]).contains("'rnu'"));
    assert!(desk.refused(&["run"]).contains("<FILE>"));
    assert!(!desk.path("results").exists(), "nothing is written");
}

#[test]
fn mistakes_in_agent_files_get_one_sentence() {
    let desk = Desk::new();
    let good = text(&desk.read("agents/mcts-regret.toml"));
    let cases: Vec<(String, &[&str])> = vec![
        (
            good.replace("iterations = 30", "iteratons = 30"),
            &["budget", "did you mean iterations?"],
        ),
        (
            good.replace("iterations = 30", "iterations = \"many\""),
            &["budget.iterations", "many"],
        ),
        (
            good.replace("iterations = 30", ""),
            &["budget", "milliseconds"],
        ),
        (
            good.replace("iterations = 30", "iterations = 3\nmilliseconds = 3"),
            &["budget", "more than one"],
        ),
        (
            good.replace("iterations = 30", "milliseconds = -3"),
            &["budget.milliseconds", "-3"],
        ),
        (
            good.replace("\"bl-lb\"", "\"bllb\""),
            &["expansion.policy", "did you mean bl-lb?"],
        ),
        (
            good.replace("\"every\"", "\"all\""),
            &["expansion.transforms", "some, every"],
        ),
        (
            good.replace("\"regret\"", "\"regrets\""),
            &["expansion.evaluation", "regret"],
        ),
        (
            good.replace("\"greedy\"", "\"greddy\""),
            &["rollout.pick", "did you mean greedy?"],
        ),
        (
            good.replace("\"greedy\"", "\"epsilon-greedy\""),
            &["rollout.epsilon", "0 to 1"],
        ),
        (
            good.replace(
                "pick = \"greedy\"",
                "pick = \"epsilon-greedy\"\nepsilon = 1.5",
            ),
            &["rollout.epsilon", "1.5"],
        ),
        (
            good.replace("pick = \"greedy\"", "pick = \"greedy\"\nepsilon = 0.1"),
            &["epsilon"],
        ),
        (
            format!("{good}\n[search]\nexploration = -1.0\n"),
            &["search.exploration", "-1"],
        ),
        (
            format!("{good}\n[search]\nexploration = nan\n"),
            &["search.exploration"],
        ),
        (
            format!("{good}\n[search]\nvalue = \"winn\"\n"),
            &["search.value", "did you mean win?"],
        ),
        (
            format!("{good}\n[search]\nmargin_scale = 3.0\n"),
            &["search.margin_scale"],
        ),
        (
            format!("{good}\n[search]\nvalue = \"margin\"\nmargin_scale = 0.0\n"),
            &["margin_scale"],
        ),
        (
            good.replace("\"mcts\"", "\"mtcs\""),
            &["type", "did you mean mcts?"],
        ),
        (
            good.replace("type = \"mcts\"", "type = 3"),
            &["type", "expected a string"],
        ),
        (good.replace("type = \"mcts\"", ""), &["missing key `type`"]),
        (
            "type = \"random\"\nseed = 3\n".into(),
            &["unknown key `seed`"],
        ),
        (
            good.replace("[rollout]", "[rolout]"),
            &["unknown key `rolout`", "did you mean rollout?"],
        ),
    ];
    for (content, expected) in cases {
        desk.write("agents/mine.toml", &content);
        let sentence = desk.refused(&["match", "random", "mine"]);
        for part in ["agents/mine.toml"].iter().chain(expected) {
            assert!(
                sentence.contains(part),
                "{content}\n{sentence} lacks {part}"
            );
        }
    }
    let output = desk.run(&["agents", "list"]);
    assert_eq!(output.status.code(), Some(2), "one file is bad");
    assert!(
        text(&output.stdout).contains("mcts-fast"),
        "the others are listed"
    );
    assert!(text(&output.stderr).contains("agents/mine.toml"));
}

#[test]
fn results_that_cannot_be_read_get_one_sentence() {
    let desk = Desk::new();
    desk.ok(&["run", "tournaments/small.toml", "--quiet"]);
    let games = desk.path("results/small/games.bin");
    let whole = fs::read(&games).expect("readable");
    let report = desk.ok(&["report", "results/small"]);

    let mut damaged = whole.clone();
    damaged[1000] ^= 1;
    fs::write(&games, &damaged).expect("written");
    for command in [
        vec!["report", "results/small"],
        vec!["export", "results/small", "--format", "jsonl"],
        vec!["replay", "results/small", "0"],
        vec!["run", "tournaments/small.toml"],
    ] {
        let sentence = desk.refused(&command);
        assert!(
            sentence.contains("games.bin: damaged at byte"),
            "{sentence}"
        );
    }
    assert_eq!(
        fs::read(&games).expect("readable"),
        damaged,
        "nothing is changed"
    );

    // A torn last frame is passed over by reports and played again by a run.
    fs::write(&games, &whole[..whole.len() - 5]).expect("written");
    assert!(
        desk.ok(&["report", "results/small"])
            .contains("59 of 60 games")
    );
    assert_eq!(
        desk.ok(&["run", "tournaments/small.toml", "--quiet"])
            .lines()
            .next(),
        report.lines().next()
    );

    let manifest = desk.path("results/small/manifest.json");
    let json = fs::read_to_string(&manifest).expect("readable");
    for bad in [
        &json[..json.len() / 2],
        "",
        "{}",
        "[1]",
        &json.replace("\"seed\": 5", "\"seed\": 6"),
    ] {
        fs::write(&manifest, bad).expect("written");
        let sentence = desk.refused(&["report", "results/small"]);
        assert!(sentence.contains("manifest.json"), "{sentence}");
    }
    fs::write(&manifest, json).expect("written");

    fs::create_dir(desk.path("empty")).expect("created");
    for other in ["empty", "no-such-folder", "agents/random.toml"] {
        let sentence = desk.refused(&["report", other]);
        assert!(sentence.contains(other), "{sentence}");
    }
}

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

/// A limit on the size of files stands in for a full disk, which a test cannot make.
#[cfg(unix)]
#[test]
fn a_full_disk_loses_nothing() {
    let desk = Desk::new();
    let script = "trap '' XFSZ; ulimit -f 16; exec \"$0\" \"$@\"";
    let output = Command::new("sh")
        .args(["-c", script, BINARY.expect("an integration test")])
        .args(["run", "tournaments/small.toml", "--quiet"])
        .current_dir(desk.path(""))
        .output()
        .expect("started");
    let sentence = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{sentence}");
    assert!(
        sentence.contains("games.bin") && sentence.lines().count() == 1,
        "{sentence}"
    );
    let report = desk.ok(&["report", "results/small"]);
    let done: usize = report
        .split_once("small: ")
        .and_then(|(_, rest)| rest.split_once(" of 60 games"))
        .and_then(|(done, _)| done.parse().ok())
        .expect("some games are saved");
    assert!(done > 5);
    let sentence = text(&desk.run(&["run", "tournaments/small.toml"]).stderr);
    assert!(
        sentence.contains(&format!("resuming after {done} of 60 games")),
        "{sentence}"
    );
    assert!(
        !sentence.contains("cut off"),
        "the failed frame was taken back: {sentence}"
    );
    assert!(
        desk.ok(&["report", "results/small"])
            .contains("small: 60 games")
    );
}

#[test]
fn games_are_checked_against_the_rules() {
    let desk = Desk::new();
    let data = format!("{PROJECT}/tests/data/random-games.tsv.gz");
    assert_eq!(
        desk.ok(&["check-games", &data]),
        "100 games, 0 mismatches\n"
    );

    desk.ok(&["run", "tournaments/small.toml", "--quiet"]);
    let table = desk.ok(&["export", "results/small", "--format", "tsv"]);
    let lines: Vec<&str> = table.lines().collect();
    let changed = |column: usize, change: &dyn Fn(&str) -> String| {
        let mut fields: Vec<String> = lines[1].split('\t').map(str::to_owned).collect();
        fields[column] = change(&fields[column]);
        format!("{}\n{}\n{}\n", lines[0], fields.join("\t"), lines[2])
    };
    type Change<'a> = &'a dyn Fn(&str) -> String;
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
        desk.write("games.tsv", &changed(column, change));
        let output = desk.run(&["check-games", "games.tsv"]);
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(text(&output.stdout), "2 games, 1 mismatch\n");
        let message = text(&output.stderr);
        assert!(
            message.starts_with("line 2: ") && message.contains(expected),
            "{message}"
        );
    }
    let bad = [
        (changed(0, &|_| "orignal".into()), "line 2"),
        (changed(1, &|ring| ring[2..].to_owned()), "line 2"),
        (changed(4, &|_| "1\t2".into()), "columns"),
        (lines[0].replace("winner", "loser"), "winner"),
        (String::new(), "is empty"),
    ];
    for (content, expected) in bad {
        desk.write("games.tsv", &content);
        let sentence = desk.refused(&["check-games", "games.tsv"]);
        assert!(
            sentence.contains("games.tsv") && sentence.contains(expected),
            "{sentence}"
        );
    }
    let pgn = desk.ok(&["export", "results/small", "--format", "pgn"]);
    let (first, rest) = pgn.split_once("\n[Event").expect("60 games");
    let second = rest.split("\n[Event").next().expect("a game");
    let two = format!("{first}\n[Event{second}");
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
        (
            two.replacen("2.", "2. A 3.", 1)
                .replacen("\n1. ", "\nQ ", 1),
            "'Q' is not an action",
        ),
    ];
    for (content, expected) in &mismatches[..4] {
        desk.write("games.pgn", content);
        let output = desk.run(&["check-games", "games.pgn"]);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert_eq!(text(&output.stdout), "2 games, 1 mismatch\n");
        assert!(
            message.starts_with("line 1: ") && message.contains(expected),
            "{message}"
        );
    }
    let bad = [
        (two.replacen(" 2.", " 2. A 4.", 1), "out of order"),
        (two.replacen("1. ", "1. Q ", 1), "'Q' is no part of a game"),
        (two.replace("[Track \"original\"]\n", ""), "no header Track"),
        (
            two.replace("original", "orignal"),
            "'orignal' is not a track",
        ),
        (two.replacen("[Ring \"", "[Ring \"1 ", 1), "comes twice"),
        (
            two.replacen("[First", "First", 1),
            "'First' is no part of a game",
        ),
        (two.replacen("1. ", "1. A {never ", 1), "does not end"),
        (
            two.trim_end().trim_end_matches(['0', '1', '-']).to_owned(),
            "has no end",
        ),
        ("{ a comment alone }".to_owned(), "no game"),
    ];
    for (content, expected) in bad {
        desk.write("games.pgn", &content);
        let sentence = desk.refused(&["check-games", "games.pgn"]);
        assert!(
            sentence.contains("games.pgn") && sentence.contains(expected),
            "{sentence}"
        );
    }
    let gzip = fs::read(&data).expect("readable");
    fs::write(desk.path("half.tsv.gz"), &gzip[..gzip.len() / 2]).expect("written");
    assert!(
        desk.refused(&["check-games", "half.tsv.gz"])
            .contains("half.tsv.gz")
    );
    assert!(desk.refused(&["check-games", "agents"]).contains("agents"));
}

#[test]
fn perft_counts_from_the_command_line() {
    let desk = Desk::new();
    let table = fs::read_to_string(format!("{PROJECT}/tests/data/perft.tsv")).expect("readable");
    let mut ring = String::new();
    for line in table.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [track, of_line, actions, one, two] = columns[..] else {
            panic!("five columns: {line}");
        };
        ring = of_line.to_owned();
        let counts = desk.ok(&[
            "perft",
            "2",
            "--track",
            track,
            "--ring",
            of_line,
            "--actions",
            actions,
        ]);
        assert_eq!(counts, format!("1\t{one}\n2\t{two}\n"));
    }
    let sentence = desk.refused(&["perft", "1", "--ring", &ring, "--actions", "A S:a1"]);
    assert!(sentence.contains("--actions: ply 2"), "{sentence}");
    let sentence = desk.refused(&["perft", "1", "--ring", &ring, "--actions", "17:z1"]);
    assert!(
        sentence.contains("--actions") && sentence.contains("'z1'"),
        "{sentence}"
    );
    let sentence = desk.refused(&["perft", "1", "--ring", &ring[3..]]);
    assert!(
        sentence.contains("--ring") && sentence.contains("missing"),
        "{sentence}"
    );
}

#[test]
fn matches_are_played_and_kept_when_asked() {
    let desk = Desk::new();
    let report = desk.ok(&[
        "match",
        "greedy-regret",
        "random",
        "--pairs",
        "5",
        "--quiet",
    ]);
    assert!(
        report.contains("greedy-regret against random: 10 games"),
        "{report}"
    );
    assert!(!desk.path("results").exists());
    let saved = desk.ok(&[
        "match",
        "greedy-regret",
        "random",
        "--pairs",
        "5",
        "--save",
        "duel",
    ]);
    // All but the times is the same again.
    let pairing = |report: &str| {
        let line = report
            .lines()
            .find(|line| line.starts_with(" greedy-regret  random"));
        line.expect("the pairing").to_owned()
    };
    assert_eq!(pairing(&saved), pairing(&report));
    assert!(
        desk.ok(&["replay", "results/duel", "9"])
            .contains("the bytes agree")
    );
    let by_file = desk.ok(&[
        "match",
        "agents/greedy-regret.toml",
        "random",
        "--pairs",
        "5",
        "--quiet",
    ]);
    assert_eq!(by_file.lines().next(), report.lines().next());
    // With a time budget a game cannot be played again, but it can be checked.
    let fast = text(&desk.read("agents/mcts-fast.toml"));
    desk.write(
        "agents/timed.toml",
        &fast.replace("iterations = 30", "milliseconds = 2"),
    );
    desk.ok(&[
        "match", "timed", "random", "--pairs", "1", "--save", "timed", "-q",
    ]);
    let replayed = desk.ok(&["replay", "results/timed", "1"]);
    assert!(
        replayed.contains("time budget") && replayed.contains("legal game"),
        "{replayed}"
    );
    assert!(
        desk.refused(&["match", "random", "random"])
            .contains("comes twice")
    );
    assert!(
        desk.refused(&["match", "random", "rndom"])
            .contains("did you mean random?")
    );
    assert!(
        desk.refused(&["match", "random", "mcts-fast", "--save", "a/b"])
            .contains("--save")
    );
    let list = desk.ok(&["agents", "list"]);
    for name in AGENTS {
        assert!(list.contains(name), "{list}");
    }
}

#[test]
fn the_bench_signature_is_that_of_this_version() {
    let desk = Desk::new();
    let json: Value = serde_json::from_str(&desk.ok(&["bench", "--json"])).expect("JSON");
    // A change of this number is a change of play: say so in the commit.
    assert_eq!(json["signature"], "3b03055455154671");
    let rates = &json["mcts_iterations_per_s"];
    let rates = ["mcts-uniform", "mcts-fast", "mcts-regret"].map(|agent| &rates[agent]);
    for rate in [&json["random_games_per_s"], &json["rollouts_per_s"]]
        .into_iter()
        .chain(rates)
    {
        assert!(rate.as_f64().expect("a number") > 0.0);
    }
}

#[test]
fn packings_are_the_published_ones() {
    let desk = Desk::new();
    let orders = format!("{PROJECT}/src/paper/table1-orders.txt");
    let range = ["--order-range", "0..24"];
    let traces = desk.ok(&[
        &["packing", "--as-published", "--orders", &orders, "--trace"],
        &range[..],
    ]
    .concat());
    let mut ours: Vec<&str> = traces.lines().collect();
    let mut data = String::new();
    let file = fs::File::open(format!("{PROJECT}/tests/data/placement-traces.tsv.gz"));
    let mut gzip = flate2::read::GzDecoder::new(file.expect("readable"));
    std::io::Read::read_to_string(&mut gzip, &mut data).expect("readable");
    let mut theirs: Vec<&str> = data.lines().collect();
    assert_eq!(ours[0], theirs[0]);
    ours.sort_unstable();
    theirs.sort_unstable();
    assert!(ours == theirs, "the traces differ");

    let report = desk.ok(&["packing", "--as-published", "--evaluation", "regret", "-q"]);
    assert!(
        report.contains("11 of 11 deterministic strategies agree"),
        "{report}"
    );
    let some = [
        "packing", "--orders", "20", "--seed", "3", "--policy", "bl", "--policy", "bl-lb", "-q",
    ];
    let compare = ["--compare", "bl-lb/every/regret", "all/every/regret"];
    let text = desk.ok(&[&some[..], &compare[..]].concat());
    assert!(
        text.contains("bl-lb-every + regret minus all-every + regret"),
        "{text}"
    );
    let json = desk.ok(&[&some[..], &["--format", "json"]].concat());
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert!(json.is_object());
    let csv = desk.ok(&[&some[..], &["--format", "csv", "--table", "packings"]].concat());
    assert_eq!(csv.lines().count(), 1 + 20 * 2 * 2 * 7);

    let orders = fs::read_to_string(&orders).expect("readable");
    let first = orders.lines().next().expect("a line");
    for (content, expected) in [
        (
            format!("{first}\n{}", first.replacen("33", "32", 1)),
            "line 2",
        ),
        (first[..20].to_owned(), "line 1"),
        (String::new(), "orders.txt"),
        ("x".to_owned(), "line 1"),
    ] {
        desk.write("orders.txt", &content);
        let sentence = desk.refused(&["packing", "--orders", "orders.txt"]);
        assert!(
            sentence.contains("orders.txt") && sentence.contains(expected),
            "{sentence}"
        );
    }
    for (arguments, expected) in [
        (["--order-range", "990..1001"], "1000"),
        (["--order-range", "5..5"], "--order-range"),
        (["--order-range", "5"], "--order-range"),
        (["--policy", "bllb"], "did you mean bl-lb?"),
        (["--policy", "largest-domain"], "largest-domain"),
        (["--transforms", "all"], "some, every"),
        (["--evaluation", "regert"], "did you mean regret?"),
        (["--orders", "0"], "--orders"),
        (["--orders", "no-such-file"], "no-such-file"),
        (["--table", "pairs"], "--format csv"),
    ] {
        let sentence = desk.refused(&[&["packing"], &arguments[..]].concat());
        assert!(sentence.contains(expected), "{sentence}");
    }
    let sentence = desk.refused(&["packing", "--compare", "bl", "all/every/regret"]);
    assert!(
        sentence.contains("--compare") && sentence.contains("'bl'"),
        "{sentence}"
    );
}

#[test]
fn the_game_is_characterized() {
    let desk = Desk::new();
    let text = desk.ok(&["characterize", "--games", "20", "--quiet"]);
    for expected in ["20 games", "23.2", "23.0", "83.2", "56.0"] {
        assert!(text.contains(expected), "{text}");
    }
    let json = desk.ok(&[
        "characterize",
        "--games",
        "4",
        "--agent",
        "mcts-fast",
        "--json",
    ]);
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(
        (&json["agent"], &json["games"]),
        (&"mcts-fast".into(), &4.into())
    );
    assert!(
        desk.refused(&["characterize", "--agent", "rndom"])
            .contains("did you mean random?")
    );
    assert!(
        desk.refused(&["characterize", "--agent", "*"])
            .contains("several agents")
    );
}

#[test]
fn every_subcommand_has_help_with_an_example() {
    let desk = Desk::new();
    let commands: [&[&str]; 13] = [
        &["packing"],
        &["agents", "strategies"],
        &["characterize"],
        &["run"],
        &["match"],
        &["report"],
        &["export"],
        &["replay"],
        &["agents"],
        &["agents", "list"],
        &["check-games"],
        &["perft"],
        &["bench"],
    ];
    for command in commands {
        let help = desk.ok(&[command, &["--help"]].concat());
        assert!(
            help.contains("Example") && help.contains("  patchwork-arena "),
            "{help}"
        );
    }
    assert!(desk.ok(&["--help"]).contains("check-games"));
}

/// Settings come back from the manifest as they went in, to the last bit.
#[test]
fn odd_numbers_in_agent_files_survive() {
    let desk = Desk::new();
    let good = text(&desk.read("agents/mcts-fast.toml"));
    for (i, number) in [
        "1.6094379124341003",
        "0.9234015847884877",
        "1.4000000000000001",
        "0.1",
    ]
    .iter()
    .enumerate()
    {
        let name = format!("odd{i}");
        let agent = format!("{good}\n[search]\nexploration = {number}\n");
        desk.write(&format!("agents/{name}.toml"), &agent);
        desk.ok(&[
            "match", &name, "random", "--pairs", "1", "--save", &name, "-q",
        ]);
        desk.ok(&[
            "match", &name, "random", "--pairs", "1", "--save", &name, "-q",
        ]);
        let replayed = desk.ok(&["replay", &format!("results/{name}"), "1"]);
        assert!(replayed.contains("the bytes agree"), "{replayed}");
    }
}

/// The folder's name is not a part of the pattern.
#[test]
fn globs_work_in_folders_with_odd_names() {
    let desk = Desk::new();
    let odd = desk.path("odd [1] *");
    fs::create_dir(&odd).expect("created");
    fs::rename(desk.path("agents"), odd.join("agents")).expect("moved");
    fs::rename(desk.path("tournaments"), odd.join("tournaments")).expect("moved");
    let list = small("odd", 1).replace("\"greedy-*\"", "\"agents/greedy-*.toml\"");
    fs::write(odd.join("tournaments/paths.toml"), list).expect("written");
    for file in ["small", "paths"] {
        let file = odd.join(format!("tournaments/{file}.toml"));
        desk.ok(&["run", file.to_str().expect("text"), "--quiet"]);
    }
}

/// Links lead on, modes stay, and what is no plain file is not replaced.
#[cfg(unix)]
#[test]
fn exports_go_where_they_are_sent() {
    use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _, symlink};

    let desk = Desk::new();
    desk.ok(&[
        "match",
        "random",
        "greedy-inorder",
        "--pairs",
        "1",
        "--save",
        "m",
        "-q",
    ]);
    let expected = desk.ok(&["export", "results/m", "--format", "jsonl"]);
    let export = |to: &str| desk.ok(&["export", "results/m", "--format", "jsonl", "-o", to]);
    desk.write("target", "old");
    fs::set_permissions(desk.path("target"), fs::Permissions::from_mode(0o600)).expect("set");
    symlink("target", desk.path("link")).expect("linked");
    export("link");
    assert_eq!(text(&desk.read("target")), expected);
    assert!(
        fs::symlink_metadata(desk.path("link"))
            .expect("there")
            .is_symlink()
    );
    let mode = fs::metadata(desk.path("target"))
        .expect("there")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
    export("/dev/null");
    let null = fs::metadata("/dev/null").expect("there").file_type();
    assert!(null.is_char_device());
    assert!(
        desk.refused(&["export", "results/m", "--format", "jsonl", "-o", "agents"])
            .contains("agents")
    );
}

/// Nobody has to listen.
#[cfg(unix)]
#[test]
fn a_closed_standard_error_is_no_reason_to_panic() {
    let desk = Desk::new();
    for (arguments, code) in [("run tournaments/small.toml", 0), ("report nowhere", 2)] {
        let script = format!("exec \"$0\" {arguments} 2>/dev/full >/dev/null");
        let status = Command::new("sh")
            .args(["-c", &script, BINARY.expect("an integration test")])
            .current_dir(desk.path(""))
            .status();
        assert_eq!(status.expect("started").code(), Some(code), "{arguments}");
    }
}

#[cfg(unix)]
#[test]
fn games_are_read_from_a_pipe() {
    let desk = Desk::new();
    let script = "cat \"$1\" | \"$0\" check-games /dev/stdin";
    let output = Command::new("sh")
        .args(["-c", script, BINARY.expect("an integration test")])
        .arg(format!("{PROJECT}/tests/data/random-games.tsv.gz"))
        .current_dir(desk.path(""))
        .output()
        .expect("started");
    assert_eq!(text(&output.stdout), "100 games, 0 mismatches\n");
}

/// A reader that goes away is no reason to panic.
#[cfg(unix)]
#[test]
fn output_may_be_cut_short() {
    let desk = Desk::new();
    desk.write("tournaments/cut.toml", &small("cut", 2));
    desk.ok(&["run", "tournaments/cut.toml", "--quiet"]);
    let mut child = desk
        .command(&["export", "results/cut", "--format", "jsonl"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("started");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("ended");
    assert_eq!(text(&output.stderr), "");
    assert!(output.status.success());
}
