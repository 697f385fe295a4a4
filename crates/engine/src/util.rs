//! Utilities for all modules: random numbers, configuration files, limits on input, lines and tables,
//! compressed input, suggestions for misspelt names, nouns that agree with their numbers.
//!
//! ```
//! use patchwork_engine::util::counted::counted;
//! use patchwork_engine::util::rng::{below, stream};
//!
//! // A stream of random numbers depends on its identity alone.
//! assert_eq!(below(1000, &mut stream(&[2026, 7])), below(1000, &mut stream(&[2026, 7])));
//! assert_eq!(counted(1, "game"), "1 game");
//! ```

pub mod clock;
pub mod config;
pub mod counted;
mod input_error;
pub mod limits;
pub mod lines;
pub(crate) mod memory;
pub mod rng;
#[cfg(feature = "schema")]
pub mod schema;
pub mod suggest;

pub use input_error::{InputError, KeyFault};
