//! What a search decides.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::games::*;

#[test]
fn values_belong_to_sides_and_not_to_depths() {
    let (search, choice) = decide(explicit(NO_ALTERNATION), Settings::default(), 0, 4000);
    assert_eq!((choice.best.action, choice.iterations), (2, 4000));
    let value = choice.best.chance;
    assert!((value - 0.7).abs() < 0.03, "{value}");
    let left = search.candidates(&[])[0].value;
    assert!(
        left < 0.45,
        "{left}: the second side is left the good replies"
    );
}

#[test]
fn the_second_side_maximises_its_own_result() {
    let game = explicit(nodes!(Second [1, 2, 3]; 0.9, 0.3, 0.5));
    let (_, choice) = decide(game, Settings::default(), 0, 300);
    assert_eq!(choice.best.action, 2);
    assert!((choice.best.chance - 0.7).abs() < 1e-6);
}

#[test]
fn every_action_is_tried_once_before_any_is_tried_again() {
    let (search, _) = decide(explicit(RESULTS), Settings::default(), 0, 3);
    assert_eq!(visits(&search), [1, 1, 1]);
}

#[test]
fn the_kept_tree_knows_what_the_old_one_knew() {
    let (mut search, _) = decide(explicit(NO_ALTERNATION), Settings::default(), 0, 500);
    let before = visits(&search)[1];
    search.advance(2);
    // The first visit ended in a rollout, before there were edges.
    assert_eq!(visits(&search).iter().sum::<u32>(), before - 1);
    let choice = search.decide(&2, &iterations(50));
    assert_eq!((choice.best.action, choice.iterations), (6, 50));
    search.advance(99);
    assert!(
        visits(&search).is_empty(),
        "an unknown action leaves nothing"
    );
}

#[test]
fn a_single_action_is_not_searched() {
    let game = explicit(nodes!(First [1]; 0.9));
    let (_, choice) = decide(game, Settings::default(), 0, 300);
    assert_eq!((choice.best.action, choice.iterations), (1, 0));
    assert_eq!(choice.best.visits, 0);
}

#[test]
fn stopping_and_running_out_of_time_end_a_search() {
    // Each look at the clock takes a tenth of a millisecond, however fast the machine is.
    static LOOKS: AtomicU64 = AtomicU64::new(0);
    let clock = || Duration::from_micros(100 * LOOKS.fetch_add(1, Ordering::Relaxed));
    let stop = Stop::new();
    let time = Duration::from_millis(5);
    for threads in [1, 2] {
        let games = || vec![explicit(NO_ALTERNATION); threads];
        let stop = Stop::new();
        let mut search = Search::parallel(games(), Settings::default()).expect("searchable");
        assert!(
            search
                .decide(&0, &Meter::time(time, clock, &stop))
                .iterations
                > 1
        );
        stop.set();
        let mut search = Search::parallel(games(), Settings::default()).expect("searchable");
        let choice = search.decide(&0, &Meter::iterations(u32::MAX, &stop));
        assert!(choice.iterations < 100);
    }
    assert!(!stop.is_set());
}

#[test]
fn every_rule_finds_the_best_action_without_alternation() {
    for settings in all_settings() {
        let (search, choice) = decide(explicit(NO_ALTERNATION), settings, 0, 4000);
        assert_eq!(
            (choice.best.action, choice.iterations),
            (2, 4000),
            "{settings:?}"
        );
        assert_eq!(visits(&search).iter().sum::<u32>(), 4000, "{settings:?}");
        let line: Vec<usize> = search.line().map(|one| one.action).collect();
        assert_eq!(line[..2], [2, 6], "{settings:?}");
    }
}

