//! The site: pages, reports that follow a tournament, games, and the board.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use maud::{DOCTYPE, Markup, html};
use patchwork_board::assets::FILES;
use patchwork_engine::agent::{AgentPaths, is_plain_name};
use patchwork_engine::search::Stop;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::board::{BoardDesk, BoardError};
use super::opened::{self, Opened};
use super::request::{Method, Refusal, Request};
use super::server::{Answer, Site, Tell};
use super::watch;
use crate::report::{TournamentReport, write_games};
use crate::tournament::{Results, ledger};

/// Number of games per page of the viewer.
const GAMES_A_PAGE: usize = 100;
/// Time between two checks of a results folder.
const LOOK: Duration = Duration::from_secs(1);
/// Without news, a comment is sent to show that the connection is alive.
const HEARTBEAT: Duration = Duration::from_secs(15);

const HTML: &str = "text/html; charset=utf-8";
const JSON: &str = "application/json";

/// The results folders below one folder, and the board.
pub struct Arena {
    root: PathBuf,
    /// The name of the only results folder, if the given folder is one itself.
    only: Option<String>,
    board: BoardDesk,
    /// The results folder that was read last.
    opened: Mutex<Option<Arc<Opened>>>,
    stop: &'static Stop,
}

impl Arena {
    /// The pages of a folder of results folders, or of one results folder. New games are stored beside the
    /// results folders.
    #[must_use]
    pub fn new(dir: &Path, agents: AgentPaths, stop: &'static Stop) -> Self {
        let name = dir.file_name().and_then(|name| name.to_str());
        let is_one = ledger::exists(dir).unwrap_or(false);
        let (root, only) = match name.filter(|_| is_one) {
            Some(name) => {
                let parent = dir.parent().filter(|parent| !parent.as_os_str().is_empty());
                let parent = parent.unwrap_or(Path::new("."));
                (parent.to_owned(), Some(name.to_owned()))
            }
            None => (dir.to_owned(), None),
        };
        Self {
            board: BoardDesk::new(root.clone(), agents, stop),
            opened: Mutex::default(),
            root,
            only,
            stop,
        }
    }

    /// The results folder with this name, if it exists inside the folder.
    fn folder(&self, name: &str) -> Result<PathBuf, Refusal> {
        let is_shown = self
            .only
            .as_ref()
            .is_none_or(|only| only == name || is_of_people(name));
        if !is_plain_name(name) || !is_shown {
            return Err(Refusal::NotFound);
        }
        let path = self.root.join(name);
        let real = |path: &Path| path.canonicalize().map_err(|_| Refusal::NotFound);
        let is_inside = real(&path)?.parent() == Some(&*real(&self.root)?);
        if !is_inside || !ledger::exists(&path).unwrap_or(false) {
            return Err(Refusal::NotFound);
        }
        Ok(path)
    }

