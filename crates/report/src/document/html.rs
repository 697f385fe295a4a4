//! A document as a page for a browser: a self-contained file. It needs no network, and the numbers
//! are shown even without scripts.
//!
//! `sections.rs` and `figures.rs` draw the blocks of a document with the bars in `bars.rs` and the
//! plots in `plot.rs`. `page.css` is the stylesheet; `page.js` is the script of tables and plots.
//!
//! Text is inserted into the page through [`maud`], which escapes it, and as JSON in which every
//! `<` is escaped.

mod bars;
mod figures;
pub(crate) mod parts;
pub(crate) mod patches;
mod plot;
mod sections;

use std::io;

use maud::{DOCTYPE, Markup, PreEscaped, html};

pub use self::parts::agent_name;
use super::{Document, ReportSection};

/// Writes the page of a document without games. `source` says where the same numbers are available as data.
pub fn write_document(
    mut out: impl io::Write,
    document: &Document<'_>,
    source: &str,
) -> io::Result<()> {
    let more = PageMore {
        source: Some(source),
        ..PageMore::default()
    };
    out.write_all(page(document, &more).into_string().as_bytes())
}

/// The parts of a page besides its document.
#[derive(Default)]
pub(crate) struct PageMore<'a> {
    /// What is shown in place of [`Block::Viewer`](super::Block::Viewer).
    pub(crate) viewer: Markup,
    /// The style sheet of the viewer.
    pub(crate) style: Markup,
    /// The games for the viewer, and its script.
    pub(crate) scripts: Markup,
    /// Where the same numbers are available as data, if anywhere.
    pub(crate) source: Option<&'a str>,
    /// Links to other pages, above the content.
    pub(crate) links: Markup,
}

/// The script of tables and plots; the page works without it.
pub(crate) const SCRIPT: &str = include_str!("html/page.js");

pub(crate) const STYLE: &str = include_str!("html/page.css");

/// The page must not load anything, even if a name contains markup.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

pub(crate) fn page(document: &Document<'_>, more: &PageMore<'_>) -> Markup {
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
                style { (PreEscaped(STYLE)) }
                (more.style)
            }
            body {
                a.skip href="#content" { "Skip to the content" }
                (masthead(document))
                @if visible.len() > 1 {
                    nav aria-label="Sections" { ul.box {
                        @for section in &visible { li { a href={ "#" (section.id) } { (section.title) } } }
                    } }
                }
                (more.links)
                main id="content" {
                    @if let Some(nothing) = document.nothing { section { p { (nothing) } } }
                    @if document.nothing.is_none() { (answers(document)) }
                    (cards(&visible))
                    @for run in visible.chunk_by(|one, other| one.question == other.question) {
                        @if run[0].question.is_empty() { @for section in run { (sections::section(section, &more.viewer)) } }
                        @else { details.question {
                            summary { b { (run[0].question) } " " span { (titles(run)) } }
                            @for section in run { (sections::section(section, &more.viewer)) }
                        } }
                    }
                    @if document.nothing.is_none() && !document.methods.is_empty() {
                        (parts::panel("methods", "Methods", &html! { p { (document.methods) } }))
                    }
                }
                @if let Some(source) = more.source { footer { p {
                    "Made by Patchwork Arena. Intervals are 95% and account for the two games "
                    "of a pair sharing a setup. For the same numbers as data, run " code { (source) } "."
                } } }
                (more.scripts)
                script { (PreEscaped(SCRIPT)) }
            }
        }
    }
}

fn masthead(document: &Document<'_>) -> Markup {
    html! {
        header.masthead {
            div.title {
                p.kicker { "Patchwork Arena" }
                h1 { (document.title) }
                p.about { (document.facts.join(" · ")) }
            }
            button id="theme" type="button" hidden { "Theme" }
        }
    }
}

/// The titles of sections in a line.
fn titles(sections: &[&ReportSection<'_>]) -> String {
    let titles: Vec<&str> = sections.iter().map(|section| section.title).collect();
    titles.join(" · ")
}

/// The first screen: questions and their answers.
fn answers(document: &Document<'_>) -> Markup {
    html! { @if !document.answers.is_empty() {
        dl.answers { @for answer in &document.answers {
            dt { (answer.question) }
            dd { @for line in &answer.lines { p { (line) } } }
        } }
    } }
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