#[test]
fn a_game_with_extra_turns_is_solved_with_all_settings() {
    let reference: Vec<Side> = (0..14)
        .map(|left| solve(&mut ExtraTurns::default(), &Matches { left, mover: First }))
        .collect();
    for settings in all_settings() {
        for (transpositions, nodes) in [(false, 1 << 20), (true, 1 << 20), (false, 60), (true, 10)]
        {
            let settings = with!(settings => transpositions, nodes);
            for (threads, left) in [(1, 2), (1, 4), (1, 9), (1, 12), (1, 13), (3, 12), (3, 13)] {
                let case = format!("{left} matches, {threads} threads, {settings:?}");
                let root = Matches { left, mover: First };
                let winner = reference[left as usize];
                let mut search = Search::parallel(vec![ExtraTurns::default(); threads], settings)
                    .expect("searchable");
                let choice = search.decide_together(&root, &iterations(5000));
                // What is recycled may never be proven, but nothing false is.
                if nodes > 100 || search.winner().is_some() {
                    assert_eq!(search.winner(), Some(winner), "{case}");
                    let mut next = root;
                    search.game().play(&mut next, choice.best.action);
                    let after = solve(&mut ExtraTurns::default(), &next);
                    assert_eq!(after, winner, "{case}");
                }
            }
        }
    }
}

#[test]
fn a_won_game_is_proven_and_the_search_ends() {
    for settings in all_settings() {
        let (mut search, choice) = decide(explicit(WON), settings, 0, 100_000);
        assert_eq!(
            (choice.best.action, choice.best.chance),
            (1, 1.0),
            "{settings:?}"
        );
        assert!(choice.iterations < 1000, "{settings:?}: {choice:?}");
        assert_eq!(search.winner(), Some(First), "{settings:?}");
        // What is proven for the one is so below, for whoever moves there.
        search.advance(1);
        assert_eq!(search.winner(), Some(First), "{settings:?}");
        let replies = search.candidates(&[]);
        assert!(replies.iter().all(|one| one.proven == Some(false)));
        let choice = search.decide(&1, &iterations(100));
        assert_eq!((choice.iterations, choice.best.chance), (0, 0.0));
    }
}

#[test]
fn proofs_of_the_game_end_a_search_sooner_and_change_no_winner() {
    for left in 15..20 {
        let root = Matches { left, mover: First };
        let expected = solve(&mut ExtraTurns::default(), &root);
        for settings in all_settings() {
            let [plain, proving] = [0, 8].map(|provable| {
                let game = ExtraTurns {
                    provable,
                    ..ExtraTurns::default()
                };
                let (search, choice) = decide(game, settings, root, 1_000_000);
                assert_eq!(search.winner(), Some(expected), "{left}: {settings:?}");
                choice.iterations
            });
            assert!(proving < plain, "{left}: {proving}, {plain}: {settings:?}");
        }
    }
}

#[test]
fn without_the_solver_nothing_is_proven() {
    let plain = with!(solver: false);
    let (search, choice) = decide(explicit(WON), plain, 0, 2000);
    assert_eq!((choice.best.action, choice.iterations), (1, 2000));
    assert_eq!(search.winner(), None);
}

#[test]
fn losing_by_some_of_the_actions_proves_nothing() {
    static NODES: &[Node] = nodes!(First [1, 2], Second [3, 4]; 0.5, 1.0, 1.0, 0.0);
    let partial = Explicit {
        knows_more: false,
        ..explicit(NODES)
    };
    let (search, choice) = decide(partial, Settings::default(), 0, 200);
    assert_eq!((choice.best.action, choice.iterations), (1, 200));
    assert_eq!(search.winner(), None);
}

#[test]
fn what_was_left_out_is_tried_when_all_else_loses() {
    static NODES: &[Node] = nodes!(First [1, 2, 3, 4]; 0.0, 0.0, 1.0, 0.0);
    static LOST: &[Node] = nodes!(First [1, 2, 3]; 0.0, 0.0, 0.0);
    let narrow = |nodes| Explicit {
        expanded: 2,
        ..explicit(nodes)
    };
    for settings in all_settings() {
        let (search, choice) = decide(narrow(NODES), settings, 0, 2000);
        assert_eq!(
            (choice.best.action, choice.best.chance),
            (3, 1.0),
            "{settings:?}"
        );
        assert_eq!(search.winner(), Some(First), "{settings:?}");
        let (search, choice) = decide(narrow(LOST), settings, 0, 2000);
        assert_eq!(search.winner(), Some(Second), "{settings:?}");
        assert!(choice.iterations <= 100, "{settings:?}: {choice:?}");
    }
}

