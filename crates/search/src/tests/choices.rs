//! Final choices.

use super::games::*;

/// Every final choice, also with other values of its keys.
fn all_choices() -> Vec<Selected<FinalChoice>> {
    let given = |name, keys: &[(&str, f64)]| Selected::of(name, keys).expect("known");
    let mut all: Vec<_> = FinalChoice::ALL
        .iter()
        .map(|&one| Selected::new(one))
        .collect();
    all.push(given("value", &[("share", 0.0)]));
    all.push(given("lcb", &[("z", 3.0), ("share", 0.01)]));
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
            "visits" => one.visits as f32,
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
            let settings = Settings {
                choice,
                exploration: 2.0,
                ..Settings::default()
            };
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
            let (same, _) = decide(
                ENDLESS,
                Settings {
                    two_results: true,
                    ..settings
                },
                start,
                60,
            );
            assert_eq!(same.best(&[]), Some(found.best), "{choice:?}");
            assert!(!same.tree.has_extras);
        }
    }
    assert!(different > 0, "no choice differs from the most visits");
}

#[test]
fn a_proven_win_is_chosen_and_a_loss_only_where_all_lose() {
    for choice in all_choices() {
        let settings = Settings {
            choice,
            ..Settings::default()
        };
        let (search, found) = decide(explicit(&WON), settings, 0, 100_000);
        assert_eq!(
            (found.best.action, search.winner()),
            (1, Some(First)),
            "{choice:?}"
        );
        for iterations in 1..40 {
            let (search, _) = decide(explicit(&LOST_FIRST), settings, 0, iterations);
            let all = search.candidates(&[1]);
            let best = search.best(&[1]);
            let is_lost = |one: &Candidate<usize>| one.proven == Some(false);
            assert!(best.is_none_or(|best| !is_lost(&best) || all.iter().all(is_lost)));
        }
    }
}

#[test]
fn a_search_that_ends_early_chooses_as_the_whole_one() {
    let mut ended = 0;
    for choice in all_choices() {
        for start in 1..10 {
            let whole = Settings {
                choice,
                ..Settings::default()
            };
            let early = Settings {
                early_stop: true,
                ..whole
            };
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
    let halving = |most: f64| Settings {
        allocation: Selected::of("halving", &[("most", most)]).expect("known"),
        ..Settings::default()
    };
    // Three rounds of 800 iterations for eight actions.
    let (search, _) = decide(Sets, halving(16.0), 0, 2400);
    let mut visits = visits(&search);
    visits.sort_unstable();
    assert_eq!(visits, [100, 100, 100, 100, 300, 300, 700, 700]);
    let (search, _) = decide(Sets, halving(3.0), 0, 1000);
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
        let settings = Settings {
            nodes,
            choice: Selected::of("value", &[]).expect("known"),
            ..halving(16.0)
        };
        let (search, choice) = decide(explicit(&WON), settings, 0, 4000);
        let is_won = (choice.best.action, search.winner()) == (1, Some(First));
        assert!(nodes == 4 || is_won);
        let (_, choice) = decide(explicit(&NO_ALTERNATION), settings, 0, 4000);
        assert!(nodes == 4 || choice.best.action == 2);
    }
}
