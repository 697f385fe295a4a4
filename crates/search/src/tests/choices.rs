//! Final choices and root allocations.

use super::games::*;

/// Every final choice that draws nothing, also with other values of its keys.
fn all_choices() -> Vec<Selected<FinalChoice>> {
    let mut all: Vec<_> = FinalChoice::all()
        .iter()
        .filter(|one| !one.draws)
        .map(|&one| Selected::new(one))
        .collect();
    all.push(part("temperature", &[("temperature", 0.0)]));
    all.push(part("value", &[("share", 0.0)]));
    all.push(part("lcb", &[("z", 3.0), ("share", 0.01)]));
    all
}

/// The action that the rule in the declaration chooses, from the candidates alone.
fn chosen(candidates: &[Candidate<bool>], choice: &Selected<FinalChoice>) -> bool {
    let most = candidates
        .iter()
        .map(|one| one.visits)
        .max()
        .expect("candidates");
    let fewest = (choice.part().share)(choice.values()) * f64::from(most);
    let score = |one: &Candidate<bool>| {
        let error = (one.value * (1.0 - one.value) / one.visits as f32).sqrt();
        match choice.part().info().name {
            "visits" | "temperature" => one.visits as f32,
            "value" => one.value,
            _ => one.value - choice.values()[0] as f32 * error,
        }
    };
    let mut enough: Vec<_> = candidates
        .iter()
        .filter(|one| f64::from(one.visits) >= fewest)
        .collect();
    enough.sort_by(|one, other| score(other).total_cmp(&score(one)));
    enough[0].action
}

#[test]
fn an_action_is_chosen_by_its_score() {
    let mut different = 0;
    for choice in all_choices() {
        for start in 1..200 {
            let settings = with!(choice, exploration: 2.0);
            let (search, found) = decide(ENDLESS, settings, start, 60);
            let candidates = search.candidates(&[]);
            assert_eq!(
                found.best.action,
                chosen(&candidates, &choice),
                "{choice:?} {candidates:?}"
            );
            assert_eq!(search.line().next(), Some(found.best));
            different += u32::from(candidates.iter().any(|one| one.visits > found.best.visits));
            // Values of 0 and 1 need no memory for their variance.
            let (same, _) = decide(ENDLESS, with!(settings => two_results: true), start, 60);
            assert_eq!(same.best(&[]), Some(found.best), "{choice:?}");
            assert!(!same.tree.has_extras);
        }
    }
    assert!(different > 0, "no choice differs from the most visits");
}

#[test]
fn a_proven_win_is_chosen_and_a_loss_only_where_all_lose() {
    let mut untried = 0;
    for choice in all_choices() {
        let settings = with!(choice);
        let (search, found) = decide(explicit(WON), settings, 0, 100_000);
        assert_eq!(
            (found.best.action, search.winner()),
            (1, Some(First)),
            "{choice:?}"
        );
        for iterations in 1..40 {
            let (search, _) = decide(explicit(LOST_FIRST), settings, 0, iterations);
            let all = search.candidates(&[1]);
            let best = search.best(&[1]);
            let is_lost = |one: &Candidate<usize>| one.proven == Some(false);
            assert!(best.is_none_or(|best| !is_lost(&best) || all.iter().all(is_lost)));
            // An untried action is better than a lost one, once one has been visited.
            if all.iter().all(|one| one.visits == 0 || is_lost(one)) {
                let is_visited = all.iter().any(|one| one.visits > 0);
                let best = best.map(|best| (best.action, best.visits));
                assert_eq!(best, is_visited.then_some((3, 0)));
                assert!(search.line().all(|step| step.visits > 0));
                untried += u32::from(is_visited);
            }
        }
    }
    assert!(untried > 0);
}

