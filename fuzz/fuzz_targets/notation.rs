//! Actions, lists of them, rings and squares: what is read is written and read again as the same, and a move is legal if
//! and only if it is among the legal actions.
#![cfg_attr(not(test), no_main)]

use patchwork_engine::board::Square;
use patchwork_engine::game::{Action, ActionList, Ring, Setup, State, Track};

const RING: &str =
    "2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 1";

#[cfg(not(test))]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check(bytes));

pub(crate) fn check(bytes: &[u8]) {
    let text = bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    if let Ok(square) = text.parse::<Square>() {
        assert_eq!(square.to_string(), text);
    }
    if let Ok(ring) = text.parse::<Ring>() {
        assert_eq!(ring.to_string().parse(), Ok(ring));
    }
    if let Ok(action) = text.parse::<Action>() {
        assert_eq!(action.to_string().parse::<Action>().ok(), Some(action));
    }
    whole_game(text.as_bytes());
    let Ok(actions) = text.parse::<ActionList>() else {
        return;
    };
    let again: ActionList = actions.to_string().parse().expect("what was written");
    assert_eq!(again.0, actions.0);
    let setup = Setup::new(Track::Original, RING.parse().expect("a ring"));
    let mut state = State::new(&setup);
    for &action in &actions.0 {
        let played = state.try_play(&setup, action);
        assert_eq!(
            played.is_ok(),
            state.legal_actions(&setup).contains(&action)
        );
        match played {
            Ok(next) => state = next,
            Err(_) => return,
        }
    }
}

/// Each byte chooses among the legal actions, so that late positions are reached, too.
fn whole_game(choices: &[u8]) {
    let setup = Setup::new(Track::Revised, RING.parse().expect("a ring"));
    let mut state = State::new(&setup);
    for &choice in choices.iter().take(100) {
        let legal = state.legal_actions(&setup);
        if legal.is_empty() {
            return;
        }
        let action = legal[usize::from(choice) * legal.len() / 256];
        let written = action.to_string();
        assert_eq!(written.parse::<Action>().ok(), Some(action), "{written}");
        state = state.try_play(&setup, action).expect("legal");
    }
}
