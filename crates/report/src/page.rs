//! The page of a tournament: its report with a viewer of some of its games.

mod viewer;
mod viewer_games;

use std::io;
use std::ops::Range;

use maud::{Markup, PreEscaped, html};
use patchwork_board::assets::{VIEWER_SCRIPT, VIEWER_STYLE};

use self::viewer_games::Viewer;
use super::data::TournamentReport;
use crate::document::html::parts::json;
use crate::document::html::{PageMore, page};
use crate::document::{Block, Document, ReportSection};
use patchwork_tournament::Results;

pub(super) fn write_html(mut out: impl io::Write, report: &TournamentReport<'_>) -> io::Result<()> {
    let strongest = report.summary.ratings.first();
    let strongest =
        strongest.and_then(|row| report.names.iter().position(|name| *name == row.agent));
    let viewer = Viewer::new(report, strongest)?;
    let choice = viewer::choice(&viewer, report.summary.games);
    let more = PageMore {
        source: Some("patchwork-arena report DIR --format json"),
        ..with_games(&viewer, &report.names, &choice)
    };
    let page = page(&report.document(), &more);
    out.write_all(page.into_string().as_bytes())
}

/// The viewer with the games that a page carries, if there are any.
fn with_games<'a>(viewer: &Viewer, names: &[String], choice: &Markup) -> PageMore<'a> {
    let carried = !viewer.games.is_empty();
    PageMore {
        viewer: viewer::section(viewer, names, choice),
        style: html! { @if carried { style { (PreEscaped(VIEWER_STYLE)) } } },
        scripts: html! { @if carried {
            script id="games-data" type="application/json" { (PreEscaped(json(viewer))) }
            script { (PreEscaped(VIEWER_SCRIPT)) }
        } },
        ..PageMore::default()
    }
}

