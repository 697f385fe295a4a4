//! Strength from results: Elo ratings with errors, point margins, sequential tests, and the
//! distributions and intervals behind them. It knows results, and no game.

mod clusters;
mod comparison;
mod consistency;
pub mod distribution;
mod estimate;
mod margins;
mod matrix;
mod rated;
mod ratings;
mod share;
pub mod sprt;

pub(crate) use clusters::{Clusters, deviation, mean};
pub use clusters::{mean_of_clusters, mean_of_strata};
pub use comparison::Comparison;
pub(crate) use comparison::{comparisons, ranking};
pub use consistency::{Consistency, PairingFit, consistency};
pub use estimate::Estimate;
pub(crate) use estimate::keys;
pub(crate) use margins::rate_margins_on_setups;
pub use margins::{AgentMargin, MarginGame, MarginRatings, Margins, rate_margins};
pub use rated::{NoRatings, Rated, RatedAgent, RatedSeat, ResultTable, TableError};
pub(crate) use ratings::rate_on_setups;
pub use ratings::{Anchor, Errors, Game, Options, Prior, Rating, Ratings, rate};
pub use share::Share;
pub(crate) use share::{ClusteredHits, UNRELATED_PAIRS};

/// The agent's name; a number for an index beyond the names, which a damaged record may hold.
pub(crate) fn name_of(names: &[String], agent: usize) -> String {
    names
        .get(agent)
        .cloned()
        .unwrap_or_else(|| format!("agent {agent}"))
}
