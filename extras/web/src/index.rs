//! The list of tournaments, what several differ in, commands that go on with one, and the user's notes and tags.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use maud::{Markup, html};
use patchwork_report::document::{agent_name, thousands};
use patchwork_report::{SUMMARY, TuningState};
use patchwork_tournament::ledger::{self, FolderFacts};
use patchwork_tournament::{TournamentError, TournamentState};
use serde::Deserialize;
use serde_json::Value;

use super::board::locked;
use super::people::HUMAN;
use super::request::Refusal;

/// Maximum length of notes and of tags, in bytes.
const MAX_NOTES: usize = 10_000;
const MAX_TAGS: usize = 200;

/// What a user writes about a tournament.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Remarks {
    notes: String,
    tags: String,
    /// The [`version`] that was edited; without it, whatever is stored is replaced.
    version: Option<String>,
}

impl Remarks {
    /// Stores them in a results folder, each tag once.
    pub(super) fn keep(&self, dir: &Path) -> Result<(), Refusal> {
        static KEEPING: Mutex<()> = Mutex::new(());
        for (what, text, most) in [
            ("notes", &self.notes, MAX_NOTES),
            ("tags", &self.tags, MAX_TAGS),
        ] {
            if text.len() > most {
                let length = text.len();
                let what = format!("{what}: {length} bytes; expected at most {most} bytes");
                return Err(what.into());
            }
        }
        let _keeping = locked(&KEEPING);
        let now = ledger::facts(dir)?;
        if self
            .version
            .as_ref()
            .is_some_and(|known| *known != version(&now))
        {
            return Err(Refusal::Conflict);
        }
        let tags: Vec<&str> = tags(&self.tags).collect();
        Ok(ledger::describe(dir, self.notes.trim(), &tags.join(" "))?)
    }
}

/// The words of a text, each once.
fn tags(text: &str) -> impl Iterator<Item = &str> {
    let mut seen = HashSet::new();
    text.split_whitespace().filter(move |tag| seen.insert(*tag))
}

/// A text that differs between notes and tags.
pub(super) fn version(facts: &FolderFacts) -> String {
    let mut sum = flate2::Crc::new();
    sum.update(format!("{}\n{}", facts.tags, facts.notes).as_bytes());
    format!("{:08x}", sum.sum())
}

/// The state of a ledger, and of its tournament.
type KnownState = ((u64, u64), TournamentState);

/// The states of tournaments that nobody plays.
#[derive(Default)]
pub(super) struct KnownStates(Mutex<HashMap<PathBuf, KnownState>>);

