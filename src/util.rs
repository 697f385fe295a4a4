//! What every room may use: random numbers, configuration files, help with misspelt names.

pub mod config;
pub mod rng;
pub mod suggest;
