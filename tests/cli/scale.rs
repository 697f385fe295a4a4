//! Full disks, many threads and large plans.

use std::fs;
#[cfg(unix)]
use std::process::Command;

#[cfg(unix)]
use patchwork_test_support::program::{CommandLine as _, binary, rows};
use patchwork_test_support::program::{Workspace, text};

const TOURNAMENT: &str = "name = 't'\nagents = ['random', 'greedy-inorder']\npairs = 8\n";

/// The games of a results folder, without times.
fn games(home: &Workspace, results: &str) -> String {
    home.ok(&["export", &format!("{results}/t"), "--format", "jsonl"])
}

/// A limit on the sizes of files stands in for a full disk: with each limit, another file or another part of it is the
/// first that does not fit.
#[cfg(unix)]
#[test]
#[ignore = "many processes"]
fn a_disk_that_is_full_at_any_write_loses_nothing() {
    let home = Workspace::new();
    home.write("t.toml", TOURNAMENT);
    home.ok("run t.toml --results whole -q");
    let expected = games(&home, "whole");
    let mut fits = Vec::new();
    for blocks in [0, 1, 2, 3, 4, 5, 8, 64, 512, 8192] {
        let results = format!("with-{blocks}");
        let script = format!("ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let output = Command::new("sh")
            .args(["-c", &script, &binary()])
            .args(["run", "t.toml", "--results", &results, "-q"])
            .current_dir(home.path(""))
            .output()
            .expect("started");
        let sentence = text(&output.stderr);
        match output.status.code() {
            Some(0) => fits.push(blocks),
            Some(2) => assert!(
                sentence.contains(&format!("{results}/t")) && sentence.lines().count() == 1,
                "{blocks}: {sentence}"
            ),
            other => panic!("{blocks}: {other:?}, {sentence}"),
        }
        // The user makes room.
        home.ok(&["run", "t.toml", "--results", &results, "-q"]);
        assert_eq!(games(&home, &results), expected, "{blocks}");
        let left = fs::read_dir(home.path(&format!("{results}/t"))).expect("a folder");
        let mut names = left.map(|file| file.expect("a file").file_name());
        assert!(names.all(|name| !name.to_string_lossy().ends_with(".tmp")));
    }
    assert_eq!(fits, [8192], "each other limit stops it");
}

#[cfg(unix)]
#[test]
fn results_that_cannot_be_written_are_read() {
    use std::os::unix::fs::PermissionsExt as _;
    use std::os::unix::process::CommandExt as _;
    /// A user and a group without rights.
    const NOBODY: u32 = 65534;
    let home = Workspace::new();
    home.write("t.toml", TOURNAMENT);
    home.ok("run t.toml -q");
    let report = home.ok("report results/t");
    let folder = home.path("results/t");
    for file in fs::read_dir(&folder).expect("a folder") {
        let path = file.expect("a file").path();
        fs::set_permissions(path, fs::Permissions::from_mode(0o444)).expect("changed");
    }
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o555)).expect("changed");
    assert_eq!(home.ok("report results/t"), report);
    games(&home, "results");
    home.ok("analyze replay results/t 0");
    // The administrator may write everywhere, so then another user tries.
    let is_administrator = fs::write(folder.join("probe"), "").is_ok();
    fs::set_permissions(home.path(""), fs::Permissions::from_mode(0o755)).expect("changed");
    for [command, file] in rows(
        "
        report results/t -o results/t/report.html => report.html
        run t.toml -q => games.db
    ",
    ) {
        let mut run = home.command(command);
        if is_administrator {
            run.uid(NOBODY).gid(NOBODY);
        }
        // The other user may not reach the program.
        let Ok(output) = run.output() else { break };
        let sentence = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{command:?}: {sentence}");
        assert!(
            sentence.contains(file)
                && ["denied", "readonly"]
                    .iter()
                    .any(|why| sentence.contains(why))
                && sentence.lines().count() == 1,
            "{sentence}"
        );
    }
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).expect("changed");
}

#[test]
fn more_threads_than_games_play_the_same_games() {
    let home = Workspace::new();
    home.write("t.toml", TOURNAMENT);
    home.ok("run t.toml --results one --threads 1 -q");
    home.ok("run t.toml --results many --threads 64 -q");
    assert_eq!(games(&home, "many"), games(&home, "one"));
}

