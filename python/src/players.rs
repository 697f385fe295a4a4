//! Players written in Python, as a kind of agent: `type = "python"`.

use std::path::Path;
use std::sync::{Arc, PoisonError, Weak};

use patchwork_engine::agent::{
    Agent, AgentFault, AgentFile, AgentKind, AgentSettings, Decision, Limit, register,
};
use patchwork_engine::game::{Action, Setup, State};
use patchwork_engine::record::FaultReason;
use patchwork_engine::search::Stop;
use patchwork_engine::util::InputError;
use patchwork_engine::util::rng::{Rng, below};
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use serde::{Deserialize, Serialize};

use crate::agents::{PyAgent, Run, toml_value};
use crate::errors::{IllegalAction, STOPPED, config_error, value_error};
use crate::game::{PySetup, PyState};

/// Makes the kind known, so that files and stored plans can name it, and adds the function of this module.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    register::<PythonSettings>();
    module.add_function(wrap_pyfunction!(player_agent, module)?)
}

/// The settings of a player written in Python.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PythonSettings {
    /// The class, written `module:Class`, or an instance of it, written `module:Class()`.
    player: String,
    /// Tells this player from others of the class, instead of its contents: a number or a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    version: Option<toml::Value>,
    /// A hash of what the player is made of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    contents: Option<String>,
    /// The class or the instance, as long as an agent holds it; otherwise, the class is imported.
    #[serde(skip)]
    held: Weak<Py<PyAny>>,
}

impl PartialEq for PythonSettings {
    fn eq(&self, other: &Self) -> bool {
        (&self.player, &self.version, &self.contents)
            == (&other.player, &other.version, &other.contents)
    }
}

impl AgentKind for PythonSettings {
    fn name() -> &'static str {
        "python"
    }

    fn check(&self) -> Result<(), InputError> {
        let named = self.player.split_once(':');
        if !named.is_some_and(|(module, class)| !module.is_empty() && !class.is_empty()) {
            let what = format_args!("expected MODULE:CLASS, found \"{}\"", self.player);
            return Err(InputError::at("player", what));
        }
        match &self.version {
            Some(toml::Value::Integer(number)) if u32::try_from(*number).is_ok() => Ok(()),
            Some(toml::Value::String(text)) if (1..=200).contains(&text.len()) => Ok(()),
            None => Ok(()),
            Some(other) => {
                let what = "expected a number from 0 to 2^32 - 1 or a text of 1 to 200 characters";
                let what = format_args!("{what}, found {other}");
                Err(InputError::at("version", what))
            }
        }
    }

    fn settle(&mut self, _: &Path) -> Result<(), InputError> {
        if self.version.is_none() && self.contents.is_none() {
            self.contents = Some(self.asked(|py| self.contents_of(py, &self.object(py)?))?);
        }
        Ok(())
    }

    /// The random numbers of a class are its own affair.
    fn is_deterministic(&self) -> bool {
        false
    }

    fn state_defaults(&mut self) {
        if self.version.is_some() {
            self.contents = None;
        } else if self.contents.is_none() {
            // Plans that were stored before players had contents.
            self.version = Some(toml::Value::Integer(0));
        }
    }

    fn check_installed(&self) -> Result<(), InputError> {
        self.asked(|py| {
            let object = self.object(py)?;
            if self.version.is_none() && self.contents.is_some() {
                let contents = Some(self.contents_of(py, &object)?);
                if contents != self.contents {
                    let what =
                        "it has changed since its agent was made; expected a new agent of it";
                    return Err(value_error(what));
                }
            }
            make(py, &object).map(drop)
        })
    }

    fn build(&self) -> Box<dyn Agent> {
        Box::new(PythonPlayer {
            settings: self.clone(),
            object: None,
            state: None,
            log: String::new(),
        })
    }
}

const EXITED: &str = "the interpreter is exiting";

/// The module in Python.
fn module(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import("patchwork_arena.players")
}

