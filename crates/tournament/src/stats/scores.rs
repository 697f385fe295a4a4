//! Points at the end of games, and their composition.

use std::collections::BTreeMap;

use patchwork_engine::board::Quilt;
use patchwork_engine::game::{BONUS_7X7, Player};
use patchwork_engine::record::{GameFacts, Record};
use patchwork_rating::{deviation, mean};
use schemars::JsonSchema;
use serde::Serialize;

use super::means::per;
use super::statistics::POINTS;

/// Points at the end of a game.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Scores {
    /// Mean points per player.
    pub mean: Option<f64>,
    /// Standard deviation of the points per player.
    pub sd: Option<f64>,
    /// Mean of the winner's points minus the loser's.
    pub margin: Option<f64>,
    /// The composition of the points: of the first and second player, and of the winner and loser.
    pub composition: Vec<Composition>,
    /// Number of players by points, ascending; only scores that occurred.
    pub histogram: Vec<ScoreBin>,
    /// Number of games by winning margin in points, ascending.
    pub margins: Vec<MarginBin>,
}

/// The group of players that points belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The player who moved first.
    First,
    /// The player who moved second.
    Second,
    /// The player who won.
    Winner,
    /// The player who lost.
    Loser,
}

impl Role {
    /// All roles: seats, then results.
    pub const ALL: [Self; 4] = [Self::First, Self::Second, Self::Winner, Self::Loser];

    const fn player(self, winner: Player) -> Player {
        match self {
            Self::First => Player::First,
            Self::Second => Player::Second,
            Self::Winner => winner,
            Self::Loser => winner.other(),
        }
    }

    fn seat(self, game: &GameFacts) -> usize {
        self.player(game.winner).index()
    }
}

/// Mean points by source; the parts sum to the score.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Composition {
    /// The group of players.
    pub role: Role,
    /// [`POINTS`].
    #[schemars(description = POINTS.about)]
    pub points: Option<f64>,
    /// Mean points from remaining buttons.
    pub buttons: Option<f64>,
    /// Mean points for empty squares, -2 each: 0 or less.
    pub squares: Option<f64>,
    /// Mean points from the 7x7 area, 0 to 7.
    pub bonus: Option<f64>,
}

/// Number of players with one final score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ScoreBin {
    /// The score in points.
    pub points: i16,
    /// Number of first players with this score.
    pub first: u64,
    /// Number of second players with this score.
    pub second: u64,
    /// Number of winners with this score, in either seat.
    pub winner: u64,
    /// Number of losers with this score, in either seat.
    pub loser: u64,
}

/// Number of games with one winning margin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MarginBin {
    /// The winner's points minus the loser's; 0 if the player who reached the end first won a tie.
    pub margin: u16,
    /// Number of games with this margin.
    pub games: u64,
}

/// Sums over the games that were played to their end, for each of [`Role::ALL`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct EndSums {
    pub(super) games: u64,
    pub(super) buttons: [u64; Role::ALL.len()],
    /// Squares.
    pub(super) covered: [u64; Role::ALL.len()],
    /// The number of bonuses.
    pub(super) bonuses: [u64; Role::ALL.len()],
}

impl EndSums {
    pub(super) fn add(&mut self, record: &Record) {
        self.games += 1;
        for (i, role) in Role::ALL.into_iter().enumerate() {
            let player = role.player(record.winner);
            self.buttons[i] += u64::from(record.buttons[player.index()]);
            self.covered[i] += u64::from(record.covered[player.index()]);
            self.bonuses[i] += u64::from(record.bonus == Some(player));
        }
    }
}

pub(super) fn scores(games: &[GameFacts], ends: &EndSums) -> Scores {
    let all = games.iter().flat_map(|game| game.scores.map(f64::from));
    Scores {
        mean: mean(all.clone()),
        sd: deviation(all),
        margin: mean(games.iter().map(|game| game.margin(0).abs())),
        composition: Role::ALL.map(|role| composition(games, ends, role)).into(),
        histogram: histogram(games),
        margins: margins(games),
    }
}

fn composition(games: &[GameFacts], ends: &EndSums, role: Role) -> Composition {
    let of = |sums: [u64; Role::ALL.len()]| sums[role as usize] as f64;
    let points = |game: &GameFacts| f64::from(game.scores[role.seat(game)]);
    let all_squares = (u64::from(Quilt::FULL.len()) * ends.games) as f64;
    Composition {
        role,
        points: mean(games.iter().map(points)),
        buttons: per(of(ends.buttons), ends.games),
        squares: per(2.0 * (of(ends.covered) - all_squares), ends.games),
        bonus: per(f64::from(BONUS_7X7) * of(ends.bonuses), ends.games),
    }
}

fn histogram(games: &[GameFacts]) -> Vec<ScoreBin> {
    let mut counts: BTreeMap<i16, [u64; 4]> = BTreeMap::new();
    for game in games {
        for (count, role) in Role::ALL.into_iter().enumerate() {
            counts.entry(game.scores[role.seat(game)]).or_default()[count] += 1;
        }
    }
    let bin = |(points, [first, second, winner, loser]): (i16, [u64; 4])| ScoreBin {
        points,
        first,
        second,
        winner,
        loser,
    };
    counts.into_iter().map(bin).collect()
}

fn margins(games: &[GameFacts]) -> Vec<MarginBin> {
    let mut counts: BTreeMap<u16, u64> = BTreeMap::new();
    for game in games {
        *counts
            .entry(game.scores[0].abs_diff(game.scores[1]))
            .or_default() += 1;
    }
    let bin = |(margin, games)| MarginBin { margin, games };
    counts.into_iter().map(bin).collect()
}

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
