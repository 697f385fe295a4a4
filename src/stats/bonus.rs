//! The 7x7 bonus.

use patchwork_engine::game::Player;
use schemars::JsonSchema;
use serde::Serialize;

use super::tally::GameTally;

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

pub(super) fn bonus(tallies: &[GameTally]) -> Bonus {
    let owners: Vec<(Player, Player)> = tallies
        .iter()
        .filter_map(|tally| tally.bonus.map(|owner| (owner, tally.winner)))
        .collect();
    let won = owners
        .iter()
        .filter(|(owner, winner)| owner == winner)
        .count();
    let share = |part: usize, whole: usize| (whole > 0).then(|| part as f64 / whole as f64);
    Bonus {
        games: owners.len() as u64,
        rate: share(owners.len(), tallies.len()),
        winner_rate: share(won, owners.len()),
    }
}
