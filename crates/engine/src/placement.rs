//! Where to put a patch.
//!
//! A policy generates some of a patch's legal placements and an evaluation chooses among them; a [`Strategy`]
//! is one of each with a choice of transforms, written `policy/transforms/evaluation`. The input is a
//! [`Problem`] (a quilt, a shape, and the patches that may follow), the output a
//! [`Placement`](crate::game::Placement).
//!
//! ```
//! use patchwork_engine::board::{Quilt, ShapeId};
//! use patchwork_engine::placement::{Available, Problem, Scratch, Strategy};
//! use patchwork_engine::util::rng::stream;
//!
//! let problem = Problem::new(Quilt::EMPTY, ShapeId::of("..X/XXX"), Available::NONE);
//! let strategy: Strategy = "in-order/some/first".parse()?;
//! let placement = strategy.choose(&problem, &mut stream(&[1]), &mut Scratch::default());
//! let squares = placement.ok_or("an empty quilt has room")?.squares(problem.shape());
//! assert_eq!(squares.to_string(), "a1b1c1a2");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod alternatives;
mod candidates;
mod corners;
mod domains;
mod evaluations;
mod policies;
mod problem;
mod regret_parts;
mod square_counts;
mod strategy;

pub use alternatives::Alternatives;
pub use candidates::Candidates;
pub use corners::Corners;
pub use domains::{Domains, open_after, open_before, regrets, search_by_domain};
pub use evaluations::{EVALUATIONS, Evaluation, Remembered, Score, pattern_counts};
pub use policies::{POLICIES, Policy};
pub use problem::{Available, Problem};
pub use strategy::{Scratch, Strategy, Transforms};
