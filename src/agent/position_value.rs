//! Positions valued in whole numbers, for searches that compare them exactly.
//!
//! The value of a position that is not over is the logarithm of the odds that the position estimate
//! gives. A finished game is worth more than any estimate, and a larger margin is worth more.

use super::position_estimate::{estimate, log_odds, logistic};
use crate::game::{Player, Setup, State};

/// A won game is worth this and its margin; a lost one the negative.
const WON: i32 = 2_000_000;
/// Values from here on, and from its negative down, are proven.
pub(super) const PROVEN: i32 = WON - 1_000;
/// No estimate is larger.
pub(super) const MOST_ESTIMATE: i32 = 1_000_000;
/// Steps of a value for a factor of e in the odds.
const STEPS: f32 = 10_000.0;

/// The value of a finished game for this player.
pub(super) fn result(state: &State, player: Player) -> i32 {
    let outcome = state.outcome_unchecked();
    let margin = i32::from(outcome.margin(player));
    if outcome.winner == player {
        WON + margin
    } else {
        margin - WON
    }
}

/// The estimated value of a position that is not over for this player.
pub(super) fn guess(setup: &Setup, state: &State, player: Player) -> i32 {
    let odds = log_odds(estimate(setup, state), state);
    let steps = ((odds * STEPS) as i32).clamp(-MOST_ESTIMATE, MOST_ESTIMATE);
    match player {
        Player::First => steps,
        Player::Second => -steps,
    }
}

/// The value of any position for this player: the result or a guess.
pub(super) fn value(setup: &Setup, state: &State, player: Player) -> i32 {
    if state.is_over() {
        result(state, player)
    } else {
        guess(setup, state, player)
    }
}

/// The chance to win, 0 to 1, that belongs to a value.
pub(super) fn chance(value: i32) -> f32 {
    if value.abs() >= PROVEN {
        return f32::from(u8::from(value > 0));
    }
    logistic(value as f32 / STEPS)
}
