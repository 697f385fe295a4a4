//! Tournament formats, ring books and sequential tests, from files to reports.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::Value;

use patchwork_test_support::program::{Workspace, expect_in, rows, text};

const AGENTS: &str = "agents = [\"random\", \"greedy-*\", \"mcts-*\"]\n";

fn file(name: &str, lines: &str) -> String {
    format!("name = \"{name}\"\nseed = 3\n{AGENTS}{lines}")
}

/// A tournament of each format, and one with a sequential test.
fn all() -> [(&'static str, String); 3] {
    [
        ("round-robin", "pairs = 2\n"),
        (
            "gauntlet",
            "format = \"gauntlet\"\nchallengers = [\"mcts-fast\", \"greedy-regret\"]\npairs = 2\ncommon_rings = true\n",
        ),
        (
            "tested",
            "format = \"gauntlet\"\nchallengers = [\"greedy-regret\"]\npairs = 40\n\
             [sprt]\nelo0 = 0\nelo1 = 150\nmodel = \"normalized\"\n",
        ),
    ]
    .map(|(name, lines)| (name, file(name, lines)))
}

/// A report without its line breaks.
fn unwrapped(report: &str) -> String {
    report.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
#[ignore = "many processes"]
fn every_format_gives_the_same_games_on_any_threads_and_after_any_kill() {
    let home = Workspace::new();
    for (name, content) in all() {
        let path = format!("tournaments/{name}.toml");
        home.write(&path, &content);
        let run = |results: &str, threads: &str| {
            home.ok(&format!(
                "run {path} --quiet --threads {threads} --results {results}"
            ))
        };
        let dir = |results: &str| format!("{results}/{name}");
        let export = |results: &str| home.export(&dir(results));
        let standings = |report: &str| report.split("\n\n").next().map(str::to_owned);
        let report = run("one", "1");
        let expected = export("one");
        assert_eq!(standings(&run("four", "4")), standings(&report));
        assert_eq!(export("four"), expected, "{name}");
        // Times differ, but not the games and the tests.
        let told = |results: &str| {
            let json = home.report(&dir(results));
            ["format", "sprt", "planned_games", "games"].map(|key| json[key].clone())
        };
        assert_eq!(told("four"), told("one"));

        // The first games, however many, are the beginning of a run.
        let count = expected.lines().count();
        for part in [1, 4, 7] {
            home.keep_games(&dir("four"), count * part / 8);
            let incomplete = home.ok(&["report", &dir("four")]);
            assert!(incomplete.contains("(incomplete)"), "{incomplete}");
            run("four", "3");
            assert_eq!(export("four"), expected, "{name}, {part} parts of 8 kept");
        }

        // Finished games stay, and can be replayed.
        let bytes = home.read(&format!("{}/games.db", dir("one")));
        assert_eq!(run("one", "2"), report);
        assert_eq!(home.read(&format!("{}/games.db", dir("one"))), bytes);
        let played = home.games(&dir("one"));
        for game in [
            &played[0],
            &played[played.len() / 2],
            &played[played.len() - 1],
        ] {
            let replayed = home.ok(&["analyze", "replay", &dir("one"), &game["game"].to_string()]);
            assert!(replayed.contains("the bytes agree"), "{replayed}");
            let by_name = format!(
                "{}/{}/{}",
                game["pairing"].as_str().expect("a name"),
                game["pair"],
                game["leg"]
            );
            assert_eq!(
                home.ok(&["analyze", "replay", &dir("one"), &by_name]),
                replayed
            );
        }
        home.ok(&[
            "export",
            &dir("one"),
            "--format",
            "tsv",
            "--output",
            "g.tsv",
        ]);
        assert!(home.ok("verify g.tsv").contains(", 0 mismatches"));
    }
}

#[test]
fn a_report_has_the_test_of_each_pairing() {
    let home = Workspace::new();
    let [.., (_, content)] = all();
    home.write("tournaments/tested.toml", &content);
    let report = home.ok("run tournaments/tested.toml --quiet --full");
    let json = home.json_file("results/tested/summary.json");
    assert_eq!(json["games"], json["planned_games"]);
    let list = |value: &Value| value.as_array().expect("a list").clone();
    assert!(
        unwrapped(&report).contains("Elo 0 (H0) against Elo 150 (H1), normalized"),
        "{report}"
    );
    let sprt = &json["sprt"];
    assert_eq!(
        (&sprt["elo1"], &sprt["alpha"]),
        (&Value::from(150.0), &Value::from(0.05))
    );
    let tests = list(&sprt["tests"]);
    assert_eq!(tests.len(), 5);
    let mut decided = 0;
    for test in &tests {
        assert_eq!(test["a"], "greedy-regret");
        let pairs = test["pairs"].as_u64().expect("a number");
        let counts = list(&test["counts"]);
        assert_eq!(counts.iter().filter_map(Value::as_u64).sum::<u64>(), pairs);
        let llr = test["llr"].as_f64().expect("a number");
        let (lower, upper) = (sprt["lower"].as_f64(), sprt["upper"].as_f64());
        let open = (lower..upper).contains(&Some(llr));
        assert_eq!(test["verdict"] == "continue", open);
        assert_eq!(test["exhausted"], open);
        assert_eq!(pairs == 40, open);
        decided += usize::from(!open);
    }
    assert!(decided >= 3, "{report}");
}

#[test]
fn rings_are_those_of_the_book_or_common_to_all_pairings() {
    let home = Workspace::new();
    let ring = |turn: usize| {
        let mut patches: Vec<usize> = (2..=33).collect();
        patches.rotate_left(turn);
        let patches: Vec<String> = patches.iter().map(usize::to_string).collect();
        format!("{} 1", patches.join(" "))
    };
    let book: Vec<String> = (0..3).map(ring).collect();
    let lines = book.iter().map(|ring| format!("revised\t{ring}\t0.5\n"));
    let content = format!("# a book\n\n{}", lines.collect::<String>());
    home.write("tournaments/book.tsv", &content);

    let short = "agents = [\"random\", \"greedy-*\"]\npairs = 4\n";
    home.write(
        "tournaments/r.toml",
        &format!("name = \"r\"\n{short}rings = \"book.tsv\"\n"),
    );
    home.ok("run tournaments/r.toml --quiet");
    let rings_of = |games: &[Value]| {
        let mut rings: BTreeMap<u64, BTreeSet<String>> = BTreeMap::new();
        for game in games {
            let pair = game["pair"].as_u64().expect("a number");
            rings
                .entry(pair)
                .or_default()
                .insert(game["ring"].to_string());
        }
        rings
    };
    let played = home.games("results/r");
    assert!(played.iter().all(|game| game["track"] == "revised"));
    let rings = rings_of(&played);
    assert!(
        rings.values().all(|rings| rings.len() == 1),
        "common to all pairings"
    );
    assert_eq!(rings[&0], rings[&3], "the book begins anew");
    let used: BTreeSet<&String> = rings.values().flatten().collect();
    let all: BTreeSet<String> = book.iter().map(|ring| format!("\"{ring}\"")).collect();
    assert!(used.into_iter().eq(&all));
    let last = home.games("results/r").last().expect("a game")["game"].to_string();
    let replayed = home.ok(&["analyze", "replay", "results/r", &last]);
    assert!(replayed.contains("the bytes agree"), "{replayed}");
    // The plan contains the rings: the file is no longer needed, and another file is another plan.
    let other = content.replace(&ring(2), &ring(4));
    home.write("tournaments/book.tsv", &other);
    home.refuses("run tournaments/r.toml", "the rings of the book differ");

    for (name, line, count) in [("common", "common_rings = true\n", 1), ("own", "", 3)] {
        let path = format!("tournaments/{name}.toml");
        home.write(&path, &format!("name = \"{name}\"\n{short}{line}"));
        home.ok(&["run", &path, "--quiet"]);
        let rings = rings_of(&home.games(&format!("results/{name}")));
        assert!(rings.values().all(|rings| rings.len() == count), "{name}");
        let all: BTreeSet<&String> = rings.values().flatten().collect();
        assert_eq!(all.len(), 4 * count);
    }

    // A match also plays on a book, and takes the track from it.
    let book = "tournaments/book.tsv";
    a_test_ends_with_the_book(&home, book);
    let report = home.ok(&format!(
        "match random greedy-regret --pairs 2 --rings {book} --quiet"
    ));
    expect_in(&report, "4 games, 2 agents, revised track");
    home.refuses(
        &format!("match random greedy-regret --rings {book} --track original"),
        "book.tsv ... revised",
    );
}

/// A repeated ring gives no new evidence, so this book of three rings allows three pairs at most.
fn a_test_ends_with_the_book(home: &Workspace, book: &str) {
    let tested = |more: &str| {
        format!("match random greedy-regret --rings {book} --sprt=-300,-299 --quiet {more}")
    };
    let report = home.ok(&tested("--save booked --full"));
    expect_in(&report, "6 games ... Undecided, book exhausted");
    let json = home.report("results/booked");
    let test = &json["sprt"]["tests"][0];
    assert_eq!(
        (&test["ended"], &test["pairs"]),
        (&"book".into(), &3.into())
    );
    assert_eq!(test["exhausted"], true);

    let fewer = home.ok(&tested("--pairs 2"));
    assert!(
        fewer.contains("undecided") && !fewer.contains("book exhausted"),
        "{fewer}"
    );
    let expected = "pairs: 4, and the book has 3; expected at most as many pairs as rings";
    home.refuses(&tested("--pairs 4"), expected);
}

#[test]
fn a_match_stops_when_it_is_decided() {
    let home = Workspace::new();
    let command = |more: &str| {
        home.ok(&format!(
            "match greedy-regret random --sprt -20,80 --quiet {more}"
        ))
    };
    let report = command("--save m --threads 4");
    let row = report
        .lines()
        .find(|line| line.starts_with("accept H1: LLR (log likelihood ratio) +"))
        .expect("a row");
    let export = home.export("results/m");
    let count = export.lines().count();
    assert!(count < 100 && count.is_multiple_of(2), "{count} games");

    // A second run plays nothing, and the results do not depend on saving or threads.
    let games = home.read("results/m/games.db");
    assert_eq!(command("--save m"), report);
    assert_eq!(home.read("results/m/games.db"), games);
    command("--save m1 --threads 1");
    assert_eq!(home.export("results/m1"), export);
    assert!(command("").contains(row));

    // With the agents swapped, the result is the opposite.
    let other = home
        .ok("match random greedy-regret --sprt=0,20 --model normalized --alpha 0.1 --quiet --full");
    let other = unwrapped(&other);
    expect_in(
        &other,
        "accept H0 ... +20.0 normalized Elo; accepted by mistake in about 10.0%",
    );

    // Another test reuses the games and plays more where it needs them.
    let another = "match greedy-regret random --sprt -20,90 --quiet --full --save";
    for folder in ["m", "m2"] {
        let report = home.ok(&format!("{another} {folder}"));
        expect_in(
            &unwrapped(&report),
            "H0: the difference is −20.0 Elo ... H1: the difference is +90.0 Elo",
        );
    }
    assert_eq!(home.export("results/m"), home.export("results/m2"));

    // The number of pairs is a limit.
    let short = command("--pairs 1");
    expect_in(&short, "undecided ... 2 games");

    for (arguments, expected) in [
        ("--sprt 10,0", "--sprt: elo0 is 10 and elo1 is 0"),
        ("--sprt 10", "--sprt"),
        ("--sprt a,b", "--sprt"),
        ("--sprt 0,nan", "--sprt: elo1 is NaN"),
        ("--sprt 0,10 --alpha 0.5", "alpha is 0.5"),
        ("--sprt 0,10 --beta x", "--beta"),
        ("--sprt 0,10 --model elo", "logistic or normalized"),
        ("--alpha 0.1", "--sprt"),
        ("--model normalized", "--sprt"),
        ("--rings none.tsv", "none.tsv: cannot be read"),
    ] {
        home.refuses(&format!("match random greedy-regret {arguments}"), expected);
    }
}

#[test]
fn mistakes_about_formats_get_one_sentence() {
    let home = Workspace::new();
    fs::create_dir(home.path("other")).expect("created");
    home.write(
        "other/random.toml",
        "type = \"greedy\"\nplacement = \"bl/some/first\"\n",
    );
    home.write("bad.tsv", "original\t1 2 3\n");
    home.write("empty.tsv", "# nothing\n");
    let gauntlet = "format = \"gauntlet\"\npairs = 1\n";
    let tested = "format = \"gauntlet\"\nchallengers = [\"random\"]\n[sprt]\n";
    let cases: Vec<(String, &[&str])> = vec![
        (
            "format = \"swiss\"\npairs = 1\n".into(),
            &["format: unknown value \"swiss\"; expected round-robin or gauntlet"],
        ),
        (
            "pairs = 1\nchallengers = [\"random\"]\n".into(),
            &["challengers: requires format = \"gauntlet\", and the format is \"round-robin\""],
        ),
        (
            "pairs = 1\n[sprt]\nelo0 = 0\nelo1 = 5\n".into(),
            &["sprt: requires format = \"gauntlet\""],
        ),
        (gauntlet.into(), &["missing key `challengers`"]),
        (
            format!("{gauntlet}challengers = []\n"),
            &["challengers: none"],
        ),
        (
            format!("{gauntlet}challengers = [\"*\"]\n"),
            &["challengers: all of the agents"],
        ),
        (
            format!("{gauntlet}challengers = [\"randon\"]\n"),
            &["challengers", "did you mean random?"],
        ),
        (
            format!("{gauntlet}challengers = [\"random\", \"random\"]\n"),
            &["challengers", "comes twice"],
        ),
        (
            format!("{gauntlet}challengers = [\"other/random.toml\"]\n"),
            &["challengers: the agent random is ", "other/random.toml"],
        ),
        (
            "format = \"gauntlet\"\nchallengers = [\"random\"]\n".into(),
            &["missing key `pairs`"],
        ),
        (
            format!("{tested}elo0 = 0\n"),
            &["sprt", "missing key `elo1`"],
        ),
        (
            format!("{tested}elo0 = 5\nelo1 = 0\n"),
            &["sprt: elo0 is 5 and elo1 is 0"],
        ),
        (
            format!("{tested}elo0 = 0\nelo1 = 5\nalpha = 0\n"),
            &["sprt: alpha is 0"],
        ),
        (
            format!("{tested}elo0 = 0\nelo1 = 5\nmodel = \"normal\"\n"),
            &["sprt.model", "normal"],
        ),
        (
            format!("{tested}elo0 = 0\nelo1 = 5\ngamma = 1\n"),
            &["sprt", "unknown key `gamma`"],
        ),
        (
            "format = \"gauntlett\"\npairs = 1\n".into(),
            &["format", "did you mean gauntlet?"],
        ),
        (
            "pairs = 1\nrings = \"no.tsv\"\n".into(),
            &["rings: there is no file no.tsv"],
        ),
        (
            "pairs = 1\nrings = \"bad.tsv\"\n".into(),
            &["bad.tsv: line 1: patch 4 is missing"],
        ),
        (
            "pairs = 1\nrings = \"empty.tsv\"\n".into(),
            &["empty.tsv: holds no rings"],
        ),
        (
            "pairs = 1\nrings = \"bad.tsv\"\ncommon_rings = true\n".into(),
            &["common_rings: cannot be combined with rings"],
        ),
        (
            "pairs = 1\ncommon_rings = \"yes\"\n".into(),
            &["common_rings", "expected a boolean"],
        ),
    ];
    for (lines, expected) in cases {
        let path = "tournaments/bad.toml";
        home.write(path, &file("bad", &lines));
        let sentence = home.refused(&["run", path]);
        for part in expected {
            assert!(sentence.contains(part), "{lines}\n{sentence} lacks {part}");
        }
    }
    assert!(!home.path("results").exists(), "nothing is written");
}

/// A game belongs to any plan that contains it: a folder with the games of another format becomes a folder of
/// the new one.
#[test]
fn a_changed_format_keeps_the_games_that_it_has() {
    let home = Workspace::new();
    let path = "tournaments/t.toml";
    for [before, after] in rows(
        r#"
        format = "gauntlet"\nchallengers = ["random"]\npairs = 1\n => format = "gauntlet"\nchallengers = ["random"]\npairs = 1\n[sprt]\nelo0 = 0\nelo1 = 9\n
        format = "gauntlet"\nchallengers = ["random"]\npairs = 1\n => format = "gauntlet"\nchallengers = ["greedy-regret"]\npairs = 1\n
        pairs = 1\n => format = "gauntlet"\nchallengers = ["random"]\npairs = 2\n
    "#,
    ) {
        let file =
            |lines: &str| format!("name = \"t\"\nagents = [\"random\", \"greedy-*\"]\n{lines}");
        home.write(path, &file(before));
        home.ok(&["run", path, "--quiet"]);
        home.write(path, &file(after));
        let output = home.run(&["run", path]);
        let notes = text(&output.stderr);
        assert!(output.status.success(), "{notes}");
        // All plans share the pair of random and an agent that it met.
        assert!(!notes.contains(": 0 of "), "{notes}");
        home.ok(&["run", path, "--quiet", "--results", "once"]);
        assert_eq!(home.export("results/t"), home.export("once/t"), "{after}");
        for folder in ["results", "once"] {
            fs::remove_dir_all(home.path(folder)).expect("removed");
        }
    }
}

/// The games of a folder whose format is unknown are imported into a tournament with the same agents and seed.
#[test]
fn games_of_another_format_can_be_imported() {
    let home = Workspace::new();
    let path = "tournaments/t.toml";
    home.write(
        path,
        "name = \"t\"\nagents = [\"random\", \"greedy-*\"]\npairs = 1\n",
    );
    home.ok(&["run", path, "--quiet"]);
    let manifest = home.manifest("results/t");
    let swiss = "\"format\":{\"swiss\":{\"rounds\":2}}";
    home.set_manifest(
        "results/t",
        &manifest.replace("\"format\":\"round-robin\"", swiss),
    );
    let sentence = home.refused("report results/t");
    for part in [
        "unknown variant `swiss`, expected `round-robin` or `gauntlet`",
        "save its games with `patchwork-arena import DIR --tournament FILE --into NEW`",
    ] {
        assert!(sentence.contains(part), "{sentence} lacks {part}");
    }
    home.ok(&["import", "results/t", "--tournament", path, "--into", "new"]);
    home.set_manifest("results/t", &manifest);
    assert_eq!(home.export("new"), home.export("results/t"));
}

#[test]
fn games_on_other_rings_are_another_plan() {
    let home = Workspace::new();
    let path = "tournaments/t.toml";
    let file = |lines: &str| format!("name = \"t\"\nagents = [\"random\", \"greedy-*\"]\n{lines}");
    home.write(path, &file("pairs = 1\n"));
    home.ok(&["run", path, "--quiet"]);
    for [lines, expected] in rows(
        r#"
        pairs = 1\ncommon_rings = true\n => rings: each pairing's own there, common
        pairs = 1\nseed = 7\n => seed:
        pairs = 1\ntrack = "revised"\n => track: original there, revised here
    "#,
    ) {
        home.write(path, &file(lines));
        home.refuses(&["run", path], expected);
    }
}
