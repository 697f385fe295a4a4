//! What every room may use: random numbers, configuration and other files, help with misspelt names.

pub mod config;
#[cfg(feature = "arena")]
pub mod files;
pub mod rng;
pub mod suggest;
