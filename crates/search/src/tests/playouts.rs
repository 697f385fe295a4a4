//! Playout policies, and the paths that they are told.

use super::games::*;

#[test]
fn a_playout_is_told_the_path_from_the_root() {
    let game = || Endless {
        root: Some(1),
        ..ENDLESS
    };
    for settings in all_settings().into_iter().chain(all_batches()) {
        let mut search = Search::parallel([game(), game()], settings).expect("searchable");
        let _ = search.decide(&1, &iterations(3000));
        assert_eq!(search.game().inner > 0, settings.batch > 1, "{settings:?}");
        search.advance(true);
        assert_eq!(search.game().advanced, 1);
        let mut search = Search::parallel([game(), game()], settings).expect("searchable");
        let _ = search.decide_together(&1, &iterations(3000));
    }
}

fn policy(name: &str, given: &[(&str, f64)]) -> Box<dyn Playout> {
    let policy: Selected<PlayoutPolicy> = part(name, given);
    (policy.part().build)(policy.values(), 4)
}

const fn turn(side: Side, progress: u8) -> PlayoutTurn {
    PlayoutTurn { side, progress }
}

const fn made(side: Side, kind: u16) -> PlayoutMove {
    PlayoutMove {
        turn: turn(side, 0),
        kind,
    }
}

/// The kind that a policy prefers among three that are worth nothing otherwise.
fn preferred(policy: &mut dyn Playout, trace: &[PlayoutMove], turn: PlayoutTurn) -> usize {
    let mut options = [0, 1, 2].map(|kind| PlayoutOption { kind, worth: 0.0 });
    policy.weigh(trace, turn, &mut options, &Picker::GREEDY);
    Picker::GREEDY.draw(&options, || unreachable!("nothing is random"))
}

const fn result(first: f64, margin: f32) -> PlayoutResult {
    PlayoutResult {
        value: Value::for_first(first),
        margin,
    }
}

#[test]
fn moves_that_win_rise_for_the_side_that_made_them() {
    for policy_name in ["mast", "nst"] {
        let mut policy = policy(policy_name, &[("keep", 0.5)]);
        assert_eq!(preferred(&mut *policy, &[], turn(First, 0)), 0);
        for _ in 0..20 {
            policy.observe(&[made(First, 2), made(Second, 2)], &result(1.0, 1.0));
            policy.observe(&[made(First, 1), made(Second, 1)], &result(0.0, -30.0));
        }
        for _ in 0..2 {
            assert_eq!(preferred(&mut *policy, &[], turn(First, 0)), 2);
            assert_eq!(preferred(&mut *policy, &[], turn(Second, 0)), 1);
            policy.keep(0);
        }
        policy.clear();
        assert_eq!(preferred(&mut *policy, &[], turn(First, 0)), 0);
    }
}

#[test]
fn margins_and_phases_are_told_apart() {
    let mut by_margin = policy("mast", &[("scale", 20.0)]);
    let mut by_win = policy("mast", &[("scale", 0.0)]);
    for policy in [&mut by_margin, &mut by_win] {
        for _ in 0..20 {
            policy.observe(&[made(First, 1)], &result(1.0, 1.0));
            policy.observe(&[made(First, 1)], &result(0.0, -1.0));
            policy.observe(&[made(First, 2)], &result(0.0, -2.0));
            policy.observe(&[made(First, 2)], &result(1.0, 40.0));
            policy.observe(&[made(First, 1)], &result(1.0, 1.0));
            policy.observe(&[made(First, 2)], &result(0.0, -1.0));
        }
    }
    assert_eq!(preferred(&mut *by_margin, &[], turn(First, 0)), 2);
    assert_eq!(preferred(&mut *by_win, &[], turn(First, 0)), 1);
    let mut phases = policy("mast", &[("phases", 2.0)]);
    let late = |kind| PlayoutMove {
        turn: turn(First, 200),
        kind,
    };
    for _ in 0..20 {
        phases.observe(&[made(First, 1), late(2)], &result(1.0, 1.0));
        phases.observe(&[made(First, 2), late(1)], &result(0.0, -1.0));
    }
    assert_eq!(preferred(&mut *phases, &[], turn(First, 127)), 1);
    assert_eq!(preferred(&mut *phases, &[], turn(First, 128)), 2);
}

#[test]
fn replies_are_learned_by_sequences() {
    let replies = |name, least: f64| {
        let mut policy = policy(name, &[("least", least)][..usize::from(name == "nst")]);
        for _ in 0..20 {
            for (before, good, bad) in [(0, 1, 2), (3, 2, 1)] {
                policy.observe(
                    &[made(Second, before), made(First, good)],
                    &result(1.0, 1.0),
                );
                policy.observe(
                    &[made(Second, before), made(First, bad)],
                    &result(0.0, -1.0),
                );
            }
        }
        [0, 3].map(|before| preferred(&mut *policy, &[made(Second, before)], turn(First, 0)))
    };
    assert_eq!(replies("nst", 7.0), [1, 2]);
    // Without enough results of the sequences, and with single moves, both replies are alike.
    assert_eq!(replies("nst", 1000.0), [0, 0]);
    assert_eq!(replies("mast", 0.0), [0, 0]);
}

#[test]
fn what_was_learned_has_its_weight() {
    for (name, points) in [("mast", 0.0), ("nst", 0.0), ("mast", 4.0), ("nst", 4.0)] {
        let mut policy = policy(name, &[("points", points)]);
        for i in 0..200_u8 {
            let kind = u16::from(i % 3);
            policy.observe(&[made(First, kind)], &result(f64::from(kind) / 2.0, 0.0));
        }
        let picker = Picker::softmax(2.0);
        let worth = picker.worth(1.5, 1.0);
        let mut options = [0, 2].map(|kind| PlayoutOption { kind, worth });
        policy.weigh(&[], turn(First, 0), &mut options, &picker);
        let ratio = options[1].worth / options[0].worth;
        let expected = (points as f32 / 2.0).exp();
        // The mean counts as some results.
        assert!(
            ratio <= expected && ratio >= expected.powf(0.8),
            "{name} {ratio}"
        );
        assert!(points > 0.0 || options[0].worth.to_bits() == worth.to_bits());
    }
}
