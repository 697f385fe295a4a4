//! Agents: their files, their decisions, and the analysis of a decision.

use std::hash::{Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use numpy::PyReadonlyArray1;
use patchwork_engine::agent::{Agent, AgentFile, AgentPaths, Limit, Overrides, SHIPPED};
use patchwork_engine::game::{Action, Setup, State};
use patchwork_engine::record::ConsideredAction;
use patchwork_engine::search::{Budget, Stop};
use patchwork_engine::util::rng::{Rng, stream};
use pyo3::exceptions::{PyException, PySystemExit, PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict as _, PyDict, PyString, PyTuple, PyType};

use crate::convert::{Fits, seed, whole};
use crate::errors::{AgentFault, ConfigError, IllegalAction, config_error, internal_error, raise};
use crate::game::{PyAction, PyState};
use crate::space::{ACTIONS, index_of_legal};

/// Adds the classes of this module.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyAgent>()?;
    module.add_class::<PyDecision>()?;
    module.add_function(wrap_pyfunction!(unpickle, module)?)?;
    module.add_class::<Considered>()?;
    let exit = wrap_pyfunction!(exit, module)?;
    let atexit = module.py().import("atexit")?;
    atexit.call_method1("register", (exit,))?;
    module.add(
        "SHIPPED_AGENTS",
        SHIPPED.iter().map(|(name, _)| *name).collect::<Vec<_>>(),
    )
}

/// Budgets up to these, tens of milliseconds for any shipped agent, are spent in the calling thread: waiting in another one
/// would cost more than Ctrl-C is late.
const QUICK_ITERATIONS: u32 = 500;
const QUICK_TIME: Duration = Duration::from_millis(50);

/// Time between two looks at Ctrl-C.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// The most players that an agent keeps for later decisions.
const MAX_PLAYERS: usize = 8;

/// What an agent was made from, without overrides: a name or a path, or a name and the text of a file; none for a player
/// in Python.
pub(crate) type Source = Option<(String, Option<String>)>;

/// A player as its file describes it. It never changes, and several threads can use it at once.
///
/// Example:
///     >>> agent = Agent.parse("some", 'type = "random"')
///     >>> agent.name, agent.kind, agent.description, agent.settings, agent.is_deterministic
///     ('some', 'random', '', {'type': 'random'}, True)
///     >>> Agent.load("mcts-fast").variant({"search.exploration": 1.0}).name
///     'mcts-fast{search.exploration=1.0}'
#[pyclass(frozen, eq, hash, name = "Agent", module = "patchwork_arena")]
pub(crate) struct PyAgent {
    pub(crate) file: AgentFile,
    source: Source,
    takes_iterations: bool,
    /// The class or the instance of a player in Python, which the settings hold weakly.
    object: Option<Arc<Py<PyAny>>>,
    /// Players between decisions, with the memory of their trees. The lock is only held while Python is attached and
    /// never while another one is taken, so that a fork finds it free.
    players: Mutex<Vec<Box<dyn Agent>>>,
}

/// Agents are equal that have one name and play alike.
impl PartialEq for PyAgent {
    fn eq(&self, other: &Self) -> bool {
        self.file.name == other.file.name && self.file.config == other.file.config
    }
}

impl Hash for PyAgent {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.file.name.hash(state);
    }
}

impl PyAgent {
    pub(crate) fn new(py: Python<'_>, mut file: AgentFile, source: Source) -> PyResult<Self> {
        let mut budget = Overrides::default();
        let set = budget.insert("budget.iterations", Some(1.into())).is_ok();
        let takes_iterations =
            set && file.config.budget().is_some() && file.variant(&budget).is_ok();
        Ok(Self {
            object: crate::players::hold(py, &mut file)?,
            file,
            source,
            takes_iterations,
            players: Mutex::default(),
        })
    }

    /// The file with a name and a text.
    pub(crate) fn file_of(name: &str, text: &str) -> PyResult<AgentFile> {
        let path = format!("{name}.toml");
        let file = AgentFile::parse(path.as_ref(), text).map_err(|error| config_error(&error))?;
        if file.name != name {
            let what = "expected letters, digits, '-', '_' and '.'";
            return Err(raise::<ConfigError>(format!(
                "name: {what}, found '{name}'"
            )));
        }
        Ok(file)
    }