#[test]
fn a_search_that_ends_early_chooses_as_the_whole_one() {
    let mut ended = 0;
    for choice in all_choices() {
        for start in 1..10 {
            let whole = with!(choice);
            let early = with!(whole => early_stop: true);
            for iterations in [100, 500, 2000] {
                let (_, all) = decide(ENDLESS, whole, start, iterations);
                let (_, some) = decide(ENDLESS, early, start, iterations);
                assert_eq!(some.best.action, all.best.action, "{choice:?} {start}");
                ended += u32::from(some.iterations < iterations);
            }
        }
    }
    assert!(ended > 0);
}

#[test]
fn halving_gives_the_better_half_more_iterations() {
    let halving = |most: f64| {
        let allocation = part("halving", &[("most", most)]);
        with!(allocation, choice: part("value", &[]))
    };
    // Three rounds of 800 iterations for eight actions.
    let (search, _) = decide(SETS, halving(16.0), 0, 2400);
    let mut visits = visits(&search);
    visits.sort_unstable();
    assert_eq!(visits, [100, 100, 100, 100, 300, 300, 700, 700]);
    let (search, _) = decide(SETS, halving(3.0), 0, 1000);
    assert_eq!(
        search
            .candidates(&[])
            .iter()
            .filter(|one| one.visits > 0)
            .count(),
        3
    );
    // With little room, and where actions are proven to lose.
    for nodes in [4, 1 << 20] {
        let settings = with!(halving(16.0) => nodes);
        let (search, choice) = decide(explicit(WON), settings, 0, 4000);
        let is_won = (choice.best.action, search.winner()) == (1, Some(First));
        assert!(nodes == 4 || is_won);
        let (_, choice) = decide(explicit(NO_ALTERNATION), settings, 0, 4000);
        assert!(nodes == 4 || choice.best.action == 2);
    }
}

/// The settings of a search that learns from itself.
fn training(temperature: f64, share: f64, alpha: f64) -> Settings {
    let noise = [("share", share), ("alpha", alpha)];
    with!(
        puct() =>
        choice: part("temperature", &[("temperature", temperature)]),
        allocation: part("noise", &noise)
    )
}

/// Three actions with the priors 4/9, 3/9 and 2/9, and random numbers from this seed on.
fn uneven(seed: u64) -> Explicit {
    Explicit {
        prefers_last: true,
        seed,
        ..explicit(RESULTS)
    }
}

