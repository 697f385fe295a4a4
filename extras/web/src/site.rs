//! The site: pages, reports that follow a tournament, games, and the board.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::iter;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use maud::{DOCTYPE, Markup, html};
use patchwork_board::assets::{FILES, MODULE};
use patchwork_engine::agent::{AgentPaths, is_plain_name};
use patchwork_engine::search::Stop;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::board::BoardDesk;
use super::index::{self, KnownStates, Remarks};
use super::opened::{self, Opened};
use super::request::{Method, Refusal, Request};
use super::server::{Answer, BoardFile, Site, Tell};
use super::watch;
use patchwork_report::{TournamentReport, write_viewer};
use patchwork_tournament::{Results, ledger};

/// Number of games per page of the viewer.
const GAMES_A_PAGE: usize = 100;
/// Time between two checks of a results folder.
const LOOK: Duration = Duration::from_secs(1);
/// Without news, a comment is sent to show that the connection is alive.
const HEARTBEAT: Duration = Duration::from_secs(15);

const HTML: &str = "text/html; charset=utf-8";
const JSON: &str = "application/json";

/// The results folders that are shown, and the board.
pub struct Arena {
    sources: Vec<Source>,
    board: BoardDesk,
    /// The results folder that was read last.
    opened: Mutex<Option<Arc<Opened>>>,
    states: KnownStates,
    stop: &'static Stop,
}

/// A folder of results folders, of which one may be the only one that is shown.
struct Source {
    root: PathBuf,
    only: Option<String>,
}

impl Source {
    fn new(dir: &Path) -> Self {
        let name = dir.file_name().and_then(|name| name.to_str());
        let is_one = ledger::exists(dir).unwrap_or(false);
        let (root, only) = match name.filter(|_| is_one) {
            Some(name) => (dir.parent().unwrap_or(dir), Some(name.to_owned())),
            None => (dir, None),
        };
        let root = match root.as_os_str().is_empty() {
            true => PathBuf::from("."),
            false => root.to_owned(),
        };
        Self { root, only }
    }

    /// The results folder with this name, if it exists inside the folder. Games of people are shown beside an only one.
    fn folder(&self, name: &str) -> Option<PathBuf> {
        let only = self.only.as_ref();
        let is_shown = only.is_none_or(|only| only == name || is_of_people(name));
        let path = self.root.join(name);
        let is_inside =
            || Some(path.canonicalize().ok()?.parent()? == self.root.canonicalize().ok()?);
        let is_found = is_shown
            && is_plain_name(name)
            && is_inside() == Some(true)
            && ledger::exists(&path).unwrap_or(false);
        is_found.then_some(path)
    }

    /// The names of its results folders, in alphabetical order.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.root).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        let mut names: Vec<String> = names.filter(|name| self.folder(name).is_some()).collect();
        names.sort();
        names
    }
}

impl Arena {
    /// The pages of folders of results folders, and of results folders. New games are stored beside the first of them.
    ///
    /// # Panics
    /// When no folder is given.
    pub fn new(dirs: &[impl AsRef<Path>], agents: AgentPaths, stop: &'static Stop) -> Self {
        let sources: Vec<Source> = dirs.iter().map(|dir| Source::new(dir.as_ref())).collect();
        Self {
            board: BoardDesk::new(sources[0].root.clone(), agents, stop),
            opened: Mutex::default(),
            states: KnownStates::default(),
            sources,
            stop,
        }
    }

    /// The results folder that is shown by this name.
    fn folder(&self, name: &str) -> Result<PathBuf, Refusal> {
        if let [source] = &self.sources[..] {
            return source.folder(name).ok_or(Refusal::NotFound);
        }
        let shown = self.folders().into_iter().find(|(shown, _)| shown == name);
        shown.map(|(_, path)| path).ok_or(Refusal::NotFound)
    }

    /// All results folders with the names by which they are shown: of folders with one name, the second gets `-2`, and so on.
    fn folders(&self) -> Vec<(String, PathBuf)> {
        let mut shown = BTreeMap::new();
        let mut paths = BTreeSet::new();
        for source in &self.sources {
            for name in source.names() {
                let path = source.root.join(&name);
                if !paths.insert(path.canonicalize().unwrap_or_else(|_| path.clone())) {
                    continue;
                }
                let names = (2_u32..).map(|number| format!("{name}-{number}"));
                let mut names = iter::once(name.clone()).chain(names);
                let free = names.find(|name| !shown.contains_key(name));
                shown.extend(free.map(|name| (name, path)));
            }
        }
        shown.into_iter().collect()
    }
}

fn is_of_people(name: &str) -> bool {
    name.starts_with("human-")
}

