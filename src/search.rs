//! Monte Carlo tree search for two players whose turns need not alternate.
//!
//! [`Model`] is what the search needs of a game; [`Search`] grows a tree of it by a [`Rule`].

mod budget;
mod mcts;
mod rule;
mod tree;

pub use budget::{Budget, Stop};
pub use mcts::{Candidate, Choice, Leaf, Model, Search, Settings, Value};
pub use rule::{Bound, Over, Rave, Rule, Widening};
