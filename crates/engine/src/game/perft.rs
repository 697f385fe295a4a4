//! Perft: how many sequences of actions there are, the usual check of an action generator.

use super::setup::Setup;
use super::state::State;

/// Number of sequences of exactly `depth` legal actions from this state.
#[must_use]
pub fn perft(setup: &Setup, state: &State, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => u64::from(state.count_actions(setup)),
        _ => {
            let mut total = 0;
            state.for_each_action(setup, |action| {
                let mut next = *state;
                next.play_unchecked(setup, action);
                total += perft(setup, &next, depth - 1);
            });
            total
        }
    }
}
