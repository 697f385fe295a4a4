use proptest::prelude::*;

use super::*;
use crate::game::Player;
use crate::record::play_through;
use crate::testing::{random_plies, setup_and_rng};
use crate::util::rng::{Rng, below};

/// A thought of any kind.
fn thought(rng: &mut Rng) -> Thought {
    if below(3, rng) == 0 {
        return Thought::default();
    }
    Thought {
        iterations: [0, 7, 1000, u32::MAX][below(4, rng) as usize],
        value: (below(2, rng) == 0).then_some(0.37),
        proven: (below(3, rng) == 0).then_some(below(2, rng) == 0),
        tree: (below(2, rng) == 0).then_some(TreeFacts {
            nodes: below(100_000, rng),
            mean_depth: 2.25,
            max_depth: u16::MAX,
            entropy: 0.1,
        }),
    }
}

/// A random game, with or without thoughts; every fourth has a komi.
fn entry(seed: u64, thinks: bool) -> Entry {
    let (setup, mut rng) = setup_and_rng(seed);
    let komi = if seed % 4 == 3 {
        1 + (seed % 99) as u8
    } else {
        0
    };
    let rules = Rules::with_komi(setup.track(), komi).expect("small");
    entry_of(&Setup::new(rules, *setup.ring()), &mut rng, thinks)
}

fn entry_of(setup: &Setup, rng: &mut Rng, thinks: bool) -> Entry {
    let (mut plies, mut nanos) = (Vec::new(), Vec::new());
    let end = random_plies(setup, rng, |state, action, rng| {
        let thought = if thinks {
            thought(rng)
        } else {
            Thought::default()
        };
        plies.push(Ply::new(setup, state, action, thought));
        nanos.push(300 + u64::from(below(1 << below(20, rng), rng)));
    });
    Entry {
        record: Record::new(GameId::default(), [0, 0], setup, plies, &end, None),
        nanos,
        extras: Extras::default(),
    }
}

/// The game cut after some plies, as if the player to move had lost by a fault.
fn lost(whole: &Entry, plies: usize) -> Entry {
    let setup = &whole.record.setup;
    let kept = whole.record.plies[..plies].to_vec();
    let mut state = State::new(setup);
    for ply in &kept {
        state.play_unchecked(setup, ply.action);
    }
    let end = Termination {
        loser: state.mover(),
        reason: FaultReason::Crash,
    };
    Entry {
        record: Record::new(GameId::default(), [0, 0], setup, kept, &state, Some(end)),
        nanos: whole.nanos[..plies].to_vec(),
        extras: Extras::default(),
    }
}

/// The numbers of the actions of a game.
fn numbers(entry: &Entry) -> Vec<u16> {
    let Record { setup, plies, .. } = &entry.record;
    let mut state = State::new(setup);
    let number = |ply: &Ply| {
        let number = state.numbered_actions(setup).number(ply.action).unwrap();
        state.play_unchecked(setup, ply.action);
        number as u16
    };
    plies.iter().map(number).collect()
}

#[test]
fn games_come_back() {
    for seed in 0..60 {
        for thinks in [false, true] {
            let entry = entry(seed, thinks);
            let mut bytes = pack(&entry).unwrap();
            assert_eq!(pack_played(&entry, &numbers(&entry)).as_ref(), Some(&bytes));
            let length = bytes.len();
            bytes.extend([0xFF; 9]);
            let back = unpack(&bytes).unwrap();
            assert_eq!(back.game, entry);
            assert_eq!((back.by_fault, back.length), (false, length));
            assert_eq!(unpack_setup(&bytes), Ok(entry.record.setup));
        }
    }
}

#[test]
fn a_game_without_thoughts_takes_few_bytes() {
    let sizes = (0..100).map(|seed| pack(&entry(seed, false)).unwrap().len());
    let mean = sizes.sum::<usize>() / 100;
    assert!((90..160).contains(&mean), "{mean} bytes");
}

#[test]
fn lost_games_come_back_without_the_reason() {
    let whole = entry(3, true);
    for plies in [0, 1, whole.record.plies.len() - 1] {
        let mut entry = lost(&whole, plies);
        let back = unpack(&pack(&entry).unwrap()).unwrap();
        let end = entry.record.termination.take().unwrap();
        assert_eq!(back.game, entry);
        assert!(back.by_fault && back.game.record.winner == end.loser.other());
    }
}

