//! `plan`, `run --shard`, `import` and `verify`: a tournament on several machines.

use std::fs;
use std::process::Stdio;

use patchwork_engine::record::Entry;
use patchwork_tournament::{PLAY, Results};
use serde_json::Value;

use patchwork_test_support::ledger::write_ledger;
use patchwork_test_support::program::{Workspace, small, text};

const FORMATS: [&str; 3] = ["jsonl", "tsv", "pgn"];

fn exports(home: &Workspace, dir: &str) -> [String; 3] {
    FORMATS.map(|format| home.ok(&["export", dir, "--format", format]))
}

/// Three machines play one part each from the plan file alone; the third one is killed and resumes.
fn play_parts(home: &Workspace) {
    home.ok("run tournaments/small.toml --plan small.json");
    fs::rename(home.path("agents"), home.path("agents-elsewhere")).expect("renamed");
    for shard in ["1/3", "2/3"] {
        let results = format!("R{}", &shard[..1]);
        let said = home.ok(&format!(
            "run small.json --shard {shard} --results {results} --quiet"
        ));
        assert_eq!(
            said,
            format!("Part {shard}: 20 games, all of them in {results}/small\n")
        );
    }
    let third = "run small.json --shard 3/3 --results R3 -q";
    let mut killed = home
        .command(&format!("{third} --threads 1"))
        .stdout(Stdio::null())
        .spawn()
        .expect("started");
    home.wait_for_stored("R3/small", 5, &mut killed);
    killed.kill().expect("killed");
    killed.wait().expect("gone");
    home.ok(third);
}

#[test]
#[ignore = "many processes"]
fn parts_of_a_tournament_become_the_whole() {
    let home = Workspace::played();
    play_parts(&home);

    let folders = ["R3/small", "R1/small"];
    let said = home.ok(&[
        "import",
        folders[0],
        folders[1],
        "--into",
        "merged/small",
        "-q",
    ]);
    for line in [
        "Stored:      40 games",
        "Missing:     20 games",
        "             and more",
    ] {
        assert!(said.lines().any(|found| found == line), "{said}");
    }
    let missing = said
        .lines()
        .filter(|line| line.starts_with("             "));
    assert_eq!(missing.count(), 11, "{said}");
    assert!(!home.path("merged/small/summary.json").exists());
    let output = home.run("import R2/small R1/small --into merged/small");
    assert_eq!(
        text(&output.stderr),
        "R2/small: took 20 games\nR1/small: took 0 games; 20 games already there\n"
    );
    let said = text(&output.stdout);
    assert!(
        said.lines().any(|found| found == "Stored:      60 games"),
        "{said}"
    );
    assert!(!said.contains("Missing"), "{said}");
    assert_eq!(
        exports(&home, "merged/small"),
        exports(&home, "results/small")
    );
    let manifest = |place: &str| home.manifest(&format!("{place}/small"));
    assert_eq!(manifest("merged"), manifest("results"));
    // The folder is an ordinary one: a run has nothing to do.
    fs::rename(home.path("agents-elsewhere"), home.path("agents")).expect("renamed");
    let games = home.read("merged/small/games.db");
    home.ok("run tournaments/small.toml -q --results merged");
    assert_eq!(home.read("merged/small/games.db"), games);

    let said = home.ok("verify merged/small --sample 25 --seed 3");
    for line in [
        "Checked:   25 games, drawn with seed 3",
        "Agree:     25 games played again with the same bytes",
        "Wrong:     0 games",
    ] {
        assert!(said.lines().any(|found| found == line), "{said}");
    }
    assert!(
        home.ok("verify R1/small --sample 500")
            .contains("Checked:   20 games")
    );
}

/// The same games with the same times give the same report in every format.
#[test]
fn reports_of_merged_folders_are_those_of_one_machine() {
    let home = Workspace::played();
    let once = Results::read(&home.path("results/small")).expect("results");
    let entries: Result<Vec<Entry>, _> = once.games.iter().collect();
    let entries = entries.expect("readable");
    for (machine, step) in [("a", 2), ("b", 3), ("c", 1)] {
        let dir = home.path(&format!("{machine}/small"));
        let part = entries.iter().skip(step).step_by(step).rev();
        let part: Vec<Entry> = part.chain(&entries[..1]).cloned().collect();
        write_ledger(&dir, &once.manifest, &part);
    }
    home.ok("import a/small b/small c/small --into merged/small --quiet");
    drop(once);
    let files = |place: &str| {
        let mut names: Vec<String> = fs::read_dir(home.path(place))
            .expect("a folder")
            .map(|entry| {
                entry
                    .expect("an entry")
                    .file_name()
                    .into_string()
                    .expect("UTF-8")
            })
            .filter(|name| name != "games.db")
            .collect();
        names.sort();
        names
    };
    let names = files("merged/small");
    assert_eq!(names, files("results/small"));
    assert_eq!(names, ["report.html", "summary.json"]);
    for name in names {
        let [merged, once] =
            ["merged", "results"].map(|place| home.read(&format!("{place}/small/{name}")));
        assert_eq!(text(&merged), text(&once), "{name}");
    }
    // The last line is the path of the page.
    let report = |dir: &str| {
        let report = home.ok(&["report", dir]);
        report.split("Page: ").next().map(str::to_owned)
    };
    assert_eq!(report("merged/small"), report("results/small"));
}

