//! Strength from results: Elo ratings with errors, point margins, sequential tests, and the
//! distributions and intervals behind them. It knows results, and no game.

mod comparison;
mod consistency;
pub mod distribution;
mod estimate;
mod margins;
mod matrix;
mod rated;
mod ratings;
pub mod sprt;

pub use comparison::Comparison;
pub(crate) use comparison::{comparisons, ranking};
pub use consistency::{Consistency, PairingFit, consistency};
pub(crate) use estimate::{Clusters, Outcomes, UNRELATED_PAIRS, deviation, mean};
pub use estimate::{Mean, Share};
pub(crate) use margins::rate_margins_on_setups;
pub use margins::{AgentMargin, MarginGame, MarginRatings, Margins, Points, rate_margins};
pub use rated::{NoRatings, Rated, RatedAgent, RatedSeat, ResultTable, TableError};
pub(crate) use ratings::rate_on_setups;
pub use ratings::{Anchor, Errors, Estimate, Game, Options, Prior, Rating, Ratings, rate};

/// The agent's name; a number for an index beyond the names, which a damaged record may hold.
pub(crate) fn name_of(names: &[String], agent: usize) -> String {
    names
        .get(agent)
        .cloned()
        .unwrap_or_else(|| format!("agent {agent}"))
}
