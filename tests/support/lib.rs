//! What the tests of several crates need: small plans and random games, a folder in which the program runs, its server, its
//! ledgers, bots.

#![allow(
    clippy::new_without_default,
    reason = "a folder for a test is not a default"
)]

#[cfg(unix)]
pub mod bots;
pub mod corpus;
pub mod ledger;
pub mod program;
pub mod server;
pub mod tournaments;
pub mod traces;
