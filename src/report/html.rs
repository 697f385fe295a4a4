//! The report as a page for a browser: a self-contained file. It needs no network, and the numbers
//! are shown even without scripts.
//!
//! `sections.rs` and `figures.rs` draw the blocks of a document with the bars in `bars.rs` and the
//! plots in `plot.rs`. `viewer_games.rs` chooses the games for the viewer. `page.css` is the
//! stylesheet; `page.js` is the script of tables and plots, `viewer.js` that of the viewer.
//!
//! Text is inserted into the page through [`maud`], which escapes it, and as JSON in which every
//! `<` is escaped.

mod bars;
mod coordinates;
mod figures;
mod parts;
mod patches;
mod plot;
mod sections;
mod viewer;
mod viewer_games;

use std::io;
use std::ops::Range;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use self::parts::{agent_name, json};
use self::viewer_games::Viewer;
use super::document::{Block, Document, ReportSection};
use super::sections::Findings;
use crate::tournament::Results;

/// Why the page could not be written.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    /// A game selected for the page is not legal.
    #[error("{0}")]
    Game(String),
    /// The output could not be written.
    #[error("cannot write: {0}")]
    Write(#[from] io::Error),
}

/// Writes the page.
///
/// # Errors
/// If a game to be shown is not legal, or the writer fails.
pub(super) fn write_html(
    mut out: impl io::Write,
    findings: &Findings<'_>,
) -> Result<(), PageError> {
    let strongest = findings.summary.ratings.first();
    let strongest =
        strongest.and_then(|row| findings.names.iter().position(|name| *name == row.agent));
    let viewer = Viewer::new(findings.plan, findings.games, findings.digests(), strongest);
    let viewer = viewer.map_err(PageError::Game)?;
    let games = findings.summary.games;
    let more = PageMore {
        viewer: viewer::section(&viewer, &findings.names, &viewer::choice(&viewer, games)),
        games: (games > 0).then(|| json(&viewer)),
        source: Some("patchwork-arena report DIR --format json"),
        links: html! {},
    };
    let page = page(&findings.document(), &more);
    out.write_all(page.into_string().as_bytes())?;
    Ok(())
}

/// Writes the page of a document without games. `source` says where the same numbers are available as data.
///
/// # Errors
/// If the writer fails.
pub(super) fn write_document(
    mut out: impl io::Write,
    document: &Document<'_>,
    source: &str,
) -> io::Result<()> {
    let more = PageMore {
        viewer: html! {},
        games: None,
        source: Some(source),
        links: html! {},
    };
    out.write_all(page(document, &more).into_string().as_bytes())
}

/// Writes a page for a browser with the viewer alone. It shows the games of this range, in the order of the
/// plan, as far as there is room; `links` makes the links to other pages from the number of games on the
/// page.
///
/// # Errors
/// If a game to be shown is not legal, or the writer fails.
pub fn write_games(
    mut out: impl io::Write,
    results: &Results,
    games: Range<usize>,
    links: impl FnOnce(usize) -> Markup,
) -> Result<(), PageError> {
    let plan = &results.manifest.plan;
    let games = games.start..games.end.min(results.games.len());
    let viewer = Viewer::of(plan, &results.games, games.map(|index| (index, Vec::new())));
    let viewer = viewer.map_err(PageError::Game)?;
    let document = Document {
        title: results.manifest.name.clone(),
        facts: Vec::new(),
        nothing: None,
        sections: vec![ReportSection::new("viewer", "Watch games").block(Block::Viewer)],
    };
    let more = PageMore {
        viewer: viewer::section(&viewer, &plan.names(), &html! {}),
        games: Some(json(&viewer)),
        source: None,
        links: links(viewer.games.len()),
    };
    out.write_all(page(&document, &more).into_string().as_bytes())?;
    Ok(())
}

/// The parts of a page besides its document.
struct PageMore<'a> {
    viewer: Markup,
    /// The games for the viewer, as JSON.
    games: Option<String>,
    /// Where the same numbers are available as data, if anywhere.
    source: Option<&'a str>,
    /// Links to other pages, above the content.
    links: Markup,
}

/// The scripts; the page works without them.
const SCRIPT: &str = concat!(include_str!("html/page.js"), include_str!("html/viewer.js"));

/// The page must not load anything, even if a name contains markup.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

fn page(document: &Document<'_>, more: &PageMore<'_>) -> Markup {
    let visible = document
        .sections
        .iter()
        .filter(|section| section.is_visible());
    let visible: Vec<&ReportSection<'_>> = match document.nothing {
        Some(_) => Vec::new(),
        None => visible.collect(),
    };
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="color-scheme" content="light dark";
                title { (document.title) " · Patchwork Arena" }
                link rel="icon" href="data:,";
                style { (PreEscaped(include_str!("html/page.css"))) }
            }
            body {
                a.skip href="#content" { "Skip to the content" }
                (masthead(document, &visible))
                (more.links)
                main id="content" {
                    @if let Some(nothing) = document.nothing { section { p { (nothing) } } }
                    (cards(&visible))
                    @for section in &visible { (sections::section(section, &more.viewer)) }
                }
                @if let Some(source) = more.source { footer { p {
                    "Made by Patchwork Arena. Intervals are 95% and account for the two games "
                    "of a pair sharing a setup. The same numbers as data: " code { (source) } "."
                } } }
                @if let Some(games) = &more.games {
                    script id="games-data" type="application/json" { (PreEscaped(games)) }
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    }
}

