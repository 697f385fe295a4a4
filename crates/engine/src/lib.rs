//! The game Patchwork: rules, placement strategies, search and agents.

pub mod agent;
pub mod board;
pub mod game;
pub mod placement;
pub mod record;
pub mod search;
pub mod util;

// Unit tests share helpers with the integration tests, which name the crate by its name.
#[cfg(test)]
extern crate self as patchwork_engine;
#[cfg(test)]
#[path = "../tests/support/mod.rs"]
mod support;