/// Writes a page for a browser with the viewer alone. It shows the games of this range, in the order of the
/// plan, as far as there is room; `links` makes the links to other pages from the number of games on the
/// page.
///
/// # Errors
/// If a game to be shown is not legal, as a [`patchwork_tournament::TournamentError`] of kind `InvalidData`, or the writer fails.
pub fn write_viewer(
    mut out: impl io::Write,
    results: &Results,
    games: Range<usize>,
    links: impl FnOnce(usize) -> Markup,
) -> io::Result<()> {
    let plan = &results.manifest.plan;
    let games = games.start..games.end.min(results.games.len());
    let viewer = Viewer::of(plan, &results.games, games.map(|index| (index, Vec::new())))?;
    let document = Document {
        title: results.manifest.name.clone(),
        facts: Vec::new(),
        nothing: None,
        answers: Vec::new(),
        sections: vec![ReportSection::new("viewer", "Watch games").block(Block::Viewer)],
        methods: "",
    };
    let more = PageMore {
        links: links(viewer.games.len()),
        ..with_games(&viewer, &plan.names(), &html! {})
    };
    out.write_all(page(&document, &more).into_string().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::html::{SCRIPT, STYLE};
    use crate::header::{Header, PlayedAgent};
    use crate::samples::{samples, test_header, with_report};
    use patchwork_engine::record::Entry;
    use patchwork_test_support::tournaments::{self, game, names, tournament};
    use patchwork_tournament::{Archive, Format, Plan};

    fn plan(names: &[String], pairs: u32) -> Plan {
        tournaments::plan(names, Format::RoundRobin, pairs).expect("a plan")
    }

    fn text(plan: &Plan, entries: &[Entry]) -> String {
        let header = Header {
            is_over: !entries.is_empty(),
            ..test_header(plan.game_count() as u64)
        };
        written(&header, plan, entries)
    }

    fn written(header: &Header, plan: &Plan, entries: &[Entry]) -> String {
        let mut page = Vec::new();
        with_report(header, plan, entries, |report| {
            write_html(&mut page, report).expect("writing to a vector cannot fail");
        });
        String::from_utf8(page).expect("text")
    }

    /// Checks that the page is closed properly and contains nothing forbidden.
    fn check(page: &str) {
        let own = [SCRIPT, STYLE, VIEWER_SCRIPT, VIEWER_STYLE];
        let rest = own
            .iter()
            .fold(page.to_owned(), |page, part| page.replace(part, ""));
        for bad in [
            "NaN", "inf%", ">inf", "-inf", "http:", "https:", "None", "Some(",
        ] {
            assert!(!rest.contains(bad), "{bad}");
        }
        let mut open: Vec<&str> = Vec::new();
        let voids = ["meta", "link", "input", "wbr", "!DOCTYPE"];
        let data = rest.find("<script id=").unwrap_or(rest.len());
        for tag in rest[..data].split('<').skip(1) {
            let inside = tag.split_once('>').expect("a tag ends").0;
            let name = inside.split([' ', '/']).next().unwrap_or_default();
            match inside.strip_prefix('/') {
                Some(end) => assert_eq!(open.pop(), Some(end), "{tag}"),
                None if voids.contains(&name) => {}
                None => open.push(name),
            }
        }
        assert!(
            open.len() <= 2,
            "all but html and body are closed before the data: {open:?}"
        );
    }

    #[test]
    fn ten_thousand_games_fit_into_three_megabytes() {
        let plan = plan(&names(), 1700);
        let entries = tournament(1700);
        assert_eq!(entries.len(), 10_200);
        let page = text(&plan, &entries);
        check(&page);
        assert!(page.len() < 3 << 20, "{}", page.len());
        assert!(page.contains(" of 10,200 games"));
        for id in [
            "standings",
            "comparisons",
            "crosstable",
            "pairings",
            "viewer",
            "first-player",
            "games",
            "scores",
            "branching",
            "patches",
            "rings",
            "thinking",
        ] {
            assert!(
                page.contains(&format!("<section class=\"panel\" id=\"{id}\"")),
                "{id}"
            );
        }
    }

    #[test]
    fn sequential_tests_are_shown() {
        let plan = plan(&names(), 2);
        let entries = tournament(2);
        for tests in [None].into_iter().chain(samples().into_iter().map(Some)) {
            let header = Header {
                sprt: tests,
                ..test_header(12)
            };
            let page = written(&header, &plan, &entries);
            check(&page);
            let panels = page
                .matches("<section class=\"panel\" id=\"tests\"")
                .count();
            assert_eq!(panels, usize::from(header.sprt.is_some()));
        }
    }

    #[test]
    fn hardly_any_games() {
        let plan = plan(&names(), 2);
        let all = tournament(2);
        let none = text(&plan, &[]);
        check(&none);
        assert!(none.contains("nothing to report") && none.contains("0 of 12 games (incomplete)"));
        for count in 1..all.len() {
            let page = text(&plan, &all[..count]);
            check(&page);
            assert!(count == 1 || page.contains(&format!("keeps all {count} games")));
        }
        let one = text(&plan, &all[..1]);
        assert!(one.contains("greedy *") && one.contains("Jeffreys' prior"));
        assert!(one.contains("keeps the only game"));
    }

    #[test]
    fn the_order_of_games_does_not_matter() {
        let plan = plan(&names(), 4);
        let mut entries = tournament(4);
        let page = text(&plan, &entries);
        entries.reverse();
        assert!(text(&plan, &entries) == page);
        entries.rotate_left(5);
        assert!(text(&plan, &entries) == page);
    }

    #[test]
    fn twenty_agents_of_any_name() {
        let names: Vec<String> = (0..20)
            .map(|i| format!("<i>{i:02}</i> & \"'</script>"))
            .collect();
        let plan = plan(&names, 1);
        let games = plan.games().map(|planned| game(planned.id, planned.seats));
        let page = text(&plan, &games.collect::<Vec<_>>());
        check(&page);
        assert!(!page.contains("<i>") && page.contains("&lt;i&gt;07&lt;/i&gt; &amp; "));
        assert_eq!(
            page.matches("</script>").count(),
            3,
            "the data, the viewer and the page's own script"
        );
        assert!(page.contains(" of 380 games"));
    }

    #[test]
    fn two_hundred_agents_fit_into_three_megabytes() {
        let names: Vec<String> = (0..200)
            .map(|i| format!("an agent with quite a long name, number {i}"))
            .collect();
        let plan = plan(&names, 1);
        // Each agent meets its ten neighbours.
        let near = |seats: [u16; 2]| seats[0].abs_diff(seats[1]) <= 5;
        let games = plan.games().filter(|planned| near(planned.seats));
        let entries: Vec<Entry> = games
            .map(|planned| game(planned.id, planned.seats))
            .collect();
        let mut header = test_header(plan.game_count() as u64);
        header.agents = plan.agents().iter().map(PlayedAgent::new).collect();
        let page = written(&header, &plan, &entries);
        check(&page);
        assert!(page.len() < 3 << 20, "{}", page.len());
        // The page says what is left out.
        for said in [
            "The first 30 of 200 agents; the CSV tables",
            "'pairings' has all.",
        ] {
            assert!(page.contains(said), "{said}");
        }
    }

    #[test]
    fn the_data_are_json_and_hold_the_end_of_each_game() {
        let plan = plan(&names(), 3);
        let entries = tournament(3);
        let page = text(&plan, &entries);
        let start = "<script id=\"games-data\" type=\"application/json\">";
        let data = page.split_once(start).expect("data").1;
        let data = data.split_once("</script>").expect("an end").0;
        let data: serde_json::Value = serde_json::from_str(data).expect("JSON");
        let games = data["games"].as_array().expect("a list");
        assert_eq!(games.len(), entries.len());
        let numbers = Archive::default().numbers(&plan).expect("in memory");
        for entry in &entries {
            let record = &entry.record;
            let number = numbers.of(record).get();
            let game = games
                .iter()
                .find(|game| game["number"] == number)
                .expect("each game");
            let last = |name: &str| {
                let column = game["plies"][name].as_array().expect("a column");
                assert_eq!(column.len(), record.plies.len());
                column[column.len() - 1].clone()
            };
            assert_eq!(last("spaces"), serde_json::json!([53, 53]));
            assert_eq!(last("buttons"), serde_json::json!(record.buttons));
            assert_eq!(last("scores"), serde_json::json!(record.scores));
        }
        assert_eq!(
            games
                .iter()
                .filter(|game| game["notes"][0] == "longest")
                .count(),
            1
        );
    }

    #[test]
    fn a_record_that_is_no_game_is_named() {
        let plan = plan(&names(), 1);
        let mut entries = tournament(1);
        entries[0].record.scores[0] += 1;
        let header = test_header(6);
        let error = with_report(&header, &plan, &entries, |report| {
            write_html(io::sink(), report)
        });
        let error = error.expect_err("its scores are wrong").to_string();
        assert!(
            error.starts_with("game 0: ") && error.contains("scores"),
            "{error}"
        );
    }
}
