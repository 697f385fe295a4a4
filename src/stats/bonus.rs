//! The 7x7 bonus.

use schemars::JsonSchema;
use serde::Serialize;

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
    let of = |role| ends.of(role).bonuses;
    let (games, won) = (of(Role::First) + of(Role::Second), of(Role::Winner));
    let share = |part: u64, whole: u64| (whole > 0).then(|| part as f64 / whole as f64);
    Bonus {
        games,
        rate: share(games, ends.games),
        winner_rate: share(won, games),
    }
}
