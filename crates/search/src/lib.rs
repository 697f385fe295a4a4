#![doc = include_str!("../README.md")]

mod allocation;
mod backup;
mod batch;
mod batched;
mod choice;
mod game;
mod memory;
mod meter;
mod node;
mod parallel;
mod part;
mod pick;
mod playout;
mod select;
mod settings;
mod shared_vec;
mod tree;
mod tree_search;
mod walker;

#[cfg(test)]
mod tests;

pub use allocation::{Allocator, RootAllocation, RootTally};
pub use batched::BatchedSearch;
pub use choice::{ActionTally, FinalChoice};
pub use game::{GameRules, Guidance, Leaf, MoveSet, Side, Value};
pub use meter::{Clock, Meter, Stop};
pub use node::Candidate;
pub use part::{PartInfo, PartKey, SearchPart, Selected};
pub use pick::{Dice, Pick, Picker, PlayoutOption};
pub use playout::{Playout, PlayoutMove, PlayoutPolicy, PlayoutResult, PlayoutTurn};
pub use settings::{Rule, Settings, Widening};
pub use tree::{MOST_VISITS, TreeSize};
pub use tree_search::{Choice, Search};
pub use walker::Depth;
