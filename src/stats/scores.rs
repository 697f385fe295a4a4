//! Points at the end of games, and what they are made of.

use std::collections::BTreeMap;

use serde::Serialize;

use super::means::{seats, values};
use super::tally::GameTally;
use crate::board::Quilt;
use crate::game::{BONUS_7X7, Player};
use crate::rating::{deviation, mean};

/// Points at the end of a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Scores {
    /// Of either player.
    pub mean: Option<f64>,
    /// Standard deviation of either player's.
    pub sd: Option<f64>,
    /// Of the first player.
    pub first: Option<f64>,
    /// Of the second player.
    pub second: Option<f64>,
    /// Of the winner.
    pub winner: Option<f64>,
    /// Of the loser.
    pub loser: Option<f64>,
    /// The winner's minus the loser's.
    pub margin: Option<f64>,
    /// What the points are made of: of the first and the second player, the winner and the loser.
    pub composition: Vec<Composition>,
    /// How many players had so many points, for all points that somebody had, ascending.
    pub histogram: Vec<ScoreBin>,
    /// How many games were won by so many points, ascending.
    pub margins: Vec<MarginBin>,
}

/// Whose points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The player who moved first.
    First,
    /// The other one.
    Second,
    /// The player who won.
    Winner,
    /// The player who lost.
    Loser,
}

impl Role {
    /// Seats, then results.
    pub const ALL: [Self; 4] = [Self::First, Self::Second, Self::Winner, Self::Loser];

    /// `first`, `second`, `winner` or `loser`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Second => "second",
            Self::Winner => "winner",
            Self::Loser => "loser",
        }
    }

    fn seat(self, tally: &GameTally) -> usize {
        match self {
            Self::First => Player::First.index(),
            Self::Second => Player::Second.index(),
            Self::Winner => tally.winner.index(),
            Self::Loser => tally.winner.other().index(),
        }
    }
}

/// Mean points by where they come from; they add up to the score.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Composition {
    /// Whose.
    pub role: Role,
    /// All of them.
    pub points: Option<f64>,
    /// Buttons left.
    pub buttons: Option<f64>,
    /// Lost for empty squares, 2 each: 0 or less.
    pub squares: Option<f64>,
    /// Of the 7x7 area, 0 to 7.
    pub bonus: Option<f64>,
}

/// How many players had so many points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ScoreBin {
    /// How many points.
    pub points: i16,
    /// First players.
    pub first: u64,
    /// Second players.
    pub second: u64,
    /// Winners, of either seat.
    pub winner: u64,
    /// Losers, of either seat.
    pub loser: u64,
}

/// How many games were won by so many points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct MarginBin {
    /// The winner's points minus the loser's; 0 where the one who was there first won.
    pub margin: u16,
    /// Games.
    pub games: u64,
}

pub(super) fn scores(tallies: &[GameTally]) -> Scores {
    let score = |tally: &GameTally, seat: usize| f64::from(tally.scores[seat]);
    let by_seat = seats(tallies, score);
    let all: Vec<f64> = tallies
        .iter()
        .flat_map(|tally| [score(tally, 0), score(tally, 1)])
        .collect();
    let composition: Vec<_> = Role::ALL.map(|role| composition(tallies, role)).into();
    Scores {
        mean: by_seat.mean,
        sd: deviation(&all),
        first: by_seat.first,
        second: by_seat.second,
        winner: composition[2].points,
        loser: composition[3].points,
        margin: mean(&values(tallies, |tally| tally.margin(0).abs())),
        composition,
        histogram: histogram(tallies),
        margins: margins(tallies),
    }
}

fn composition(tallies: &[GameTally], role: Role) -> Composition {
    let of = |value: &dyn Fn(&GameTally, usize) -> f64| {
        mean(&values(tallies, |tally| value(tally, role.seat(tally))))
    };
    Composition {
        role,
        points: of(&|tally, seat| f64::from(tally.scores[seat])),
        buttons: of(&|tally, seat| f64::from(tally.buttons[seat])),
        squares: of(&|tally, seat| {
            2.0 * (f64::from(tally.covered[seat]) - f64::from(Quilt::FULL.len()))
        }),
        bonus: of(&|tally, seat| {
            let owns = tally.bonus.is_some_and(|owner| owner.index() == seat);
            if owns { f64::from(BONUS_7X7) } else { 0.0 }
        }),
    }
}

fn histogram(tallies: &[GameTally]) -> Vec<ScoreBin> {
    let mut counts: BTreeMap<i16, [u64; 4]> = BTreeMap::new();
    for tally in tallies {
        for (count, role) in Role::ALL.into_iter().enumerate() {
            counts.entry(tally.scores[role.seat(tally)]).or_default()[count] += 1;
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

fn margins(tallies: &[GameTally]) -> Vec<MarginBin> {
    let mut counts: BTreeMap<u16, u64> = BTreeMap::new();
    for tally in tallies {
        *counts
            .entry(tally.scores[0].abs_diff(tally.scores[1]))
            .or_default() += 1;
    }
    let bin = |(margin, games)| MarginBin { margin, games };
    counts.into_iter().map(bin).collect()
}
