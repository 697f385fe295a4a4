//! Evaluations from outside.

use super::games::*;

/// Evaluates what a search asks for as the game would, at most `at_once` positions together. Returns these.
fn answer<G: Guidance + Clone>(
    search: &mut BatchedSearch<G>,
    game: &G,
    iterations: u32,
    at_once: usize,
) -> Vec<Vec<G::Position>> {
    let mut rounds = Vec::new();
    while !search.is_done(iterations) {
        let asked = std::iter::from_fn(|| search.ask(iterations));
        let asked: Vec<_> = asked.take(at_once).collect();
        for position in &asked {
            search.answer(game.clone().evaluate(position).value, []);
        }
        rounds.push(asked);
    }
    rounds
}

/// A search with evaluations as of the game, and how many it asked for at once.
fn answered<G: Guidance + Clone>(
    game: &G,
    settings: Settings,
    root: G::Position,
    iterations: u32,
    at_once: usize,
) -> (BatchedSearch<G>, Vec<usize>) {
    let mut search = BatchedSearch::new(game.clone(), settings, root).expect("searchable");
    let rounds = answer(&mut search, game, iterations, at_once);
    (search, rounds.iter().map(Vec::len).collect())
}

/// The visits of the actions of the root, ascending.
fn visits<G: Guidance>(search: &BatchedSearch<G>) -> Vec<u32> {
    let candidates = search.tree().candidates(&[]);
    let mut visits: Vec<_> = candidates.iter().map(|one| one.visits).collect();
    visits.sort_unstable();
    visits
}

/// The actions of the root with their priors.
fn priors(search: &Search<Explicit>) -> Vec<(usize, f32)> {
    let candidates = search.candidates(&[]).into_iter();
    candidates.map(|one| (one.action, one.prior)).collect()
}

fn all_visits<G: Guidance>(search: &BatchedSearch<G>) -> u32 {
    visits(search).iter().sum()
}

#[test]
fn evaluations_from_outside_find_the_winning_move() {
    let game = ExtraTurns::default();
    let settings = puct();
    for left in 5..=14 {
        let root = Matches { left, mover: First };
        let winner = solve(&mut game.clone(), &root);
        for at_once in [1, 8] {
            let (search, _) = answered(&game, settings, root, 3000, at_once);
            let best = search.best().expect("it was searched");
            let mut next = root;
            game.play(&mut next, best.action);
            if winner == First {
                assert_eq!(solve(&mut game.clone(), &next), First, "{left} {at_once}");
            }
        }
    }
}

#[test]
fn evaluations_from_outside_are_one_for_each_iteration_and_the_root() {
    let settings = puct();
    for at_once in [1, 5] {
        let (search, rounds) = answered(&ENDLESS, settings, 1, 200, at_once);
        assert_eq!(rounds.iter().sum::<usize>(), 201);
        assert!(rounds.iter().all(|&asked| 1 <= asked && asked <= at_once));
        // The root is alone: nothing else is known before its evaluation.
        assert_eq!(rounds[0], 1);
        assert!(at_once == 1 || rounds.len() < 100, "{}", rounds.len());
        assert_eq!(all_visits(&search), 200);
    }
}

#[test]
fn priors_from_outside_lead_the_search() {
    let settings = puct();
    let mut search = BatchedSearch::new(ENDLESS, settings, 1).expect("searchable");
    for _ in 0..=50 {
        search.ask(50).expect("nothing is proven");
        let priors = search
            .asked()
            .map(|action| 1.0 + 2.0 * f32::from(u8::from(action)));
        let priors: Vec<f32> = priors.collect();
        search.answer(Value::for_first(0.5), priors);
    }
    assert!(search.is_done(50) && search.ask(50).is_none());
    let candidates = search.tree().candidates(&[]);
    assert_eq!(
        candidates.iter().map(|one| one.prior).collect::<Vec<_>>(),
        [0.75, 0.25]
    );
    assert!(candidates[0].action && candidates[0].visits > 2 * candidates[1].visits);
}

