//! How the report's agents rate a position.

use patchwork_engine::util::rng::{Rng, below};
use patchwork_search::{GameRules as _, Side};

use crate::game::{LINES, MAX, Position, Ultimate, index};

/// Points of a won game.
const WIN: f64 = 10_000.0;
/// Cells in the corners of a board.
const CORNERS: u16 = 0b101_000_101;
/// A weight that the next criterion never outweighs: there are fewer than 73 lines.
const NEXT: f64 = 100.0;

/// The evaluations of the report's agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Evaluation {
    /// 500 for two in a row, 100 for a prevention; the opponent's win is worth nothing.
    Offensive,
    /// 100 for two in a row, 500 for a prevention.
    Defensive,
    /// Like offensive, but board by board, and the opponent's win counts.
    Designed,
    /// Wins and losses.
    Simple,
    /// The mean result of random games.
    MonteCarlo {
        /// Games for each position.
        games: u32,
    },
}

/// The numbers of lines with two of `own` and one empty cell, and of lines with two enemy marks that `own`
/// blocks.
fn twos_and_preventions(own: u16, enemy: u16) -> (f64, f64) {
    let (mut twos, mut preventions) = (0, 0);
    for line in LINES {
        match ((own & line).count_ones(), (enemy & line).count_ones()) {
            (2, 0) => twos += 1,
            (1, 2) => preventions += 1,
            _ => {}
        }
    }
    (f64::from(twos), f64::from(preventions))
}

fn corners(own: u16) -> f64 {
    f64::from((own & CORNERS).count_ones())
}

impl Evaluation {
    /// The rating from the point of view of `side`: higher is better.
    pub(crate) fn rate(
        self,
        game: Ultimate,
        position: &Position,
        side: Side,
        rng: &mut Rng,
    ) -> f64 {
        let winner = game.winner(position);
        match self {
            Self::Offensive | Self::Defensive if game.extra => {
                self.rate_extra(position, winner, side)
            }
            Self::Offensive | Self::Defensive => {
                if winner == Some(side) {
                    return WIN;
                }
                let (two, prevention) = match self {
                    Self::Offensive => (500.0, 100.0),
                    _ => (100.0, 500.0),
                };
                let lines = |board| {
                    let (twos, preventions) = lines(position, side, board);
                    two * twos + prevention * preventions
                };
                let sum: f64 = (0..9).map(lines).sum();
                if sum > 0.0 {
                    return sum;
                }
                position.marks[index(side)]
                    .iter()
                    .map(|&own| 30.0 * corners(own))
                    .sum()
            }
            Self::Designed => match winner {
                Some(winner) if winner == side => WIN,
                Some(_) => -WIN,
                None => (0..9)
                    .map(|board| {
                        let (twos, preventions) = lines(position, side, board);
                        let sum = 500.0 * twos + 100.0 * preventions;
                        if sum > 0.0 {
                            sum
                        } else {
                            30.0 * corners(position.marks[index(side)][board])
                        }
                    })
                    .sum(),
            },
            Self::Simple => sign(winner, side),
            Self::MonteCarlo { games } => {
                let results = (0..games).map(|_| sign(playout(game, *position, rng), side));
                results.sum::<f64>() / f64::from(games)
            }
        }
    }

    /// The longer game: wins, then claimed boards and twos, in the agent's order.
    fn rate_extra(self, position: &Position, winner: Option<Side>, side: Side) -> f64 {
        let of = |side: Side| {
            let claimed = position.claimed[0] | position.claimed[1];
            let open = (0..9).filter(|board| claimed >> board & 1 == 0);
            let twos: f64 = open.map(|board| lines(position, side, board).0).sum();
            (f64::from(position.claimed[index(side)].count_ones()), twos)
        };
        let ((boards, twos), (enemy_boards, enemy_twos)) = (of(side), of(side.other()));
        let [first, second, third, fourth] = match self {
            Self::Defensive => [-enemy_boards, boards, -enemy_twos, twos],
            _ => [boards, -enemy_boards, twos, -enemy_twos],
        };
        let rest = ((first * NEXT + second) * NEXT + third) * NEXT + fourth;
        NEXT * NEXT * NEXT * NEXT * NEXT * sign(winner, side) + rest
    }
}

fn lines(position: &Position, side: Side, board: usize) -> (f64, f64) {
    let (own, enemy) = (index(side), index(side.other()));
    twos_and_preventions(position.marks[own][board], position.marks[enemy][board])
}

fn sign(winner: Option<Side>, side: Side) -> f64 {
    winner.map_or(0.0, |winner| if winner == side { 1.0 } else { -1.0 })
}

/// Plays random moves to the end.
pub(crate) fn playout(game: Ultimate, mut position: Position, rng: &mut Rng) -> Option<Side> {
    loop {
        if let Some(winner) = game.winner(&position) {
            return Some(winner);
        }
        let count = game.moves(&position).count() as u32;
        if count == 0 {
            return None;
        }
        let chosen = below(count, rng) as usize;
        let mark = game.moves(&position).nth(chosen)?;
        game.play(&mut position, mark);
    }
}

/// The sign of a rating in the report's lists: max's points are positive, min's negative.
pub(crate) fn as_printed(rating: f64, side: Side) -> f64 {
    if side == MAX { rating } else { -rating }
}
