//! `bench` and the help.

use std::path::Path;

use patchwork_test_support::program::{PROJECT, Workspace, expect_in};

#[test]
fn the_bench_signature_is_that_of_this_version() {
    let home = Workspace::new();
    let json = home.json("bench --format json");
    // If this number changes, play has changed: say so in the commit.
    assert_eq!(json["signature"], "3b03055455154671");
    let rates = &json["mcts_iterations_per_s"];
    let rates = ["mcts-uniform", "mcts-fast-1", "mcts-regret-1"].map(|agent| &rates[agent]);
    for rate in [&json["random_games_per_s"], &json["rollouts_per_s"]]
        .into_iter()
        .chain(rates)
    {
        assert!(rate.as_f64().expect("a number") > 0.0);
    }
}

/// The subcommands by their groups; `fleet` needs a feature.
const GROUPS: [(&str, &[&str]); 6] = [
    ("Play", &["run", "match", "tune", "learn"]),
    (
        "Results",
        &["report", "export", "import", "analyze", "verify", "rate"],
    ),
    ("People", &["play", "web"]),
    ("Agents", &["agents", "init"]),
    ("Papers", &["paper"]),
    ("Tools", &["bench", "setup"]),
];

/// The subcommands below others.
const BELOW: [&str; 14] = [
    "learn selfplay",
    "analyze replay",
    "agents list",
    "agents show",
    "agents strategies",
    "agents check",
    "agents serve",
    "paper packing",
    "paper characterize",
    "paper puzzle nmbr9",
    "paper puzzle battleships",
    "bench perft",
    "setup completions",
    "setup man",
];

fn all() -> impl Iterator<Item = &'static str> {
    let top = GROUPS.iter().flat_map(|(_, names)| *names);
    top.chain(&BELOW).copied()
}

#[test]
fn the_help_lists_the_subcommands_by_groups() {
    let home = Workspace::new();
    let help = home.ok("--help");
    let listed = help.lines().filter(|line| {
        let is_entry = line.starts_with("  ") && !line.starts_with("   ");
        (is_entry && !line.contains("--")) || (line.ends_with(':') && *line != "Options:")
    });
    let listed: Vec<&str> = listed
        .filter_map(|line| line.split_whitespace().next())
        .map(|word| word.trim_end_matches(':'))
        .collect();
    let expected: Vec<&str> = GROUPS
        .iter()
        .flat_map(|(heading, names)| [heading].into_iter().chain(*names))
        .copied()
        .collect();
    assert_eq!(listed, expected);
}

#[test]
fn every_subcommand_has_help_with_an_example() {
    let home = Workspace::new();
    for command in all() {
        let help = home.ok(&format!("{command} --help"));
        expect_in(&help, "Example ...   patchwork-arena ");
        // The files that it names are shipped.
        let words = help.split(|c: char| c.is_whitespace() || "'\"".contains(c));
        for file in words.filter(|word| word.starts_with("tournaments/")) {
            assert!(Path::new(PROJECT).join(file).exists(), "{file}: {help}");
        }
    }
}

/// An option means the same everywhere: what `--help` says of it begins alike.
#[test]
fn shared_options_are_the_same_everywhere() {
    let home = Workspace::new();
    for command in all() {
        let mut run = home.command(&format!("{command} -h"));
        let help = run.env("COLUMNS", "100").output().expect("started").stdout;
        let help = String::from_utf8(help).expect("UTF-8");
        let has = |option: &str| help.contains(&format!("{option} "));
        if has("--format") {
            assert!(has("--output") && has("--quiet"), "{command:?}");
        }
        for (option, expected) in [
            ("-q, --quiet", "Print nothing but the result"),
            ("    --seed", "Seed of all random choices [default: 1]"),
            ("    --threads", "Number of threads"),
            (
                "    --results",
                "Folder in which the results folder is created",
            ),
            ("    --format", "text"),
            ("    --json", "no such option"),
            ("    --html", "no such option"),
        ] {
            let found = help.split(&format!("\n  {option}")).nth(1);
            let found = found.and_then(|rest| rest.split("\n  -").next());
            let found = found.and_then(|rest| rest.split("\n      --").next());
            if let Some(found) = found.filter(|_| command != "export") {
                let words: Vec<&str> = found.split_whitespace().collect();
                assert!(
                    words.join(" ").contains(expected),
                    "{command:?}: {option}{found}"
                );
            }
        }
    }
}

#[cfg(not(feature = "fleet"))]
#[test]
fn a_program_without_fleets_says_how_one_with_them_is_built() {
    let home = Workspace::new();
    let expected =
        "this program was built without it; `cargo build --release --features fleet` builds it";
    for command in [
        "fleet worker",
        "tune tournaments/small.toml",
        "match random greedy-inorder --save m",
    ] {
        home.refuses(&format!("{command} --nats nats://localhost"), expected);
    }
    for command in ["tune", "match"] {
        let help = home.ok(&[command, "--help"]);
        assert!(!help.contains("nats"), "{help}");
    }
    assert!(!home.ok("--help").contains("fleet"));
    home.ok("setup man pages");
    assert!(!home.path("pages/patchwork-arena-fleet.1").exists());
}

#[test]
fn completions_and_manual_pages_know_every_subcommand() {
    let home = Workspace::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = home.ok(&["setup", "completions", shell]);
        for name in all().flat_map(|command| command.split(' ')) {
            assert!(script.contains(name), "{shell}: {name}");
        }
    }
    home.refuses("setup completions csh", "csh");
    let said = home.ok("setup man pages");
    assert!(said.contains("pages/patchwork-arena.1"), "{said}");
    for words in all().chain([""]) {
        let page = words.split_whitespace().map(|word| format!("-{word}"));
        let page = home.text(&format!(
            "pages/patchwork-arena{}.1",
            page.collect::<String>()
        ));
        assert!(page.contains(".TH") && page.contains(".SH"), "{page}");
    }
}
