//! Random games for tests.

use crate::game::{Setup, State, Track};
use crate::record::{Entry, GameId, Ply, Record, Thought};
use crate::util::rng::stream;

pub(crate) const PAIRINGS: [(u16, u16); 3] = [(0, 1), (0, 2), (1, 2)];

pub(crate) fn names() -> Vec<String> {
    ["greedy", "mcts-bl-lb-every-regret", "random"]
        .map(String::from)
        .to_vec()
}

/// A round robin of the three agents, `pairs` pairs each. All play at random, but the first agent
/// seems to search.
pub(crate) fn tournament(pairs: u32) -> Vec<Entry> {
    let mut entries = Vec::new();
    for (pairing, (a, b)) in (0..).zip(PAIRINGS) {
        for pair in 0..pairs {
            for leg in 0..2 {
                let agents = if leg == 0 { [a, b] } else { [b, a] };
                entries.push(game(GameId { pairing, pair, leg }, agents));
            }
        }
    }
    entries
}

pub(crate) fn game(id: GameId, agents: [u16; 2]) -> Entry {
    let identity = [u64::from(id.pairing), u64::from(id.pair)];
    let setup = Setup::random(Track::Original, &mut stream(&identity));
    let mut rng = stream(&[identity[0], identity[1], u64::from(id.leg), 1]);
    let mut state = State::new(&setup);
    let (mut plies, mut nanos) = (Vec::new(), Vec::new());
    while !state.is_over() {
        let action = state.random_action(&setup, &mut rng);
        let searches = agents[state.mover().index()] == 0 && state.count_actions(&setup) > 1;
        let thought = Thought {
            iterations: if searches { 1000 } else { 0 },
            ..Thought::default()
        };
        plies.push(Ply::new(&setup, &state, action, thought));
        nanos.push(if searches { 50_000_000 } else { 20_000 });
        state.play_unchecked(&setup, action);
    }
    Entry {
        record: Record::new(id, agents, &setup, plies, &state),
        nanos,
    }
}
