#![doc = include_str!("../README.md")]
#![warn(missing_debug_implementations)]

mod allocation;
mod batched;
mod choice;
mod game;
mod meter;
mod parallel;
mod part;
mod pick;
mod playout;
mod select;
mod settings;
mod settings_error;
mod tree;
mod tree_search;
mod walker;

#[cfg(test)]
mod tests;

pub use allocation::{Allocator, MixPriors, RootAllocation, RootTally};
pub use batched::BatchedSearch;
pub use choice::{ActionTally, FinalChoice};
pub use game::{GameRules, Guidance, Leaf, MoveSet, Side, Value};
pub use meter::{Clock, Meter, Stop};
pub use part::{BY, PartInfo, PartKey, SearchPart, Selected};
pub use pick::{Pick, Picker, PlayoutOption};
pub use playout::{
    Playout, PlayoutBuilder, PlayoutMove, PlayoutPolicy, PlayoutResult, PlayoutTurn,
};
pub use select::{SelectionNode, SelectionRule};
pub use settings::{ActionChoice, ActionRule, RootShares, Settings, Widening};
pub use settings_error::SettingsError;
pub use tree::node::{Candidate, Extra, LANES, Quad, VisitForm};
pub use tree::{MAX_VISITS, TreeSize};
pub use tree_search::{Choice, Search};
pub use walker::Depth;
