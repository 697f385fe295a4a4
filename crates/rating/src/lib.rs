#![doc = include_str!("../README.md")]
//!
//! The input is [`RatedGame`]s with agents given by index, or [`sprt::PairCounts`]. The output is
//! [`Estimate`]s.

mod clusters;
mod comparison;
mod consistency;
mod correlations;
pub mod distribution;
mod draws;
mod elo;
mod estimate;
mod game;
mod graph;
mod likelihood;
mod logistic;
mod matrix;
mod recession;
mod regression;
mod setups;
mod share;
mod spread;
pub mod sprt;
pub mod statistic;
mod watched;

pub use clusters::{Clusters, deviation, mean, mean_of_clusters};
pub use comparison::{Comparison, RANK_ALPHA, RankRange, SEQUENTIAL_RANK_ALPHA, SomeComparisons};
pub use comparison::{comparisons, rank_ranges, ranking, some_comparisons};
pub use consistency::{
    Consistency, INCONSISTENT, MIN_EXPECTED, PairingFit, consistency, consistency_by,
};
pub use elo::{Anchor, Errors, Options, Rating, RatingPrior, Ratings, rate, rate_by};
pub use estimate::Estimate;
pub use game::MarginGame;
pub use game::{GameScore, RatedGame, name_of};
pub use graph::{count as group_count, groups};
pub use logistic::SCALE;
pub use regression::{RegressionRow, least_squares};
pub use statistic::{Estimation, Statistic};
pub use watched::anytime_ratings;
