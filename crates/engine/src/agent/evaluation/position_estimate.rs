//! The position estimate: the expected final margin of a position, computed without search or
//! playouts.
//!
//! It starts from a part that is certain: the current points, the current income at each income
//! space ahead, and the special patches waiting to be placed. The value of the rest of the track is
//! a sum of features with fitted coefficients. Each player has [`own_features`], whose weight is a
//! cubic in the number of spaces that the player has left and 0 when none are left. The
//! [`shared_features`] compare the players or depend on the mover. Swapping the seats negates the
//! estimate exactly, and the estimate of a finished game is exactly its margin.
//!
//! The coefficients come from `examples/fit_estimate.rs`: least squares on its games 0 to 3599 and
//! 6000 to 9599 (MCTS agents with 400 iterations, on both tracks, two thirds of the games with
//! random plies mixed in). The table shows the accuracy on the 207,249 positions of the other 4,800
//! games below 12,000, which were not used in the fit:
//!
//! | | R^2 of the margin | root mean square error | a won position above a lost one | Brier |
//! |---|---|---|---|---|
//! | points now | -0.33 | 15.95 | 0.717 | |
//! | estimate | 0.53 | 9.51 | 0.858 | 0.150 |

use crate::agent::evaluation::equation1::{GAIN_UNIT, gain};
use crate::board::{Quilt, SIDE};
use crate::game::{LAST_SPACE, Player, Setup, State, incomes_ahead};

/// Number of [`own_features`].
pub const OWN: usize = 10;
/// Number of [`shared_features`].
pub const SHARED: usize = 8;
/// Number of coefficients of each own feature: of t, t^2 and t^3, where t is the share of the track
/// left.
pub const POWERS: usize = 3;

/// The coefficients of t, t^2 and t^3 for each own feature.
#[rustfmt::skip]
const OWN_COEFFICIENTS: [[f32; POWERS]; OWN] = [
    [-21.788, 420.392, -492.143],
    [-0.704, 2.673, 0.094],
    [2.713, -29.217, 32.229],
    [-0.133, -0.251, 5.913],
    [-7.450, 18.349, -13.946],
    [7.067, -17.715, 10.983],
    [-4.487, 12.751, -8.230],
    [69.355, -339.895, 409.418],
    [-26.843, 162.076, -157.052],
    [2.603, 21.204, -27.048],
];

/// The coefficient of each shared feature.
#[rustfmt::skip]
const SHARED_COEFFICIENTS: [f32; SHARED] = [0.631, -0.100, 0.861, -2.537, -0.077, 0.593, 0.305, -0.603];

/// The scale of the logistic function: constant, linear and quadratic coefficients in the share of
/// the track left.
const WIN_SCALE: [f32; 3] = [2.609, 2.922, 2.883];

/// The weights of the own features by space.
static WEIGHTS: [[f32; OWN]; LAST_SPACE as usize + 1] = {
    let mut table = [[0.0; OWN]; LAST_SPACE as usize + 1];
    let mut space = 0;
    while space < LAST_SPACE {
        let left = time_left(space);
        let mut feature = 0;
        while feature < OWN {
            let [linear, square, cube] = OWN_COEFFICIENTS[feature];
            table[space as usize][feature] = left * (linear + left * (square + left * cube));
            feature += 1;
        }
        space += 1;
    }
    table
};

/// The share of the track left from a space on, 0 to 1: the t of the cubics.
pub const fn time_left(space: u8) -> f32 {
    (LAST_SPACE - space) as f32 / LAST_SPACE as f32
}

/// The expected final margin of the first player, in points. For a finished game, its margin.
#[inline]
pub fn estimate(setup: &Setup, state: &State) -> f32 {
    estimate_of(
        setup,
        state,
        Player::BOTH.map(|player| OwnPart::of(state, player)),
    )
}

/// The estimate of a position, given the players' own parts.
#[inline]
fn estimate_of(setup: &Setup, state: &State, [first, second]: [OwnPart; 2]) -> f32 {
    let certain = certain_between(state, first.certain, second.certain);
    if Player::BOTH.map(|player| state.space(player)) == [LAST_SPACE; 2] {
        return certain;
    }
    let shared: f32 = shared_features(setup, state)
        .iter()
        .zip(&SHARED_COEFFICIENTS)
        .map(|(a, b)| a * b)
        .sum();
    certain + (first.expected - second.expected) + shared
}

