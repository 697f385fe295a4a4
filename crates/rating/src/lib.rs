//! Ratings of agents from the results of their games: Elo with errors and the first player's advantage,
//! strengths in points, the consistency of pairings, sequential tests, and the means, shares and
//! intervals behind them.
//!
//! The input is [`RatedGame`]s with agents given by index, or [`sprt::PairCounts`]. The output is
//! [`Estimate`]s. The crate does not depend on the rules of the game.
//!
//! ```
//! use patchwork_rating::{Errors, RatedGame, rate};
//!
//! // Agent 0 wins three games in four, from either seat.
//! let games: Vec<RatedGame> = (0..80_u64)
//!     .map(|i| RatedGame {
//!         cluster: i / 2,
//!         first: (i % 2) as usize,
//!         second: 1 - (i % 2) as usize,
//!         score: ((i % 2 == 0) == (i / 2 % 4 > 0)).into(),
//!     })
//!     .collect();
//! let ratings = rate(&games, 2, Errors::Clustered);
//! let ahead = ratings.difference(0, 1).expect("they met");
//! assert!(ahead.low > Some(0.0) && ratings.superiority(0, 1) > Some(0.99));
//! ```

mod clusters;
mod comparison;
mod consistency;
mod correlations;
mod cycles;
pub mod distribution;
mod efficiency;
mod elo;
mod estimate;
mod game;
mod graph;
mod likelihood;
mod logistic;
mod margins;
mod matrix;
mod names;
mod ranks;
mod recession;
mod regression;
mod share;
mod spread;
pub mod sprt;

pub use clusters::mean_of_strata;
pub use clusters::{Clusters, deviation, mean, mean_of_clusters};
pub use comparison::Comparison;
pub use comparison::{comparisons, ranking};
pub use consistency::{Consistency, PairingFit, consistency, consistency_each};
pub use cycles::Cycle;
pub use elo::{Anchor, Errors, Options, Rating, RatingPrior, Ratings, rate, rate_each};
pub use estimate::Estimate;
pub use estimate::keys;
pub use game::MarginGame;
pub use game::{GameScore, RatedGame};
pub use graph::{count as group_count, groups};
pub use logistic::SCALE;
pub use margins::{AgentMargin, Margins};
pub use margins::{MarginRatings, rate_margins, rate_margins_each};
pub use names::name_of;
pub use ranks::{RANK_ALPHA, RankRange, SEQUENTIAL_RANK_ALPHA, rank_ranges};
pub use regression::{RegressionRow, least_squares};
pub use share::{ClusteredHits, Share, UNRELATED_PAIRS};
