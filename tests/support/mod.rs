//! Helpers for all tests: integration tests say `mod support;`, unit tests `crate::support`.
#![allow(dead_code, reason = "each test crate uses a part")]
#![allow(unused_imports, reason = "each test crate uses a part")]

#[cfg(unix)]
pub(crate) mod bots;
pub(crate) mod positions;
pub(crate) mod program;
pub(crate) mod server;
pub(crate) mod tournaments;