#[test]
fn plans_say_what_they_cost() {
    let home = Workspace::new();
    let said = home.ok("run tournaments/small.toml --plan small.json");
    for line in [
        "Agents:    6",
        "Games:     60 games, in 30 pairs",
        "Estimated: unknown, as no game has been timed yet",
    ] {
        assert!(said.lines().any(|found| found == line), "{said}");
    }
    let plan = home.json_file("small.json");
    assert_eq!(plan["core_seconds"], Value::Null);
    assert_eq!((&plan["games"], &plan["pairs"]), (&60.into(), &30.into()));
    let hash = plan["manifest"]["plan_hash"].as_str().expect("a hash");
    assert!(
        said.starts_with(&format!("Plan:      {hash} of small\n")),
        "{said}"
    );
    assert_eq!(plan["manifest"]["play"], format!("{PLAY:016x}"));
    // A few games are enough to estimate the time of all.
    home.ok("run tournaments/small.toml --shard 1/4 --quiet");
    let said = home.ok("run tournaments/small.toml --plan small.json");
    assert!(said.contains(" of one core\n"), "{said}");
    let again = home.json_file("small.json");
    assert!(
        again["core_seconds"]
            .as_f64()
            .is_some_and(|time| time > 0.0)
    );
    assert_eq!(again["manifest"], plan["manifest"]);
}

#[test]
fn what_cannot_be_divided_or_imported_gets_one_sentence() {
    let home = Workspace::new();
    for bad in ["0/3", "4/3", "3", "a/b"] {
        home.refuses(
            &["run", "tournaments/small.toml", "--shard", bad],
            "--shard ... such as 2/8",
        );
    }
    let test = "[sprt]\nelo0 = 0\nelo1 = 100\n";
    let tested =
        small("tested", 2).replace("round-robin\"", "gauntlet\"\nchallengers = [\"random\"]");
    home.write("tournaments/tested.toml", &(tested + test));
    home.refuses(
        "run tournaments/tested.toml --shard 1/2",
        "[sprt] ends a pairing as soon as",
    );
    assert!(!home.path("results").exists());
    // The plan of such a tournament can be written, and run as a whole.
    let said = home.ok("run tournaments/tested.toml --plan tested.json");
    assert!(said.contains("Games:     at most "), "{said}");

    home.ok("run tournaments/small.toml --plan small.json");
    let plan = home.text("small.json");
    for (old, new, expected) in [
        ("\"seed\": 5", "\"seed\": 6", "does not match the plan_hash"),
        ("\"manifest\"", "\"m\"", "not a plan file"),
        (
            &format!("{PLAY:016x}"),
            "0000000000000000",
            "all machines need the same version",
        ),
    ] {
        home.write("changed.json", &plan.replacen(old, new, 1));
        home.refuses("run changed.json", &format!("changed.json ... {expected}"));
    }
    home.refuses("run missing.json", "missing.json: cannot be read");

    let run = |results: &str| {
        home.ok(&format!(
            "run tournaments/small.toml --shard 1/9 --results {results} -q"
        ))
    };
    run("R1");
    home.write("tournaments/small.toml", &small("small", 3));
    run("R2");
    let import = "import R1/small R3/small --into m/small";
    home.refuses(import, "R3/small: cannot be read: ");
    let manifest = home.manifest("R2/small");
    home.set_manifest(
        "R2/small",
        &manifest.replace(&format!("{PLAY:016x}"), "0000000000000000"),
    );
    for command in [
        "import R2/small --into m/small",
        "verify R2/small --sample 1",
    ] {
        home.refuses(command, "its agents play differently");
    }
    home.refuses("import R1/small --into m/..", "--into");
    assert!(!home.path("m/small").exists());
}
