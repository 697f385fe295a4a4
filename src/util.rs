//! What every room may use: random numbers, configuration files, limits of input, lines and tables, compressed input, help with misspelt
//! names, nouns that agree with their numbers.

pub mod config;
pub mod counted;
pub mod escape;
#[cfg(feature = "arena")]
pub mod input;
pub mod limits;
pub(crate) mod lines;
pub mod rng;
#[cfg(feature = "arena")]
pub(crate) mod schema;
pub mod suggest;
