//! The paper's placement model (section 4), written in constraints, and the policies as branchings.
//!
//! It says the same as [`crate::placement`], more slowly and in another language, so each is a
//! witness for the other. And it is where the learning heuristics live, which need propagators that
//! prune and fail: [`Packer`] plays the packing experiment with them.

mod branching;
mod expression;
mod heuristic;
mod packing;
mod patch;
mod variables;

pub use expression::{placement_expression, usage_expression};
pub use heuristic::{Heuristic, Measure, Scope};
pub use packing::{LearningPacker, Offer, OrderError, Packer, Root, Step};
pub use variables::{COLUMNS, Found, PlacementModel, Policy, model_square};
