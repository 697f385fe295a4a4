//! The native part of the Python package `patchwork_arena`: a thin face of the engine.
//!
//! | module | job |
//! |---|---|
//! | `game` | setups, states and actions |
//! | `space` | the action space and its mask |
//! | `observation` | observations as numbers |
//! | `agents` | agents, their decisions and their analyses |
//! | `positions` | rollouts, placements, evaluations and estimates, in batches |
//! | `search` | tree searches whose leaves Python evaluates |
//! | `vector` | many games that are stepped together |
//! | `arena` | tournaments, their results, ratings |
//! | `tuning` | the search for better settings |
//! | `players` | players written in Python |
//! | `table` | tables for data frames |
//! | `convert`, `errors` | arguments and exceptions |
//!
//! The rules, the search and the statistics are the engine's; this crate converts.

mod agents;
mod arena;
mod convert;
mod errors;
mod game;
mod observation;
mod players;
mod positions;
mod search;
mod space;
mod table;
mod tuning;
mod vector;

use pyo3::prelude::*;

/// The native part of the package `patchwork_arena`.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("ACTIONS", space::ACTIONS)?;
    module.add("PICKS", space::PICKS)?;
    module.add("OBSERVATION_SIZE", observation::VECTOR)?;
    module.add_function(wrap_pyfunction!(convert::whole_of_python, module)?)?;
    errors::add(module)?;
    game::add(module)?;
    agents::add(module)?;
    positions::add(module)?;
    search::add(module)?;
    vector::add(module)?;
    tuning::add(module)?;
    // Agents' files and stored plans can name programs, and players written in Python.
    patchwork_bots::register();
    players::add(module)?;
    arena::add(module)?;
    // The package says what is public.
    module.delattr("__all__")
}
