//! Iterations in a row below one node.

use super::games::*;

#[test]
fn iterations_below_a_node_count_above_it() {
    for settings in all_batches() {
        let (search, choice) = decide(ENDLESS, settings, 1, 5000);
        assert_eq!(choice.iterations, 5000);
        assert_eq!(visits(&search).iter().sum::<u32>(), 5000, "{settings:?}");
        let Depth { sum, max } = search.depth();
        assert!(5000 < sum && sum < 5000 * max as u64, "{settings:?}");
        check(&search);
        let (same, same_choice) = decide(ENDLESS, settings, 1, 5000);
        assert_eq!(
            (choice, search.candidates(&[])),
            (same_choice, same.candidates(&[]))
        );
    }
}

#[test]
fn nodes_with_few_visits_have_no_batches() {
    for settings in all_batches() {
        let single = with!(settings => batch: 1);
        // Two iterations start at a node with 16 visits.
        for (iterations, is_same) in [(17, true), (5000, false)] {
            let (batched, _) = decide(ENDLESS, settings, 1, iterations);
            let (alone, _) = decide(ENDLESS, single, 1, iterations);
            let same = batched.candidates(&[]) == alone.candidates(&[]);
            assert_eq!(same, is_same, "{iterations}: {settings:?}");
        }
    }
}

#[test]
fn batches_find_what_single_iterations_find() {
    for settings in all_batches() {
        let (_, choice) = decide(explicit(NO_ALTERNATION), settings, 0, 4000);
        assert_eq!(choice.best.action, 2, "{settings:?}");
        let (search, choice) = decide(explicit(WON), settings, 0, 100_000);
        assert_eq!((choice.best.action, search.winner()), (1, Some(First)));
        assert!(choice.iterations < 1000, "{settings:?}: {choice:?}");
        let few = with!(settings => nodes: 1000);
        let (search, choice) = decide(ENDLESS, few, 1, 20_000);
        assert_eq!(choice.iterations, 20_000);
        assert!(search.size().nodes <= 1001);
    }
}

#[test]
fn rave_and_transpositions_have_no_batches() {
    for (select, transpositions) in [(part("ucb1-rave", &[]), false), (part("ucb1", &[]), true)] {
        let settings = with!(select, transpositions);
        assert!(with!(settings => batch: 64).check().is_err());
        let (alone, choice) = decide(SETS, settings, 0, 3000);
        let mut search = Search::parallel(vec![SETS; 3], settings).expect("searchable");
        let together = search.decide_together(&0, &iterations(3000));
        assert_eq!(together, choice);
        assert_eq!(search.candidates(&[]), alone.candidates(&[]));
    }
}
