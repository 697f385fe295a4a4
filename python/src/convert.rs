//! Arguments whose range Rust's types do not state.

use patchwork_engine::game::Player;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBool;

use crate::errors::raise;

/// A whole number in a range.
///
/// # Errors
/// A `TypeError` for something else, a `ValueError` for a number outside the range.
pub(crate) fn whole(name: &str, value: &Bound<'_, PyAny>, least: u64, most: u64) -> PyResult<u64> {
    let is_bool = value.is_instance_of::<PyBool>();
    let index = value.call_method0("__index__").ok().filter(|_| !is_bool);
    let Some(index) = index else {
        let kind = value.get_type().name()?;
        return Err(raise::<PyTypeError>(format!(
            "{name}: expected a whole number, found a value of type {kind}"
        )));
    };
    match index.extract::<u64>() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => Err(raise::<PyValueError>(format!(
            "{name}: expected a whole number from {least} to {most}, found {}",
            shown(&index)
        ))),
    }
}

#[pyfunction]
#[pyo3(name = "_whole")]
pub(crate) fn whole_of_python(
    name: &str,
    value: &Bound<'_, PyAny>,
    least: u64,
    most: u64,
) -> PyResult<u64> {
    whole(name, value, least, most)
}

/// An argument with numbers. One that does not fit is a `ValueError`, not an `OverflowError`.
pub(crate) struct Fits<T>(pub(crate) T);

impl<'a, 'py, T: FromPyObjectOwned<'py>> FromPyObject<'a, 'py> for Fits<T> {
    type Error = PyErr;

    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let found: Result<T, _> = value.extract();
        found.map(Self).map_err(Into::into).map_err(|error: PyErr| {
            if error.is_instance_of::<PyOverflowError>(value.py()) {
                return raise::<PyValueError>("expected a smaller number");
            }
            error
        })
    }
}

/// A number for a message. Python does not write those of thousands of digits.
pub(crate) fn shown(number: &Bound<'_, PyAny>) -> String {
    let text = number.str().map(|text| text.to_string());
    text.unwrap_or_else(|_| "a number of thousands of digits".to_owned())
}

/// A seed: a whole number of 64 bits.
pub(crate) fn seed(value: &Bound<'_, PyAny>) -> PyResult<u64> {
    whole("seed", value, 0, u64::MAX)
}

/// A seat: 0 for the first player, 1 for the second.
pub(crate) fn seat(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Player> {
    Ok(Player::BOTH[whole(name, value, 0, 1)? as usize])
}
