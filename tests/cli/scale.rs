//! Full disks, many threads and large plans.

use std::fs;
#[cfg(unix)]
use std::process::Command;

#[cfg(unix)]
use crate::support::program::BINARY;
use crate::support::program::{Workspace, text};

const TOURNAMENT: &str = "name = 't'\nagents = ['random', 'greedy-inorder']\npairs = 8\n";

/// The games of a results folder, without times.
fn games(home: &Workspace, results: &str) -> String {
    home.ok(&["export", &format!("{results}/t"), "--format", "jsonl"])
}

/// A limit on the sizes of files stands in for a full disk: with each limit, another file or another part of it is the
/// first that does not fit.
#[cfg(unix)]
#[test]
fn a_disk_that_is_full_at_any_write_loses_nothing() {
    let home = Workspace::new();
    home.write("t.toml", TOURNAMENT);
    home.ok(&["run", "t.toml", "--results", "whole", "-q"]);
    let expected = games(&home, "whole");
    let mut fits = Vec::new();
    for blocks in [0, 1, 2, 3, 4, 5, 8, 64, 512, 8192] {
        let results = format!("with-{blocks}");
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let output = Command::new("sh")
            .args(["-c", &script, BINARY.expect("an integration test")])
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
    let home = Workspace::new();
    home.write("t.toml", TOURNAMENT);
    home.ok(&["run", "t.toml", "-q"]);
    let report = home.ok(&["report", "results/t"]);
    let folder = home.path("results/t");
    for file in fs::read_dir(&folder).expect("a folder") {
        let path = file.expect("a file").path();
        fs::set_permissions(path, fs::Permissions::from_mode(0o444)).expect("changed");
    }
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o555)).expect("changed");
    assert_eq!(home.ok(&["report", "results/t"]), report);
    games(&home, "results");
    home.ok(&["replay", "results/t", "0"]);
    // The administrator may write everywhere.
    if fs::write(folder.join("probe"), "").is_err() {
        for (command, file) in [
            (&["report", "results/t", "--html"][..], "report.html"),
            (&["run", "t.toml", "-q"], "games.bin"),
        ] {
            let sentence = home.refused(command);
            assert!(
                sentence.contains(file) && sentence.contains("denied"),
                "{sentence}"
            );
        }
    }
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).expect("changed");
}

#[test]
fn more_threads_than_games_play_the_same_games() {
    let home = Workspace::new();
    home.write("t.toml", TOURNAMENT);
    home.ok(&["run", "t.toml", "--results", "one", "--threads", "1", "-q"]);
    home.ok(&[
        "run",
        "t.toml",
        "--results",
        "many",
        "--threads",
        "64",
        "-q",
    ]);
    assert_eq!(games(&home, "many"), games(&home, "one"));
}

#[test]
fn a_plan_of_ten_million_pairs_is_no_burden() {
    let home = Workspace::new();
    let huge = TOURNAMENT.replace("pairs = 8", "pairs = 10000000");
    home.write("t.toml", &huge);
    let told = home.run(&["run", "t.toml", "--dry-run"]);
    let told = text(&told.stdout) + &text(&told.stderr);
    assert!(
        told.contains("20000000") || told.contains("20,000,000"),
        "{told}"
    );
}
