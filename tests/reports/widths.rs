//! Reports of all formats at all widths: no line is too long, and no two names look the same.

use std::collections::BTreeSet;

use patchwork_rating::sprt::{EloModel, Sprt};
use patchwork_report::TournamentReport;
use patchwork_report::document::TextForm;
use patchwork_tournament::{Format, Gauntlet, Results};
use textwrap::core::display_width;

use super::forms::text_tables;
use super::staged::Staged;

/// Names that are easily confused where they are short.
const AGENTS: [(&str, f64); 8] = [
    (
        "mcts-regret{budget.iterations=20,expansion.strategy=\"bl/every/regret\"}",
        150.0,
    ),
    (
        "mcts-regret{budget.iterations=20,expansion.strategy=\"bl-lb/every/regret\"}",
        100.0,
    ),
    (
        "mcts-regret{budget.iterations=200,expansion.strategy=\"bl/every/regret\"}",
        50.0,
    ),
    ("mcts-regret", 0.0),
    ("champion{search.minimax=0.0}", -20.0),
    ("champion{expansion.prior.decay=0.0}", -40.0),
    ("an-agent-with-a-very-long-name-and-number-1-of-2", -60.0),
    ("an-agent-with-a-very-long-name-and-number-2-of-2", -80.0),
];

fn text(results: &Results, width: usize, full: bool) -> String {
    let mut text = Vec::new();
    let form = TextForm {
        width,
        full,
        colour: false,
    };
    let report = TournamentReport::new(results).expect("readable");
    report.write_text(&mut text, form).expect("written");
    String::from_utf8(text).expect("text")
}

/// A tournament of each format, with all of these agents or with two.
fn tournaments(agents: &[(&str, f64)]) -> Vec<Results> {
    let challengers = vec![agents[0].0.to_owned()];
    let mut sequential = Staged::new(agents, Gauntlet { challengers }, 20, 2);
    let test = Sprt::new(0.0, 60.0, 0.05, 0.05, EloModel::Logistic).expect("a test");
    sequential.plan = sequential.plan.with_test(test).expect("a plan with a test");
    let mut perfect = agents.to_vec();
    perfect[0].1 = f64::INFINITY;
    let mut interrupted = Staged::new(agents, Format::RoundRobin, 2, 1);
    interrupted.most_games = 3;
    let mut faulty = Staged::new(agents, Format::RoundRobin, 2, 4);
    faulty.faults = Some(12);
    let all = [
        Staged::new(agents, Format::RoundRobin, 2, 1),
        sequential,
        faulty,
        Staged::new(&perfect, Format::RoundRobin, 2, 5),
        interrupted,
    ];
    all.iter().map(|staged| staged.results("widths")).collect()
}

/// Whether a cell shows a name in full, or its start and its end, after which its number may follow.
fn shows(cell: &str, name: &str) -> bool {
    let Some((start, end)) = cell.split_once('…') else {
        return cell == name;
    };
    let end = end.split('#').next().unwrap_or_default();
    name.starts_with(start) && name.ends_with(end)
}

#[test]
#[ignore = "many processes"]
fn lines_fit_and_names_differ_at_every_width() {
    let wide: Vec<(&str, f64)> = vec![
        ("早碁の打ち手たちの中で一番強い人", 50.0),
        ("早碁の打ち手たちの中で二番強い人", 0.0),
    ];
    for agents in [&AGENTS[..], &AGENTS[..2], &wide] {
        let names: BTreeSet<&str> = agents.iter().map(|(name, _)| *name).collect();
        for results in tournaments(agents) {
            for (width, full) in [20, 40, 60, 80, 120, 200]
                .into_iter()
                .flat_map(|width| [(width, false), (width, true)])
            {
                let text = text(&results, width, full);
                let long = text.lines().find(|line| display_width(line) > width);
                assert_eq!(long, None, "at {width}:\n{text}");
                // Cells are read by characters, so that wide ones have other places.
                if agents.len() == wide.len() && names.contains(wide[0].0) {
                    continue;
                }
                for table in text_tables(&text) {
                    for (at, head) in table.heads.iter().enumerate() {
                        if !["agent", "opponent", "next"].contains(&head.as_str()) {
                            continue;
                        }
                        let cells = table.rows.iter().map(|row| row[at].trim_end_matches(" *"));
                        for cell in cells.clone() {
                            let known = names.iter().any(|name| shows(cell, name))
                                || ["", "all agents", "all", "agents"].contains(&cell);
                            assert!(known, "'{cell}' at {width}:\n{text}");
                        }
                        if table.section == "Standings" && head == "agent" {
                            let all: Vec<&str> = cells.filter(|cell| !cell.is_empty()).collect();
                            let distinct: BTreeSet<&str> = all.iter().copied().collect();
                            assert_eq!(distinct.len(), all.len(), "at {width}:\n{text}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn any_width_gives_a_report() {
    let results = &tournaments(&AGENTS)[0];
    for width in (1..20).chain([79, 81, 1000, usize::MAX]) {
        let told = text(results, width, true);
        assert!(told.contains("Standings") || width < 9, "{width}: {told}");
    }
}