/// A player of a worker: an object of a class, or a copy of an instance.
fn make(py: Python<'_>, object: &Py<PyAny>) -> PyResult<Py<PyAny>> {
    Ok(module(py)?.call_method1("_make", (object,))?.unbind())
}

impl PythonSettings {
    /// Something of Python, or the exception as a mistake in the key `player`; one that is no mistake waits to be raised.
    fn asked<T>(&self, ask: impl FnOnce(Python<'_>) -> PyResult<T>) -> Result<T, InputError> {
        let wrong = |py: Python<'_>, error: PyErr| {
            let what = error.to_string();
            if !error.is_instance_of::<PyException>(py) {
                *STOPPED.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            }
            what
        };
        let asked = Python::try_attach(|py| ask(py).map_err(|error| wrong(py, error)));
        let asked = asked.unwrap_or_else(|| Err(EXITED.to_owned()));
        let at = |error| InputError::at("player", format_args!("{}: {error}", self.player));
        asked.map_err(at)
    }

    /// The class or the instance.
    fn object(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match self.held.upgrade() {
            Some(held) => Ok(held.clone_ref(py)),
            None => Ok(module(py)?.call_method1("_load", (&self.player,))?.unbind()),
        }
    }

    fn contents_of(&self, py: Python<'_>, object: &Py<PyAny>) -> PyResult<String> {
        module(py)?.call_method1("contents", (object,))?.extract()
    }
}

/// The class or the instance that an agent plays by and holds from now on; none if it is not in Python.
pub(crate) fn hold(py: Python<'_>, file: &mut AgentFile) -> PyResult<Option<Arc<Py<PyAny>>>> {
    let Some(settings) = file.config.downcast_ref::<PythonSettings>() else {
        return Ok(None);
    };
    let object = settings.asked(|_| settings.object(py));
    let object = object.map_err(|error| config_error(&InputError::in_file(&file.path, error)))?;
    let (held, mut settings) = (Arc::new(object), settings.clone());
    settings.held = Arc::downgrade(&held);
    file.config = settings.into();
    Ok(Some(held))
}

/// Whether an agent was made of an instance.
pub(crate) fn is_instance(settings: &AgentSettings) -> bool {
    let settings: Option<&PythonSettings> = settings.downcast_ref();
    settings.is_some_and(|settings| settings.player.ends_with("()"))
}

/// Whether the user says that two players are one, who are not.
pub(crate) fn confused(one: &AgentSettings, other: &AgentSettings) -> bool {
    let players = [one, other].map(AgentSettings::downcast_ref::<PythonSettings>);
    let [Some(one), Some(other)] = players else {
        return false;
    };
    let objects = [one, other].map(|player| player.held.upgrade());
    let [Some(first), Some(second)] = &objects else {
        return false;
    };
    one == other && one.version.is_some() && !first.is(&**second)
}

/// The agent of a class or an instance.
#[pyfunction(name = "_player_agent")]
fn player_agent(
    py: Python<'_>,
    name: &str,
    path: &str,
    player: Py<PyAny>,
    version: &Bound<'_, PyAny>,
    contents: Option<String>,
) -> PyResult<PyAgent> {
    let held = Arc::new(player);
    let settings = PythonSettings {
        player: path.to_owned(),
        version: toml_value("version", version)?,
        contents,
        held: Arc::downgrade(&held),
    };
    settings.check().map_err(|error| config_error(&error))?;
    let text = AgentSettings::from(settings.clone()).table().to_string();
    let mut file = PyAgent::file_of(name, &text)?;
    file.config = settings.into();
    PyAgent::new(py, file, None)
}

/// A player of games in one seat.
struct PythonPlayer {
    settings: PythonSettings,
    /// The object of the class; made when the first game starts.
    object: Option<Py<PyAny>>,
    /// The position with its history, or the exception with which the game could not be started.
    state: Option<Result<PyState, PyErr>>,
    /// The tracebacks of the game.
    log: String,
}

