//! The list of tournaments, two of them side by side, and the user's notes and tags.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use maud::{Markup, html};
use patchwork_rating::Estimate;
use patchwork_rating::distribution::NORMAL;
use patchwork_report::SUMMARY;
use patchwork_report::document::{elo_with_interval, percent, thousands};
use patchwork_tournament::ledger::{self, FolderFacts};
use patchwork_tournament::stats::{Standing, Summary};
use patchwork_tournament::{Results, TournamentError, TournamentState};
use serde::Deserialize;

use super::board::locked;

/// Maximum length of notes and of tags, in bytes.
const MAX_NOTES: usize = 10_000;
const MAX_TAGS: usize = 200;

/// What a user writes about a tournament.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Remarks {
    notes: String,
    tags: String,
}

impl Remarks {
    /// Stores them in a results folder. The error is a sentence.
    pub(super) fn keep(&self, dir: &Path) -> Result<(), String> {
        for (what, text, most) in [
            ("notes", &self.notes, MAX_NOTES),
            ("tags", &self.tags, MAX_TAGS),
        ] {
            if text.len() > most {
                let length = text.len();
                return Err(format!(
                    "{what}: {length} bytes; expected at most {most} bytes"
                ));
            }
        }
        ledger::describe(dir, self.notes.trim(), self.tags.trim())
            .map_err(|error| error.to_string())
    }
}

/// The state of a ledger, and of its tournament.
type KnownState = ((u64, u64), TournamentState);

/// The states of tournaments that nobody plays.
#[derive(Default)]
pub(super) struct KnownStates(Mutex<HashMap<PathBuf, KnownState>>);

impl KnownStates {
    /// The state of the tournament in a folder, whose games are read only if it has changed.
    pub(super) fn of(&self, dir: &Path) -> Result<TournamentState, TournamentError> {
        let ledger = ledger::state(dir)?;
        let known = locked(&self.0).get(dir).copied();
        match known.filter(|(then, _)| *then == ledger && !ledger::is_locked(dir)) {
            Some((_, state)) => Ok(state),
            None => {
                let state = TournamentState::of(dir)?;
                if !state.is_running() {
                    locked(&self.0).insert(dir.to_owned(), (ledger, state));
                }
                Ok(state)
            }
        }
    }
}

/// What the list reads of a saved report, which can be large.
#[derive(Deserialize)]
struct Saved {
    games: u64,
    ratings: Vec<SavedRating>,
}

#[derive(Deserialize)]
struct SavedRating {
    agent: String,
}

/// The best agent of the report that was saved when there were this many games.
fn leader(dir: &Path, games: u64) -> Option<String> {
    let saved = std::fs::read(dir.join(SUMMARY)).ok()?;
    let saved: Saved = serde_json::from_slice(&saved).ok()?;
    let best = saved.ratings.into_iter().next()?;
    (saved.games == games).then_some(best.agent)
}

/// The tournaments in these folders, with the names by which they are shown.
pub(super) fn list(folders: &[(String, PathBuf)], states: &KnownStates) -> Markup {
    html! {
        div.wide { table {
            thead { tr {
                th { "Tournament" } th { "Begun (UTC)" } th { "State" } th { "Leader" } th.number { "Games" }
                th { "Machine" } th { "Notes" }
            } }
            tbody { @for (name, dir) in folders { (row(name, dir, states)) } }
        } }
        @if let [one, other, ..] = folders { (choice(folders, [&one.0, &other.0])) }
    }
}

/// A form that asks for two tournaments side by side.
fn choice(folders: &[(String, PathBuf)], chosen: [&str; 2]) -> Markup {
    html! {
        form action="/compare" {
            p {
                @for (key, chosen, label) in [("a", chosen[0], "Compare "), ("b", chosen[1], " with ")] {
                    label { (label) select name=(key) {
                        @for (name, _) in folders { option selected[name == chosen] { (name) } }
                    } }
                }
                " " button { "Compare" }
            }
        }
    }
}

fn row(name: &str, dir: &Path, states: &KnownStates) -> Markup {
    let link = html! {
        a href={ "/results/" (name) } { (name) } " "
        a.small href={ "/results/" (name) "/games" } { "all games" }
    };
    let read = || Ok::<_, TournamentError>((ledger::facts(dir)?, states.of(dir)?));
    let (facts, state) = match read() {
        Ok(read) => read,
        Err(error) => return html! { tr { td { (link) } td colspan="6" { (error) } } },
    };
    let (running, is_complete) = (state.is_running(), state == TournamentState::Complete);
    let best = is_complete.then(|| leader(dir, facts.games)).flatten();
    let planned = facts.manifest.plan.game_count() as u64;
    let games = match planned == facts.games || is_complete {
        true => thousands(facts.games),
        false => format!("{} of {}", thousands(facts.games), thousands(planned)),
    };
    html! {
        tr data-name=(name) data-running[running] {
            td { (link) }
            td { (facts.started.as_deref().map_or(String::new(), minute)) }
            td.running[running] { (state.name()) }
            td.leader { (best.unwrap_or_default()) }
            td.number.games { (games) }
            td { (machine(&facts)) }
            td { (remarks(name, &facts)) }
        }
    }
}

