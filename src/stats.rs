//! Statistics of finished games, live or saved: they read records and nothing else.
//!
//! [`Summary::new`] is the whole of it for a tournament; [`rate`] rates results of any source.
//! Nothing here depends on the order in which games finished.

mod estimate;
#[cfg(test)]
pub(crate) mod fixture;
mod matrix;
mod measure;
mod ratings;
mod summary;
mod tally;
mod thinking;

pub use estimate::{Mean, Share};
pub(crate) use measure::name_of;
pub use ratings::{Errors, Estimate, Game, Rating, Ratings, rate};
pub use summary::{
    Bonus, Branching, Buying, FirstPlayer, Lengths, Pairing, Phase, PhaseBranching, Plies, Scores,
    Seats, Standing, Summary,
};
pub use thinking::{AgentThinking, Calibration, CalibrationBin, Thinking, Times, Trees};