/// The contribution of a player's own quilt, buttons, income and space, and of whether the bonus has been
/// claimed. It changes only with this player's actions and with those that claim the bonus.
#[derive(Clone, Copy, Debug)]
struct OwnPart {
    /// Current points, and current income at all income spaces ahead.
    certain: i32,
    /// The weighted sum of [`own_features`].
    expected: f32,
}

impl OwnPart {
    #[inline]
    fn of(state: &State, player: Player) -> Self {
        let weights = &WEIGHTS[state.space(player) as usize];
        let features = own_features(state, player);
        let products = features.iter().zip(weights).map(|(a, b)| a * b);
        Self {
            certain: certain_points(state, player),
            expected: products.sum::<f32>(),
        }
    }
}

/// Estimates the positions after the actions of a position. The opponent's part is computed once for all of
/// them.
#[derive(Clone, Copy, Debug)]
pub(in crate::agent) struct AfterActions {
    mover: Player,
    bonus: Option<Player>,
    theirs: OwnPart,
}

impl AfterActions {
    pub(in crate::agent) fn new(before: &State) -> Self {
        let mover = before.mover();
        Self {
            mover,
            bonus: before.bonus(),
            theirs: OwnPart::of(before, mover.other()),
        }
    }

    /// The estimate of the position after an action, equal to that of [`estimate`].
    #[inline]
    pub(in crate::agent) fn estimate(&self, setup: &Setup, next: &State) -> f32 {
        let mine = OwnPart::of(next, self.mover);
        let theirs = if next.bonus() == self.bonus {
            self.theirs
        } else {
            OwnPart::of(next, self.mover.other())
        };
        let parts = match self.mover {
            Player::First => [mine, theirs],
            Player::Second => [theirs, mine],
        };
        estimate_of(setup, next, parts)
    }
}

/// A player's current points, and the current income at all income spaces ahead.
#[inline]
fn certain_points(state: &State, player: Player) -> i32 {
    let income = i32::from(state.income(player)) * incomes_ahead(state.space(player)) as i32;
    i32::from(state.score(player)) + income
}

/// The first player's margin if neither player bought or advanced again: current points, current income at
/// all income spaces ahead, and the waiting special patches.
#[inline]
pub fn certain_margin(state: &State) -> f32 {
    let [first, second] = Player::BOTH.map(|player| certain_points(state, player));
    certain_between(state, first, second)
}

/// The certain margin, given the players' certain points.
#[inline(always)]
fn certain_between(state: &State, first: i32, second: i32) -> f32 {
    let waiting = 2 * i32::from(state.specials_waiting());
    let waiting = match state.mover() {
        Player::First => waiting,
        Player::Second => -waiting,
    };
    (first - second + waiting) as f32
}

/// The features of one player: 1, buttons, income, free squares, their square / 81, pairs of
/// adjacent free squares, free 2x2 blocks, closeness to an unclaimed 7x7 area and its square,
/// income times free squares / 81.
///
/// The closeness falls from 1 to 0 as the number of squares missing in the fullest 7x7 area rises
/// from 0 to 16.
#[inline]
pub fn own_features(state: &State, player: Player) -> [f32; OWN] {
    let facts = FreeSquares::of(state.quilt(player));
    let free = facts.count as f32;
    let income = f32::from(state.income(player));
    let close = match state.bonus() {
        None => 16u32.saturating_sub(facts.missing) as f32 / 16.0,
        Some(_) => 0.0,
    };
    [
        1.0,
        f32::from(state.buttons(player)),
        income,
        free,
        free * free / 81.0,
        facts.pairs as f32,
        facts.blocks as f32,
        close,
        close * close,
        income * free / 81.0,
    ]
}

