//! The 7x7 bonus.

use schemars::JsonSchema;
use serde::Serialize;

use super::means::per;
use super::scores::{EndSums, Role};

/// The 7 points for the first completely filled 7x7 area.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Bonus {
    /// Number of games in which a player got the bonus.
    pub games: u64,
    /// Share of all games, 0 to 1.
    pub rate: Option<f64>,
    /// Share of those games won by the player with the bonus, 0 to 1.
    pub winner_rate: Option<f64>,
}

pub(super) fn bonus(ends: &EndSums) -> Bonus {
    let of = |role: Role| ends.bonuses[role as usize];
    let (games, won) = (of(Role::First) + of(Role::Second), of(Role::Winner));
    Bonus {
        games,
        rate: per(games as f64, ends.games),
        winner_rate: per(won as f64, games),
    }
}
