//! The report as a page for a browser: one file that needs nothing else, no network and no script to
//! show its numbers.
//!
//! | part | where |
//! |---|---|
//! | sections and their tables | `sections.rs`, `thinking.rs` |
//! | plots; bars in tables | `plot.rs`; `strip.rs` |
//! | ratings after the first games | `history.rs` |
//! | which games the viewer holds, and their positions | `viewer.rs` |
//! | how it looks, what it does | `page.css`, `viewer.js` |
//!
//! Text gets into the page through [`maud`], which escapes it, and as JSON, in which no `<` is left.

mod history;
mod plot;
mod sections;
mod strip;
mod thinking;
mod viewer;

use std::io;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use self::viewer::Viewer;
use super::Header;
use super::text::counted;
use crate::record::{Entry, GameId, Games};
use crate::stats::{Game, Summary, in_order};
use crate::tournament::Plan;

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    /// A game that the page would show is no legal game.
    #[error("{0}")]
    Game(String),
    /// The output.
    #[error("cannot write: {0}")]
    Write(#[from] io::Error),
}

/// Writes the page.
///
/// # Errors
/// When a game to be shown is not legal, or the writer fails.
pub fn write_html(
    mut out: impl io::Write,
    header: &Header,
    summary: &Summary,
    plan: &Plan,
    games: &(impl Games + ?Sized),
) -> Result<(), PageError> {
    let glances = glances(plan, games);
    let viewer = Viewer::new(plan, games, &glances).map_err(PageError::Game)?;
    let results: Vec<Game> = glances.iter().map(|glance| glance.result).collect();
    let names = plan.names();
    let page = page(header, summary, &names, &results, &viewer);
    out.write_all(page.into_string().as_bytes())?;
    Ok(())
}

/// What the choice of games and the ratings over time need of a game.
#[derive(Clone, Copy, Debug)]
struct Glance {
    /// Its index in the games it comes from.
    index: usize,
    /// Its place in the order in which the plan is played.
    order: u64,
    result: Game,
    scores: [i16; 2],
    plies: u16,
    /// The most that the loser ever expected to win, if it told.
    surprise: Option<f32>,
}

impl Glance {
    fn of(entry: &Entry) -> Self {
        let record = &entry.record;
        let loser = record.winner().other();
        let told = record
            .plies
            .iter()
            .filter(|ply| ply.player() == loser)
            .filter_map(|ply| ply.thought.value)
            .filter(|value| (0.0..=1.0).contains(value));
        Self {
            index: 0,
            order: 0,
            result: Game::of(entry),
            scores: record.scores,
            plies: record.plies.len() as u16,
            surprise: told.max_by(f32::total_cmp),
        }
    }

    fn margin(&self) -> i32 {
        (i32::from(self.scores[0]) - i32::from(self.scores[1])).abs()
    }
}

/// A glance at every game, in the order of the plan.
fn glances(plan: &Plan, games: &(impl Games + ?Sized)) -> Vec<Glance> {
    let mut order: Vec<usize> = (0..games.count()).collect();
    order.sort_by_key(|&index| games.id(index));
    let mut glances: Vec<(GameId, Glance)> =
        in_order(games, |entry| (entry.record.id, Glance::of(entry)));
    let place: std::collections::BTreeMap<GameId, u64> =
        plan.games().map(|game| game.id).zip(0..).collect();
    for ((id, glance), index) in glances.iter_mut().zip(order) {
        glance.index = index;
        glance.order = place.get(id).copied().unwrap_or(u64::MAX);
    }
    glances.sort_by_key(|(id, glance)| (glance.order, *id));
    glances.into_iter().map(|(_, glance)| glance).collect()
}

/// Nothing is loaded from anywhere, whatever a name holds.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

fn page(
    header: &Header,
    summary: &Summary,
    names: &[String],
    results: &[Game],
    viewer: &Viewer,
) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="color-scheme" content="light dark";
                title { (header.name) " · Patchwork Arena" }
                link rel="icon" href="data:,";
                style { (PreEscaped(include_str!("html/page.css"))) }
            }
            body {
                a.skip href="#content" { "Skip to the content" }
                (masthead(header, summary))
                main id="content" {
                    @if summary.games == 0 {
                        section { p { "No game has been finished yet: there is nothing to report." } }
                    } @else {
                        (sections::overview(summary))
                        (sections::standings(summary))
                        (history::section(summary, names, results))
                        (sections::crosstable(summary))
                        (sections::viewer(viewer, names, summary.games))
                        (sections::first_player(summary))
                        (sections::games(summary))
                        (sections::branching(summary))
                        (sections::patches(summary))
                        (thinking::section(&summary.thinking))
                    }
                }
                footer { p {
                    "Made by Patchwork Arena, version " (header.version) ". Intervals are 95% and allow for the two games "
                    "of a pair sharing a setup. The same numbers: " code { "patchwork-arena report DIR --format json" } "."
                } }
                @if summary.games > 0 {
                    script id="games-data" type="application/json" { (PreEscaped(json(viewer))) }
                }
                script { (PreEscaped(include_str!("html/viewer.js"))) }
            }
        }
    }
}

fn masthead(header: &Header, summary: &Summary) -> Markup {
    let (games, planned) = (summary.games, header.planned_games);
    html! {
        header.masthead {
            div.title {
                p.kicker { "Patchwork Arena" }
                h1 { (header.name) }
                p.about {
                    @if games < planned {
                        (thousands(games)) " of " (counted_thousands(planned, "game")) " (incomplete)"
                    } @else {
                        (counted_thousands(games, "game"))
                    }
                    " · " (counted(summary.ratings.len() as u64, "agent"))
                    " · " (header.track) " track · seed " (header.seed)
                }
            }
            button id="theme" type="button" hidden { "Theme" }
            @if games > 0 {
                nav aria-label="Sections" { ul {
                    @for (id, name) in sections::CONTENTS {
                        li { a href={ "#" (id) } { (name) } }
                    }
                } }
            }
        }
    }
}

/// JSON that cannot end the script element that it stands in.
fn json(value: &impl serde::Serialize) -> String {
    let json = serde_json::to_string(value).expect("plain data");
    json.replace('<', "\\u003c")
}

/// A whole number with its thousands apart.
fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn counted_thousands(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", thousands(number))
}
