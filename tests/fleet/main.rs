//! Fleets on a real NATS server on this machine: whatever fails, the export equals that of one machine.
//! Without `nats-server`, these tests are skipped with a message.
#![cfg(unix)]

mod access;
mod collectors;
mod fleet;
#[path = "../../fuzz/fuzz_targets/messages.rs"]
mod messages;
mod queue;
mod schedules;
mod servers;
mod tuning;
mod workers;

/// What the fuzz target of messages found.
#[test]
fn messages_of_the_corpus() {
    patchwork_test_support::corpus::replay("messages", messages::check);
}
