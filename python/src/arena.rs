//! Tournaments: playing them, reading their results, and rating the games of any program.

use std::collections::HashMap;
use std::io;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::available_parallelism;

use patchwork_engine::search::Stop;
use patchwork_rating::{Anchor, Options};
use patchwork_report::document::{CsvTable, TableCell, TextForm};
use patchwork_report::{TournamentReport, each_row_of_plies, games_table, names_of_plies};
use patchwork_results::{Rated, ResultTable, rated_table};
use patchwork_tournament::{
    Executor as _, LocalThreads, Manifest, Match, PlannedRings, Results, check_folder_name, try_out,
};
use pyo3::exceptions::{PyKeyError, PyRuntimeError};
use pyo3::prelude::*;

use crate::agents::{PyAgent, run_watched};
use crate::convert::{seed, whole};
use crate::errors::{ResultsError, config_error, guarded, raise, value_error};
use crate::game::track;
use crate::players::confused;
use crate::table::{Rows, Table};

/// Adds the classes and functions of this module.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Table>()?;
    module.add_function(wrap_pyfunction!(crate::table::unpickle, module)?)?;
    module.add_class::<ArenaResults>()?;
    module.add_function(wrap_pyfunction!(run, module)?)?;
    module.add_function(wrap_pyfunction!(play_match, module)?)?;
    module.add_function(wrap_pyfunction!(rate, module)?)?;
    module.add(
        "TABLES",
        CsvTable::all().map(CsvTable::name).collect::<Vec<_>>(),
    )
}

pub(crate) fn results_error(error: impl ToString) -> PyErr {
    raise::<ResultsError>(error.to_string())
}

/// The results of a tournament.
#[pyclass(frozen, module = "patchwork_arena._native")]
struct ArenaResults {
    results: Mutex<Results>,
}

impl ArenaResults {
    /// Computes something of the results with Python detached.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        compute: impl FnOnce(&Results) -> T + Send,
    ) -> PyResult<T> {
        py.detach(|| {
            let results = self
                .results
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner);
            guarded(|| compute(&results))
        })
    }

    /// The report in one of its forms.
    fn write(
        &self,
        py: Python<'_>,
        write: impl FnOnce(&TournamentReport<'_>, &mut Vec<u8>) -> io::Result<()> + Send,
    ) -> PyResult<String> {
        let mut text = Vec::new();
        let written = self.with(py, |results| {
            write(&TournamentReport::new(results)?, &mut text)
        })?;
        written.map_err(results_error)?;
        String::from_utf8(text).map_err(value_error)
    }
}

#[pymethods]
impl ArenaResults {
    #[new]
    fn new(py: Python<'_>, folder: PathBuf) -> PyResult<Self> {
        let read = py.detach(|| guarded(|| Results::read(&folder)))?;
        Ok(Self {
            results: Mutex::new(read.map_err(results_error)?),
        })
    }

    /// The name, the agents, the games that each lost by faults, the numbers of games that are finished and planned, and
    /// the state.
    #[expect(clippy::type_complexity, reason = "what Python takes apart")]
    fn facts(
        &self,
        py: Python<'_>,
    ) -> PyResult<(String, Vec<(String, i64)>, u64, u64, &'static str)> {
        self.with(py, |results| {
            let names = results.manifest.plan.names().into_iter();
            let (done, planned) = (results.games.len() as u64, results.schedule.planned_games());
            (
                results.manifest.name.clone(),
                names.zip(faults_of_agents(results)).collect(),
                done,
                planned,
                results.state().name(),
            )
        })
    }

    fn table(&self, py: Python<'_>, name: &str) -> PyResult<Table> {
        self.with(py, |results| match name {
            "games" => Table::of(&games_table(results).map_err(results_error)?),
            "plies" => {
                let mut rows = Rows::new(names_of_plies());
                each_row_of_plies(results, |row| rows.push(row)).map_err(results_error)?;
                rows.finish()
            }
            _ => {
                let report = TournamentReport::new(results).map_err(results_error)?;
                let document = report.document();
                let mut tables = document.tables();
                let found = tables.find(|table| table.csv.is_some_and(|csv| csv.name() == name));
                let table = found.ok_or_else(|| {
                    let known: Vec<&str> = CsvTable::all().map(CsvTable::name).collect();
                    let known = known.join(", ");
                    raise::<PyKeyError>(format!(
                        "no table '{name}'; expected games, plies, {known}"
                    ))
                })?;
                if name != "ratings" {
                    return Table::of(table);
                }
                let names = results.manifest.plan.names().into_iter();
                let faults: HashMap<_, _> = names.zip(faults_of_agents(results)).collect();
                let mut rows = Rows::new(table.names().chain([("faults".to_owned(), false)]));
                for row in 0..table.len {
                    let mut values = table.values(row);
                    let of_agent = values.iter().find_map(|value| match value {
                        TableCell::Name(name, _) => faults.get(*name).copied(),
                        _ => None,
                    });
                    values.push(TableCell::Integer(of_agent.unwrap_or_default()));
                    rows.push(&values);
                }
                rows.finish()
            }
        })?
    }

