//! Reports of tournaments as text.

#![cfg(test)]

use crate::document::{TextForm, write_text};
use crate::header::Header;
use crate::samples::{samples, test_header, with_report};
use patchwork_engine::record::{Entry, GameId};
use patchwork_test_support::tournaments::{game, names, plan, tournament};
use patchwork_tournament::{Format, Plan};
use textwrap::core::display_width;

const FULL: TextForm = TextForm {
    width: 80,
    full: true,
    colour: false,
};

fn written(header: &Header, plan: &Plan, entries: &[Entry], form: TextForm) -> String {
    let mut text = Vec::new();
    with_report(header, plan, entries, |report| {
        write_text(&mut text, &report.document(), form).expect("writing to a vector cannot fail");
    });
    let text = String::from_utf8(text).expect("text");
    assert!(!text.contains("NaN") && !text.contains("inf") && !text.contains(" \n"));
    if !form.colour {
        let wide = text.lines().find(|line| display_width(line) > form.width);
        assert_eq!(wide, None, "{text}");
    }
    text
}

fn text(entries: &[Entry], planned: u64, form: TextForm) -> String {
    let plan = plan(&names(), Format::RoundRobin, 50).expect("a plan");
    let header = Header {
        is_over: !entries.is_empty(),
        ..test_header(planned)
    };
    written(&header, &plan, entries, form)
}

#[test]
fn a_whole_tournament() {
    let text = text(&tournament(50), 300, TextForm { width: 140, ..FULL });
    assert!(text.starts_with("sprint: 300 games, 3 agents, original track"));
    assert!(names().iter().all(|name| text.contains(name)));
    assert!(text.contains("20.0k/s") && text.contains("50 ms"), "{text}");
}

#[test]
fn the_brief_report_fits_a_terminal_and_answers_first() {
    let brief = text(&tournament(20), 120, TextForm::default());
    assert!(brief.lines().count() < 40);
    for expected in [
        "Standings",
        "LOS",
        "Moving first is worth",
        "A game takes",
        "The strongest agent is one of 3",
        "0 of 3 pairs of agents differ significantly",
        "legal actions on average at its",
    ] {
        assert!(brief.contains(expected), "{brief}");
    }
    assert!(!brief.contains("Pairings"));
}

#[test]
fn wider_terminals_get_more_columns() {
    let entries = tournament(10);
    let heads = |section: &str, width| {
        let text = text(&entries, 60, TextForm { width, ..FULL });
        let (_, section) = text.split_once(section).expect("a section");
        let heads = section.lines().nth(1).expect("column names");
        heads.split_whitespace().count()
    };
    assert!(heads("Standings", 80) < heads("Standings", 100));
    assert!(heads("Searches", 80) < heads("Searches", 100));
    assert!(heads("Searches", 100) < heads("Searches", 140));
    for width in [20, 40, 60] {
        text(&entries, 60, TextForm { width, ..FULL });
    }
}

#[test]
fn colours_only_where_they_are_wanted() {
    let entries = tournament(10);
    let plain = text(&entries, 60, FULL);
    assert!(!plain.contains('\u{1b}'));
    let coloured = text(
        &entries,
        60,
        TextForm {
            colour: true,
            ..FULL
        },
    );
    assert!(coloured.contains("\u{1b}[1mStandings"));
    let codes = ["\u{1b}[1m", "\u{1b}[2m", "\u{1b}[33m", "\u{1b}[0m"];
    let stripped = codes
        .iter()
        .fold(coloured, |text, code| text.replace(code, ""));
    assert_eq!(stripped, plain);
}

#[test]
fn sequential_tests_are_told() {
    let plan = plan(&names(), Format::RoundRobin, 2).expect("a plan");
    let mut all = String::new();
    for tests in samples() {
        let header = Header {
            sprt: Some(tests),
            ..test_header(12)
        };
        all += &written(&header, &plan, &tournament(2), FULL);
        written(&header, &plan, &tournament(2), TextForm::default());
    }
    for expected in ["continue", "accept H1"] {
        assert!(all.contains(expected), "{all} lacks {expected}");
    }
}

#[test]
fn hardly_any_games() {
    let none = text(&[], 300, FULL);
    assert!(none.contains("0 of 300 games (incomplete)"));
    assert!(none.contains("nothing to report"));

    let one = text(&tournament(1)[..1], 300, FULL);
    assert!(one.contains("greedy *") && one.contains("Jeffreys' prior"));
    assert!(!one.contains("1 games"));
}

#[test]
fn an_agent_against_itself() {
    let id = |pair, leg| GameId {
        pairing: 0,
        pair,
        leg,
    };
    let games: Vec<_> = (0..8)
        .map(|i| game(id(i / 2, (i % 2) as u8), [0, 0]))
        .collect();
    assert!(text(&games, 8, FULL).contains("8 games"));
}

#[test]
fn many_agents_stay_narrow() {
    let names: Vec<String> = (0..24)
        .map(|i| format!("agent-with-a-long-name-{i:02}"))
        .collect();
    let plan = plan(&names, Format::RoundRobin, 1).expect("a plan");
    let games = plan.games().map(|planned| game(planned.id, planned.seats));
    let games: Vec<Entry> = games.collect();
    written(&test_header(552), &plan, &games, FULL);
    let brief = written(&test_header(552), &plan, &games, TextForm::default());
    // 16 of the names are shortened, and each has a line in the list of full names.
    assert!(brief.lines().count() < 40 + 30, "{brief}");
    assert!(brief.contains("Not listed: 8 more rows;"), "{brief}");
}