impl KnownStates {
    /// What a folder says, and the state of its tournament, whose games are read only if it has changed.
    pub(super) fn read(
        &self,
        dir: &Path,
    ) -> Result<(FolderFacts, TournamentState), TournamentError> {
        let (facts, ledger) = (ledger::facts(dir)?, ledger::state(dir)?);
        let known = locked(&self.0).get(dir).copied();
        match known.filter(|(then, _)| *then == ledger && !ledger::is_locked(dir)) {
            Some((_, state)) => Ok((facts, state)),
            None => {
                let state = TournamentState::of(dir)?;
                if !state.is_running() {
                    locked(&self.0).insert(dir.to_owned(), (ledger, state));
                }
                Ok((facts, state))
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

/// The parts of the list.
const GROUPS: [&str; 4] = ["Tournaments", "Matches", "Tunings", "Games of people"];

/// The part of the list in which a folder is.
fn group_of(facts: &FolderFacts) -> usize {
    let plan = &facts.manifest.plan;
    match plan.agents() {
        _ if facts.manifest.is_search_over.is_some() => 2,
        agents if agents.iter().any(|agent| agent.name == HUMAN) => 3,
        [_, _] => 1,
        _ => 0,
    }
}

/// The tournaments in these folders, with the names by which they are shown.
pub(super) fn list(folders: &[(String, PathBuf)], states: &KnownStates) -> Markup {
    let mut groups = [const { Vec::new() }; GROUPS.len()];
    for (name, dir) in folders {
        let (group, row) = row(name, dir, states);
        groups[group].push(row);
    }
    html! {
        form id="compare" action="/compare" { button { "Compare the ticked ones" } }
        div.wide { table.list {
            thead { tr {
                th { span.unseen { "Compare" } } th { "Name" } th { "Begun (UTC)" } th { "State" } th { "Leader" }
                th.number { "Games" } th { "Machine" } th { "Commands and notes" }
            } }
            @for (title, rows) in GROUPS.iter().zip(&groups) { @if !rows.is_empty() {
                tbody { tr.group { th colspan="8" { (title) } } @for row in rows { (row) } }
            } }
        } }
    }
}

fn row(name: &str, dir: &Path, states: &KnownStates) -> (usize, Markup) {
    let link = |more: Markup| {
        html! {
            td { input type="checkbox" name="of" value=(name) form="compare" aria-label={ "Compare " (name) }; }
            td {
                a href={ "/results/" (name) } { (name) } " "
                span.small { (more) a href={ "/results/" (name) "/games" } { "all games" } }
            }
        }
    };
    let (facts, state) = match states.read(dir) {
        Ok(read) => read,
        Err(error) => {
            let row = html! { tr data-name=(name) { (link(html! {})) td colspan="6" { (error) } } };
            return (0, row);
        }
    };
    let (running, is_complete) = (state.is_running(), state == TournamentState::Complete);
    let tuning = TuningState::of(dir, &facts).ok().flatten();
    let (said, best) = match &tuning {
        Some(tuning) => (tuning.lines.first(), tuning.best.clone()),
        None => (
            None,
            is_complete.then(|| leader(dir, facts.games)).flatten(),
        ),
    };
    let planned = facts.manifest.plan.game_count() as u64;
    let games = match planned == facts.games || is_complete || tuning.is_some() {
        true => thousands(facts.games),
        false => format!("{} of {}", thousands(facts.games), thousands(planned)),
    };
    let agents = facts.manifest.plan.agents();
    let is_swept = agents.iter().any(|agent| !agent.swept.is_empty());
    let shown = match &tuning {
        Some(tuning) => &*tuning.state,
        // A sequential test ended it.
        None if is_complete && planned > facts.games => "decided",
        None => state.name(),
    };
    let more = html! {
        a href={ "/board/index.html#watch=" (name) } { "watch" } " · "
        @if is_swept { a href={ "/results/" (name) "#sweep" } { "values" } " · " }
    };
    let row = html! {
        tr data-name=(name) data-running[running] data-state=(state.name()) data-agents=(facts.manifest.plan.names().join(" ")) {
            (link(more))
            td data-sort=[facts.started.as_deref()] { (facts.started.as_deref().map_or(String::new(), minute)) }
            td.state.running[running] { (shown) }
            td.leader { (agent_name(&best.unwrap_or_default())) @if let Some(said) = said { p.small { (said) } } }
            td.number.games data-sort=(facts.games) { (games) }
            td { (machine(&facts)) }
            td.remarks {
                @if let Some((what, line)) = commands(dir, &facts, state).first() {
                    (copied(what, line)) " "
                }
                (remarks(name, &facts))
            }
        }
    };
    (group_of(&facts), row)
}

/// A path as a shell reads it.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    match text
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || "-_./".contains(c))
    {
        true => text,
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

/// The command line of a subcommand for these folders. The program is named as it was started, for a shell in the same folder.
pub(super) fn command(name: &str, dirs: &[impl AsRef<Path>]) -> String {
    let program = std::env::args_os().next().unwrap_or_default();
    let line = format!("{} {name}", quoted(Path::new(&program)));
    dirs.iter()
        .fold(line, |line, dir| line + " " + &quoted(dir.as_ref()))
}

/// The command lines that go on with what a folder has, and what each does.
pub(super) fn commands(
    dir: &Path,
    facts: &FolderFacts,
    state: TournamentState,
) -> Vec<(&'static str, String)> {
    let plan = &facts.manifest.plan;
    let report = ("report", command("report", &[dir]));
    let run = |what, more: &str| (what, command("run", &[dir]) + more);
    match group_of(facts) {
        2 => vec![report],
        3 => {
            let names = plan.names();
            let other = names.iter().find(|name| **name != HUMAN);
            let other = other.map_or("champion", String::as_str);
            vec![("play again", command("play", &[HUMAN, other])), report]
        }
        _ => {
            let grow = format!(" --pairs {}", u64::from(plan.pairs()) * 2);
            let go_on = match state == TournamentState::Complete {
                true => run("double the pairs", &grow),
                false => run("continue", ""),
            };
            let repeat = run("repeat", " --results repeated");
            match state.is_running() {
                true => vec![report, repeat],
                false => vec![go_on, repeat, report],
            }
        }
    }
}

/// A button that copies a command line.
pub(super) fn copied(what: &str, line: &str) -> Markup {
    html! { button.small type="button" data-copy=(line) title=(line) { "Copy command: " (what) } }
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
        @for tag in tags(&facts.tags) { span.tag { (tag) } " " }
        @if !facts.notes.is_empty() { p { (facts.notes) } }
        details {
            summary { "Edit notes and tags" }
            form data-name=(name) data-version=(version(facts)) {
                label { "Notes " textarea name="notes" rows="3" maxlength=(MAX_NOTES) { (facts.notes) } }
                label { "Tags, separated by spaces " input name="tags" maxlength=(MAX_TAGS) value=(facts.tags); }
                button { "Save" }
                span role="status" { "" }
            }
        }
    }
}

/// What a folder says of itself: names, and what it says of each.
fn said_by(facts: &FolderFacts) -> Vec<(String, String)> {
    let plan = &facts.manifest.plan;
    let mut said = vec![
        ("Seed".to_owned(), plan.seed().to_string()),
        ("Rules".to_owned(), plan.rules().to_string()),
        (
            "Pairs per pairing".to_owned(),
            thousands(plan.pairs().into()),
        ),
        ("Version".to_owned(), facts.manifest.version.clone()),
        ("Machine".to_owned(), machine(facts)),
    ];
    for agent in plan.agents() {
        said.push((agent.name.clone(), "takes part".to_owned()));
        let settings = serde_json::to_value(&agent.config).unwrap_or_default();
        let mut keys = vec![(agent.name.clone(), settings)];
        while let Some((path, value)) = keys.pop() {
            match value {
                Value::Object(inner) => {
                    let inner = inner.into_iter();
                    keys.extend(inner.map(|(key, value)| (format!("{path} {key}"), value)));
                }
                Value::String(text) => said.push((path, text)),
                value => said.push((path, value.to_string())),
            }
        }
    }
    said
}

/// What folders say of themselves, as far as it differs: a name, and what each says.
pub(super) fn differences(folders: &[FolderFacts]) -> Vec<(String, Vec<String>)> {
    let said: Vec<_> = folders.iter().map(said_by).collect();
    let mut rows: Vec<(String, Vec<String>)> = Vec::new();
    for (what, _) in said.iter().flatten() {
        if rows.iter().any(|(known, _)| known == what) {
            continue;
        }
        let of = |said: &Vec<(String, String)>| {
            let said = said.iter().find(|(name, _)| name == what);
            said.map_or_else(|| "–".to_owned(), |(_, text)| text.clone())
        };
        rows.push((what.clone(), said.iter().map(of).collect()));
    }
    // A setting of an agent that does not take part everywhere differs only between those that have it.
    rows.retain(|(what, texts)| {
        let mut known: Vec<&String> = texts.iter().collect();
        known.retain(|text| !what.contains(' ') || *text != "–");
        known.iter().any(|text| *text != known[0])
    });
    rows
}