#[test]
fn times_of_any_size_come_back() {
    for times in [[0; 2], [u64::MAX; 2], [0, u64::MAX], [1, 2]] {
        let mut entry = entry(5, false);
        for (i, time) in entry.nanos.iter_mut().enumerate() {
            *time = times[i % 2];
        }
        assert_eq!(unpack(&pack(&entry).unwrap()).unwrap().game, entry);
    }
}

#[test]
fn what_is_not_a_legal_game_is_not_packed() {
    let good = entry(4, true);
    let changed = |change: &dyn Fn(&mut Entry)| {
        let mut entry = good.clone();
        change(&mut entry);
        pack(&entry)
    };
    assert!(changed(&|_| ()).is_some());
    assert!(changed(&|entry| entry.record.plies[3].legal += 1).is_none());
    assert!(changed(&|entry| entry.record.plies[3].space += 1).is_none());
    assert!(changed(&|entry| entry.record.plies.swap(0, 9)).is_none());
    assert!(changed(&|entry| entry.record.scores[0] += 1).is_none());
    assert!(changed(&|entry| entry.nanos.clear()).is_none());
    let unfinished = |entry: &mut Entry| {
        entry.record.plies.pop();
        entry.nanos.pop();
    };
    assert!(changed(&unfinished).is_none());
    let mut numbers = numbers(&good);
    assert_eq!(pack_played(&good, &numbers[1..]), None);
    numbers.push(0);
    assert_eq!(pack_played(&good, &numbers), None);
    for loser in Player::BOTH {
        let reason = FaultReason::Time;
        let ended =
            |entry: &mut Entry| entry.record.termination = Some(Termination { loser, reason });
        assert!(changed(&ended).is_none());
    }
}

#[test]
fn bytes_that_are_not_a_game_are_refused_with_a_sentence() {
    let entry = entry(6, true);
    let bytes = pack(&entry).unwrap();
    for length in 0..bytes.len() {
        let error = unpack(&bytes[..length]).unwrap_err();
        assert_eq!(error, "the packed game is cut off", "{length} bytes");
    }
    let of = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = bytes.clone();
        change(&mut bytes);
        unpack(&bytes).unwrap_err()
    };
    let mut komi = bytes.clone();
    // Seven bits of the number of plies, then seven of a komi of 0.
    komi[0] |= 0xf8;
    komi[1] = 0x03;
    komi[2] &= 0xfe;
    let komi = unpack(&komi).unwrap_err();
    assert_eq!(komi, "a komi of 0; expected 1 to 99");
    // The flag of a fault, the number of plies, and the first patch.
    assert_eq!(
        of(&|bytes| bytes[0] ^= 2),
        "it ends by a fault after its end"
    );
    assert_eq!(of(&|bytes| bytes[0] ^= 16), "it has no end");
    let ring = of(&|bytes| bytes[1] ^= 4);
    assert!(ring.contains("comes twice"), "{ring}");
}

proptest! {
    #[test]
    fn changed_bytes_give_a_legal_game_or_an_error(
        seed in 0u64..50,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let mut bytes = pack(&entry(seed, true)).unwrap();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Ok(found) = unpack(&bytes) {
            let mut record = found.game.record;
            if found.by_fault {
                let loser = record.winner.other();
                record.termination = Some(Termination { loser, reason: FaultReason::Time });
            }
            prop_assert!(play_through(&record).is_ok());
        }
    }

    #[test]
    fn actions_are_numbered_in_the_order_in_which_they_are_visited(seed in 0u64..200) {
        let (setup, mut rng) = setup_and_rng(seed);
        random_plies(&setup, &mut rng, |state, _, _| {
            let (all, numbered) = (state.legal_actions(&setup), state.numbered_actions(&setup));
            assert_eq!(numbered.count() as usize, all.len());
            for (number, &action) in (0..).zip(&all) {
                assert_eq!(numbered.action(number), Some(action));
                assert_eq!(numbered.number(action), Some(number));
            }
            assert_eq!(numbered.action(all.len() as u32), None);
        });
    }
}
