//! What every room may use: random numbers, configuration files, compressed input, help with misspelt
//! names.

pub mod config;
#[cfg(feature = "arena")]
pub mod input;
pub mod rng;
pub mod suggest;
