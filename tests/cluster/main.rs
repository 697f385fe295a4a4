//! Fleets on a real NATS server on this machine: whatever fails, the export equals that of one machine.
//! Without `nats-server`, these tests are skipped with a message.
#![cfg(unix)]

#[path = "../support/mod.rs"]
mod support;

mod access;
mod collectors;
mod fleet;
mod queue;
mod schedules;
mod servers;
mod tuning;
mod workers;
