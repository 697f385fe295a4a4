//! Time management: divides the time for a game among its decisions.

use std::time::Duration;

use crate::game::{LAST_SPACE, State};

/// Mean number of spaces that a decision moves a token: 53 spaces in 21 or 22 plies.
const SPACES_A_DECISION: f64 = 2.5;

/// The share of the decisions to come for which time is kept. A search ends once its choice is decided, often early, above
/// all late in a game: with a share of 0.7, two fifths of the time are never spent (`docs/search.md`). Early decisions
/// also matter for longer.
const KEPT: f64 = 0.25;

/// Reserved at each decision for work outside the search.
const RESERVE: Duration = Duration::from_micros(500);

/// Time for the mover's decision with this time left in the game; never more than that.
pub(super) fn allot(left: Duration, state: &State) -> Duration {
    let spaces = LAST_SPACE - state.space(state.mover());
    let decisions = 1.0 + KEPT * f64::from(spaces) / SPACES_A_DECISION;
    left.saturating_sub(RESERVE).div_f64(decisions)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Action;
    use crate::support::positions::setup;

    #[test]
    fn the_time_lasts_for_the_game() {
        let setup = setup(1);
        let mut state = State::new(&setup);
        let time = Duration::from_secs(10);
        let mut given = Duration::ZERO;
        // Moving one space per turn gives as many decisions as a game can have.
        while !state.is_over() {
            given += allot(time - given, &state);
            let action = state.legal_actions(&setup).pop().unwrap_or(Action::Advance);
            state.play_unchecked(&setup, action);
        }
        assert!(given <= time);
        assert!(given > time / 2, "{given:?} of {time:?}");
    }
}
