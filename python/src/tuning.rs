//! The search for better settings of an agent.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use patchwork_engine::search::Stop;
use patchwork_engine::util::InputError;
use patchwork_report::TournamentReport;
use patchwork_report::document::TextForm;
use patchwork_tournament::{Executor as _, LocalThreads, Manifest, Results, TournamentError};
use patchwork_tune::{
    BEST, ConvergenceRow, Trial, Tuning, TuningArena, TuningCrew, conclude, search, write_tuning,
};
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError};
use pyo3::prelude::*;

use crate::agents::run_watched;
use crate::arena::{results_error, threads};
use crate::errors::{config_error, raise, value_error};

/// Adds the function of this module.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(tune, module)?)
}

/// The threads of this machine, which play the games of a tuning.
struct Crew<'a> {
    arena: TuningArena<'a>,
    /// The folder in which the folders of the matches are.
    results: &'a Path,
    threads: NonZeroUsize,
    stop: &'a Stop,
    done: &'a AtomicU64,
}

/// An error as an exception.
struct Failure(PyErr);

impl From<TournamentError> for Failure {
    fn from(error: TournamentError) -> Self {
        match error {
            TournamentError::Input(error) => error.into(),
            error => Self(results_error(error)),
        }
    }
}

impl From<InputError> for Failure {
    fn from(error: InputError) -> Self {
        Self(raise::<PyRuntimeError>(error.to_string()))
    }
}

impl TuningCrew for Crew<'_> {
    type Error = Failure;

    fn play(&mut self, trials: &[Trial]) -> Result<Option<Vec<Vec<f64>>>, Failure> {
        let count = |_: &_| {
            self.done.fetch_add(1, Ordering::Relaxed);
        };
        let executor = &mut LocalThreads(self.threads);
        let played = self.arena.play(trials, executor, self.stop, count)?;
        self.done.store(self.arena.games(), Ordering::Relaxed);
        Ok(played)
    }

    fn play_match(&mut self, manifest: &Manifest) -> Result<Option<Results>, Failure> {
        let dir = self.results.join(&manifest.name);
        let mut results = Results::open(&dir, manifest)?;
        let played = LocalThreads(self.threads).play(&mut results, self.stop, &mut |_, _| ());
        results.finish()?;
        played?;
        if !results.is_over() {
            return Ok(None);
        }
        let saved = TournamentReport::new(&results)?.save(&dir);
        saved?;
        Ok(Some(results))
    }

    fn pairs(&self) -> u32 {
        self.arena.pairs(Some(self.threads))
    }

    fn games(&self) -> u64 {
        self.arena.games()
    }

    fn show(&mut self, _: &ConvergenceRow) {}
}

/// The folder, the report as JSON and as text, and the file of the winner if it is better than the base.
type Tuned = (PathBuf, String, String, Option<PathBuf>);

/// Tunes as the file says, and reports the number of games of the search from time to time.
#[pyfunction(name = "_tune")]
fn tune(
    py: Python<'_>,
    file: PathBuf,
    results: PathBuf,
    agents: Option<PathBuf>,
    threads: Option<&Bound<'_, PyAny>>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Tuned> {
    let threads = self::threads(threads)?;
    let tuning = Tuning::read(&file, agents.as_deref()).map_err(|error| config_error(&error))?;
    let dir = results.join(&tuning.name);
    let timed = py.detach(|| tuning.with_equal_time(&dir));
    let tuning = timed.map_err(|error| config_error(&error))?;
    let (stop, done) = (Stop::new(), AtomicU64::new(0));
    let arena = TuningArena::new(&tuning, &dir);
    let planned = u64::from(arena.pairs(Some(threads))) * arena.games_per_pair();
    let tell = |_: Python<'_>| {
        let done = done.load(Ordering::Relaxed);
        progress.map_or(Ok(()), |progress| progress.call1((done, planned)).map(drop))
    };
    let work = || {
        let mut crew = Crew {
            arena: TuningArena::new(&tuning, &dir),
            results: &results,
            threads,
            stop: &stop,
            done: &done,
        };
        let found = search(&tuning, &mut crew)?;
        crew.arena.finish(found.is_some())?;
        let Some(found) = found else {
            return Ok(None);
        };
        conclude(&tuning, found, &dir, &mut crew)
    };
    let (tuned, interrupted) = run_watched(py, &stop, false, work, tell);
    interrupted?;
    let tuned = tuned?.map_err(|Failure(error)| error)?;
    tell(py)?;
    // Nothing else stops it.
    let (report, is_better) = tuned.ok_or_else(|| PyKeyboardInterrupt::new_err(()))?;
    let mut text = Vec::new();
    write_tuning(&mut text, &report, TextForm::default())?;
    let json = serde_json::to_string(&report).map_err(value_error)?;
    let text = String::from_utf8(text).map_err(value_error)?;
    let best = is_better.then(|| dir.join(BEST));
    Ok((dir, json, text, best))
}