    /// The names of all results folders.
    fn folders(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.root).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        let mut names: Vec<String> = names.filter(|name| self.folder(name).is_ok()).collect();
        names.sort();
        names
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
            (Method::Get, ["assets", "live.js"]) => Ok(Answer::Bytes(
                "text/javascript; charset=utf-8",
                include_bytes!("live.js").to_vec(),
            )),
            (Method::Get, ["assets", "arena.css"]) => Ok(Answer::Bytes(
                "text/css; charset=utf-8",
                include_bytes!("arena.css").to_vec(),
            )),
            (Method::Get, ["api", "agents"]) => Ok(json(&self.board.agents())),
            (Method::Get, ["api", "next"]) => {
                let number = |key: &str| -> Result<Option<u32>, Refusal> {
                    let given = request.query.get(key).map(|text| text.parse());
                    given.transpose().map_err(|_| Refusal::NotFound)
                };
                let agent = request.query.get("agent").map_or("", String::as_str);
                let person = u8::try_from(number("person")?.unwrap_or(0)).unwrap_or(u8::MAX);
                let (iterations, milliseconds) = (number("iterations")?, number("milliseconds")?);
                answered(self.board.next(agent, person, iterations, milliseconds))
            }
            (Method::Post, ["api", "decide"]) => asked(request, |ask| self.board.decide(&ask)),
            (Method::Post, ["api", "keep"]) => asked(request, |game| self.board.keep(&game)),
            (Method::Get, ["api", "results"]) => {
                let folders = self.folders();
                let facts = folders.iter().filter_map(|name| {
                    let dir = self.folder(name).ok()?;
                    watch::folder(&dir, name).ok()
                });
                Ok(json(&facts.collect::<Vec<_>>()))
            }
            (Method::Get, ["api", "results", name]) => self.progress(name),
            (Method::Get, ["api", "results", name, "games"]) => {
                let number = |key: &str, default| {
                    let given = request.query.get(key);
                    let given = given.map_or(Ok(default), |text| text.parse());
                    given.map_err(|_| Refusal::NotFound)
                };
                let (from, count) = (number("from", 0)?, number("count", watch::MOST_GAMES)?);
                let opened = opened::read(&self.opened, &self.folder(name)?);
                answered(opened.and_then(|opened| watch::games(&opened.results, from, count)))
            }
            (Method::Get, ["results", name]) => {
                self.folder(name)?;
                Ok(page(&live(name)))
            }
            (Method::Get, ["results", name, "report"]) => Ok(self.report(&self.folder(name)?)),
            (Method::Get, ["results", name, "games"]) => {
                let from = request
                    .query
                    .get("from")
                    .map_or(Some(0), |text| text.parse().ok());
                let from = from.ok_or(Refusal::NotFound)?;
                Ok(self.games(&self.folder(name)?, name, from))
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

fn page(markup: &Markup) -> Answer {
    Answer::Bytes(HTML, markup.0.clone().into_bytes())
}

fn json(value: &impl Serialize) -> Answer {
    Answer::Bytes(JSON, serde_json::to_vec(value).unwrap_or_default())
}

/// A file of the board. Its page is told that it has a server.
fn board_file(name: &str) -> Result<Answer, Refusal> {
    let found = FILES.iter().find(|file| file.name == name);
    let file = found.ok_or(Refusal::NotFound)?;
    Ok(Answer::BoardFile(file.kind, file.served()))
}

/// Handles a request that is given as JSON.
fn asked<T: DeserializeOwned, A: Serialize>(
    request: &Request,
    answer: impl FnOnce(T) -> Result<A, BoardError>,
) -> Result<Answer, Refusal> {
    if request.header("content-type") != Some(JSON) {
        return Err(Refusal::Malformed);
    }
    let asked = serde_json::from_slice(&request.body).map_err(|_| Refusal::Malformed)?;
    answered(answer(asked))
}

fn answered<A: Serialize>(answer: Result<A, impl Into<BoardError>>) -> Result<Answer, Refusal> {
    match answer.map_err(Into::into) {
        Ok(answer) => Ok(json(&answer)),
        Err(BoardError::Busy) => Err(Refusal::Busy),
        Err(BoardError::Mistake(what)) => Ok(Answer::Mistake(what)),
    }
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

    /// The report of a results folder.
    fn report(&self, dir: &Path) -> Answer {
        self.of_results(dir, |results, out| {
            TournamentReport::new(results)?.write_page(out)
        })
    }

    /// The viewer with some of the games, and links to the others.
    fn games(&self, dir: &Path, name: &str, from: usize) -> Answer {
        self.of_results(dir, |results, out| {
            let count = results.games.len();
            if from >= count {
                let what = format!("There is no game {from}; there are {count} games.");
                return Err(io::Error::new(io::ErrorKind::NotFound, what));
            }
            write_games(
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
    ) -> Answer {
        let page = || {
            let opened = opened::read(&self.opened, dir)?;
            let mut page = Vec::new();
            write(&opened.results, &mut page).map_err(|error| error.to_string())?;
            Ok(page)
        };
        page().map_or_else(Answer::Mistake, |page| Answer::Bytes(HTML, page))
    }

    fn index(&self) -> Markup {
        let folders = self.folders();
        frame(
            "Results",
            None,
            &html! {
                main {
                    h1 { "Patchwork Arena" }
                    p { a.button href="/board/index.html" { "Play, learn and analyse" } }
                    h2 { "Tournaments" }
                    @if folders.is_empty() { p { "There are no results in " (self.root.display()) " yet." } }
                    ul.folders { @for name in &folders {
                        li { a href={ "/results/" (name) } { (name) } " " a.small href={ "/results/" (name) "/games" } { "all games" } }
                    } }
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