/// A time to the minute, as in `2026-11-27 04:05`.
fn minute(time: &str) -> String {
    time.chars().take(16).collect::<String>().replace('T', " ")
}

fn machine(facts: &FolderFacts) -> String {
    let parts = [&facts.machine, &facts.processor];
    let parts: Vec<&str> = parts.into_iter().flatten().map(String::as_str).collect();
    parts.join(", ")
}

/// The notes and tags, and a form that changes them.
fn remarks(name: &str, facts: &FolderFacts) -> Markup {
    html! {
        @for tag in facts.tags.split_whitespace() { span.tag { (tag) } " " }
        @if !facts.notes.is_empty() { p { (facts.notes) } }
        details {
            summary { "Edit" }
            form data-name=(name) {
                label { "Notes " textarea name="notes" rows="3" maxlength=(MAX_NOTES) { (facts.notes) } }
                label { "Tags, separated by spaces " input name="tags" maxlength=(MAX_TAGS) value=(facts.tags); }
                button { "Save" }
                span role="status" { "" }
            }
        }
    }
}

/// Two tournaments side by side. The error is a sentence.
pub(super) fn comparison(
    folders: &[(String, PathBuf)],
    chosen: [&(String, PathBuf); 2],
) -> Result<Markup, String> {
    let [(facts_a, a), (facts_b, b)] = [side(&chosen[0].1)?, side(&chosen[1].1)?];
    let names = chosen.map(|(name, _)| name.as_str());
    let others: BTreeMap<&str, &Standing> =
        b.ratings.iter().map(|row| (&*row.agent, row)).collect();
    let both: Vec<(&Standing, &Standing)> = a
        .ratings
        .iter()
        .filter_map(|row| Some((row, *others.get(&*row.agent)?)))
        .collect();
    // Elo is relative to the mean of a tournament's agents: only differences can be compared.
    let first = both.first().map_or("", |(row, _)| &*row.agent);
    let gap = |side: &Summary, agent: &str| {
        if agent == first {
            return Estimate {
                value: Some(0.0),
                ..Estimate::default()
            };
        }
        let found = side.difference(agent, first).map(|(elo, _)| elo);
        found.unwrap_or_default()
    };
    let facts = [&facts_a, &facts_b];
    Ok(html! {
        (choice(folders, names))
        div.wide { table {
            thead { tr { th { "" } @for name in names { th { a href={ "/results/" (name) } { (name) } } } } }
            tbody {
                tr { th { "Games" } @for one in facts { td { (thousands(one.games)) } } }
                tr { th { "Seed" } @for one in facts { td { (one.manifest.plan.seed()) } } }
                tr { th { "Rules" } @for one in facts { td { (one.manifest.plan.rules()) } } }
                tr { th { "Version" } @for one in facts { td { (one.manifest.version) } } }
                tr { th { "Machine" } @for one in facts { td { (machine(one)) } } }
            }
        } }
        @if both.is_empty() { p { "No agent is in both." } }
        @else {
            h2 { "Agents in both" }
            p {
                "Elo minus that of " (first) ", with 95% intervals. The last column is the second difference minus the "
                "first, as if the games of the two tournaments were independent."
            }
            div.wide { table {
                thead { tr {
                    th { "Agent" }
                    @for name in names { th.number { "Score in " (name) } }
                    @for name in names { th.number { "Elo in " (name) } }
                    th.number { "Difference" }
                } }
                tbody { @for (one, other) in &both { tr {
                    td { (one.agent) }
                    @for row in [one, other] { td.number { (row.score.map_or(String::new(), percent)) } }
                    @let gaps = [&a, &b].map(|side| gap(side, &one.agent));
                    @for gap in gaps { td.number { (elo_with_interval(gap)) } }
                    td.number { (elo_with_interval(between(gaps))) }
                } } }
            } }
        }
    })
}

/// The second of two independent estimates minus the first.
fn between([one, other]: [Estimate; 2]) -> Estimate {
    let difference = || Some(other.value? - one.value?);
    let error = || Some(one.error?.hypot(other.error?));
    match (difference(), error()) {
        (Some(value), Some(error)) => Estimate::with_error(value, error, NORMAL),
        (value, _) => Estimate {
            value,
            ..Estimate::default()
        },
    }
}

/// What a folder says about itself, and its statistics.
fn side(dir: &Path) -> Result<(FolderFacts, Summary), String> {
    let read = || {
        let results = Results::read(dir)?;
        let plan = &results.manifest.plan;
        let summary = Summary::of(&plan.names(), &plan.pairings(), &results.games)?;
        Ok((ledger::facts(dir)?, summary))
    };
    read().map_err(|error: TournamentError| error.to_string())
}
