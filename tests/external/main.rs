//! External agents: bots that speak the line protocol, and bots that fail in every way.
#![cfg(unix)]

#[path = "../support/mod.rs"]
mod support;

mod faults;
mod serving;
mod transcript;