    fn player(&self) -> Box<dyn Agent> {
        let kept = self
            .players
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop();
        kept.unwrap_or_else(|| self.file.config.build())
    }

    fn keep(&self, player: Box<dyn Agent>) {
        // A copy of an instance may refer to this agent, and is quickly made.
        let is_copy = crate::players::is_instance(&self.file.config);
        let mut players = self.players.lock().unwrap_or_else(PoisonError::into_inner);
        if players.len() < MAX_PLAYERS && !is_copy {
            players.push(player);
        }
    }

    /// The action of a decision, without its analysis.
    pub(crate) fn choose(
        &self,
        py: Python<'_>,
        setup: &Setup,
        state: &State,
        past: &[Action],
        budget: Option<Budget>,
        rng: Rng,
    ) -> PyResult<Action> {
        let mut player = self.player();
        player.start(setup, rng);
        past.iter().for_each(|&action| player.observe(action));
        let stop = &Stop::new();
        let run = Run::new(stop, true);
        let decision = player.decide(setup, state, Limit { budget, stop });
        self.keep(player);
        run.finish(py)?;
        decision
            .map(|decision| decision.action)
            .map_err(|fault| raise::<AgentFault>(format!("{}: {fault}", self.file.name)))
    }

    /// The legal actions of a state with the priors of an argument.
    fn priors(&self, state: &PyState, given: &Bound<'_, PyAny>) -> PyResult<Vec<(Action, f32)>> {
        let numbers = given.py().import("patchwork_arena.search")?;
        let numbers = numbers.call_method1("_numbers", ("priors", given, (ACTIONS,)))?;
        let numbers: PyReadonlyArray1<'_, f32> = numbers.extract()?;
        let numbers = numbers.as_slice()?;
        let mut priors = Vec::new();
        state.state.for_each_action(&state.setup, |action| {
            let index = index_of_legal(&state.setup, &state.state, action);
            priors.push((action, numbers[index]));
        });
        let wrong = |(_, prior): &&(Action, f32)| !(*prior >= 0.0 && prior.is_finite());
        if let Some((action, prior)) = priors.iter().find(wrong) {
            return Err(raise::<PyValueError>(format!(
                "priors: {action}: expected a finite number, 0 or more, found {prior}"
            )));
        }
        if priors.iter().all(|(_, prior)| *prior == 0.0) {
            let what = "priors: expected a number above 0 for a legal action";
            return Err(raise::<PyValueError>(what));
        }
        let mut player = self.player();
        player.start(&state.setup, stream(&[1]));
        let is_used = player.set_priors(&state.state, &priors);
        self.keep(player);
        if is_used {
            return Ok(priors);
        }
        let name = &self.file.name;
        let what =
            "does not use priors; expected a selection rule such as search.select = \"puct\"";
        Err(raise::<PyValueError>(format!(
            "priors: the agent {name} {what}"
        )))
    }

