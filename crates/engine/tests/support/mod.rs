//! Helpers for all tests: integration tests say `mod support;`, unit tests `crate::support`.
#![allow(dead_code, reason = "each test crate uses a part")]

pub(crate) mod positions;
pub(crate) mod traces;
