//! The exceptions of the package, and how errors of the engine become exceptions.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

use patchwork_engine::util::InputError;
use pyo3::PyTypeInfo;
use pyo3::create_exception;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

create_exception!(
    patchwork_arena,
    IllegalAction,
    PyValueError,
    "An action that is not legal in a state. The message is the reason.

Example:
    >>> State(Setup.random(1)).play(\"S:e5\")
    Traceback (most recent call last):
    patchwork_arena.IllegalAction: S:e5: no special patch waits to be placed
"
);
create_exception!(
    patchwork_arena,
    ConfigError,
    PyValueError,
    "A mistake in a file of settings. The message names the file, the line or the key, and what was expected.

Example:
    >>> Agent.load(\"mcts-fast\", {\"search.exploration\": -1.0})
    Traceback (most recent call last):
    patchwork_arena.ConfigError: mcts-fast: search.exploration: expected a number from 0 to 1000, found -1.0
"
);
create_exception!(
    patchwork_arena,
    ResultsError,
    PyValueError,
    "A folder that does not hold results, or results that are damaged, in use, or of another plan.

Example:
    >>> Results(\"no-such-folder\")
    Traceback (most recent call last):
    patchwork_arena.ResultsError: no-such-folder: no results
"
);
create_exception!(
    patchwork_arena,
    AgentFault,
    PyRuntimeError,
    "An agent that could not decide: an external program crashed, was too slow or played an illegal action.

Example:
    >>> class Broken(Player):
    ...     def decide(self, state):
    ...         return 1 / 0
    >>> Broken.agent().decide(State(Setup.random(1)))
    Traceback (most recent call last):
    patchwork_arena.AgentFault: Broken: crash: division by zero
"
);
create_exception!(
    patchwork_arena,
    InternalError,
    PyRuntimeError,
    "A bug of the engine: a panic in Rust. The state of the program is still valid.

Example:
    >>> issubclass(InternalError, RuntimeError)
    True
"
);

/// Adds the exceptions to the module.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("IllegalAction", py.get_type::<IllegalAction>())?;
    module.add("ConfigError", py.get_type::<ConfigError>())?;
    module.add("ResultsError", py.get_type::<ResultsError>())?;
    module.add("AgentFault", py.get_type::<AgentFault>())?;
    module.add("InternalError", py.get_type::<InternalError>())
}

/// The most characters of a message. Only what a user gave is longer; it loses its middle.
const MOST: usize = 2000;

/// An exception with a message.
pub(crate) fn raise<E: PyTypeInfo>(message: impl ToString) -> PyErr {
    let mut message = message.to_string();
    if message.len() > MOST {
        let after = |at: usize| (at..).find(|&at| message.is_char_boundary(at));
        let cut = after(MOST / 2).unwrap_or(0)..after(message.len() - MOST / 2).unwrap_or(0);
        message.replace_range(cut, " [...] ");
    }
    PyErr::new::<E, _>(message)
}

/// A [`ValueError`](PyValueError) with the message of an error.
pub(crate) fn value_error(error: impl ToString) -> PyErr {
    raise::<PyValueError>(error.to_string())
}

/// What ended the work on a file or a plan and is no mistake in it: Ctrl-C, or an exit of a player in Python.
pub(crate) static STOPPED: Mutex<Option<PyErr>> = Mutex::new(None);

/// The exception for a mistake in a file, or what ended the work on it.
pub(crate) fn config_error(error: &InputError) -> PyErr {
    let mut stopped = STOPPED.lock().unwrap_or_else(PoisonError::into_inner);
    let mistake = || raise::<ConfigError>(error.to_string());
    stopped.take().unwrap_or_else(mistake)
}

/// Runs work of the engine. A panic in it becomes an [`InternalError`].
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| internal_error(&*panic))
}

/// The exception for a panic.
pub(crate) fn internal_error(panic: &(dyn Any + Send)) -> PyErr {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    raise::<InternalError>(format!(
        "the engine panicked: {}",
        text.unwrap_or("no message")
    ))
}