    /// The budget of the arguments, if there is one.
    pub(crate) fn budget(
        &self,
        iterations: Option<&Bound<'_, PyAny>>,
        milliseconds: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<Budget>> {
        let name = &self.file.name;
        let most = u64::from(u32::MAX);
        match (iterations, milliseconds) {
            (None, None) => Ok(None),
            (Some(_), Some(_)) => Err(raise::<PyValueError>(
                "expected iterations or milliseconds, found both",
            )),
            (Some(count), None) => {
                let count = whole("iterations", count, 1, most)?;
                if !self.takes_iterations {
                    let what = format!("iterations: the agent {name} does not count iterations");
                    return Err(raise::<PyValueError>(what));
                }
                Ok(Some(Budget::Iterations(count as u32)))
            }
            (None, Some(time)) => {
                let time = whole("milliseconds", time, 1, most)?;
                if self.file.config.budget().is_none() {
                    let what = format!("milliseconds: the agent {name} does not search");
                    return Err(raise::<PyValueError>(what));
                }
                Ok(Some(Budget::Time(Duration::from_millis(time))))
            }
        }
    }
}

/// The name or the path of an agent.
fn source(given: &Bound<'_, PyAny>) -> PyResult<String> {
    let path = given.py().import("os")?.call_method1("fspath", (given,));
    let text = path.ok().and_then(|path| path.extract().ok());
    let kind = given.get_type().name()?;
    text.ok_or_else(|| {
        raise::<PyTypeError>(format!(
            "source: expected the name or the path of an agent, found a value of type {kind}"
        ))
    })
}

/// The overrides of a text or a mapping, and their text.
fn overrides(given: Option<&Bound<'_, PyAny>>) -> PyResult<Overrides> {
    let wrong = |error: &dyn ToString| raise::<ConfigError>(error.to_string());
    let Some(given) = given else {
        return Ok(Overrides::default());
    };
    if let Ok(text) = given.cast::<PyString>() {
        return text.to_str()?.parse().map_err(|error| wrong(&error));
    }
    let mapping = given.cast::<PyDict>().map_err(|_| {
        raise::<PyTypeError>(
            "overrides: expected a dictionary of keys and values, or a text KEY=VALUE, ...",
        )
    })?;
    let mut overrides = Overrides::default();
    for (key, value) in mapping {
        let Ok(key) = key.extract::<String>() else {
            let kind = key.get_type().name()?;
            return Err(raise::<PyTypeError>(format!(
                "overrides: expected keys that are texts, found one of type {kind}"
            )));
        };
        let value = toml_value(&key, &value)?;
        let inserted = overrides.insert(&key, value);
        inserted.map_err(|error| wrong(&error))?;
    }
    Ok(overrides)
}

/// A Python value as a value of a settings file; none for `None`, which removes a key.
pub(crate) fn toml_value(key: &str, value: &Bound<'_, PyAny>) -> PyResult<Option<toml::Value>> {
    let py = value.py();
    // What numbers and arrays of numpy and others are in Python.
    let plain = py.import("operator")?;
    let plain = plain.call_method1("methodcaller", ("tolist",))?;
    let options = [("default", plain)].into_py_dict(py)?;
    let json = py.import("json")?;
    let Ok(json) = json.call_method("dumps", (value,), Some(&options)) else {
        let kind = value.get_type().name()?;
        let what = "expected a number, a text, a truth value, a list, a dictionary or None";
        return Err(raise::<PyTypeError>(format!(
            "{key}: {what}, found a value of type {kind}"
        )));
    };
    let json: String = json.extract()?;
    serde_json::from_str(&json).map_err(|_| {
        let what = "expected numbers of 64 bits, texts, truth values, lists or dictionaries";
        raise::<ConfigError>(format!("{key}: {what}, found {json}"))
    })
}

#[pymethods]
impl PyAgent {
    /// Loads an agent.
    ///
    /// Args:
    ///     source: The name of an agent in the folder ``agents`` or of a shipped one, or the path of a file; with
    ///         overrides in braces or without, such as ``mcts-fast{search.exploration=1.0}``.
    ///     overrides: Other values of keys, such as ``{"search.exploration": 1.0}``; ``None`` removes a key.
    ///
    /// Raises:
    ///     ConfigError: There is no such agent, or its file has a mistake. The message names it.
    ///
    /// Example:
    ///     >>> Agent.load("mcts-fast", {"search.exploration": 1.0}).kind
    ///     'mcts'
    #[staticmethod]
    #[pyo3(signature = (source, overrides = None))]
    fn load(
        py: Python<'_>,
        source: &Bound<'_, PyAny>,
        overrides: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let source = self::source(source)?;
        let overrides = self::overrides(overrides)?;
        let found = AgentPaths::here(None).load_one(Path::new(""), "agent", &source);
        let file = found.and_then(|file| {
            if overrides.is_empty() {
                Ok(file)
            } else {
                file.variant(&overrides)
            }
        });
        let file = file.map_err(|error| config_error(&error))?;
        let base = source.split_once('{').map_or(&*source, |(base, _)| base);
        Self::new(py, file, Some((base.trim_end().to_owned(), None)))
    }

    /// Reads an agent from the text of a file.
    ///
    /// Raises:
    ///     ConfigError: The text does not describe an agent.
    #[staticmethod]
    fn parse(py: Python<'_>, name: &str, text: &str) -> PyResult<Self> {
        let file = Self::file_of(name, text)?;
        Self::new(py, file, Some((name.to_owned(), Some(text.to_owned()))))
    }

