//! Playing: the schedule of a plan, the results so far, and the threads that play.

pub(super) mod game_check;
pub(super) mod pair_test;
pub mod play;
pub(super) mod players;
pub(super) mod results;
pub(super) mod runner;
pub(super) mod schedule;
