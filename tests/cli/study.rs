//! `scripts/study`: it plays, continues, writes its document, and says what is missing or wrong.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use patchwork_tournament::Results;

use patchwork_test_support::program::{
    CommandLine, PROJECT, binary, expect_in, kill_until_done, program, success, text,
};

/// Whether there is a Python that reads TOML: 3.11 or newer.
fn has_python() -> bool {
    let version = Command::new("python3")
        .args(["-c", "import tomllib"])
        .output();
    version.is_ok_and(|output| output.status.success())
}

/// The script in the project, with results and documents in a folder of their own.
fn script<'a>(home: &Path, line: impl CommandLine<'a>) -> Command {
    let mut command = Command::new("python3");
    command
        .arg(format!("{PROJECT}/scripts/study"))
        .args(line.words());
    let program = binary();
    command.args(["--arena", &program, "--threads", "1", "--results"]);
    command
        .arg(home.join("results"))
        .arg("--docs")
        .arg(home.join("docs"));
    command
}

/// What the script says. `None` without Python 3.11.
fn study<'a>(home: &Path, line: impl CommandLine<'a>) -> Option<Output> {
    has_python().then(|| script(home, line).output().expect("started"))
}

#[test]
fn the_document_of_the_study_is_complete() {
    let mut command = Command::new("python3");
    let Ok(output) = command
        .arg(format!("{PROJECT}/scripts/study"))
        .arg("--check")
        .output()
    else {
        return;
    };
    if !text(&output.stderr).contains("tomllib") {
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
}

#[test]
#[ignore = "many processes"]
fn a_study_plays_a_little_continues_and_plays_no_game_twice() {
    let home = tempfile::tempdir().expect("a folder");
    fs::create_dir(home.path().join("docs")).expect("created");
    let few = |more: &str| {
        format!(
            "--small --only doubling-iterations-10-20 mirror-random-original-3202 --pairs {more}"
        )
    };
    let Some(output) = study(home.path(), &few("1")) else {
        return;
    };
    assert!(output.status.success(), "{}", text(&output.stderr));
    let games = |home: &Path| {
        let results = Results::read(&home.join("results/doubling-iterations-10-20"));
        let results = results.expect("results");
        let games = results.games.iter().collect::<Result<Vec<_>, _>>();
        games.expect("readable")
    };
    let first = games(home.path());
    study(home.path(), &few("2"));
    let more = games(home.path());
    // The times show that no game was played again.
    assert!(more.len() > first.len(), "it continues");
    assert!(first.iter().all(|game| more.contains(game)));
    // The games that exist are taken, also by a study in another folder.
    let other = tempfile::tempdir().expect("a folder");
    fs::create_dir(other.path().join("docs")).expect("created");
    let from = few(&format!(
        "1 --import {}",
        home.path().join("results").display()
    ));
    study(other.path(), &from);
    assert!(games(other.path()) == more);
    // The document needs more than these, and names the first tournament that is missing.
    fs::copy(
        format!("{PROJECT}/docs/lab/study.md"),
        home.path().join("docs/study.md"),
    )
    .expect("copied");
    let output = study(home.path(), &["--document"]).expect("Python");
    let sentence = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    expect_in(&sentence, "grid-iterations: no games of this tournament");
    // Without a figure, the check says which.
    let output = study(home.path(), &["--check"]).expect("Python");
    let sentence = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    expect_in(
        &sentence,
        "the figure study/grid.svg is missing; scripts/study --document makes it",
    );
}

#[test]
#[ignore = "many processes"]
fn a_tournament_ends_when_its_differences_are_known_well_enough() {
    let home = tempfile::tempdir().expect("a folder");
    fs::create_dir(home.path().join("docs")).expect("created");
    let file = home.path().join("study.toml");
    // Near-equal agents of random play: 25 pairs give about ±100 Elo, 400 pairs about ±25.
    let stage = "[[stage]]\nname = \"a\"\nfile = \"t.toml\"\nquestions = [1]\nsmall = 10\nfull = 400\nelo = 100\nseconds = 0.1\n";
    let tournament = format!(
        "name = \"t\"\nagents = [\"random\", \"{PROJECT}/tournaments/study/random-2.toml\"]\n"
    );
    fs::write(&file, stage).expect("written");
    fs::write(home.path().join("t.toml"), tournament).expect("written");
    let study_file = ["--study", file.to_str().expect("text"), "--only", "a"];
    let Some(output) = study(home.path(), &study_file) else {
        return;
    };
    assert!(output.status.success(), "{}", text(&output.stderr));
    let folder = home.path().join("results/a");
    let report = ["report", folder.to_str().expect("text"), "--format", "json"];
    let report = success(&report, &program(&report).output().expect("started"));
    let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
    let score = &report["pairings"][0]["a_score"];
    let [low, high] = ["low", "high"].map(|end| score[end].as_f64().expect("a number"));
    let elo = |score: f64| 400.0 * (score / (1.0 - score)).log10();
    assert!((elo(high) - elo(low)) / 2.0 <= 100.0, "{low} to {high}");
    let games = report["games"].as_u64().expect("a number");
    assert!((20..200).contains(&games), "{games} games");
}

/// A study of two tournaments between near-equal agents, and its options.
fn two_tournaments(home: &Path) -> Vec<String> {
    fs::create_dir_all(home.join("docs/study")).expect("created");
    let stage = |name: &str, small: u32, elo: u32, seconds: &str| {
        format!(
            "[[stage]]\nname = \"{name}\"\nfile = \"t.toml\"\nquestions = [1]\nsmall = {small}\nfull = 64\nelo = {elo}\nseconds = {seconds}\n"
        )
    };
    let study = stage("dear", 8, 1, "2.0") + &stage("cheap", 16, 1, "0.001");
    let tournament = format!(
        "name = \"t\"\nagents = [\"random\", \"{PROJECT}/tournaments/study/random-2.toml\"]\n"
    );
    fs::write(home.join("study.toml"), study).expect("written");
    fs::write(home.join("t.toml"), tournament).expect("written");
    let file = home.join("study.toml");
    vec![
        "--study".to_owned(),
        file.to_str().expect("text").to_owned(),
    ]
}

#[test]
#[ignore = "many processes"]
fn the_full_study_plays_the_cheapest_difference_first() {
    let home = tempfile::tempdir().expect("a folder");
    let mut arguments = two_tournaments(home.path());
    arguments.extend(["--only", "dear", "cheap"].map(str::to_owned));
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let Some(output) = study(home.path(), &arguments) else {
        return;
    };
    assert!(output.status.success(), "{}", text(&output.stderr));
    let told = text(&output.stderr);
    let steps: Vec<&str> = told.lines().collect();
    let expected = [
        "[1/2] dear: 8 pairs",
        "[2/2] cheap: 16 pairs",
        "[2 to play] cheap: 32 pairs of 64, 0 s for each difference",
        "[2 to play] cheap: 64 pairs of 64, 0 s for each difference",
        "[1 to play] dear: 16 pairs of 64, 224 s for each difference",
        "[1 to play] dear: 32 pairs of 64, 192 s for each difference",
        "[1 to play] dear: 64 pairs of 64, 128 s for each difference",
    ];
    assert_eq!(steps, expected);
}

#[test]
#[ignore = "many processes"]
fn games_that_save_the_most_time_per_byte_are_kept_and_continued_from() {
    let [home, other] = [(), ()].map(|()| tempfile::tempdir().expect("a folder"));
    let mut arguments = two_tournaments(home.path());
    two_tournaments(other.path());
    arguments.extend(["--small", "--only", "dear", "cheap"].map(str::to_owned));
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let Some(output) = study(home.path(), &arguments) else {
        return;
    };
    assert!(output.status.success(), "{}", text(&output.stderr));
    let keep = [&arguments[..], &["--keep"]].concat();
    let kept_file = home.path().join("docs/study/games.tar.xz");
    let told = text(&study(home.path(), &keep).expect("Python").stderr);
    assert_eq!(told, "kept 2 tournaments; left out none\n");
    // The other folder takes the kept games, of which only moves and results are there.
    fs::copy(&kept_file, other.path().join("docs/study/games.tar.xz")).expect("copied");
    let output = study(other.path(), &arguments).expect("Python");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let exported = |folder: &Path, name: &str| {
        let folder = folder.join(name);
        let export = [
            "export",
            folder.to_str().expect("text"),
            "--format",
            "jsonl",
        ];
        success(&export, &program(&export).output().expect("started"))
    };
    for name in ["dear", "cheap"] {
        let games = exported(&home.path().join("results"), name);
        // What is kept says that it is the moves alone.
        let of_kept =
            exported(&other.path().join("results"), name).replace("\"moves_only\":true,", "");
        assert_eq!(of_kept, games);
        assert!(games.lines().count() >= 16);
        // The kept file is a whole ledger.
        assert_eq!(
            exported(&other.path().join("results/kept"), name)
                .lines()
                .count(),
            of_kept.lines().count()
        );
    }
    // All games as one database, which the questions of docs/lab/data.md read.
    let export = [&arguments[..], &["--export"]].concat();
    let database = home.path().join("games.db");
    let export = [&export[..], &[database.to_str().expect("text")]].concat();
    let output = study(home.path(), &export).expect("Python");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let page = fs::read_to_string(format!("{PROJECT}/docs/lab/data.md")).expect("readable");
    let block = |start: &str| {
        let (_, rest) = page.split_once(start).expect(start);
        rest.split_once("```").expect("an end").0.to_owned()
    };
    let code = format!(
        "{}import sys\ngames.execute(sys.argv[1])",
        block("```python\nimport sqlite3").replacen('\n', "import sqlite3\n", 1)
    );
    let output = Command::new("python3")
        .args(["-c", &code, &block("```sql\n")])
        .current_dir(home.path())
        .output()
        .expect("started");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let told = text(&output.stdout);
    assert!(
        told.starts_with("[('cheap', ") && told.contains("('dear', "),
        "{told}"
    );
    // Where there is no room for both, the dear games stay.
    let size = fs::metadata(&kept_file).expect("kept").len();
    let code = format!(
        "
from pathlib import Path
from studylib import plan, play
play.MAX_KEPT = {}
study = play.Study(Path({:?}).resolve(), Path('.'), Path({:?}), 1)
print(*study.pack(plan.read({:?}), Path({kept_file:?})))
",
        size - 200,
        binary(),
        home.path().join("results"),
        home.path().join("study.toml"),
    );
    let output = Command::new("python3")
        .args(["-c", &code])
        .current_dir(format!("{PROJECT}/scripts"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .expect("started");
    let told = text(&output.stdout);
    assert_eq!(told, "['dear'] ['cheap']\n", "{}", text(&output.stderr));
    assert!(fs::metadata(&kept_file).expect("kept").len() < size);
}

#[test]
#[ignore = "many processes"]
fn a_study_that_is_killed_at_any_point_plays_the_same_games() {
    if !has_python() {
        return;
    }
    let few = [
        "--fresh",
        "--small",
        "--only",
        "doubling-iterations-10-20",
        "--pairs",
        "4",
    ];
    let [killed, whole] = [(), ()].map(|()| tempfile::tempdir().expect("a folder"));
    for home in [&killed, &whole] {
        fs::create_dir(home.path().join("docs")).expect("created");
    }
    let mut kills = 0;
    kill_until_done(|| script(killed.path(), &few), || kills += 1);
    assert!(kills > 3, "{kills} kills");
    let output = script(whole.path(), &few).output().expect("started");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let [games, expected] = [&killed, &whole].map(|home| {
        let folder = home.path().join("results/doubling-iterations-10-20");
        let folder = folder.to_str().expect("text");
        let export = ["export", folder, "--format", "jsonl"];
        success(&export, &program(&export).output().expect("started"))
    });
    assert_eq!(games.lines().count(), 8);
    assert_eq!(games, expected);
}

#[test]
fn a_study_says_which_differences_have_another_sign_than_in_another_study() {
    if !has_python() {
        return;
    }
    let code = "
from studylib.claims import Claim, compare
claim = lambda name, value, low, high: Claim(name, 'Elo', 100, value, low, high)
there = [claim('a', 50.0, 20.0, 80.0), claim('b', 50.0, 20.0, 80.0), claim('c', -50.0, -80.0, -20.0),
         claim('open', None, 30.0, None), claim('unknown', 5.0, -20.0, 30.0), claim('not played', 50.0, 20.0, 80.0)]
here = [claim('a', 10.0, -20.0, 40.0), claim('b', -50.0, -80.0, -20.0), claim('c', 1.0, -20.0, 22.0),
        claim('open', None, 10.0, None), claim('unknown', -5.0, -30.0, 20.0)]
compared, opposite, lines = compare(here, there)
print(compared, opposite, *lines, sep='\\n')
";
    let output = Command::new("python3")
        .args(["-c", code])
        .current_dir(format!("{PROJECT}/scripts"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .expect("started");
    let expected = "4
1
b: -50 Elo in 100 games, there +50 Elo in 100 games; the opposite is shown
c: +1 Elo in 100 games, there -50 Elo in 100 games; not shown here
";
    assert_eq!(text(&output.stdout), expected, "{}", text(&output.stderr));
}

#[test]
fn what_is_not_known_well_enough_is_not_shown() {
    if !has_python() {
        return;
    }
    let code = "
from studylib.sections import duel, elo_text, size
score = lambda elo: 1 / (1 + 10 ** (-elo / 400))
scores = lambda *ends: [None if end is None else score(end) for end in ends]
for ends in [(50, -5, 105), (50, -15, 115), (400, 250, 550), (-400, -550, -250), (150, 80, 220)]:
    print(elo_text(*scores(*ends)))
print(elo_text(1.0, score(248), 1.0))
for ends in [(-50, -70, -30), (50, 20, 80), (500, 420, 580), (400, 250, 550)]:
    print(size(*scores(*ends)))
rows = [('5 ms', 0.001, *scores(58, 41, 75)), ('20 ms', 0.01, *scores(-80, -120, -40)), ('100 ms', 0.4, *scores(10, -20, 40))]
print(*duel(rows, 'It beats X by {}.', 'It loses to X by {}.', 'No difference is shown at {}.'))
";
    let output = Command::new("python3")
        .args(["-c", code])
        .current_dir(format!("{PROJECT}/scripts"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .expect("started");
    let expected = "+50 (-5 to +105)
-
above +250
below -250
-
above +248
50 Elo
20 to 80 Elo
more than 400 Elo
more than 250 Elo
It beats X by 58 Elo at 5 ms. It loses to X by 40 to 120 Elo at 20 ms. No difference is shown at 100 ms (-20 to +40 Elo).
";
    assert_eq!(text(&output.stdout), expected, "{}", text(&output.stderr));
}

#[test]
fn a_page_of_fewer_pairs_than_the_small_study_is_refused() {
    let home = tempfile::tempdir().expect("a folder");
    let Some(output) = study(home.path(), &["--small", "--pairs", "3"]) else {
        return;
    };
    assert_eq!(output.status.code(), Some(2));
    let expected = "error: --pairs: the page needs at least the pairs of the small study; expected --only beside it\n";
    assert_eq!(text(&output.stderr), expected);
}

#[test]
fn a_sentence_that_is_too_long_is_named() {
    let home = tempfile::tempdir().expect("a folder");
    fs::create_dir(home.path().join("docs")).expect("created");
    let words = |number: usize| format!("Here are {} words.\n", vec!["many"; number - 3].join(" "));
    let page = format!("# A page\n\n1. **Short.** {}\n{}", words(25), words(26));
    fs::write(home.path().join("docs/study.md"), page).expect("written");
    let Some(output) = study(home.path(), &["--check"]) else {
        return;
    };
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    let expected = "study.md: a sentence of 26 words; expected at most 25: Here are many";
    assert!(said.contains(expected), "{said}");
}

#[test]
#[ignore = "many processes"]
fn a_study_file_with_a_mistake_is_refused_before_anything_is_played() {
    let home = tempfile::tempdir().expect("a folder");
    fs::create_dir(home.path().join("docs")).expect("created");
    let file = home.path().join("study.toml");
    let stage =
        |rest: &str| format!("[[stage]]\nname = \"a\"\nfile = \"t.toml\"\nquestions = [1]\n{rest}");
    let good = "small = 1\nfull = 2\nseconds = 0.1\n";
    let tournament = "name = \"t\"\nagents = [\"random\", \"greedy-regret\"]\n";
    for (study_text, tournament, expected) in [
        (stage("small = 1\n"), tournament, "stage 1: full: missing"),
        (
            stage("small = 1\nfull = 2\n"),
            tournament,
            "stage 1: seconds: missing",
        ),
        (
            stage(good).replace("0.1", "0"),
            tournament,
            "stage 1: seconds: found 0; expected the processor time of a game in seconds",
        ),
        (
            stage(&format!("{good}elo = \"25\"\n")),
            tournament,
            "stage 1: elo: found '25'; expected a number of Elo from 1",
        ),
        (
            stage("small = 3\nfull = 2\nseconds = 0.1\n"),
            tournament,
            "stage 1: full: found 2; expected at least 1 and at least `small`",
        ),
        (
            stage(&format!("{good}smal = 1\n")),
            tournament,
            "stage 1: smal: unknown key",
        ),
        (
            stage(good).replace("[1]", "[14]"),
            tournament,
            "questions: found [14]; expected numbers from 1 to 13",
        ),
        (stage(good).repeat(2), tournament, "stage 2: a comes twice"),
        (
            stage(good),
            "name = \"t\"\nagents = [\"random\", \"gredy\"]\n",
            "there is no agent 'gredy'",
        ),
        ("[[stage]\n".to_owned(), tournament, "study.toml: "),
    ] {
        fs::write(&file, study_text).expect("written");
        fs::write(home.path().join("t.toml"), tournament).expect("written");
        let arguments = ["--study", file.to_str().expect("text"), "--small"];
        let Some(output) = study(home.path(), &arguments) else {
            return;
        };
        let sentence = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{sentence}");
        assert!(sentence.contains(expected), "{expected}: {sentence}");
        assert!(
            !home.path().join("results/a").exists(),
            "nothing was played"
        );
    }
}