#[test]
fn an_agent_file_of_a_megabyte_plays() {
    let home = Workspace::new();
    let agent = format!("type = 'random'\n# {}\n", "x".repeat(999_000));
    home.write("large.toml", &agent);
    home.write("t.toml", &TOURNAMENT.replace("'random'", "'large.toml'"));
    home.ok("run t.toml -q");
    assert_eq!(games(&home, "results").lines().count(), 16);
}

#[test]
fn a_plan_of_a_million_pairs_is_no_burden() {
    a_huge_plan_is_no_burden("1000000", "2,000,000");
}

#[test]
#[ignore = "half a minute"]
fn a_plan_of_ten_million_pairs_is_no_burden_in_full() {
    a_huge_plan_is_no_burden("10000000", "20,000,000");
}

fn a_huge_plan_is_no_burden(pairs: &str, games: &str) {
    let home = Workspace::new();
    home.write("t.toml", &TOURNAMENT.replace('8', pairs));
    let told = home.run("run t.toml --dry-run");
    let told = text(&told.stdout) + &text(&told.stderr);
    assert!(told.contains(games), "{told}");
    // It starts at once, is killed, and continues at once.
    let mut played = 0;
    for _ in 0..2 {
        let mut child = home
            .command("run t.toml --threads 2 -q")
            .spawn()
            .expect("started");
        home.wait_for_stored("results/t", played + 1, &mut child);
        child.kill().expect("killed");
        child.wait().expect("ended");
        let told = home.ok("run t.toml --dry-run");
        let there = told.lines().find_map(|line| line.strip_prefix("Stored:"));
        assert!(!there.expect("a count").trim().starts_with("0 "), "{told}");
        played = home.stored("results/t");
    }
}

/// Every command that writes a file, on a disk without any room.
#[cfg(unix)]
#[test]
fn every_writer_says_that_the_disk_is_full() {
    let home = Workspace::new();
    home.write("t.toml", TOURNAMENT);
    home.ok("run t.toml -q");
    for part in ["1/2", "2/2"] {
        home.ok(&[
            "run",
            "t.toml",
            "--shard",
            part,
            "--results",
            &part[..1],
            "-q",
        ]);
    }
    let folder = |name: &str| {
        let files = fs::read_dir(home.path(name)).into_iter().flatten();
        let files = files.map(|file| file.expect("a file").file_name());
        // Empty files beside a ledger, which could not be opened in the ordinary way, are used again.
        let is_beside = |name: &str| name.starts_with("games.db-");
        let mut names: Vec<_> = files
            .filter(|name| !is_beside(&name.to_string_lossy()))
            .collect();
        names.sort();
        names
    };
    let results = folder("results/t");
    for [command, written] in rows(
        "
        export results/t --output out/games.jsonl => out
        export results/t --output out/games.tsv.gz => out
        report results/t --output out/report.json => out
        export results/t --output out/games.csv --table games => out
        export results/t --output out/plies.csv --table plies => out
        report results/t -o results/t/report.html => results/t
        rate results/t --output out/ratings.csv => out
        import 1/t 2/t --into out/t => out
        import 1/t --into 2/t => 2/t
        setup man out/man => out
        init out/init => out
    ",
    ) {
        fs::create_dir_all(home.path("out")).expect("made");
        let script = "ulimit -f 0; exec \"$0\" \"$@\"";
        let output = Command::new("sh")
            .args(["-c", script, &binary()])
            .args(command.words())
            .current_dir(home.path(""))
            .output()
            .expect("started");
        let sentence = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{command:?}: {sentence}");
        assert!(sentence.contains(written), "{command:?}: {sentence}");
        assert_eq!(sentence.lines().count(), 1, "{command:?}: {sentence}");
        assert_eq!(folder("results/t"), results, "{command:?}");
        let mut left = Command::new("find");
        left.args(["out", "-type", "f"]).current_dir(home.path(""));
        let left = text(&left.output().expect("started").stdout);
        assert_eq!(left, "", "{command:?}");
        fs::remove_dir_all(home.path("out")).expect("removed");
    }
}