    /// The first games that ended by a fault: number, agents of the seats, losing seat, reason, and what the loser wrote.
    fn faults(&self, py: Python<'_>, most: usize) -> PyResult<Vec<Fault>> {
        self.with(py, |results| {
            let plan = &results.manifest.plan;
            let numbers = results.numbers().map_err(results_error)?;
            let faults = results.games.iter().filter_map(|entry| {
                let entry = match entry {
                    Ok(entry) => entry,
                    Err(error) => return Some(Err(results_error(error))),
                };
                let record = &entry.record;
                let end = record.termination?;
                let [first, second] = record.agents.map(|agent| plan.name(agent).to_owned());
                let text = entry.extras.stderr[end.loser.index()].clone();
                let (number, reason) = (numbers.of(record).get(), end.reason.to_string());
                Some(Ok((number, first, second, end.loser.index(), reason, text)))
            });
            faults.take(most).collect()
        })?
    }

    /// Stores the games in a new folder.
    fn save(&self, py: Python<'_>, folder: PathBuf) -> PyResult<()> {
        self.with(py, |results| {
            let mut copy = Results::open(&folder, &results.manifest).map_err(results_error)?;
            for entry in results.games.iter() {
                let entry = entry.map_err(results_error)?;
                copy.add(entry.into(), None).map_err(results_error)?;
            }
            copy.finish().map_err(results_error)
        })?
    }

    fn text(&self, py: Python<'_>, full: bool) -> PyResult<String> {
        let form = TextForm {
            full,
            ..TextForm::default()
        };
        self.write(py, |report, text| report.write_text(text, form))
    }

    fn json(&self, py: Python<'_>) -> PyResult<String> {
        self.write(py, |report, text| report.write_json(text))
    }

    fn page(&self, py: Python<'_>) -> PyResult<String> {
        self.write(py, |report, text| report.write_page(text))
    }
}

/// The games that each agent of a plan lost by faults.
fn faults_of_agents(results: &Results) -> Vec<i64> {
    let mut counts = vec![0; results.manifest.plan.agents().len()];
    let faulty = results
        .games
        .facts()
        .iter()
        .filter(|game| !game.is_finished());
    faulty.for_each(|game| counts[usize::from(game.agents[game.winner.other().index()])] += 1);
    counts
}

/// A row of [`ArenaResults::faults`].
type Fault = (i64, String, String, usize, String, String);

/// The number of games to play at once; all processors without an argument.
pub(crate) fn threads(threads: Option<&Bound<'_, PyAny>>) -> PyResult<NonZeroUsize> {
    let threads = match threads {
        Some(threads) => whole("threads", threads, 1, 1024)? as usize,
        None => available_parallelism().map_or(1, NonZeroUsize::get),
    };
    Ok(NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN))
}

/// Plays the missing games and reports their number from time to time. With Ctrl-C, the games in progress are dropped,
/// and the exception is raised after the others are stored.
fn play(
    py: Python<'_>,
    mut results: Results,
    threads: Option<&Bound<'_, PyAny>>,
    strict: bool,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Results> {
    let threads = self::threads(threads)?;
    let planned = results.schedule.planned_games();
    let done = AtomicU64::new(results.schedule.finished_games());
    let tell = |_: Python<'_>| {
        progress.map_or(Ok(()), |progress| {
            progress
                .call1((done.load(Ordering::Relaxed), planned))
                .map(drop)
        })
    };
    let stop = Stop::new();
    let work = || {
        let mut count = |_: &_, results: &Results| {
            done.store(results.schedule.finished_games(), Ordering::Relaxed);
        };
        let played = LocalThreads(threads).play(&mut results, &stop, &mut count);
        (results, played.map_err(|error| error.to_string()))
    };
    let (results, played, interrupted) = match run_watched(py, &stop, strict, work, tell) {
        (Ok((results, played)), interrupted) => (results, played, interrupted),
        (Err(panic), interrupted) => return interrupted.and(Err(panic)),
    };
    interrupted?;
    tell(py)?;
    played.map_err(raise::<PyRuntimeError>)?;
    Ok(results)
}

