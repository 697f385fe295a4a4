//! Helpers for all tests, integration tests and unit tests: `crate::support`.
#![allow(dead_code, reason = "unit tests and fleets use a part")]
#![allow(unused_imports, reason = "unit tests and fleets use a part")]

#[cfg(unix)]
pub(crate) mod bots;
pub(crate) mod corpus;
pub(crate) mod ledger;
pub(crate) mod positions;
pub(crate) mod program;
pub(crate) mod server;
pub(crate) mod tournaments;
#[path = "../../crates/engine/tests/support/traces.rs"]
pub(crate) mod traces;
