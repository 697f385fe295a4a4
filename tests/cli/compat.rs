//! What version 0.1 wrote is read: tests/data/v0.1 has a folder of it, and the games that it exported.

use std::fs;

use crate::support::program::{Workspace, data};

#[test]
fn folders_of_version_0_1_are_reported_exported_and_continued() {
    let home = Workspace::new();
    let old = data("v0.1/old");
    for folder in ["results/old", "kept/old"] {
        fs::create_dir_all(home.path(folder)).expect("created");
        for file in ["manifest.json", "games.bin"] {
            fs::copy(old.join(file), home.path(&format!("{folder}/{file}"))).expect("copied");
        }
    }
    let exported = fs::read_to_string(data("v0.1/old.tsv")).expect("readable");
    assert_eq!(
        home.ok(&["export", "results/old", "--format", "tsv"]),
        exported
    );
    assert_eq!(home.report("results/old")["version"], "0.1.0");
    home.ok(&["verify", "results/old", "--sample", "3", "-q"]);
    // One pair more: the twelve games are there.
    let agents = r#"["random", "greedy-inorder", "mcts-fast{budget.iterations=20}"]"#;
    let text =
        format!("name = \"old\"\nseed = 11\nagents = {agents}\npairs = 3\nthoughts = \"top-2\"\n");
    home.write("tournaments/old.toml", &text);
    let said = home.run(&["run", "tournaments/old.toml"]).stderr;
    let said = String::from_utf8_lossy(&said);
    assert!(said.contains("12 of 18 games are there"), "{said}");
    assert_eq!(home.report("results/old")["games"], 18);
}
