//! What commands print fits the width that the terminal or `COLUMNS` tells.

use std::process::{Command, Output};

use textwrap::core::display_width;

use patchwork_test_support::program::{Workspace, binary, text};

const WIDTHS: [usize; 6] = [20, 40, 60, 80, 120, 200];

/// Names that a narrow table cannot show in full.
const VARIANTS: [&str; 2] = [
    "mcts-regret{budget.iterations=3,expansion.strategy=\"bl/every/regret\"}",
    "mcts-regret{budget.iterations=3,expansion.strategy=\"bl-lb/every/regret\"}",
];

fn played() -> Workspace {
    // With games that were timed, a forecast needs none of its own.
    let home = Workspace::played();
    let [one, other] = VARIANTS;
    home.ok(&["match", one, other, "--pairs", "2", "--save", "m", "-q"]);
    home.ok("export results/m -o games.tsv");
    home
}

fn lines_of(output: &Output) -> Vec<String> {
    text(&output.stdout).lines().map(str::to_owned).collect()
}

#[test]
fn no_line_is_wider_than_the_columns() {
    let home = played();
    let commands = [
        "report results/m",
        "report results/m --full",
        "rate games.tsv --full",
        "rate --pairs 1,2,3,4,500 --sprt 0,10",
        "verify games.tsv",
        "agents list",
        "agents strategies",
        "analyze replay results/m 0",
        "analyze replay results/m 0 --thoughts",
        "verify results/m --sample 1 -q",
        "analyze --agent greedy-regret",
        "analyze --agent mcts-fast",
        "paper packing --orders 1 --quiet",
        "paper characterize --games 1 --quiet",
        "run tournaments/small.toml --dry-run",
        "run tournaments/small.toml --plan small.json",
        "bench perft 1",
    ];
    for command in commands {
        for width in WIDTHS {
            let mut run = home.command(command);
            let output = run.env("COLUMNS", width.to_string()).output();
            let output = output.expect("started");
            assert!(output.status.success(), "{command:?} at {width}");
            let lines = lines_of(&output);
            assert!(!lines.is_empty(), "{command:?} at {width}");
            // Drawings of boards and single words, such as paths and actions, are not broken.
            let wide = lines.iter().find(|line| {
                let words = line.split_whitespace().count();
                display_width(line) > width && (width >= 80 || words > 2)
            });
            assert_eq!(wide, None, "{command:?} at {width}: {lines:#?}");
        }
    }
}

#[test]
fn both_variants_are_told_apart_at_every_width() {
    let home = played();
    for width in WIDTHS {
        let mut run = home.command("report results/m");
        let output = run.env("COLUMNS", width.to_string()).output();
        let told = text(&output.expect("started").stdout);
        let (_, standings) = told.split_once("\nStandings\n").expect("standings");
        let (table, _) = standings.split_once("The mean").expect("a sentence");
        let table: String = table.split_whitespace().collect();
        // Values in names have no quotes.
        let [one, other] = VARIANTS.map(|name| name.replace('"', ""));
        // The names in full, short forms whose ends differ, or numbers.
        let is_shown = |name: &str, other: &str| {
            let mut ends = (0..name.len()).map(|at| &name[at..]);
            table.contains(name)
                || ends.any(|end| !other.ends_with(end) && table.contains(&format!("…{end}")))
        };
        let are_shown = is_shown(&one, &other) && is_shown(&other, &one);
        let are_numbered = table.contains("#1") && table.contains("#2");
        assert!(are_shown || are_numbered, "{told}");
    }
}

/// In a pseudo-terminal the terminal's own width counts.
#[cfg(unix)]
#[test]
fn terminals_tell_their_width() {
    let home = played();
    for width in [40, 80] {
        let command = format!(
            "stty cols {width} rows 24; unset COLUMNS; '{}' report results/m --full; '{0}' match random greedy-inorder --pairs 2",
            binary()
        );
        let Ok(output) = Command::new("script")
            .args(["-qec", &command, "/dev/null"])
            .current_dir(home.path(""))
            .env("TERM", "dumb")
            .env("NO_COLOR", "1")
            .output()
        else {
            return;
        };
        let told = text(&output.stdout);
        if !told.contains("Standings") {
            // Another program of this name.
            return;
        }
        let wide = told
            .lines()
            .map(str::trim_end)
            .find(|line| display_width(line) > width);
        // A line about the progress is not part of a table.
        let wide = wide.filter(|line| !line.contains("games/s"));
        assert_eq!(wide, None, "at {width}: {told}");
    }
}