    /// The same agent with other values of keys; see `load`.
    #[pyo3(signature = (overrides))]
    fn variant(&self, py: Python<'_>, overrides: &Bound<'_, PyAny>) -> PyResult<Self> {
        let overrides = self::overrides(Some(overrides))?;
        if self.source.is_none() {
            let what = "an agent of a class or an instance has no variants; expected Player.agent";
            return Err(raise::<ConfigError>(format!("{}: {what}", self.file.name)));
        }
        let file = self
            .file
            .variant(&overrides)
            .map_err(|error| config_error(&error))?;
        Self::new(py, file, self.source.clone())
    }

    /// The name, with the overrides in braces.
    #[getter]
    fn name(&self) -> &str {
        &self.file.name
    }

    /// The value of the key ``type``, such as ``mcts``.
    #[getter]
    fn kind(&self) -> &'static str {
        self.file.config.kind()
    }

    /// The description in the file.
    #[getter]
    fn description(&self) -> &str {
        &self.file.description
    }

    /// All settings with their defaults filled in.
    #[getter]
    fn settings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let settings = self.file.config.clone().effective();
        let keys = py
            .import("json")?
            .call_method1("loads", (settings.text(),))?;
        keys.set_item("type", settings.kind())?;
        Ok(keys)
    }

    /// Whether the agent decides alike with the same seed.
    #[getter]
    fn is_deterministic(&self) -> bool {
        self.file.config.is_deterministic()
    }

    /// Decides in a state. Other Python threads run meanwhile, and Ctrl-C ends it with ``KeyboardInterrupt``.
    ///
    /// Every decision starts a new search, so it depends on the state, the budget and the seed alone.
    ///
    /// Args:
    ///     state: The position; the game must not be over.
    ///     iterations: The budget, at least 1, instead of the agent's own.
    ///     milliseconds: The budget, at least 1, instead of the agent's own.
    ///     seed: Determines all random choices, 0 to 2^64 - 1; 1 by default.
    ///     top: The most actions in `Decision.considered` and `Decision.line`.
    ///     priors: The priors of the state's actions instead of the agent's own, of shape (`ACTIONS`,), on any scale; those
    ///         of legal actions count, and all of these are considered. The agent needs a selection rule with priors, such
    ///         as ``puct``. It plays an action that exact search proves to win without asking them.
    ///
    /// Raises:
    ///     IllegalAction: The game is over.
    ///     ValueError: A number is out of range, the agent does not have a budget of this unit or does not use priors, or
    ///         these have another shape, are negative, not finite, or 0 for all legal actions.
    ///     TypeError: Priors are not numbers.
    ///     AgentFault: An external program failed.
    ///
    /// Example:
    ///     >>> decision = Agent.load("mcts-fast").decide(State(Setup.random(1)), iterations=100)
    ///     >>> decision.iterations, decision.action == decision.considered[0].action
    ///     (100, True)
    #[pyo3(
        signature = (state, *, iterations = None, milliseconds = None, seed = None, top = None, priors = None),
        text_signature = "($self, state, *, iterations=None, milliseconds=None, seed=1, top=10, priors=None)"
    )]
    fn decide(
        &self,
        py: Python<'_>,
        state: &PyState,
        iterations: Option<&Bound<'_, PyAny>>,
        milliseconds: Option<&Bound<'_, PyAny>>,
        seed: Option<&Bound<'_, PyAny>>,
        top: Option<&Bound<'_, PyAny>>,
        priors: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyDecision> {
        let budget = self.budget(iterations, milliseconds)?;
        let top = top.map_or(Ok(10), |top| whole("top", top, 0, u64::from(u32::MAX)))? as usize;
        let seed = seed.map_or(Ok(1), self::seed)?;
        if state.state.is_over() {
            return Err(raise::<IllegalAction>("the game is over"));
        }
        if self.file.config.is_program() && !state.is_whole() {
            let what = "state: an external program needs a history from the start of the game on";
            return Err(raise::<PyValueError>(what));
        }
        let priors = priors.map(|given| self.priors(state, given)).transpose()?;
        let mut player = self.player();
        let stop = Stop::new();
        let work = || {
            let priors = priors.as_deref();
            let decided = decide(&mut *player, state, budget, seed, top, priors, &stop);
            (player, decided)
        };
        let quick = match budget.or_else(|| self.file.config.budget()) {
            Some(Budget::Time(time) | Budget::ProcessorTime(time)) => time <= QUICK_TIME,
            Some(budget) => budget
                .iterations()
                .is_some_and(|count| count <= QUICK_ITERATIONS),
            None => self.file.config.is_deterministic(),
        };
        let (player, decision) = run(py, quick, &stop, work)?;
        self.keep(player);
        decision.map_err(|fault| raise::<AgentFault>(format!("{}: {fault}", self.file.name)))
    }

    fn __repr__(&self) -> String {
        format!("Agent('{}')", self.file.name)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.object
            .as_ref()
            .map_or(Ok(()), |object| visit.call(&**object))
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        if let (None, Some(object)) = (&self.source, &self.object) {
            let make = py.import("patchwork_arena.players")?.getattr("_agent_of")?;
            let version = self.settings(py)?.call_method1("get", ("version",))?;
            return Ok((
                make,
                (&**object, &self.file.name, version).into_pyobject(py)?,
            ));
        }
        let unpickle = py
            .import("patchwork_arena._native")?
            .getattr("_unpickle_agent")?;
        let overrides = self
            .file
            .name
            .split_once('{')
            .map_or("", |(_, rest)| rest.strip_suffix('}').unwrap_or(rest));
        let (name, text) = self.source.clone().unzip();
        let text = text.flatten();
        Ok((unpickle, (name, text, overrides).into_pyobject(py)?))
    }
}

