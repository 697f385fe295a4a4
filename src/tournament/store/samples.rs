//! Games for the tests: short lists of random ones.

use crate::game::{Setup, State, Track};
use crate::record::{Entry, GameId, Ply, Record, Thought, TreeFacts};
use crate::util::rng::{below, stream};

/// A random game; the same for the same seed.
pub(super) fn entry(seed: u32) -> Entry {
    let mut rng = stream(&[u64::from(seed)]);
    let setup = Setup::random(Track::ALL[seed as usize % 2], &mut rng);
    let mut state = State::new(&setup);
    let (mut plies, mut nanos) = (Vec::new(), Vec::new());
    while !state.is_over() {
        let action = state.random_action(&setup, &mut rng);
        let thought = Thought {
            iterations: below(1000, &mut rng),
            value: (below(2, &mut rng) == 0).then_some(0.25),
            proven: (below(4, &mut rng) == 0).then_some(true),
            tree: (below(2, &mut rng) == 0).then_some(TreeFacts {
                nodes: below(1000, &mut rng),
                mean_depth: 2.5,
                max_depth: 7,
                entropy: 1.25,
            }),
        };
        plies.push(Ply::new(&setup, &state, action, thought));
        nanos.push(below(1_000_000, &mut rng).into());
        state = state.try_play(&setup, action).unwrap();
    }
    let id = GameId {
        pairing: seed,
        pair: seed / 2,
        leg: (seed % 2) as u8,
    };
    Entry {
        record: Record::new(id, [0, 1], &setup, plies, &state),
        nanos,
    }
}

pub(super) fn entries(count: u32) -> Vec<Entry> {
    (0..count).map(entry).collect()
}
