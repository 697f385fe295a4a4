//! The paper's placement model (section 4), written in constraints, and the policies as branchings.
//!
//! It says the same as [`crate::placement`], more slowly and in another language, so each is a
//! witness for the other. And it is where the learning heuristics live, which need propagators that
//! prune and fail: [`Packer`] plays the packing experiment with them.
//!
//! # What learning depends on
//!
//! - **Who else searches.** A search that only covers squares never fails, because `regular` is
//!   domain consistent; so failure counts that a strategy collects alone never change, and
//!   `afc` alone *is* first-fail. The branchings on first columns and rows do fail. In the published
//!   program all strategies share their statistics: one [`Packer`] for all of them, every order packed
//!   with each strategy before the next order, policies in the order in-order, size, afc, action,
//!   chb, the three sums, bl, bl-lb, pareto-bl, all, each with some and then every transform, each
//!   with the evaluations random, first, left, bottom, area, regret. (Reverse-regret must have been a
//!   run of its own: in the published table, afc with one alternative scores the same to the digit
//!   with every evaluation but that.)
//! - **Which updates.** [`Updates`](crate::paper::kernel::Updates) has those of the literature and those of
//!   Gecode, which differ; [`Scope::Published`] has the sums that the program really takes.
//! - **The order of propagation.** Domains at a fixpoint do not depend on it, so activity and
//!   conflict history without failures do not either. Which propagator finds a failure does, and so
//!   do the variables changed by then. The published cells of these heuristics can thus be
//!   approached, but only the very same solver would reproduce them; [`crate::paper::kernel::Solver`] states
//!   the order used here.

mod branching;
mod expression;
mod heuristic;
mod packing;
mod patch;
mod variables;

pub use expression::{placement_expression, usage_expression};
pub use heuristic::{Heuristic, Measure, Scope};
pub use packing::{Offer, OrderError, Packer, Root, Step};
pub use variables::{COLUMNS, Found, PlacementModel, Policy, model_square};