/// An exception with its traceback.
fn traceback(py: Python<'_>, error: &PyErr) -> String {
    let text = error
        .traceback(py)
        .and_then(|traceback| traceback.format().ok());
    format!("{}{error}\n", text.unwrap_or_default())
}

impl PythonPlayer {
    fn start_game(&mut self, py: Python<'_>, start: &PyState, seed: u64) -> PyResult<()> {
        if self.object.is_none() {
            self.object = Some(make(py, &self.settings.object(py)?)?);
        }
        let object = self.object.as_ref().map(|object| object.bind(py));
        let setup = PySetup(Arc::clone(&start.setup));
        object.map_or(Ok(()), |object| {
            object.call_method1("start", (setup, seed)).map(drop)
        })
    }

    /// Asks the object. An exception, and what is not a legal action, is a fault.
    fn ask(&mut self, py: Python<'_>, state: &PyState, stop: &Stop) -> Result<Action, AgentFault> {
        let Some(object) = &self.object else {
            return Err(crash("no game was started"));
        };
        let answer = match object.bind(py).call_method1("decide", (state.clone(),)) {
            Ok(answer) => answer,
            Err(error) => return Err(self.fault(py, FaultReason::Crash, None, error, stop)),
        };
        let action = state
            .read_action(&answer)
            .and_then(|action| state.after(action).map(|_| action));
        action.map_err(|error| {
            let illegal = error.is_instance_of::<IllegalAction>(py);
            let reason = if illegal {
                FaultReason::IllegalAction
            } else {
                FaultReason::GarbledAction
            };
            let detail = format!("decide returned {answer:?}: {}", error.value(py));
            self.fault(py, reason, Some(detail), error, stop)
        })
    }

    /// The fault of an exception, which ends the run if that is strict or the user wants to stop.
    fn fault(
        &mut self,
        py: Python<'_>,
        reason: FaultReason,
        detail: Option<String>,
        error: PyErr,
        stop: &Stop,
    ) -> AgentFault {
        if detail.is_none() {
            self.log += &traceback(py, &error);
        }
        let detail = detail.unwrap_or_else(|| error.to_string());
        let fault = AgentFault { reason, detail };
        let what = format!("{}: {fault}", self.settings.player);
        Run::end(py, stop, what, error);
        fault
    }
}

fn crash(detail: &str) -> AgentFault {
    AgentFault {
        reason: FaultReason::Crash,
        detail: detail.to_owned(),
    }
}

impl Agent for PythonPlayer {
    fn start(&mut self, setup: &Setup, mut rng: Rng) {
        let start = PyState::start(Arc::new(setup.clone()));
        let seed = u64::from(below(u32::MAX, &mut rng));
        self.log.clear();
        let started = Python::try_attach(|py| self.start_game(py, &start, seed));
        self.state = started.map(|started| started.map(|()| start));
    }

    fn decide(
        &mut self,
        setup: &Setup,
        state: &State,
        limit: Limit<'_>,
    ) -> Result<Decision, AgentFault> {
        let known = match self.state.take() {
            Some(Err(error)) => {
                let reason = FaultReason::StartCrash;
                let failed =
                    Python::try_attach(|py| self.fault(py, reason, None, error, limit.stop));
                return Err(failed.unwrap_or_else(|| crash(EXITED)));
            }
            Some(Ok(known)) if known.state == *state => known,
            _ => PyState::at(Arc::new(setup.clone()), *state),
        };
        self.state = Some(Ok(known.clone()));
        let action = Python::try_attach(|py| self.ask(py, &known, limit.stop));
        action
            .unwrap_or_else(|| Err(crash(EXITED)))
            .map(Decision::unsearched)
    }

    fn observe(&mut self, action: Action) {
        if let Some(Ok(state)) = &self.state
            && let Ok(next) = state.after(action)
        {
            self.state = Some(Ok(next));
        }
    }

    fn take_stderr(&mut self) -> String {
        std::mem::take(&mut self.log)
    }
}
