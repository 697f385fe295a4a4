//! Trees that are kept, recycled and merged.

use super::games::*;

#[test]
fn a_search_ends_before_its_visits_overflow() {
    for settings in all_settings() {
        let (mut search, _) = decide(ENDLESS, settings, 1, 5);
        search.tree.node_mut(0).visits = MAX_VISITS - 3;
        let choice = search.decide(&1, &iterations(10));
        assert_eq!(choice.iterations, 3);
    }
}

#[test]
fn a_tree_keeps_to_its_nodes_and_goes_on() {
    for mut settings in all_settings() {
        settings.nodes = 1000;
        let mut search = Search::new(ENDLESS, settings).expect("searchable");
        let mut root = 1;
        for _ in 0..5 {
            let choice = search.decide(&root, &iterations(5000));
            assert_eq!(choice.iterations, 5000);
            // An iteration adds one node, after looking whether there is room.
            assert!(search.size().nodes <= 1001, "{:?}", search.size());
            assert!(visits(&search).iter().sum::<u32>() >= 5000);
            search.advance(choice.best.action);
            ENDLESS.play(&mut root, choice.best.action);
        }
    }
}

#[test]
fn a_large_enough_tree_is_never_recycled() {
    let enough = with!(nodes: 5002);
    let (large, choice) = decide(ENDLESS, Settings::default(), 1, 5000);
    let (search, same_choice) = decide(ENDLESS, enough, 1, 5000);
    assert_eq!(choice, same_choice);
    assert_eq!(large.candidates(&[]), search.candidates(&[]));
}

#[test]
fn recycling_keeps_nearly_half() {
    let few = with!(nodes: 10_000);
    let (mut search, _) = decide(ENDLESS, few, 1, 9_990);
    let before = search.size().nodes;
    let _ = search.decide(&1, &iterations(30));
    let after = search.size().nodes;
    assert!(before > 9_900 && after < 5_100, "{before}, {after}");
    // Classes of visits are powers of two: at worst one just does not fit.
    assert!(after > 2_000, "{after}");
}

/// The candidates of the first decisions of a game one after another, the sizes of the tree, and the nodes in memory over
/// all decisions. With `drops`, what is cut off is dropped before each decision; otherwise the search chooses when.
fn play_on<G: Guidance + Send>(
    game: G,
    settings: Settings,
    mut root: G::Position,
    drops: bool,
) -> (Vec<Candidate<G::Action>>, Vec<TreeSize>, usize)
where
    G::Position: Send + Sync,
    G::Action: Send,
{
    let mut search = Search::new(game, settings).expect("searchable");
    let (mut candidates, mut sizes, mut nodes) = (Vec::new(), Vec::new(), 0);
    while sizes.len() < 12 && !search.game().is_over(&root) {
        if drops {
            search.tree.drop_what_is_cut_off();
        }
        let choice = search.decide(&root, &iterations(800));
        candidates.push(choice.best);
        candidates.extend(search.candidates(&[]));
        sizes.push(search.size());
        nodes += search.tree.nodes.len();
        search.game().play(&mut root, choice.best.action);
        search.advance(choice.best.action);
    }
    (candidates, sizes, nodes)
}

#[test]
fn what_is_cut_off_changes_no_decision() {
    let mut kept = 0;
    for settings in all_settings() {
        for nodes in [1000, 4000, 1 << 20] {
            let settings = Settings { nodes, ..settings };
            let (lazy, sizes, most) = play_on(ENDLESS, settings, 1, false);
            let (eager, same_sizes, fewest) = play_on(ENDLESS, settings, 1, true);
            assert_eq!((lazy, sizes), (eager, same_sizes), "{settings:?}");
            kept += most - fewest;
            let merged = with!(settings => transpositions: true);
            let (lazy, ..) = play_on(SETS, merged, 0, false);
            assert_eq!(lazy, play_on(SETS, merged, 0, true).0, "{merged:?}");
        }
    }
    assert!(kept > 0, "what was cut off was dropped at once");
}

#[test]
fn positions_reached_in_several_ways_are_one_node() {
    for settings in all_settings() {
        for nodes in [100, 1 << 20] {
            let merged = with!(settings => nodes, transpositions: true);
            let (mut search, choice) = decide(SETS, merged, 0, 20_000);
            // Sets of 0 to 4 of 8 numbers.
            assert!(
                search.size().nodes <= 1 + 8 + 28 + 56 + 70,
                "{:?}",
                search.size()
            );
            let line: Vec<_> = search.line().collect();
            let (apart, alone) = decide(SETS, settings, 0, 20_000);
            if settings == Settings::default() {
                assert!(apart.size().nodes > 500, "{:?}", apart.size());
            }
            if nodes > 1000 {
                assert!((choice.best.chance - alone.best.chance).abs() < 0.05);
            }
            // What is kept can be searched on.
            let mut root = 0;
            for one in line.into_iter().take(2) {
                search.advance(one.action);
                SETS.play(&mut root, one.action);
                let choice = search.decide(&root, &iterations(100));
                assert_eq!(choice.iterations, 100);
            }
        }
    }
}
