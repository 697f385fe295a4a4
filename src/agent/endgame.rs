//! Exact search of the last plies: the winner under optimal play.

use std::time::Instant;

use crate::agent::equation1::by_gain;
use crate::game::{Action, LAST_SPACE, Placement, Player, Setup, State};

/// Positions with more than this many spaces left are not searched exactly.
pub(super) const SOLVABLE: u8 = 16;

/// Squares of the 7x7 area.
const AREA: usize = 49;

/// The winner if both play optimally, or `None` if finding out takes more than `most` positions.
///
/// Where the placement cannot affect the result, only one placement is tried: that is the case for
/// a player who ends on the last space when neither player can still fill a 7x7 area.
#[must_use]
pub fn winner(setup: &Setup, state: &State, most: u32) -> Option<Player> {
    let mut search = EndgameSearch {
        setup,
        left: most,
        until: None,
    };
    search.winner(state)
}

/// An action that wins if both play optimally. `None` if no action wins, or if the search needs
/// more than `most` positions or runs past `until`.
///
/// # Panics
/// If the game is over.
#[must_use]
pub fn winning_action(
    setup: &Setup,
    state: &State,
    most: u32,
    until: Option<Instant>,
) -> Option<Action> {
    let mut search = EndgameSearch {
        setup,
        left: most,
        until,
    };
    let mover = state.mover();
    let mut found = None;
    search.find(state, &mut |search, action, next| {
        let winner = search.winner(next)?;
        if winner == mover {
            found = Some(action);
        }
        Some(winner)
    });
    found
}

/// The sum of the spaces left to both tokens, 0 to 106.
#[must_use]
pub fn spaces_left(state: &State) -> u8 {
    2 * LAST_SPACE - state.space(Player::First) - state.space(Player::Second)
}

/// Positions between two readings of the clock: reading it costs as much as a few positions.
const BETWEEN_LOOKS: u32 = 128;

struct EndgameSearch<'a> {
    setup: &'a Setup,
    left: u32,
    until: Option<Instant>,
}

impl EndgameSearch<'_> {
    fn winner(&mut self, state: &State) -> Option<Player> {
        if state.is_over() {
            return Some(state.outcome_unchecked().winner);
        }
        self.left = self.left.checked_sub(1)?;
        if self.left.is_multiple_of(BETWEEN_LOOKS)
            && self.until.is_some_and(|until| Instant::now() >= until)
        {
            self.left = 0;
            return None;
        }
        self.find(state, &mut |search, _, next| search.winner(next))
    }

    /// Calls `ask` for the winner after each relevant action until the mover wins.
    fn find(
        &mut self,
        state: &State,
        ask: &mut dyn FnMut(&mut Self, Action, &State) -> Option<Player>,
    ) -> Option<Player> {
        let mover = state.mover();
        let mut wins = |search: &mut Self, action: Action| {
            let mut next = *state;
            next.play_unchecked(search.setup, action);
            Some(ask(search, action, &next)? == mover)
        };
        if state.specials_waiting() > 0 {
            let every = self.placements_matter(state, 1, state.space(mover));
            let free = state.quilt(mover).complement();
            for square in free.squares().take(if every { usize::MAX } else { 1 }) {
                if wins(self, Action::Special(square))? {
                    return Some(mover);
                }
            }
            return Some(mover.other());
        }
        let space = state.space(mover);
        for (_, patch) in by_gain(self.setup, state).into_iter().flatten() {
            let shape = patch.patch().shape();
            let size = shape.size() as usize;
            let arrival = LAST_SPACE.min(space + patch.patch().time_cost);
            let every = self.placements_matter(state, size, arrival);
            let most = if every { usize::MAX } else { 1 };
            for placement in Placement::all(shape, state.free_words()).take(most) {
                if wins(self, Action::Buy(patch, placement))? {
                    return Some(mover);
                }
            }
        }
        Some(if wins(self, Action::Advance)? {
            mover
        } else {
            mover.other()
        })
    }

    /// Whether the result can depend on where the mover places this many squares before it stands
    /// on `arrival`.
    fn placements_matter(&self, state: &State, squares: usize, arrival: u8) -> bool {
        if arrival < LAST_SPACE {
            return true;
        }
        let specials = state.specials_on_track() as usize + usize::from(state.specials_waiting());
        let covered = state.quilt(state.mover()).len() as usize;
        state.bonus().is_none() && covered + squares + specials >= AREA
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::rollout_player::{Picker, RolloutPlayer};
    use crate::game::Track;
    use crate::placement::{Scratch, Strategy};
    use crate::util::rng::stream;

    /// Every action of every position.
    fn by_everything(setup: &Setup, state: &State) -> Player {
        if state.is_over() {
            return state.outcome_unchecked().winner;
        }
        let mover = state.mover();
        let wins = state.legal_actions(setup).into_iter().any(|action| {
            let mut next = *state;
            next.play_unchecked(setup, action);
            by_everything(setup, &next) == mover
        });
        if wins { mover } else { mover.other() }
    }

    /// Late positions of games played with some random moves.
    fn late_positions(games: u64, spaces: u8) -> Vec<(Setup, State)> {
        let strategy: Strategy = "bl-lb/every/random".parse().expect("names");
        let player = RolloutPlayer::new(Picker::Softmax { temperature: 3.0 }, strategy);
        let mut found = Vec::new();
        for seed in 0..games {
            let mut rng = stream(&[seed, 77]);
            let setup = Setup::random(Track::ALL[seed as usize % 2], &mut rng);
            let mut state = State::new(&setup);
            let mut scratch = Scratch::default();
            while !state.is_over() {
                if spaces_left(&state) <= spaces && state.legal_actions(&setup).len() <= 40 {
                    found.push((setup.clone(), state));
                    break;
                }
                let action = player.action(&setup, &state, &mut rng, &mut scratch);
                state.play_unchecked(&setup, action);
            }
        }
        found
    }

    #[test]
    fn the_exact_search_agrees_with_trying_everything() {
        let positions = late_positions(60, 4);
        assert!(positions.len() > 40);
        let mut won_by = [0; 2];
        for (setup, state) in &positions {
            let expected = by_everything(setup, state);
            assert_eq!(winner(setup, state, u32::MAX), Some(expected));
            won_by[expected.index()] += 1;
            let action = winning_action(setup, state, u32::MAX, None);
            assert_eq!(action.is_some(), expected == state.mover());
            if let Some(action) = action {
                let next = state.try_play(setup, action).expect("legal");
                assert_eq!(by_everything(setup, &next), expected);
            }
        }
        assert!(won_by.iter().all(|&count| count > 5), "{won_by:?}");
    }

    #[test]
    fn it_gives_up_rather_than_take_too_long() {
        let (setup, state) = &late_positions(3, 30)[0];
        assert_eq!(winner(setup, state, 3), None);
        assert_eq!(winning_action(setup, state, 3, None), None);
    }
}