fn masthead(document: &Document<'_>, visible: &[&ReportSection<'_>]) -> Markup {
    html! {
        header.masthead {
            div.title {
                p.kicker { "Patchwork Arena" }
                h1 { (document.title) }
                p.about { (document.facts.join(" · ")) }
            }
            button id="theme" type="button" hidden { "Theme" }
            @if visible.len() > 1 {
                nav aria-label="Sections" { ul {
                    @for section in visible { li { a href={ "#" (section.id) } { (section.title) } } }
                } }
            }
        }
    }
}

/// The headlines of all sections.
fn cards(visible: &[&ReportSection<'_>]) -> Markup {
    let headlines = || visible.iter().flat_map(|section| &section.headlines);
    html! { @if headlines().next().is_some() {
        ul.cards aria-label="In short" { @for headline in headlines() {
            li { span.value { (agent_name(&headline.value)) } span.name { (agent_name(&headline.name)) } span.more { (headline.more.join("; ")) } }
        } }
    } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::header::{Header, PlayedAgent};
    use crate::report::samples::{samples, test_header, with_findings};
    use crate::support::tournaments::{self, game, names, tournament};
    use crate::tournament::{Format, Plan};
    use patchwork_engine::record::Entry;

    fn plan(names: &[String], pairs: u32) -> Plan {
        tournaments::plan(names, Format::RoundRobin, pairs).expect("a plan")
    }

    fn text(plan: &Plan, entries: &[Entry]) -> String {
        let header = test_header(plan.game_count() as u64);
        let mut page = Vec::new();
        with_findings(&header, plan, entries, |findings| {
            write_html(&mut page, findings).expect("writing to a vector cannot fail");
        });
        String::from_utf8(page).expect("text")
    }

    /// Checks that the page is closed properly and contains nothing forbidden.
    fn check(page: &str) {
        let rest = page
            .replace(SCRIPT, "")
            .replace(include_str!("html/page.css"), "");
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
        assert!(page.len() < 3_000_000, "{}", page.len());
        assert!(page.contains("200 of 10,200 games"));
        for id in [
            "standings",
            "comparisons",
            "crosstable",
            "pairings",
            "history",
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
    fn what_a_format_adds_is_shown() {
        let plan = plan(&names(), 2);
        let entries = tournament(2);
        for format in samples() {
            let has_course = format.sprt.is_some() || format.rounds.is_some();
            let champion = format.champion.clone();
            let header = Header {
                format,
                ..test_header(12)
            };
            let mut page = Vec::new();
            with_findings(&header, &plan, &entries, |findings| {
                write_html(&mut page, findings).expect("writing to a vector cannot fail");
            });
            let page = String::from_utf8(page).expect("text");
            check(&page);
            let panels = page
                .matches("<section class=\"panel\" id=\"course\"")
                .count();
            assert_eq!(panels, usize::from(has_course));
            let won =
                champion.is_some_and(|name| page.contains(&format!("<p>{name} has won.</p>")));
            assert_eq!(won, header.format.champion.is_some());
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
            2,
            "the data and the viewer"
        );
        assert!(page.contains("200 of 380 games"));
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
        let mut page = Vec::new();
        with_findings(&header, &plan, &entries, |findings| {
            write_html(&mut page, findings).expect("writing to a vector cannot fail");
        });
        let page = String::from_utf8(page).expect("text");
        check(&page);
        assert!(page.len() < 3_000_000, "{}", page.len());
        // The page says what is left out.
        for said in [
            "The 24 strongest of 200 agents.",
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
        for entry in &entries {
            let record = &entry.record;
            let number = plan.number(record.id);
            let game = games
                .iter()
                .find(|game| game["number"] == number)
                .expect("each game");
            let plies = game["plies"].as_array().expect("plies");
            assert_eq!(plies.len(), record.plies.len());
            let last = &plies[plies.len() - 1];
            assert_eq!(last[7], serde_json::json!([53, 53]));
            assert_eq!(last[8], serde_json::json!(record.buttons));
            assert_eq!(last[10], serde_json::json!(record.scores));
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
        let error = with_findings(&header, &plan, &entries, |findings| {
            write_html(io::sink(), findings)
        });
        let error = error.expect_err("its scores are wrong").to_string();
        assert!(
            error.starts_with("game 0: ") && error.contains("scores"),
            "{error}"
        );
    }
}
