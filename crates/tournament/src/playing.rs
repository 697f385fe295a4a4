//! Playing: the schedule of a plan, the results so far, and who plays.

mod absence;
pub(super) mod executor;
pub(super) mod pair_test;
pub mod play;
pub(super) mod players;
pub(super) mod results;
pub(super) mod schedule;
pub(super) mod state;
