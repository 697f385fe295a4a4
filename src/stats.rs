//! Statistics of finished games, live or saved: they read records and nothing else.
//!
//! [`rate`] rates results of any source.
//! Nothing here depends on the order in which games finished.

mod estimate;
mod matrix;
mod ratings;

pub use estimate::{Mean, Share};
pub use ratings::{Errors, Estimate, Game, Rating, Ratings, rate};
