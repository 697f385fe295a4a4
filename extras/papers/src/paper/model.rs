//! The paper's placement model (section 4) in constraints, with its policies as searches.
//!
//! It computes what [`patchwork_engine::placement`] computes, more slowly and by other means, so that each verifies
//! the other. The learning heuristics need propagators that prune and fail, so they exist only here:
//! [`Packer`] packs orders with them.
//!
//! ```
//! use patchwork_engine::board::ShapeId;
//! use patchwork_papers::paper::model::{ModelPolicy, PlacementModel};
//! use patchwork_engine::placement::Transforms;
//!
//! let mut model = PlacementModel::new(&[ShapeId::of("XX"), ShapeId::of(".X/XX")]);
//! model.require(0)?;
//! let mut found = Vec::new();
//! model.generate(0, ModelPolicy::BottomLeft, Transforms::Every, &mut found);
//! let squares: Vec<String> = found
//!     .iter()
//!     .map(|found| found.placement.squares(ShapeId::of("XX")).to_string())
//!     .collect();
//! assert_eq!(squares, ["a1b1", "a1a2"]);
//! # Ok::<(), patchwork_kernel::Failure>(())
//! ```
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
//!   separate run: in the published table, afc with one alternative scores the same to the digit
//!   with every evaluation but that.)
//! - **Which updates.** [`Updates`](patchwork_kernel::Updates) has those of the literature and
//!   those of Gecode, which differ; [`HeuristicScope::Published`] has the sums that the program takes.
//! - **The order of propagation.** Domains at a fixpoint do not depend on it, so activity and
//!   conflict history without failures do not either. Which propagator finds a failure does, and so
//!   do the variables changed by then. The published cells of these heuristics can thus be
//!   approached, but only the very same solver would reproduce them; [`patchwork_kernel::ConstraintSolver`] states
//!   the order used here.

mod expression;
mod heuristic;
mod packer;
mod patch;
mod policy;
mod variables;

pub use expression::COLUMNS;
pub use heuristic::{Heuristic, HeuristicMeasure, HeuristicScope};
pub use packer::Packer;
pub use policy::{Found, ModelPolicy};
pub use variables::PlacementModel;