impl Site for Arena {
    fn answer(&self, request: &Request) -> Result<Answer, Refusal> {
        let path: Vec<&str> = request.path.iter().map(String::as_str).collect();
        match (request.method, &path[..]) {
            (Method::Get, []) => Ok(page(&self.index())),
            (Method::Get, ["play" | "board"]) => {
                Ok(Answer::Redirect("/board/index.html".to_owned()))
            }
            (Method::Get, ["board", name]) => board_file(name),
            (Method::Get, ["assets", "live.js"]) => Ok(script(include_bytes!("live.js"))),
            (Method::Get, ["assets", "index.js"]) => Ok(script(include_bytes!("index.js"))),
            (Method::Get, ["compare"]) => self.comparison(request),
            (Method::Post, ["api", "results", name, "notes"]) => {
                let dir = self.folder(name)?;
                asked(request, |remarks: Remarks| {
                    remarks.keep(&dir).map_err(Refusal::from)
                })
            }
            (Method::Get, ["assets", "arena.css"]) => Ok(Answer::Bytes(
                "text/css; charset=utf-8",
                include_bytes!("arena.css").to_vec(),
            )),
            (Method::Get, ["api", "agents"]) => Ok(json(&self.board.agents())),
            (Method::Get, ["api", "next"]) => {
                let agent = request.query.get("agent").map_or("", String::as_str);
                let person: u32 = given(request, "person")?.unwrap_or(0);
                let person = u8::try_from(person).unwrap_or(u8::MAX);
                let (iterations, time) = (
                    given(request, "iterations")?,
                    given(request, "milliseconds")?,
                );
                let rules = given(request, "track")?.unwrap_or_default();
                answered(self.board.next(agent, person, iterations, time, rules))
            }
            (Method::Post, ["api", "decide"]) => asked(request, |ask| self.board.decide(&ask)),
            (Method::Post, ["api", "keep"]) => asked(request, |game| self.board.keep(&game)),
            (Method::Get, ["api", "results"]) => {
                let folders = self.folders();
                let facts = folders.iter().filter_map(|(name, dir)| {
                    watch::folder(dir, name, self.states.of(dir).ok()?).ok()
                });
                Ok(json(&facts.collect::<Vec<_>>()))
            }
            (Method::Get, ["api", "results", name]) => self.progress(name),
            (Method::Get, ["api", "results", name, "games"]) => {
                let from = given(request, "from")?;
                let count = given(request, "count")?.unwrap_or(watch::MAX_GAMES);
                let text = request.query.get("find").map_or("", String::as_str);
                let opened = opened::read(&self.opened, &self.folder(name)?);
                answered(opened.and_then(|opened| watch::games(&opened, text, from, count)))
            }
            (Method::Get, ["results", name]) => {
                self.folder(name)?;
                Ok(page(&live(name)))
            }
            (Method::Get, ["results", name, "report"]) => self.report(&self.folder(name)?),
            (Method::Get, ["results", name, "games"]) => {
                let from = given(request, "from")?.unwrap_or(0);
                self.games(&self.folder(name)?, name, from)
            }
            (Method::Get, ["results", name, "events"]) => {
                let file = self.folder(name)?;
                let stop = self.stop;
                Ok(Answer::Events(Box::new(move |tell| {
                    follow(&file, stop, tell)
                })))
            }
            _ => Err(Refusal::NotFound),
        }
    }
}

fn script(bytes: &[u8]) -> Answer {
    Answer::Bytes("text/javascript; charset=utf-8", bytes.to_vec())
}

fn page(markup: &Markup) -> Answer {
    Answer::Bytes(HTML, markup.0.clone().into_bytes())
}

fn json(value: &impl Serialize) -> Answer {
    Answer::Bytes(JSON, serde_json::to_vec(value).unwrap_or_default())
}

/// A file of the board. Its page is told that it has a server.
fn board_file(name: &str) -> Result<Answer, Refusal> {
    static PACKED: [OnceLock<BoardFile>; FILES.len()] = [const { OnceLock::new() }; FILES.len()];
    static PACKED_MODULE: OnceLock<BoardFile> = OnceLock::new();
    let (module, deflated, brotli) = MODULE;
    if name == module {
        let packed = PACKED_MODULE.get_or_init(|| BoardFile::module(deflated, brotli));
        return Ok(Answer::BoardFile(packed));
    }
    let found = FILES
        .iter()
        .zip(&PACKED)
        .find(|(file, _)| file.name == name);
    let (file, packed) = found.ok_or(Refusal::NotFound)?;
    let packed = packed.get_or_init(|| BoardFile::new(file.kind, file.served()));
    Ok(Answer::BoardFile(packed))
}

/// Handles a request that is given as JSON.
fn asked<T: DeserializeOwned, A: Serialize>(
    request: &Request,
    answer: impl FnOnce(T) -> Result<A, Refusal>,
) -> Result<Answer, Refusal> {
    if request.header("content-type") != Some(JSON) {
        return Err(Refusal::Malformed);
    }
    let asked = serde_json::from_slice(&request.body).map_err(|_| Refusal::Malformed)?;
    answered(answer(asked))
}

/// The value of a query, if it is given.
fn given<T: FromStr>(request: &Request, key: &str) -> Result<Option<T>, Refusal> {
    let given = request.query.get(key).map(|text| text.parse());
    given.transpose().map_err(|_| Refusal::NotFound)
}

fn answered<A: Serialize>(answer: Result<A, impl Into<Refusal>>) -> Result<Answer, Refusal> {
    answer.map(|answer| json(&answer)).map_err(Into::into)
}