/// Plays a plan into its folder and saves the report there, as the program does.
fn play_into(
    py: Python<'_>,
    manifest: &Manifest,
    dir: PathBuf,
    threads: Option<&Bound<'_, PyAny>>,
    strict: bool,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<ArenaResults> {
    let results = Results::open(&dir, manifest).map_err(results_error)?;
    let mut results = play(py, results, threads, strict, progress)?;
    results.finish().map_err(results_error)?;
    let saved = py.detach(|| {
        guarded(|| {
            let report = TournamentReport::new(&results).map_err(|error| error.to_string())?;
            report.save(&dir).map_err(|error| error.to_string())?;
            report.save_page(&dir).map_err(|error| error.to_string())
        })
    })?;
    saved.map_err(results_error)?;
    Ok(ArenaResults {
        results: Mutex::new(results),
    })
}

#[pyfunction(name = "_run")]
fn run(
    py: Python<'_>,
    file: PathBuf,
    results: PathBuf,
    agents: Option<PathBuf>,
    threads: Option<&Bound<'_, PyAny>>,
    strict: bool,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<ArenaResults> {
    let manifest = Manifest::of_file(&file, agents.as_deref());
    let manifest = manifest.map_err(|error| config_error(&error))?;
    let dir = results.join(&manifest.name);
    try_out(&manifest.plan).map_err(|error| config_error(&error))?;
    play_into(py, &manifest, dir, threads, strict, progress)
}

#[pyfunction(name = "_match")]
fn play_match(
    py: Python<'_>,
    agents: Vec<PyRef<'_, PyAgent>>,
    pairs: &Bound<'_, PyAny>,
    seed: &Bound<'_, PyAny>,
    track: &str,
    save: Option<PathBuf>,
    threads: Option<&Bound<'_, PyAny>>,
    strict: bool,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<ArenaResults> {
    if let [first, second] = &agents[..]
        && confused(&first.file.config, &second.file.config)
    {
        let what = "different players have one version; expected a version for each of them";
        let (one, other) = (&first.file.name, &second.file.name);
        return Err(value_error(format!("{one} and {other}: {what}")));
    }
    let names: Vec<&str> = agents.iter().map(|agent| &*agent.file.name).collect();
    let title = names.join(" against ");
    let plan = Match {
        seed: self::seed(seed)?,
        rules: self::track(track)?,
        rings: PlannedRings::Own,
        pairs: Some(whole("pairs", pairs, 1, u64::from(u32::MAX))? as u32),
        test: None,
        thoughts: None,
        agents: agents.iter().map(|agent| agent.file.clone()).collect(),
    };
    let plan = plan.plan().map_err(value_error)?;
    try_out(&plan).map_err(|error| config_error(&error))?;
    let Some(dir) = save else {
        let results = play(
            py,
            Results::empty(Manifest::new(title, plan)),
            threads,
            strict,
            progress,
        )?;
        return Ok(ArenaResults {
            results: Mutex::new(results),
        });
    };
    let name = dir
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    check_folder_name(&name).map_err(|what| value_error(format!("save: {what}")))?;
    play_into(
        py,
        &Manifest::new(name, plan),
        dir,
        threads,
        strict,
        progress,
    )
}

/// Rates the games of a file. The anchor is an agent and its rating.
#[pyfunction(name = "_rate")]
fn rate(py: Python<'_>, file: PathBuf, anchor: Option<(String, f64)>) -> PyResult<Table> {
    let rated = py.detach(|| {
        guarded(|| {
            let table = ResultTable::read(&file).map_err(|error| error.to_string())?;
            let anchor = anchor.map(|(name, elo)| {
                let agent = table.agents.iter().position(|agent| *agent == name);
                let agent =
                    agent.ok_or_else(|| format!("anchor: '{name}' played none of the games"))?;
                Ok::<_, String>(Anchor { agent, elo })
            });
            let options = Options {
                anchor: anchor.transpose()?,
                ..Options::default()
            };
            Rated::new(&table, &options).map_err(|error| error.to_string())
        })
    })?;
    Table::of(&rated_table(&rated.map_err(value_error)?))
}