#[test]
fn noise_is_mixed_with_the_priors_of_the_root() {
    let mut moved = 0;
    for seed in 0..50 {
        let priors = |share: f64| {
            let (search, _) = decide(uneven(seed), training(0.0, share, 0.5), 0, 1);
            let all = search.candidates(&[]);
            assert!(
                all.is_sorted_by(|one, two| one.prior >= two.prior),
                "they are tried in this order"
            );
            [1, 2, 3].map(|action| {
                all.iter()
                    .find(|one| one.action == action)
                    .expect("listed")
                    .prior
            })
        };
        let (none, half, noise) = (priors(0.0), priors(0.5), priors(1.0));
        assert_eq!(none, [2.0, 3.0, 4.0].map(|weight| weight / 9.0));
        assert!((noise.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        for i in 0..3 {
            assert!((half[i] - 0.5 * none[i] - 0.5 * noise[i]).abs() < 1e-6);
        }
        moved += usize::from(noise[0] > noise[2]);
    }
    assert!((10..40).contains(&moved), "{moved}");
}

#[test]
fn noise_has_the_dirichlet_distribution() {
    const DRAWS: u64 = 20_000;
    for alpha in [0.05, 0.3, 3.0] {
        let noise = training(0.0, 1.0, alpha).allocation;
        let mix = noise.part().mix.expect("noise");
        let (mut sum, mut squares) = ([0.0; 4], [0.0; 4]);
        let mut index = 0;
        for _ in 0..DRAWS {
            let mut priors = [0.25; 4];
            mix(noise.values(), &mut priors, &mut || {
                index += 1;
                crate::choice::random(5, index)
            });
            for (i, prior) in priors.into_iter().enumerate() {
                sum[i] += f64::from(prior);
                squares[i] += f64::from(prior).powi(2);
            }
        }
        // The mean of each share is 1/4, and its variance 3/16 / (4 alpha + 1).
        let variance = 3.0 / 16.0 / (4.0 * alpha + 1.0);
        let error = (variance / DRAWS as f64).sqrt();
        for i in 0..4 {
            let mean = sum[i] / DRAWS as f64;
            assert!((mean - 0.25).abs() < 4.0 * error, "{alpha}: {mean}");
            let found = squares[i] / DRAWS as f64 - mean * mean;
            assert!(
                (found / variance - 1.0).abs() < 0.05,
                "{alpha}: {found} {variance}"
            );
        }
    }
}

#[test]
fn a_root_has_noise_once_and_its_children_none() {
    let settings = training(1.0, 0.25, 0.3);
    let plain = with!(settings => allocation: Selected::default());
    let priors = |search: &Search<Explicit>, path: &[usize]| {
        let all = search.candidates(path);
        all.iter().map(|one| one.prior).collect::<Vec<_>>()
    };
    let game = || Explicit {
        prefers_last: true,
        ..explicit(NO_ALTERNATION)
    };
    let (mut search, choice) = decide(game(), settings, 0, 100);
    let (without, _) = decide(game(), plain, 0, 100);
    let first = priors(&search, &[]);
    assert_ne!(first, priors(&without, &[]));
    assert_eq!(priors(&search, &[2]), priors(&without, &[2]));
    // A search that goes on keeps what was drawn.
    let again = search.decide(&0, &iterations(1));
    assert_eq!(priors(&search, &[]), first);
    assert_eq!(again.best.action, choice.best.action);
    search.advance(2);
    search.decide(&2, &iterations(10));
    assert_ne!(priors(&search, &[]), priors(&without, &[2]));
    search.restart(|game| game.seed = 0);
    search.decide(&0, &iterations(100));
    assert_eq!(priors(&search, &[]), first);
}

#[test]
fn an_action_is_drawn_in_proportion_to_a_power_of_its_visits() {
    const DRAWS: u64 = 10_000;
    for temperature in [0.5, 1.0, 2.0] {
        let (mut search, _) = decide(uneven(0), training(temperature, 0.0, 1.0), 0, 40);
        let visits = visits(&search);
        let mut counts = vec![0.0; visits.len()];
        for seed in 0..DRAWS {
            search.tree.seed = Some(seed);
            let best = search.best(&[]).expect("visited");
            assert_eq!(search.line().next(), Some(best));
            let all = search.candidates(&[]);
            counts[all
                .iter()
                .position(|one| one.action == best.action)
                .expect("listed")] += 1.0;
        }
        let weights = visits
            .iter()
            .map(|&visits| f64::from(visits).powf(1.0 / temperature));
        let total: f64 = weights.clone().sum();
        let squares = weights.zip(counts).map(|(weight, count): (f64, f64)| {
            let expected = DRAWS as f64 * weight / total;
            (count - expected).powi(2) / expected
        });
        // The 99.9% quantile with two degrees of freedom.
        let sum: f64 = squares.sum();
        assert!(sum < 13.8, "{temperature}: {sum}");
    }
}

#[test]
fn a_cold_choice_is_the_most_visited_and_replies_are_not_drawn() {
    let by_visits = with!(training(0.0, 0.25, 0.3) => choice: Selected::default());
    let mut drawn = 0;
    for seed in 0..200 {
        let game = Explicit {
            seed,
            ..explicit(NO_ALTERNATION)
        };
        let (most, expected) = decide(game.clone(), by_visits, 0, 61);
        for temperature in [0.0, 1e-4] {
            let (_, found) = decide(game.clone(), training(temperature, 0.25, 0.3), 0, 61);
            assert_eq!(found.best, expected.best);
        }
        let (search, found) = decide(game.clone(), training(5.0, 0.25, 0.3), 0, 61);
        drawn += u32::from(found.best.action != expected.best.action);
        for action in [1, 2] {
            assert_eq!(search.best(&[action]), most.best(&[action]));
        }
    }
    assert!((20..120).contains(&drawn), "{drawn}");
}
