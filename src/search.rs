//! Monte Carlo tree search for two players whose turns need not alternate.
//!
//! [`Model`] is what the search needs of a game; [`Search`] grows a tree of it.

mod budget;
mod mcts;
mod tree;

pub use budget::{Budget, Stop};
pub use mcts::{Choice, Model, Search, Value};
