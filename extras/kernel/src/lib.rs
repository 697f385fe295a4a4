#![doc = include_str!("../README.md")]
//!
//! # Parts
//! - [`DomainStore`]: the variables' domains and everything else that backtracking must undo;
//! - [`Propagator`]: one constraint per file ([`Regular`], [`WordTable`], [`Channel`], [`Linear`],
//!   [`Reified`], [`Conjunction`]), each with its level of consistency;
//! - [`ConstraintSolver`]: posts propagators and runs them, in a documented order;
//! - [`depth_first`]: search along a branching;
//! - [`Learning`]: failure counts, activity and conflict history;
//! - [`Regex`], [`Dfa`]: regular expressions and the minimal automata for them.

mod channel;
mod dfa;
mod learning;
mod linear;
mod logic;
mod propagator;
mod regex;
mod regular;
mod search;
mod solver;
mod store;
mod word_table;

pub use channel::Channel;
pub use dfa::{Dfa, LayeredGraph};
pub use learning::{Learning, Updates};
pub use linear::Linear;
pub use logic::{Conjunction, Reified};
pub use propagator::{Cost, Propagator};
pub use regex::Regex;
pub use regular::Regular;
pub use search::{SearchCounts, depth_first, depth_first_watched};
pub use solver::ConstraintSolver;
pub use store::{DomainStore, Failure, MAX_VALUE, Var};
pub use word_table::WordTable;
