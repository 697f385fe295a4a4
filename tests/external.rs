//! External agents: bots that speak the line protocol, and bots that fail in every way.

mod faults;
mod serving;
mod transcript;
