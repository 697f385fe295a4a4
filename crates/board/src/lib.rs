#![doc = include_str!("../README.md")]
//!
//! # How it works
//! Pages ask in JSON and are answered in JSON ([`messages`]); a [`BoardSession`] answers. In a browser the session is
//! WebAssembly: a small module with the rules on the main thread, so that a page is ready soon, and one with the agents in
//! workers. The files that are served or exported are in [`assets`]; they are built from `page/` and this crate by `build`.

mod agents;
#[cfg(not(target_family = "wasm"))]
pub mod assets;
mod effect;
pub mod judgement;
mod levels;
pub mod messages;
mod position;
mod regret;
mod search;
mod session;
mod texts;
#[cfg(test)]
mod typescript;
#[cfg(target_family = "wasm")]
mod wasm;

pub use search::{budget, decide};
pub use session::{BoardSession, MAX_QUESTION};
pub use texts::pgn;
