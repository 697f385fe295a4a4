//! Fleets over a real NATS server on this machine: what may go wrong, goes wrong, and the export is that of one
//! machine. Without `nats-server`, these tests are skipped and say so.
#![cfg(unix)]

#[path = "../support/mod.rs"]
mod support;

mod access;
mod collectors;
mod fleet;
mod queue;
mod servers;
mod tuning;
mod workers;
