//! What every room may use: random numbers, configuration files, compressed input, help with misspelt
//! names, nouns that agree with their numbers.

pub mod config;
pub mod counted;
#[cfg(feature = "arena")]
pub mod input;
pub mod rng;
pub mod suggest;
