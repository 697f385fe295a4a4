//! A small finite-domain constraint kernel: variables with up to 64 values, propagators run to a
//! fixpoint, depth-first search on a trail, and the statistics that learning heuristics need.
//!
//! It is independent of Patchwork. It is simple enough to verify the bitboard code: every constraint has a
//! checker that shares no code with its propagator.
//!
//! - [`DomainStore`]: the variables' domains and everything else that backtracking must undo;
//! - [`Propagator`]: one constraint per file ([`Regular`], [`WordTable`], [`Channel`], [`Linear`],
//!   [`Reified`], [`Conjunction`]), each with its level of consistency;
//! - [`ConstraintSolver`]: posts propagators and runs them, in a documented order;
//! - [`depth_first`]: search along a [`Brancher`];
//! - [`Learning`]: failure counts, activity and conflict history;
//! - [`Regex`], [`Dfa`]: regular expressions and the minimal automata for them.
//!
//! ```
//! use patchwork_kernel::{Regex, Regular, ConstraintSolver};
//!
//! // Three ones in a row among five squares, the second of which is taken.
//! let mut solver = ConstraintSolver::default();
//! let squares: Vec<_> = (0..6).map(|_| solver.variable(0b11)).collect();
//! let (zero, one) = (Regex::Symbol(0), Regex::Symbol(1));
//! let placement = Regex::sequence([zero.clone().star(), one.repeat(3), zero.star()]);
//! let regular = Regular::new(solver.store_mut(), squares.clone(), &placement.to_dfa(2).unroll(6));
//! solver.post(regular);
//! assert!(solver.store_mut().assign(squares[1], 0).is_ok());
//! assert!(solver.propagate().is_ok());
//! assert_eq!(solver.store().domain(squares[0]), 0b01);
//! assert_eq!(solver.store().domain(squares[3]), 0b10);
//! ```

mod channel;
mod conjunction;
mod dfa;
mod learning;
mod linear;
mod propagator;
mod regex;
mod regular;
mod reified;
mod search;
mod solver;
mod store;
mod word_table;

pub use channel::Channel;
pub use conjunction::Conjunction;
pub use dfa::{Dfa, LayeredGraph};
pub use learning::{Learning, Updates};
pub use linear::Linear;
pub use propagator::{Cost, On, Propagator};
pub use regex::Regex;
pub use regular::Regular;
pub use reified::Reified;
pub use search::{BranchDecision, Brancher, SearchCounts, depth_first, depth_first_watched};
pub use solver::ConstraintSolver;
pub use store::{DomainStore, Failure, MAX_VALUE, TrailWords, Var};
pub use word_table::WordTable;
