//! Statistics of finished games, live or saved.
//!
//! The input is records, in any order; the output is a [`Summary`], which is also the JSON report.
//! Each statistic has its own file with its value type and its computation from per-game tallies.
//! The summary combines them.
//!
//! ```
//! use patchwork_tournament::stats::Summary;
//!
//! let names = ["one".to_owned(), "two".to_owned()];
//! let summary = Summary::new(&names, &[(0, 1)], &[]);
//! assert_eq!((summary.games, summary.pairings.len()), (0, 1));
//! ```

mod branching;
mod first_player;
mod highlights;
mod means;
mod pairings;
mod pairs;
mod patches;
mod rings;
mod scores;
mod sizes;
mod standings;
pub mod statistics;
mod summary;
mod sweep;
mod swings;
mod tally;
mod thinking;
mod whole_games;

pub use branching::{PlyClass, PlyClassOf};
pub use first_player::{FirstPlayer, SeatAdvantage};
pub use highlights::Highlights;
pub use pairings::Pairing;
pub use patches::PatchUse;
pub use rings::{ChanceFrom, RingBias, RingEffect, RingStatistics, RingTable};
pub use scores::{Bonus, Composition, MarginBin, Role, ScoreBin, Scores};
pub use sizes::{GameSize, GameSizeOf, LengthBin};
pub use standings::Standing;
pub use summary::{Summary, TerminationCount};
pub use sweep::{
    BestValue, SweepEffects, SweptCell, SweptKey, SweptKeyPair, SweptValue, ValueText,
};
pub use swings::{Swing, marked_swings, swings};
pub use thinking::{AgentThinking, Times, Trees};
pub(crate) use whole_games::GameRead;
pub use whole_games::RunningStatistics;