/// The agent of a name or path, or of a text, with overrides.
#[pyfunction(name = "_unpickle_agent")]
fn unpickle(py: Python<'_>, name: &str, text: Option<&str>, overrides: &str) -> PyResult<PyAgent> {
    let (name, overrides) = (PyString::new(py, name), PyString::new(py, overrides));
    match text {
        None => PyAgent::load(py, &name, Some(&overrides)),
        Some(text) => PyAgent::parse(py, name.to_str()?, text)?.variant(py, &overrides),
    }
}

/// Whether the interpreter is about to exit.
static EXITING: AtomicBool = AtomicBool::new(false);
/// The number of calls that work with Python detached.
static WORKING: AtomicUsize = AtomicUsize::new(0);

/// An exception if the user has pressed Ctrl-C or the interpreter is about to exit.
pub(crate) fn check_interrupt(py: Python<'_>) -> PyResult<()> {
    if EXITING.load(Ordering::SeqCst) {
        return Err(PySystemExit::new_err(()));
    }
    py.check_signals()
}

/// Counts a call that works with Python detached.
pub(crate) struct Working;

impl Working {
    pub(crate) fn new() -> Self {
        WORKING.fetch_add(1, Ordering::SeqCst);
        Self
    }
}

impl Drop for Working {
    fn drop(&mut self) {
        WORKING.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Before the interpreter exits, calls in other threads end: CPython ends a thread that comes back to it later, which
/// the frames of Rust on its stack do not allow. Waits for a second at most.
#[pyfunction(name = "_exit")]
fn exit(py: Python<'_>) {
    EXITING.store(true, Ordering::SeqCst);
    let start = Instant::now();
    while WORKING.load(Ordering::SeqCst) > 0 && start.elapsed() < Duration::from_secs(1) {
        py.detach(|| thread::sleep(Duration::from_millis(1)));
    }
}

/// Runs work with Python detached. Unless it is quick, it runs in another thread, and Ctrl-C sets `stop` and raises
/// its exception. A panic becomes an exception.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    quick: bool,
    stop: &Stop,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    if quick {
        let _working = Working::new();
        return py.detach(|| crate::errors::guarded(work));
    }
    let (done, interrupted) = run_watched(py, stop, true, work, |_| Ok(()));
    interrupted.and(done)
}

/// Whose exception ended a run, and that exception.
type Ended = Option<(String, PyErr)>;

/// The runs of this process: the address of the flag by which each is stopped, whether it is strict, and what ended it.
static RUNS: Mutex<Vec<(usize, bool, Ended)>> = Mutex::new(Vec::new());

/// A run in which players in Python may fail. The exception of one ends it if the run is strict, or if it is not an
/// `Exception`, as `KeyboardInterrupt` and `SystemExit` are not.
pub(crate) struct Run(usize);

impl Run {
    /// A run that ends when the flag is set.
    pub(crate) fn new(stop: &Stop, is_strict: bool) -> Self {
        let address = std::ptr::from_ref(stop).addr();
        RUNS.lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push((address, is_strict, None));
        Self(address)
    }