/// The features that involve both players: who is nearer to the next special patch; and, with the
/// sign of the mover: 1, whether the tokens share a space, the share of the track left, the largest
/// gain in points over advancing among the patches on offer (equation 1 times its spaces), the same
/// per space, and both of these times the share of the track left.
#[inline]
pub fn shared_features(setup: &Setup, state: &State) -> [f32; SHARED] {
    let mover = state.mover();
    let [mine, theirs] = [mover, mover.other()].map(|player| state.space(player));
    let (mut points, mut rate) = (0, 0);
    if mine < LAST_SPACE {
        for patch in state.affordable(setup) {
            let above = i32::from(gain(patch, mine) - GAIN_UNIT);
            let spaces = patch.patch().time_cost.min(LAST_SPACE - mine);
            points = points.max(above * i32::from(spaces));
            rate = rate.max(above);
        }
    }
    let sign = match mover {
        Player::First => 1.0,
        Player::Second => -1.0,
    };
    let points = points as f32 / f32::from(GAIN_UNIT);
    let rate = (rate as f32 / f32::from(GAIN_UNIT)).min(8.0);
    let left = time_left(mine);
    let nearer = state.next_special().map_or(0, |special| {
        let near = |space: u8| 12i32.saturating_sub(i32::from(special - space)).max(0);
        near(mine) - near(theirs)
    });
    [
        sign * nearer as f32 / 12.0,
        sign,
        if mine == theirs { sign } else { 0.0 },
        sign * left,
        sign * points,
        sign * rate,
        sign * points * left,
        sign * rate * left,
    ]
}

/// The first player's win probability, 0 to 1, for this expected margin. For a finished game 1 or
/// 0, according to its result.
#[inline]
pub fn win_chance(margin: f32, state: &State) -> f32 {
    if state.is_over() {
        return f32::from(u8::from(state.outcome_unchecked().winner == Player::First));
    }
    logistic(log_odds(margin, state))
}

/// The log-odds of a win by the first player for this expected margin: the margin divided by a
/// scale that shrinks as the game proceeds.
#[inline]
pub(crate) fn log_odds(margin: f32, state: &State) -> f32 {
    margin / win_scale(state.spaces_left())
}

/// The mover's margin for which [`win_chance`] gives this chance to win, above 0 and below 1.
pub fn margin_of_chance(chance: f32, state: &State) -> f32 {
    libm::logf(chance / (1.0 - chance)) * win_scale(state.spaces_left())
}

/// The probability with these log-odds.
#[inline]
pub fn logistic(log_odds: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-log_odds))
}

/// The margin in points that corresponds to odds of e to 1 when this many spaces are left to both
/// players together.
const fn win_scale(left: u8) -> f32 {
    let left = left as f32 / (2 * LAST_SPACE) as f32;
    WIN_SCALE[0] + left * (WIN_SCALE[1] + left * WIN_SCALE[2])
}

/// Properties of the uncovered squares of a quilt.
pub(super) struct FreeSquares {
    pub(in crate::agent) count: u32,
    /// Pairs of adjacent free squares.
    pairs: u32,
    /// Free 2x2 blocks, which may overlap.
    blocks: u32,
    /// The smallest number in any 7x7 area.
    pub(in crate::agent) missing: u32,
}

/// Counts for each 9-bit row, packed one per byte: squares, squares in columns 0 to 6, 1 to 7 and 2
/// to 8, adjacent pairs. The sum of each over all rows stays below 256.
static ROWS: [u64; 1 << SIDE] = {
    let mut table = [0; 1 << SIDE];
    let mut row = 0u64;
    while row < 1 << SIDE {
        let parts = [row, row & 0x7f, row & 0xfe, row & 0x1fc, row & row >> 1];
        let mut part = 0;
        while part < parts.len() {
            table[row as usize] |= (parts[part].count_ones() as u64) << (8 * part);
            part += 1;
        }
        row += 1;
    }
    table
};

const BYTE: u64 = 0xff;

