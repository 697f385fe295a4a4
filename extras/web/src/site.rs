//! The site: pages, reports that follow a tournament, games, and the board.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::iter;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use maud::{DOCTYPE, Markup, html};
use patchwork_board::assets::{FILES, MODULES};
use patchwork_engine::agent::{AgentPaths, is_plain_name};
use patchwork_engine::search::Stop;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::answer::{Answer, PackedFile, Tell};
use super::board::{BoardDesk, locked};
use super::index::{self, KnownStates, Remarks};
use super::opened::{self, Opened};
use super::people::HUMAN;
use super::request::{Method, Refusal, Request};
use super::watch;
use patchwork_rating::Options;
use patchwork_report::document::{agent_name, thousands};
use patchwork_report::{TournamentReport, TuningState, write_viewer};
use patchwork_results::{Rated, results_of_folders, write_rated_page};
use patchwork_tournament::import::united;
use patchwork_tournament::{Results, ledger};

/// Number of games per page of the viewer.
const GAMES_A_PAGE: usize = 100;
/// Number of reports that are kept.
const MAX_REPORTS: usize = 16;
/// The longest time for which an answer reads results folders.
const READING: Duration = Duration::from_secs(60);
/// Time between two checks of a results folder.
const LOOK: Duration = Duration::from_secs(1);
/// Without news, a comment is sent to show that the connection is alive.
const HEARTBEAT: Duration = Duration::from_secs(15);

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const JSON: &str = "application/json";

/// The results folders that are shown, and the board.
pub struct Arena {
    sources: Vec<Source>,
    board: BoardDesk,
    /// The results folder that was read last.
    opened: Mutex<Option<Arc<Opened>>>,
    /// Reports that were made, the latest last.
    reports: Mutex<Vec<MadeReport>>,
    states: KnownStates,
    stop: &'static Stop,
}

/// The report of one folder or of several, as they were.
#[derive(Clone)]
struct MadeReport {
    dirs: Vec<PathBuf>,
    /// The states of their ledgers before they were read.
    states: Vec<(u64, u64)>,
    /// The number of games of each folder that no earlier one has, if they have a report in common.
    taken: Vec<u64>,
    /// Why there are only ratings.
    apart: Option<String>,
    page: Arc<PackedFile>,
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

    /// The results folder with this name, if it is shown. A link to a folder elsewhere is not. Games of people are shown beside
    /// an only one.
    fn folder(&self, name: &str) -> Option<PathBuf> {
        let is_its = |only: &String| only == name || name.starts_with(&format!("{HUMAN}-"));
        let is_shown = is_plain_name(name) && self.only.as_ref().is_none_or(is_its);
        let path = is_shown.then(|| self.root.join(name))?;
        let is_inside = path.canonicalize().ok()?.parent()? == self.root.canonicalize().ok()?;
        (is_inside && ledger::exists(&path).unwrap_or(false)).then_some(path)
    }

