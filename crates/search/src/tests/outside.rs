//! Evaluations from outside.

use super::games::*;

/// Evaluates what a search asks for as the game would, at most `at_once` positions together.
fn answered<G: Guidance + Clone>(
    game: &G,
    settings: Settings,
    root: G::Position,
    iterations: u32,
    at_once: usize,
) -> (BatchedSearch<G>, Vec<usize>) {
    let (mut search, mut rounds) = (BatchedSearch::new(game.clone(), settings, root), Vec::new());
    while !search.is_done(iterations) {
        let asked = std::iter::from_fn(|| search.ask(iterations));
        let asked: Vec<_> = asked.take(at_once).collect();
        rounds.push(asked.len());
        for position in asked {
            let value = game.clone().evaluate(&position).value;
            search.answer(value, []);
        }
    }
    (search, rounds)
}

#[test]
fn evaluations_from_outside_find_the_winning_move() {
    let game = ExtraTurns::default();
    let settings = Settings {
        select: rule("puct"),
        first_play: Some(0.0),
        ..Settings::default()
    };
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
    let settings = Settings {
        select: rule("puct"),
        first_play: Some(0.0),
        ..Settings::default()
    };
    for at_once in [1, 5] {
        let (search, rounds) = answered(&ENDLESS, settings, 1, 200, at_once);
        assert_eq!(rounds.iter().sum::<usize>(), 201);
        assert!(rounds.iter().all(|&asked| 1 <= asked && asked <= at_once));
        // The root is alone: nothing else is known before its evaluation.
        assert_eq!(rounds[0], 1);
        assert!(at_once == 1 || rounds.len() < 100, "{}", rounds.len());
        let visits = search
            .candidates()
            .iter()
            .map(|one| one.visits)
            .sum::<u32>();
        assert_eq!(visits, 200);
    }
}

#[test]
fn priors_from_outside_lead_the_search() {
    let settings = Settings {
        select: rule("puct"),
        first_play: Some(0.0),
        ..Settings::default()
    };
    let mut search = BatchedSearch::new(ENDLESS, settings, 1);
    for _ in 0..=50 {
        search.ask(50).expect("nothing is proven");
        let priors = search
            .asked()
            .map(|action| 1.0 + 2.0 * f32::from(u8::from(action)));
        let priors: Vec<f32> = priors.collect();
        search.answer(Value::for_first(0.5), priors);
    }
    assert!(search.is_done(50) && search.ask(50).is_none());
    let candidates = search.candidates();
    assert_eq!(
        candidates.iter().map(|one| one.prior).collect::<Vec<_>>(),
        [0.75, 0.25]
    );
    assert!(candidates[0].action && candidates[0].visits > 2 * candidates[1].visits);
}

#[test]
fn a_search_with_evaluations_from_outside_draws_as_the_other_one() {
    let settings = Settings {
        select: rule("puct"),
        first_play: Some(0.0),
        allocation: Selected::of("noise", &[]).expect("known"),
        choice: Selected::of("temperature", &[]).expect("known"),
        ..Settings::default()
    };
    let mut actions = std::collections::BTreeSet::new();
    for seed in 0..40 {
        let game = Explicit {
            seed,
            ..explicit(&RESULTS)
        };
        let (outside, _) = answered(&game, settings, 0, 40, 1);
        let (inside, _) = decide(game, settings, 0, 40);
        // The visits differ: the root is evaluated outside.
        let priors = |all: Vec<Candidate<usize>>| {
            let priors = all.iter().map(|one| (one.action, one.prior));
            priors.collect::<Vec<_>>()
        };
        assert_eq!(priors(outside.candidates()), priors(inside.candidates(&[])));
        actions.insert(outside.best().expect("searched").action);
    }
    assert_eq!(actions.len(), 3);
}