#[test]
fn a_search_with_evaluations_from_outside_draws_as_the_other_one() {
    let settings = with!(
        puct() =>
        allocation: part("noise", &[]),
        choice: part("temperature", &[])
    );
    let mut actions = std::collections::BTreeSet::new();
    for seed in 0..40 {
        let game = Explicit {
            seed,
            ..explicit(RESULTS)
        };
        let (outside, _) = answered(&game, settings, 0, 40, 1);
        let (inside, _) = decide(game, settings, 0, 40);
        // The visits differ: the root is evaluated outside.
        assert_eq!(priors(outside.tree()), priors(&inside));
        actions.insert(outside.best().expect("searched").action);
    }
    assert_eq!(actions.len(), 3);
}

#[test]
fn a_search_that_goes_on_keeps_what_is_below_its_new_root() {
    let settings = puct();
    for at_once in [1, 5] {
        let mut search = BatchedSearch::new(ENDLESS, settings, 1).expect("searchable");
        let mut asked = std::collections::BTreeSet::new();
        let mut kept = 0;
        for _ in 0..30 {
            for position in answer(&mut search, &ENDLESS, 60, at_once).concat() {
                assert!(asked.insert(position), "nothing is evaluated twice");
            }
            assert_eq!(all_visits(&search), kept + 60);
            let best = search.best().expect("it was searched");
            // The first visit of a position is its evaluation.
            kept = best.visits - 1;
            search
                .go_on(&[best.action], settings, |_| ())
                .expect("searchable");
            assert_eq!(all_visits(&search), kept);
            assert!(search.tree().size().nodes <= kept as usize + 1);
        }
        assert!(kept > 30, "{kept}");
    }
    // To the same root: as if there had been no end.
    let (mut search, _) = answered(&ENDLESS, settings, 1, 70, 1);
    search.go_on(&[], settings, |_| ()).expect("searchable");
    answer(&mut search, &ENDLESS, 30, 1);
    let (whole, _) = answered(&ENDLESS, settings, 1, 100, 1);
    assert_eq!(search.tree().candidates(&[]), whole.tree().candidates(&[]));
    // To where it has not been: from nothing.
    search
        .go_on(&[true; 100], settings, |_| ())
        .expect("searchable");
    assert_eq!((search.tree().size().nodes, all_visits(&search)), (1, 0));
    assert_eq!(answer(&mut search, &ENDLESS, 30, 1).len(), 31);
}

#[test]
fn a_search_that_goes_on_has_the_settings_and_draws_of_its_new_root() {
    let noise = part("noise", &[]);
    let settings = puct();
    let (mut search, _) = answered(&explicit(RESULTS), settings, 0, 40, 1);
    let before = priors(search.tree());
    let noisy = with!(settings => allocation: noise);
    search
        .go_on(&[], noisy, |game| game.seed = 7)
        .expect("searchable");
    let game = Explicit {
        seed: 7,
        ..explicit(RESULTS)
    };
    let (other, _) = answered(&game, noisy, 0, 40, 1);
    let [mut kept, mut new] = [&search, &other].map(|search| priors(search.tree()));
    assert_ne!(kept, before);
    kept.sort_by_key(|one| one.0);
    new.sort_by_key(|one| one.0);
    assert_eq!(kept, new);
}

#[test]
fn halving_allocates_evaluations_from_outside() {
    let settings = with!(puct() => allocation: part("halving", &[]), choice: part("value", &[]));
    // Three rounds of 800 iterations for eight actions.
    let (search, _) = answered(&SETS, settings, 0, 2400, 1);
    assert_eq!(visits(&search), [100, 100, 100, 100, 300, 300, 700, 700]);
    // With several leaves, a round is longer by less than a batch.
    let (search, _) = answered(&SETS, settings, 0, 2400, 8);
    let visits = visits(&search);
    assert_eq!(visits.iter().sum::<u32>(), 2400);
    assert!(visits[3] <= 102 && visits[6] >= 690, "{visits:?}");
}
