//! Tuning: the search for settings that make an agent stronger, under noise.
//!
//! A [`Space`] says which settings may change. A [`Tuner`] proposes candidates, is told their results, and
//! recommends one; it does not play games itself.
//!
//! A [`Tuning`] is a tuning file. A [`TuningArena`] plays the trials of a tuner and keeps their games. The
//! winner is proven in a match against the base.
//!
//! A result is a number from 0 to 1 for one ring: the mean over a pair of games, with seats swapped,
//! of the score or of a squashed margin.
//!
//! ```
//! use patchwork_tune::{Space, Tuner, TunerSettings};
//!
//! let space = Space::parse("style = [\"calm\", \"bold\"]")?;
//! let mut tuner = Tuner::new(space, TunerSettings::new(60, 1))?;
//! loop {
//!     let trials = tuner.ask();
//!     if trials.is_empty() {
//!         break;
//!     }
//!     // Here games would be played; the bold candidate wins more of them.
//!     let results = trials.iter().map(|trial| {
//!         let result = if trial.point.to_string().contains("bold") { 0.7 } else { 0.4 };
//!         vec![result; trial.rings.len()]
//!     });
//!     tuner.tell(results.collect())?;
//! }
//! let best = tuner.best().expect("there were trials");
//! assert!(best.point.to_string().contains("bold"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arena;
mod candidates;
mod design;
mod equal_time;
mod gaussian;
mod halving;
mod history;
mod importance;
mod landscape;
mod methods;
mod objective;
mod posterior;
mod protocol;
mod proving;
mod report;
mod space;
pub mod statistics;
mod tuner;
mod tuning;

pub use arena::TuningArena;
pub use design::{VarianceShares, variance_shares};
pub use history::History;
use importance::CHOICE;
pub use importance::{EffectRow, KeyRow, importance};
pub use methods::{SearchMethod, TunerSettings};
pub use protocol::{ArenaLine, Conversation};
pub use proving::SLOW;
use proving::{MatchResult, ProofResult, seconds_per_move};
pub use report::{
    BEST, ConvergenceRow, SearchResults, TuningCrew, TuningReport, conclude, search, write_tuning,
};
pub use space::{Point, Space, SpaceKey};
pub use tuner::{Recommendation, Stage, Trial, Tuner};
pub use tuning::{Tuning, tuning_schema};