/// Links to the games before and after those of a page.
fn links(name: &str, from: usize, last: usize, count: usize) -> Markup {
    let to = |from: usize| format!("/results/{name}/games?from={from}");
    html! {
        nav style="max-width: 72rem; margin: auto; padding: .5rem 1rem" aria-label="Games" {
            a href="/" { "Results" } " · " a href={ "/results/" (name) } { (name) } " · "
            @if from > 0 { a href=(to(from.saturating_sub(GAMES_A_PAGE))) { "earlier games" } " · " }
            "games " (from + 1) " to " (last) " of " (count)
            @if last < count { " · " a href=(to(last)) { "later games" } }
        }
    }
}

/// Sends the size of a folder's games whenever it changes.
fn follow(dir: &Path, stop: &Stop, tell: Tell<'_>) -> io::Result<()> {
    let mut told = None;
    let mut last = Instant::now();
    while !stop.is_set() {
        let size = watch::size(dir);
        if told != Some(size) {
            tell(&format!("data: {size}\n\n"))?;
            (told, last) = (Some(size), Instant::now());
        } else if last.elapsed() > HEARTBEAT {
            tell(": still here\n\n")?;
            last = Instant::now();
        }
        rest(stop, LOOK);
    }
    Ok(())
}

/// Waits for a time, or until the program stops.
fn rest(stop: &Stop, time: Duration) {
    let start = Instant::now();
    while start.elapsed() < time && !stop.is_set() {
        std::thread::sleep(Duration::from_millis(50).min(time));
    }
}

fn frame(title: &str, script: Option<&str>, content: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · Patchwork Arena" }
                link rel="icon" href="data:,";
                link rel="stylesheet" href="/assets/arena.css";
            }
            body { (content) @if let Some(script) = script { script src=(script) {} } }
        }
    }
}

impl Arena {
    fn progress(&self, name: &str) -> Result<Answer, Refusal> {
        let dir = self.folder(name)?;
        let opened = opened::read(&self.opened, &dir);
        let progress = opened.as_ref().map_err(Clone::clone);
        answered(progress.and_then(|opened| watch::progress(&dir, name, opened)))
    }

    fn report(&self, dir: &Path) -> Result<Answer, Refusal> {
        self.of_results(dir, |results, out| {
            TournamentReport::new(results)?.write_page(out)
        })
    }

    /// The viewer with some of the games, and links to the others.
    fn games(&self, dir: &Path, name: &str, from: usize) -> Result<Answer, Refusal> {
        self.of_results(dir, |results, out| {
            let count = results.games.len();
            if from >= count {
                let what = format!("There is no game {from}; there are {count} games.");
                return Err(io::Error::new(io::ErrorKind::NotFound, what));
            }
            write_viewer(
                out,
                results,
                from..from.saturating_add(GAMES_A_PAGE),
                |shown| links(name, from, from + shown, count),
            )
        })
    }

    /// A page about a results folder.
    fn of_results(
        &self,
        dir: &Path,
        write: impl FnOnce(&Results, &mut Vec<u8>) -> io::Result<()>,
    ) -> Result<Answer, Refusal> {
        let opened = opened::read(&self.opened, dir)?;
        let mut page = Vec::new();
        write(&opened.results, &mut page).map_err(|error| error.to_string())?;
        Ok(Answer::Bytes(HTML, page))
    }

    /// Two results folders side by side.
    fn comparison(&self, request: &Request) -> Result<Answer, Refusal> {
        let folders = self.folders();
        let chosen = |key: &str| {
            let name = request.query.get(key)?;
            folders.iter().find(|(shown, _)| shown == name)
        };
        let (Some(a), Some(b)) = (chosen("a"), chosen("b")) else {
            return Err(Refusal::NotFound);
        };
        let compared = index::comparison(&folders, [a, b])?;
        let content =
            html! { main { p { a href="/" { "Results" } } h1 { "Two tournaments" } (compared) } };
        Ok(page(&frame("Two tournaments", None, &content)))
    }

    /// The folders that are looked through.
    fn places(&self) -> String {
        let roots = self
            .sources
            .iter()
            .map(|source| source.root.display().to_string());
        roots.collect::<Vec<_>>().join(", ")
    }

    fn index(&self) -> Markup {
        let folders = self.folders();
        frame(
            "Results",
            Some("/assets/index.js"),
            &html! {
                main {
                    h1 { "Patchwork Arena" }
                    p { a.button href="/board/index.html" { "Play, learn and analyse" } }
                    h2 { "Tournaments" }
                    @if folders.is_empty() { p { "There are no results in " (self.places()) " yet." } }
                    @else { (index::list(&folders, &self.states)) }
                }
            },
        )
    }
}

/// A page with a report that follows its tournament.
fn live(name: &str) -> Markup {
    frame(
        name,
        Some("/assets/live.js"),
        &html! {
            div.bar {
                a href="/" { "Results" } " " b { (name) } " "
                a href={ "/results/" (name) "/games" } { "all games" } " "
                span role="status" id="status" { "" }
            }
            iframe id="report" title={ "Report of " (name) } src={ "/results/" (name) "/report" } {}
        },
    )
}
