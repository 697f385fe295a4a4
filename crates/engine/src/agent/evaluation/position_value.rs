//! Integer values of positions, for searches that compare them exactly.
//!
//! The value of an unfinished position is the log-odds of winning given by the position estimate. A
//! finished game has a greater absolute value than any estimate, and larger margins have larger
//! values.

use super::estimator::Estimator;
use super::position_estimate::{log_odds, logistic};
use crate::game::{Player, Setup, State};

/// A win is worth this plus its margin; a loss the negative.
const WON: i32 = 2_000_000;
/// Absolute values of this or more are proven.
pub(in crate::agent) const PROVEN: i32 = WON - 1_000;
/// The largest absolute value of an estimate.
pub(in crate::agent) const MAX_ESTIMATE: i32 = 1_000_000;
/// Value units per unit of log-odds (a factor of e in the odds).
const STEPS: f32 = 10_000.0;

/// The value of a finished game for this player.
pub(in crate::agent) fn result(state: &State, player: Player) -> i32 {
    let outcome = state.outcome_unchecked();
    let margin = i32::from(outcome.margin(player));
    if outcome.winner == player {
        WON + margin
    } else {
        margin - WON
    }
}

/// The estimated value of an unfinished position for this player.
pub(in crate::agent) fn guess(
    estimator: &mut Estimator,
    setup: &Setup,
    state: &State,
    player: Player,
) -> i32 {
    let odds = log_odds(estimator.margin(setup, state), state);
    let steps = ((odds * STEPS) as i32).clamp(-MAX_ESTIMATE, MAX_ESTIMATE);
    match player {
        Player::First => steps,
        Player::Second => -steps,
    }
}

/// The value of any position for this player: its result or its estimate.
pub(in crate::agent) fn value(
    estimator: &mut Estimator,
    setup: &Setup,
    state: &State,
    player: Player,
) -> i32 {
    if state.is_over() {
        result(state, player)
    } else {
        guess(estimator, setup, state, player)
    }
}

/// The win probability, 0 to 1, for a value.
pub(in crate::agent) fn chance(value: i32) -> f32 {
    if value.abs() >= PROVEN {
        return f32::from(u8::from(value > 0));
    }
    logistic(value as f32 / STEPS)
}
