//! What a decision may cost, in the units of all kinds of agents ([`Budget`]), and the tree search of `patchwork-search`.
//!
//! # Example
//! ```
//! use patchwork_engine::search::{Budget, Stop};
//!
//! let stop = Stop::new();
//! let meter = Budget::of_units("milliseconds", 100).expect("a unit").meter(&stop);
//! assert!(meter.has_time());
//! stop.set();
//! assert!(!meter.has_time());
//! ```

mod budget;

pub use patchwork_search::{
    ActionChoice, ActionRule, BY, BatchedSearch, Candidate, Choice, Clock, Depth, FinalChoice,
    GameRules, Guidance, Leaf, MAX_VISITS, Meter, MoveSet, PartKey, Pick, Picker, Playout,
    PlayoutMove, PlayoutOption, PlayoutPolicy, PlayoutResult, PlayoutTurn, RootAllocation,
    RootShares, Search, SearchPart, Selected, SelectionRule, Settings, SettingsError, Side, Stop,
    TreeSize, Value, Widening,
};
pub(crate) use patchwork_search::{search_settings, settings_of};

pub use budget::Budget;
pub(crate) use budget::budget_key;