    /// Ends the run with this flag, if the exception is such a one; the text says whose fault it is.
    pub(crate) fn end(py: Python<'_>, stop: &Stop, what: String, error: PyErr) {
        let address = std::ptr::from_ref(stop).addr();
        let is_exception = error.is_instance_of::<PyException>(py);
        let mut runs = RUNS.lock().unwrap_or_else(PoisonError::into_inner);
        let run = runs
            .iter_mut()
            .find(|(of, is_strict, _)| *of == address && (*is_strict || !is_exception));
        if let Some((_, _, ended @ None)) = run {
            *ended = Some((what, error));
            stop.set();
        }
    }

    fn take(&self) -> Ended {
        let mut runs = RUNS.lock().unwrap_or_else(PoisonError::into_inner);
        let place = runs.iter().position(|(of, ..)| *of == self.0)?;
        runs.swap_remove(place).2
    }

    /// Raises what ended the run: an `Exception` as the cause of an [`AgentFault`], others themselves.
    pub(crate) fn finish(self, py: Python<'_>) -> PyResult<()> {
        match self.take() {
            None => Ok(()),
            Some((what, error)) if error.is_instance_of::<PyException>(py) => {
                let fault = raise::<AgentFault>(what);
                fault.set_cause(py, Some(error));
                Err(fault)
            }
            Some((_, error)) => Err(error),
        }
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        drop(self.take());
    }
}

/// Runs work in another thread with Python detached. From time to time, `look` is called. Ctrl-C, an exception of `look`,
/// or one of a player that ends the [`Run`], sets `stop`. Returns what the work returned, or its panic as an exception,
/// and that exception.
pub(crate) fn run_watched<T: Send>(
    py: Python<'_>,
    stop: &Stop,
    is_strict: bool,
    work: impl FnOnce() -> T + Send,
    mut look: impl FnMut(Python<'_>) -> PyResult<()>,
) -> (PyResult<T>, PyResult<()>) {
    let (_working, run) = (Working::new(), Run::new(stop, is_strict));
    thread::scope(|scope| {
        let waiting = thread::current();
        let worker = scope.spawn(move || {
            let done = catch_unwind(AssertUnwindSafe(work));
            waiting.unpark();
            done
        });
        let mut interrupted = Ok(());
        while !worker.is_finished() {
            py.detach(|| thread::park_timeout(BETWEEN_LOOKS));
            if interrupted.is_ok() {
                interrupted = check_interrupt(py).and_then(|()| look(py));
                if interrupted.is_err() {
                    stop.set();
                }
            }
        }
        let done = worker.join().and_then(|done| done);
        let interrupted = interrupted.and(run.finish(py));
        (done.map_err(|panic| internal_error(&*panic)), interrupted)
    })
}

/// A decision with its analysis, or the fault of the agent.
fn decide(
    player: &mut dyn Agent,
    state: &PyState,
    budget: Option<Budget>,
    seed: u64,
    top: usize,
    priors: Option<&[(Action, f32)]>,
    stop: &Stop,
) -> Result<PyDecision, String> {
    player.start(&state.setup, stream(&[seed]));
    // Agents can do without a history, and one that does not begin at the start of the game is of no use to them.
    if state.is_whole() {
        let actions = state.actions().into_iter();
        actions.for_each(|action| player.observe(action));
    }
    if let Some(priors) = priors {
        player.set_priors(&state.state, priors);
    }
    let start = Instant::now();
    let limit = Limit { budget, stop };
    let decision = player
        .decide(&state.setup, &state.state, limit)
        .map_err(|fault| fault.to_string())?;
    let time = decision.time.unwrap_or_else(|| start.elapsed());
    let considered = player.considered(decision.action, top);
    let considered = considered.iter().map(|one: &ConsideredAction| Considered {
        action: PyAction(one.action),
        visits: one.visits,
        value: one.value,
    });
    let thought = decision.thought;
    Ok(PyDecision {
        action: PyAction(decision.action),
        value: thought.value,
        iterations: thought.iterations,
        proven: thought.proven,
        considered: considered.collect(),
        line: player
            .line(decision.action, top)
            .into_iter()
            .map(PyAction)
            .collect(),
        nodes: thought.tree.map_or(0, |tree| tree.nodes),
        max_depth: thought.tree.map_or(0, |tree| tree.max_depth),
        seconds: time.as_secs_f64(),
    })
}

/// An action that an agent considered.
///
/// Example:
///     >>> one = Agent.load("mcts-fast").decide(State(Setup.random(1)), iterations=100).considered[0]
///     >>> type(one.action), one.visits <= 100, 0 <= one.value <= 1
///     (<class 'patchwork_arena.Action'>, True, True)
#[pyclass(frozen, eq, get_all, from_py_object, module = "patchwork_arena")]
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Considered {
    /// The action.
    pub(crate) action: PyAction,
    /// Iterations that went through it.
    pub(crate) visits: u32,
    /// The agent's estimate of its own result after it, 0 (loss) to 1 (win).
    pub(crate) value: f32,
}

#[pymethods]
impl Considered {
    #[new]
    fn new(action: PyAction, visits: Fits<u32>, value: Fits<f32>) -> Self {
        Self {
            action,
            visits: visits.0,
            value: value.0,
        }
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyType>, Bound<'py, PyTuple>)> {
        parts(slf, &["action", "visits", "value"])
    }

    fn __repr__(&self) -> String {
        let Self {
            action,
            visits,
            value,
        } = self;
        format!(
            "Considered('{}', visits={visits}, value={value:.3})",
            action.0
        )
    }
}

/// A decision of an agent and how it came to it.
///
/// Example:
///     >>> one = Agent.load("mcts-fast").decide(State(Setup.random(1)), iterations=100)
///     >>> one.action == one.line[0] == one.considered[0].action, one.iterations, one.proven
///     (True, 100, None)
///     >>> 0 < one.value < 1, one.nodes > 1, one.max_depth > 1, one.seconds > 0
///     (True, True, True, True)
#[pyclass(frozen, eq, get_all, name = "Decision", module = "patchwork_arena")]
#[derive(Clone, PartialEq)]
pub(crate) struct PyDecision {
    /// The action that the agent plays.
    pub(crate) action: PyAction,
    /// The agent's estimate of its own result, 0 (loss) to 1 (win), if it has one.
    pub(crate) value: Option<f32>,
    /// Iterations of the search; 0 without a search.
    pub(crate) iterations: u32,
    /// Whether the agent has proven that it wins (true) or loses (false).
    pub(crate) proven: Option<bool>,
    /// The actions that were considered, the one played first, then the others by preference.
    pub(crate) considered: Vec<Considered>,
    /// The principal variation, from the action played on; empty if the agent does not have one.
    pub(crate) line: Vec<PyAction>,
    /// Positions in the search tree.
    pub(crate) nodes: u32,
    /// The greatest depth of the search in plies.
    pub(crate) max_depth: u16,
    /// The time that the decision took.
    pub(crate) seconds: f64,
}

/// A class, and what an object of it is made of again.
fn parts<'py>(
    of: &Bound<'py, PyAny>,
    names: &[&str],
) -> PyResult<(Bound<'py, PyType>, Bound<'py, PyTuple>)> {
    let values: PyResult<Vec<_>> = names.iter().map(|name| of.getattr(*name)).collect();
    Ok((of.get_type(), PyTuple::new(of.py(), values?)?))
}

#[pymethods]
impl PyDecision {
    #[new]
    fn new(
        action: PyAction,
        value: Fits<Option<f32>>,
        iterations: Fits<u32>,
        proven: Option<bool>,
        considered: Vec<Considered>,
        line: Vec<PyAction>,
        nodes: Fits<u32>,
        max_depth: Fits<u16>,
        seconds: Fits<f64>,
    ) -> Self {
        Self {
            action,
            value: value.0,
            iterations: iterations.0,
            proven,
            considered,
            line,
            nodes: nodes.0,
            max_depth: max_depth.0,
            seconds: seconds.0,
        }
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyType>, Bound<'py, PyTuple>)> {
        #[rustfmt::skip]
        let names = ["action", "value", "iterations", "proven", "considered", "line", "nodes", "max_depth", "seconds"];
        parts(slf, &names)
    }

    fn __repr__(&self) -> String {
        let value = self
            .value
            .map_or_else(|| "None".to_owned(), |value| format!("{value:.3}"));
        format!(
            "Decision('{}', value={value}, iterations={})",
            self.action.0, self.iterations
        )
    }
}