impl FreeSquares {
    #[inline(always)]
    pub(in crate::agent) fn of(covered: Quilt) -> Self {
        let bits = covered.complement().bits();
        let row = |r: usize| (bits >> (SIDE * r)) as usize & ((1 << SIDE) - 1);
        let rows: [u64; SIDE] = std::array::from_fn(|r| ROWS[row(r)]);
        let both: u64 = (0..SIDE - 1).map(|r| ROWS[row(r) & row(r + 1)]).sum();
        let top: u64 = rows[..7].iter().sum();
        let middle = top - rows[0] + rows[7];
        let bottom = middle - rows[1] + rows[8];
        let all = bottom + rows[0] + rows[1];
        let least = |area: u64| {
            (area >> 8 & BYTE)
                .min(area >> 16 & BYTE)
                .min(area >> 24 & BYTE)
        };
        Self {
            count: (all & BYTE) as u32,
            pairs: ((all >> 32 & BYTE) + (both & BYTE)) as u32,
            blocks: (both >> 32 & BYTE) as u32,
            missing: least(top).min(least(middle)).min(least(bottom)) as u32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;
    use crate::testing::{random_games, random_plies, setup_and_rng};
    use proptest::prelude::*;

    #[test]
    fn swapping_the_players_turns_the_sign() {
        random_games(40, |setup, state| {
            let (here, there) = (estimate(setup, state), estimate(setup, &state.swapped()));
            assert!(here.is_finite());
            assert_eq!(here, -there);
            let chances = win_chance(here, state) + win_chance(there, &state.swapped());
            assert!((chances - 1.0).abs() < 1e-6, "{chances}");
        });
    }

    #[test]
    fn estimates_after_actions_are_those_of_the_positions() {
        random_games(10, |setup, state| {
            let after = AfterActions::new(state);
            for action in state.legal_actions(setup) {
                let next = state.try_play(setup, action).expect("legal");
                assert_eq!(after.estimate(setup, &next), estimate(setup, &next));
            }
        });
    }

    #[test]
    fn a_finished_game_is_known_exactly() {
        let mut finished = 0;
        random_games(40, |setup, state| {
            let Some(outcome) = state.outcome() else {
                return;
            };
            finished += 1;
            let margin = estimate(setup, state);
            assert_eq!(margin, f32::from(outcome.margin(Player::First)));
            let won = outcome.winner == Player::First;
            assert_eq!(win_chance(margin, state), f32::from(u8::from(won)));
        });
        assert_eq!(finished, 40);
    }

    #[test]
    fn a_larger_margin_is_a_better_chance_and_more_so_later() {
        random_games(4, |_, state| {
            if !state.is_over() {
                let chances = [-30.0, -3.0, 0.0, 3.0, 30.0].map(|m| win_chance(m, state));
                assert!(chances.is_sorted_by(|a, b| a < b), "{chances:?}");
                assert_eq!(chances[2], 0.5);
            }
        });
        assert!((0..2 * LAST_SPACE).all(|left| win_scale(left) < win_scale(left + 1)));
    }

    /// When little is left to gain, the certain part is nearly everything.
    #[test]
    fn the_estimate_is_near_the_margin_just_before_the_end() {
        let (mut count, mut squares) = (0.0, 0.0);
        for game in 0..200 {
            let (setup, mut rng) = setup_and_rng(game);
            let mut late = Vec::new();
            let end = random_plies(&setup, &mut rng, |state, _, _| {
                if Player::BOTH.iter().all(|&player| state.space(player) >= 50) {
                    late.push(estimate(&setup, state));
                }
            });
            let margin = f32::from(end.outcome_unchecked().margin(Player::First));
            squares += late
                .iter()
                .map(|guess| (guess - margin).powi(2))
                .sum::<f32>();
            count += late.len() as f32;
        }
        assert!(count > 100.0);
        let error = (squares / count).sqrt();
        assert!(error < 4.0, "{error} points");
    }

    proptest! {
        #[test]
        fn facts_of_free_squares_agree_with_counting(a in any::<u128>(), b in any::<u128>(), c in any::<u128>()) {
            let covered = Quilt::from_bits(a & (b | c));
            let facts = FreeSquares::of(covered);
            let free = |column: usize, row: usize| {
                column < SIDE && row < SIDE && !covered.contains(Square::at(column, row))
            };
            let all = || (0..SIDE).flat_map(|row| (0..SIDE).map(move |column| (column, row)));
            let count = |what: &dyn Fn(usize, usize) -> bool| all().filter(|&(c, r)| what(c, r)).count();
            prop_assert_eq!(facts.count as usize, count(&free));
            let pairs = count(&|c, r| free(c, r) && free(c + 1, r)) + count(&|c, r| free(c, r) && free(c, r + 1));
            prop_assert_eq!(facts.pairs as usize, pairs);
            let block = |c, r| free(c, r) && free(c + 1, r) && free(c, r + 1) && free(c + 1, r + 1);
            prop_assert_eq!(facts.blocks as usize, count(&block));
            let area = |left: usize, top: usize| {
                let squares = (0..49).map(|i| (left + i % 7, top + i / 7));
                squares.filter(|&(c, r)| free(c, r)).count()
            };
            let least = (0..9).map(|i| area(i % 3, i / 3)).min();
            prop_assert_eq!(Some(facts.missing as usize), least);
        }
    }
}