#[test]
fn first_play_urgency_leaves_bad_actions_untried() {
    let settings = with!(first_play: Some(-0.5), exploration: 0.01);
    let (search, _) = decide(explicit(RESULTS), settings, 0, 100);
    assert_eq!(visits(&search), [100, 0, 0]);
}

#[test]
fn widening_opens_actions_one_by_one() {
    static NODES: &[Node] = nodes!(First [1, 2, 3, 4]; 0.1, 0.2, 0.3, 0.4);
    let settings = with!(widening: Some(Widening { base: 1.0, power: 0.5 }));
    let mut search = Search::new(explicit(NODES), settings).expect("searchable");
    let mut opened = Vec::new();
    for _ in 0..17 {
        let _ = search.decide(&0, &iterations(1));
        opened.push(visits(&search).iter().filter(|&&visits| visits > 0).count());
    }
    // sqrt(N) actions after N visits.
    assert_eq!(opened, [1, 1, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4]);
}

#[test]
fn priors_decide_what_is_tried_first() {
    static NODES: &[Node] = nodes!(First [1, 2, 3]; 0.5, 0.5, 0.5);
    let settings = puct();
    let game = Explicit {
        prefers_last: true,
        ..explicit(NODES)
    };
    let (search, _) = decide(game, settings, 0, 900);
    let candidates = search.candidates(&[]);
    let actions: Vec<usize> = candidates.iter().map(|one| one.action).collect();
    assert_eq!(actions, [3, 2, 1]);
    assert!((candidates.iter().map(|one| one.prior).sum::<f32>() - 1.0).abs() < 1e-6);
    // Of equal results, visits go by the priors 4 : 3 : 2.
    for (one, share) in candidates.iter().zip([4.0, 3.0, 2.0]) {
        let expected = 900.0 * share / 9.0;
        assert!((one.visits as f32 - expected).abs() < 5.0, "{candidates:?}");
    }
}

#[test]
fn confidence_falls_in_long_searches() {
    let chances = |confidence, confidence_power, iterations| {
        let settings = with!(confidence, confidence_power);
        let (search, _) = decide(SETS, settings, 0, iterations);
        let chances = search.candidates(&[]).into_iter().map(|one| one.chance);
        chances.collect::<Vec<_>>()
    };
    assert_eq!(chances(2.0, -0.5, 5_000), chances(2.0, 0.0, 5_000));
    let (long, plain) = (chances(2.0, -0.5, 400_000), chances(1.0, 0.0, 400_000));
    assert!(long.iter().all(|chance| (0.0..=1.0).contains(chance)));
    for (long, plain) in long.iter().zip(&plain) {
        assert!((long - plain).abs() < 1e-3, "{long}, {plain}");
    }
    assert_ne!(plain, chances(2.0, 0.0, 400_000));
}

#[test]
fn implicit_minimax_backs_up_the_best_estimate_of_the_mover() {
    let settings = with!(minimax: 0.9, exploration: 0.3);
    let blind = Explicit {
        blind: true,
        ..explicit(NO_ALTERNATION)
    };
    let (search, choice) = decide(blind, settings, 0, 2000);
    assert_eq!(choice.best.action, 2);
    assert_eq!(search.line().nth(1).map(|one| one.action), Some(6));
}

#[test]
fn a_search_makes_at_least_one_iteration() {
    for batch in [1, 64] {
        let settings = with!(batch);
        let (_, choice) = decide(explicit(RESULTS), settings, 0, 0);
        assert_eq!(choice.iterations, 1, "{batch}");
    }
}