    /// The names and paths of its results folders.
    fn folders(&self) -> BTreeMap<String, PathBuf> {
        let entries = fs::read_dir(&self.root).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        let shown = names.filter_map(|name| self.folder(&name).map(|path| (name, path)));
        shown.collect()
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
            reports: Mutex::default(),
            states: KnownStates::default(),
            sources,
            stop,
        }
    }

    /// The results folder that is shown by this name.
    fn folder(&self, name: &str) -> Result<PathBuf, Refusal> {
        // The names of an only source are unique; the others are not looked for at each request.
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
            for (name, path) in source.folders() {
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

    /// The answer to a request that has passed the guard.
    pub fn answer(&self, request: &Request) -> Result<Answer, Refusal> {
        ledger::give_up_after(READING);
        let path: Vec<&str> = request.path.iter().map(String::as_str).collect();
        match (request.method, &path[..]) {
            (Method::Get, []) => Ok(self.index()),
            (Method::Get, ["play" | "board"]) => Ok(Answer::Redirect("/board/index.html")),
            (Method::Get, ["board", name]) => board_file(name),
            (Method::Get, ["assets", "live.js"]) => Ok(packed(SCRIPT, include_bytes!("live.js"))),
            (Method::Get, ["assets", "index.js"]) => Ok(packed(SCRIPT, include_bytes!("index.js"))),
            (Method::Get, ["assets", "arena.css"]) => Ok(packed(CSS, include_bytes!("arena.css"))),
            (Method::Get, ["compare"]) => self.comparison(request),
            (Method::Get, ["compare", "report"]) => self.report(&self.chosen(request)?.1),
            (Method::Post, ["api", "results", name, "notes"]) => {
                let dir = self.folder(name)?;
                asked(request, |remarks: Remarks| remarks.keep(&dir))
            }
            (Method::Get, ["api", "agents"]) => Ok(json(&self.board.agents())),
            (Method::Get, ["api", "next"]) => {
                let agent = request.query.get("agent").map_or("", String::as_str);
                let person: u32 = given(request, "person")?.unwrap_or(0);
                let opponent = (agent, u8::try_from(person).unwrap_or(u8::MAX));
                let budget = (
                    given(request, "iterations")?,
                    given(request, "milliseconds")?,
                );
                let rules = given(request, "track")?.unwrap_or_default();
                Ok(json(&self.board.next(opponent, budget, rules)?))
            }
            (Method::Post, ["api", "decide"]) => asked(request, |ask| self.board.decide(&ask)),
            (Method::Post, ["api", "keep"]) => asked(request, |game| self.board.keep(&game)),
            (Method::Get, ["api", "results"]) => {
                let folders = self.folders();
                let facts = folders.iter().filter_map(|(name, dir)| {
                    let (facts, state) = self.states.read(dir).ok()?;
                    Some(watch::folder(name, &facts, state))
                });
                Ok(json(&facts.collect::<Vec<_>>()))
            }
            (Method::Get, ["api", "results", name]) => {
                let dir = self.folder(name)?;
                let opened = opened::read(&self.opened, &dir)?;
                Ok(json(&watch::progress(&dir, name, &opened)?))
            }
            (Method::Get, ["api", "results", name, "games"]) => {
                let from = given(request, "from")?;
                let count = given(request, "count")?.unwrap_or(watch::MAX_GAMES);
                let text = request.query.get("find").map_or("", String::as_str);
                let opened = opened::read(&self.opened, &self.folder(name)?)?;
                Ok(json(&watch::games(&opened, text, from, count)?))
            }
            (Method::Get, ["results", name]) => self.live(name),
            (Method::Get, ["results", name, "report"]) => self.report(&[self.folder(name)?]),
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

/// The page of the report of results.
fn report_of(results: &Results) -> Result<Vec<u8>, Refusal> {
    let mut page = Vec::new();
    TournamentReport::new(results)?.write_page(&mut page)?;
    Ok(page)
}

/// The page of the ratings of the agents in several folders.
fn ratings_of(dirs: &[PathBuf]) -> Result<Vec<u8>, Refusal> {
    let table = results_of_folders(dirs, true)?;
    let rated = Rated::new(&table, &Options::default())?;
    let mut page = Vec::new();
    let command = index::command("rate", dirs);
    write_rated_page(&mut page, "All games together", &rated, &command)?;
    Ok(page)
}

fn packed(kind: &'static str, bytes: impl Into<Vec<u8>>) -> Answer {
    Answer::File(PackedFile::new(kind, bytes.into()).into())
}

fn json(value: &impl Serialize) -> Answer {
    packed(JSON, serde_json::to_vec(value).unwrap_or_default())
}

/// A file of the board. Its page is told that it has a server.
fn board_file(name: &str) -> Result<Answer, Refusal> {
    static PACKED: Mutex<BTreeMap<String, Arc<PackedFile>>> = Mutex::new(BTreeMap::new());
    let pack = || {
        let file = FILES.iter().find(|file| file.name == name);
        let file = file.map(|file| PackedFile::of_board(file.kind, file.served(), file.brotli));
        let module = MODULES.iter().find(|(module, ..)| *module == name);
        file.or_else(|| module.map(|(_, deflated, brotli)| PackedFile::module(deflated, brotli)))
    };
    let mut packed = locked(&PACKED);
    if !packed.contains_key(name) {
        packed.insert(name.to_owned(), pack().ok_or(Refusal::NotFound)?.into());
    }
    Ok(Answer::File(Arc::clone(&packed[name])))
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
    Ok(json(&answer(asked)?))
}

/// The value of a query, if it is given.
fn given<T: FromStr>(request: &Request, key: &str) -> Result<Option<T>, Refusal> {
    let given = request.query.get(key).map(|text| text.parse());
    given.transpose().map_err(|_| Refusal::NotFound)
}

/// Links to the games before and after those of a page.
fn links(name: &str, from: usize, last: usize, count: usize) -> Markup {
    let to = |from: usize| format!("/results/{name}/games?from={from}");
    html! {
        nav style="max-width: 72rem; margin: auto; padding: .5rem 1rem" aria-label="Games" {
            a href="/" { "Results" } " · " a href={ "/results/" (name) } { (name) } " · "
            a href={ "/board/index.html#watch=" (name) } { "watch" } " · "
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
        ledger::give_up_after(READING);
        let size = ledger::state(dir).map_or(0, |(games, _)| games);
        if told != Some(size) {
            tell(&format!("data: {size}\n\n"))?;
            (told, last) = (Some(size), Instant::now());
        } else if last.elapsed() > HEARTBEAT {
            tell(": still here\n\n")?;
            last = Instant::now();
        }
        let looked = Instant::now();
        while looked.elapsed() < LOOK && !stop.is_set() {
            std::thread::sleep(Duration::from_millis(50));
        }
    }
    Ok(())
}

/// A page with the script of all pages, and perhaps one of its own.
fn page(title: &str, more: Option<&str>, content: &Markup) -> Answer {
    let page = html! {
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
            body { (content) script src="/assets/index.js" {} @if let Some(more) = more { script src=(more) {} } }
        }
    };
    packed(HTML, page.into_string())
}

impl Arena {
    /// The report of folders; of a search for a better agent its own, or how far it is.
    fn report(&self, dirs: &[PathBuf]) -> Result<Answer, Refusal> {
        if let [dir] = dirs
            && let Some(tuning) = TuningState::of(dir, &ledger::facts(dir)?)?
        {
            return match tuning.page.and_then(|page| fs::read(page).ok()) {
                Some(saved) => Ok(packed(HTML, saved)),
                None => {
                    let said = html! { main { h1 { (tuning.state) } @for line in &tuning.lines { p { (line) } } } };
                    Ok(page(&tuning.state, None, &said))
                }
            };
        }
        Ok(Answer::File(self.made(dirs)?.page))
    }

    /// The report of a folder, or that of several as of one, made once for each state of their ledgers.
    fn made(&self, dirs: &[PathBuf]) -> Result<MadeReport, Refusal> {
        let states = dirs.iter().map(|dir| ledger::state(dir));
        let states = states.collect::<Result<Vec<_>, _>>()?;
        let is_this = |made: &&MadeReport| made.dirs == dirs && made.states == states;
        if let Some(made) = locked(&self.reports).iter().find(is_this) {
            return Ok(made.clone());
        }
        let (page, taken, apart) = match dirs {
            [dir] => {
                let opened = opened::read(&self.opened, dir)?;
                let count = opened.results.games.len() as u64;
                (report_of(&opened.results)?, vec![count], None)
            }
            _ => match united(dirs) {
                Ok((results, sources, _folder)) => {
                    let taken = sources.iter().map(|source| source.taken);
                    (report_of(&results)?, taken.collect(), None)
                }
                // Plans with other seeds or rules have no report in common, but their agents have ratings.
                Err(why) => (ratings_of(dirs)?, Vec::new(), Some(why.to_string())),
            },
        };
        let made = MadeReport {
            dirs: dirs.to_owned(),
            states,
            taken,
            apart,
            page: PackedFile::new(HTML, page).into(),
        };
        let mut reports = locked(&self.reports);
        reports.retain(|other| other.dirs != dirs);
        let spare = (reports.len() + 1).saturating_sub(MAX_REPORTS);
        reports.drain(..spare);
        reports.push(made.clone());
        Ok(made)
    }

    /// The viewer with some of the games, and links to the others.
    fn games(&self, dir: &Path, name: &str, from: usize) -> Result<Answer, Refusal> {
        let opened = opened::read(&self.opened, dir)?;
        let results = &opened.results;
        let count = results.games.len();
        if from >= count {
            let what = format!("There is no game {from}; there are {count} games.");
            return Err(what.into());
        }
        let mut page = Vec::new();
        let shown = from..from.saturating_add(GAMES_A_PAGE);
        let links = |shown| links(name, from, from + shown, count);
        write_viewer(&mut page, results, shown, links)?;
        Ok(packed(HTML, page))
    }

    /// The names by which the folders that a request names are shown, and the folders.
    fn chosen(&self, request: &Request) -> Result<(Vec<String>, Vec<PathBuf>), Refusal> {
        let names = request.query.get("of").map_or("", String::as_str);
        let names = names.split(',').filter(|name| !name.is_empty());
        let names: Vec<String> = names.map(str::to_owned).collect();
        if names.is_empty() {
            return Err("of: expected the names of results folders".into());
        }
        let dirs = names
            .iter()
            .map(|name| self.folder(name))
            .collect::<Result<_, _>>()?;
        Ok((names, dirs))
    }

    /// The report of several folders together, with what they differ in.
    fn comparison(&self, request: &Request) -> Result<Answer, Refusal> {
        let (names, dirs) = self.chosen(request)?;
        let made = self.made(&dirs)?;
        let facts = dirs.iter().map(|dir| ledger::facts(dir));
        let facts = facts.collect::<Result<Vec<_>, _>>()?;
        let what = made.apart.as_ref().map_or("report", |_| "rate");
        let command = index::command(what, &dirs);
        let title = names.join(", ");
        let content = html! {
            header.bar { a href="/" { "Results" } " " h1 { (title) } " " (index::copied(what, &command)) }
            main {
                @if let Some(why) = &made.apart { p.apart { "There is no common report: " (why) ". Instead, all games are rated together." } }
                div.wide { table {
                    thead { tr { th { "What differs" } @for name in &names { th { a href={ "/results/" (name) } { (name) } } } } }
                    tbody {
                        tr { th { "Games" } @for one in &facts { td { (thousands(one.games)) } } }
                        @if !made.taken.is_empty() {
                            tr { th { "not in the folders to the left" } @for taken in &made.taken { td { (thousands(*taken)) } } }
                        }
                        @for (what, texts) in index::differences(&facts) {
                            tr { th { (agent_name(&what)) } @for text in texts { td { (text) } } }
                        }
                    }
                } }
                iframe id="report" title={ "Report of " (title) } src={ "/compare/report?of=" (names.join(",")) } {}
            }
        };
        Ok(page(&title, None, &content))
    }

    fn index(&self) -> Answer {
        let folders = self.folders();
        let roots = self
            .sources
            .iter()
            .map(|source| source.root.to_string_lossy());
        let roots = roots.collect::<Vec<_>>().join(", ");
        let content = html! {
            main {
                h1 { "Patchwork Arena" }
                p { a.button href="/board/index.html" { "Play, learn and analyse" } }
                h2 { "Results" }
                @if folders.is_empty() { p { "There are no results in " (roots) " yet." } }
                @else { (index::list(&folders, &self.states)) }
            }
        };
        page("Results", None, &content)
    }

    /// A page with a report that follows its tournament.
    fn live(&self, name: &str) -> Result<Answer, Refusal> {
        let dir = self.folder(name)?;
        let known = self.states.read(&dir).ok();
        let commands = known.map(|(facts, state)| index::commands(&dir, &facts, state));
        let content = html! {
            header.bar {
                a href="/" { "Results" } " " h1 { (name) } " "
                a href={ "/results/" (name) "/games" } { "all games" } " "
                a href={ "/board/index.html#watch=" (name) } { "watch" } " "
                span id="commands" { @for (what, line) in commands.iter().flatten() { (index::copied(what, line)) " " } }
                span role="status" id="status" { "" }
            }
            main { iframe id="report" title={ "Report of " (name) } src={ "/results/" (name) "/report" } {} }
        };
        Ok(page(name, Some("/assets/live.js"), &content))
    }
}
