//! Searches by several threads.

use std::time::Duration;

use super::games::*;
use crate::tree::node::Edge;

#[test]
fn a_budget_of_iterations_is_spent_by_one_thread() {
    let decide = |threads: usize| {
        let mut search =
            Search::parallel(vec![ENDLESS; threads], Settings::default()).expect("searchable");
        let choice = search.decide(&1, &iterations(1000));
        (choice, search.candidates(&[]), search.size())
    };
    assert_eq!(decide(1), decide(3));
}

#[test]
fn threads_that_search_together_leave_no_virtual_loss() {
    for transpositions in [false, true] {
        for settings in all_settings() {
            let settings = with!(settings => transpositions);
            let mut search = Search::parallel(vec![SETS; 3], settings).expect("searchable");
            let choice = search.decide_together(&0, &iterations(20_000));
            assert_eq!(choice.iterations, 20_000, "{settings:?}");
            assert_eq!(visits(&search).iter().sum::<u32>(), 20_000, "{settings:?}");
            let tree = &search.tree;
            let mut nodes = vec![tree.root];
            while let Some(id) = nodes.pop() {
                let edges = tree.edges(id);
                assert!(edges.iter().all(|edge| edge.unfinished == 0));
                let below: u32 = edges.iter().map(|edge| edge.visits).sum();
                assert!(transpositions || below <= tree.node(id).visits);
                let followed = edges.iter().filter(|edge| edge.visits > 0);
                nodes.extend(followed.map(|edge| edge.node));
            }
            let root = tree.node(tree.root);
            let first_won = |edge: &Edge<_>| {
                let mean = Value::for_side(root.mover, edge.mean().into());
                f64::from(edge.visits) * mean.seen_by(First)
            };
            let won: f64 = tree.edges(tree.root).iter().map(first_won).sum();
            assert_eq!(root.visits, 20_000);
            assert!((root.total - won).abs() < 0.1, "{} {won}", root.total);
            for one in search.candidates(&[]) {
                assert!((0.0..=1.0).contains(&one.value), "{one:?}, {settings:?}");
                let below = search.candidates(&[one.action]);
                assert!(below.iter().all(|one| (0.0..=1.0).contains(&one.value)));
                let below: u32 = below.iter().map(|one| one.visits).sum();
                assert!(transpositions || below < one.visits.max(1), "{settings:?}");
            }
        }
    }
}

#[test]
fn threads_that_search_together_find_the_best_action() {
    for settings in all_settings() {
        let mut search =
            Search::parallel(vec![explicit(NO_ALTERNATION); 2], settings).expect("searchable");
        let choice = search.decide_together(&0, &iterations(4000));
        assert_eq!(choice.best.action, 2, "{settings:?}");
        let mut search = Search::parallel(vec![explicit(WON); 2], settings).expect("searchable");
        let choice = search.decide_together(&0, &iterations(100_000));
        assert_eq!((choice.best.action, search.winner()), (1, Some(First)));
        assert!(choice.iterations < 1000, "{settings:?}: {choice:?}");
    }
}

#[test]
fn a_full_tree_is_recycled_when_no_thread_needs_it() {
    for mut settings in all_settings() {
        settings.nodes = 1000;
        let mut search = Search::parallel(vec![ENDLESS; 3], settings).expect("searchable");
        let choice = search.decide_together(&1, &iterations(20_000));
        assert_eq!(choice.iterations, 20_000, "{settings:?}");
        assert!(search.size().nodes <= 1001, "{:?}", search.size());
        assert!(visits(&search).iter().sum::<u32>() >= 20_000);
    }
}

#[test]
fn time_ends_for_threads_that_find_no_room() {
    static NODES: &[Node] =
        nodes!(First [1, 2, 3, 4, 5, 6, 7, 8]; 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8);
    let settings = with!(widening: Some(Widening { base: 1.0, power: 0.5 }), nodes: 4);
    let mut search = Search::parallel(vec![explicit(NODES); 3], settings).expect("searchable");
    let _ = search.decide_together(&0, &iterations(2000));
    for _ in 0..100 {
        let before = search.tree.node(search.tree.root).visits;
        let choice = search.decide_together(&0, &Meter::time(Duration::ZERO, clock, &Stop::new()));
        assert!(choice.iterations > 0);
        let root = search.tree.node(search.tree.root);
        assert_eq!(root.visits, before + choice.iterations);
    }
}

#[test]
fn threads_that_search_together_build_one_tree() {
    for settings in all_batches() {
        for threads in [2, 5] {
            let mut search =
                Search::parallel(vec![ENDLESS; threads], settings).expect("searchable");
            let mut root = 1;
            for decision in 0..6 {
                // One thread goes on with what several have found, and the other way round.
                let choice = if decision % 3 == 2 {
                    search.decide(&root, &iterations(3001))
                } else {
                    search.decide_together(&root, &iterations(3001))
                };
                assert_eq!(choice.iterations, 3001, "{settings:?}");
                check(&search);
                ENDLESS.play(&mut root, choice.best.action);
                search.advance(choice.best.action);
            }
        }
    }
}

#[test]
fn a_panic_of_one_thread_ends_the_search_of_all() {
    for _ in 0..20 {
        let panic = std::panic::catch_unwind(|| {
            let mut search = Search::parallel(
                vec![
                    Endless {
                        most: 9_999,
                        ..ENDLESS
                    };
                    3
                ],
                Settings::default(),
            )
            .expect("searchable");
            search.decide_together(&1, &iterations(u32::MAX))
        });
        assert!(panic.is_err());
    }
}
