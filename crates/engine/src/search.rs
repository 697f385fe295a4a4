//! Monte Carlo tree search for any game of two players, whose turns come in any order.
//!
//! In: a game, that is, its [`GameRules`] and the [`Guidance`] through it, and the [`Settings`]. A
//! [`Search`] grows a tree, by one thread or several, within a [`Budget`]. Out: a [`Choice`], what
//! is known of each action ([`Candidate`]), and the principal variation.
//!
//! # Example
//! Nim: who takes the last of the matches wins; a move takes one to three.
//!
//! ```
//! use patchwork_engine::search::{
//!     Budget, Guidance, Leaf, GameRules, Search, Settings, Side, Stop, Value,
//! };
//!
//! struct Nim;
//!
//! #[derive(Clone, Copy)]
//! struct Matches {
//!     left: u32,
//!     mover: Side,
//! }
//!
//! impl GameRules for Nim {
//!     type Position = Matches;
//!     type Action = u32;
//!
//!     fn is_over(&self, position: &Matches) -> bool {
//!         position.left == 0
//!     }
//!
//!     fn mover(&self, position: &Matches) -> Side {
//!         position.mover
//!     }
//!
//!     fn play(&self, position: &mut Matches, taken: u32) {
//!         position.left -= taken;
//!         position.mover = position.mover.other();
//!     }
//! }
//!
//! impl Guidance for Nim {
//!     fn expand(&mut self, position: &Matches, actions: &mut Vec<(u32, f32)>) -> bool {
//!         actions.extend((1..=position.left.min(3)).map(|taken| (taken, 1.0)));
//!         true
//!     }
//!
//!     fn evaluate(&mut self, position: &Matches) -> Leaf {
//!         match position.left {
//!             0 => Leaf::won_by(position.mover.other()),
//!             _ => Leaf::estimate(Value::for_first(0.5)),
//!         }
//!     }
//! }
//!
//! let mut search = Search::new(Nim, Settings::default());
//! let start = Matches { left: 10, mover: Side::First };
//! let choice = search.decide(&start, Budget::Iterations(1000), &Stop::new());
//! assert_eq!(choice.best.action, 2);
//! assert_eq!(search.winner(), Some(Side::First));
//! ```

mod backup;
mod batched;
mod budget;
mod candidate;
mod game;
mod index;
mod moment;
mod node;
mod parallel;
mod part;
mod prefetch;
mod recycle;
mod select;
mod settings;
mod shared_vec;
mod tree;
mod tree_search;
mod walker;

#[cfg(test)]
mod tests;

pub use batched::BatchedSearch;
pub(crate) use budget::budget_key;
pub use budget::{Budget, Meter, Stop};
pub use candidate::Candidate;
pub use game::{GameRules, Guidance, Leaf, MoveSet, Side, Value};
pub use settings::{Rule, Settings, Widening};
pub use tree::{MOST_VISITS, TreeSize};
pub use tree_search::{Choice, Search};
pub use walker::Depth;
