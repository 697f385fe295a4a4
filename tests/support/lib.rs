//! What the tests of several crates need: small plans and random games, a folder in which the program runs, its server, its
//! ledgers, bots.

#[cfg(unix)]
pub mod bots;
pub mod corpus;
pub mod ledger;
pub mod program;
pub mod server;
pub mod tournaments;
pub mod traces;
