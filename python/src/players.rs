//! Players written in Python, as a kind of agent: `type = "python"`.

use std::sync::Arc;

use patchwork_engine::agent::{Agent, AgentFault, AgentKind, Decision, Limit, register};
use patchwork_engine::game::{Action, Setup, State};
use patchwork_engine::record::FaultReason;
use patchwork_engine::util::InputError;
use patchwork_engine::util::rng::{Rng, below};
use pyo3::prelude::*;
use serde::{Deserialize, Serialize};

use crate::errors::IllegalAction;
use crate::game::{PySetup, PyState};

/// Makes the kind known, so that files and stored plans can name it.
pub(crate) fn add() {
    register::<PythonSettings>();
}

/// The settings of a player written in Python.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PythonSettings {
    /// The class, written `module:Class`.
    player: String,
    /// Raised when the class plays differently; 0 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    version: Option<u32>,
}

impl AgentKind for PythonSettings {
    fn name() -> &'static str {
        "python"
    }

    fn check(&self) -> Result<(), InputError> {
        match self.player.split_once(':') {
            Some((module, class)) if !module.is_empty() && !class.is_empty() => Ok(()),
            _ => {
                let what = format_args!("expected MODULE:CLASS, found \"{}\"", self.player);
                Err(InputError::at("player", what))
            }
        }
    }

    /// The random numbers of a class are its own affair.
    fn is_deterministic(&self) -> bool {
        false
    }

    fn state_defaults(&mut self) {
        self.version = Some(self.version.unwrap_or(0));
    }

    fn check_installed(&self) -> Result<(), InputError> {
        let made = Python::try_attach(|py| {
            let made = self.new_player(py).map(drop);
            made.map_err(|error| InputError::at("player", format_args!("{}: {error}", self.player)))
        });
        made.unwrap_or_else(|| Err(EXITED.into()))
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

impl PythonSettings {
    fn new_player(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let players = py.import("patchwork_arena.players")?;
        Ok(players.call_method1("_make", (&self.player,))?.unbind())
    }
}

/// A player of games in one seat.
struct PythonPlayer {
    settings: PythonSettings,
    /// The object of the class; made when the first game starts.
    object: Option<Py<PyAny>>,
    /// The position with its history, or the exception with which the game could not be started.
    state: Option<Result<PyState, String>>,
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
            self.object = Some(self.settings.new_player(py)?);
        }
        let object = self.object.as_ref().map(|object| object.bind(py));
        let setup = PySetup(Arc::clone(&start.setup));
        object.map_or(Ok(()), |object| {
            object.call_method1("start", (setup, seed)).map(drop)
        })
    }

    /// Asks the object. An exception, and what is not a legal action, is a fault.
    fn ask(&mut self, py: Python<'_>, state: &PyState) -> Result<Action, AgentFault> {
        let fault = |reason: FaultReason, detail: String| AgentFault { reason, detail };
        let Some(object) = &self.object else {
            return Err(fault(
                FaultReason::StartCrash,
                "no game was started".to_owned(),
            ));
        };
        let answer = match object.bind(py).call_method1("decide", (state.clone(),)) {
            Ok(answer) => answer,
            Err(error) => {
                self.log += &traceback(py, &error);
                return Err(fault(FaultReason::Crash, error.to_string()));
            }
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
            fault(
                reason,
                format!("decide returned {answer:?}: {}", error.value(py)),
            )
        })
    }
}

impl Agent for PythonPlayer {
    fn start(&mut self, setup: &Setup, mut rng: Rng) {
        let start = PyState::start(Arc::new(setup.clone()));
        let seed = u64::from(below(u32::MAX, &mut rng));
        self.log.clear();
        let started = Python::try_attach(|py| {
            self.start_game(py, &start, seed).map_err(|error| {
                self.log += &traceback(py, &error);
                error.to_string()
            })
        });
        let started = started.unwrap_or_else(|| Err(EXITED.to_owned()));
        self.state = Some(started.map(|()| start));
    }

    fn decide(
        &mut self,
        setup: &Setup,
        state: &State,
        _: Limit<'_>,
    ) -> Result<Decision, AgentFault> {
        let crash = |detail: &str| AgentFault {
            reason: FaultReason::Crash,
            detail: detail.to_owned(),
        };
        let known = match &self.state {
            Some(Ok(known)) if known.state == *state => known.clone(),
            Some(Err(why)) => {
                return Err(AgentFault {
                    reason: FaultReason::StartCrash,
                    detail: why.clone(),
                });
            }
            _ => PyState::at(Arc::new(setup.clone()), *state),
        };
        let action = Python::try_attach(|py| self.ask(py, &known));
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
