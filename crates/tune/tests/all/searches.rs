//! Searches: limits, wrong input, and what is found.

use patchwork_engine::util::rng::{Rng, stream};
use patchwork_tournament::domain::SettingValue;
use patchwork_tune::{Point, SearchMethod, Space, Stage, Trial, Tuner, TunerSettings};
use rand::RngExt as _;

use super::space;

/// Plays trials of a space with one best value.
fn play(trial: &Trial) -> Vec<f64> {
    let depth = trial
        .point
        .get("rollout.depth")
        .and_then(SettingValue::number);
    let expected = 0.7 - 0.005 * (depth.unwrap_or(0.0) - 8.0).powi(2);
    let mut rng: Rng = stream(&[trial.id, 9]);
    let results = trial
        .rings
        .clone()
        .map(|_| (expected + 0.3 * (rng.random::<f64>() - 0.5)).clamp(0.0, 1.0));
    results.collect()
}

/// Plays the next batch of a search.
fn step(tuner: &mut Tuner) {
    let results = tuner.ask().iter().map(play).collect();
    tuner.tell(results).expect("results");
}

/// Runs a search.
fn run(method: SearchMethod, pairs: u32) -> Tuner {
    let mut settings = TunerSettings {
        method,
        ..TunerSettings::new(pairs, 7)
    };
    settings.candidates = [0.2, 0.6, 0.7].map(|at| space().at_unit(&[at; 6])).to_vec();
    let mut tuner = Tuner::new(space(), settings).expect("a search");
    while tuner.stage() != Stage::Done {
        step(&mut tuner);
    }
    tuner
}

#[test]
fn the_same_results_give_the_same_search() {
    for &method in SearchMethod::ALL {
        let [one, other] = [run(method, 100), run(method, 100)];
        assert!(one.history().pairs() <= 100, "{}", method.name());
        let best = one.best().expect("a recommendation").result;
        assert!(best.error > Some(0.0) && best.value < Some(1.0), "{best:?}");
        assert_eq!(other.history(), one.history(), "{}", method.name());
        assert_eq!(other.best(), one.best());
    }
}

#[test]
fn a_search_ends_at_a_new_number_of_pairs() {
    for &method in SearchMethod::ALL {
        for (limit, stage) in [(60, Stage::Search), (90, Stage::Race)] {
            let mut settings = TunerSettings {
                method,
                ..TunerSettings::new(1_000_000, 7)
            };
            settings.candidates = [0.2, 0.6].map(|at| space().at_unit(&[at; 6])).to_vec();
            let mut tuner = Tuner::new(space(), settings).expect("a search");
            tuner.limit(120);
            while tuner.stage() != Stage::Done {
                if tuner.stage() == stage && tuner.history().pairs() > 0 {
                    tuner.limit(limit);
                }
                step(&mut tuner);
            }
            // A round of a race that has begun is played to its end, and a race is the whole of some searches.
            let is_searched = !matches!(method, SearchMethod::Random | SearchMethod::Race);
            let most = if is_searched && stage == Stage::Search {
                limit
            } else {
                120
            };
            let pairs = tuner.history().pairs();
            assert!((1..=most).contains(&pairs), "{}: {pairs}", method.name());
            assert!(tuner.best().is_some());
        }
    }
}

#[test]
#[ignore = "many searches"]
fn searches_find_what_matters() {
    for &method in SearchMethod::ALL {
        let best = run(method, 300).best().expect("a recommendation");
        let depth = best.point.get("rollout.depth");
        let depth = depth.and_then(SettingValue::number).expect("active");
        assert!((4.0..=12.0).contains(&depth), "{}: {best:?}", method.name());
    }
}

#[test]
fn wrong_results_are_refused() {
    let mut tuner = Tuner::new(space(), TunerSettings::new(100, 1)).expect("a search");
    let trials = tuner.ask();
    let right: Vec<Vec<f64>> = trials.iter().map(play).collect();
    let mut refused = |change: &dyn Fn(&mut Vec<Vec<f64>>), expected: &str| {
        let mut wrong = right.clone();
        change(&mut wrong);
        let error = tuner.tell(wrong).expect_err(expected).to_string();
        assert!(error.ends_with(expected), "{error}");
    };
    refused(
        &|results| results.truncate(3),
        "results of 3 trials, expected those of 8",
    );
    refused(&|results| results[1].push(0.5), "one for each ring");
    refused(
        &|results| results[2][0] = f64::NAN,
        "expected a number from 0 to 1",
    );
    assert_eq!(tuner.history().pairs(), 0);
    assert_eq!(tuner.ask(), trials);
    assert_eq!(tuner.tell(right.clone()), Ok(()));
    let error = tuner.tell(right).expect_err("twice").to_string();
    assert!(error.ends_with("expected those of 0"), "{error}");
}

#[test]
fn wrong_settings_are_refused() {
    let refused = |change: &dyn Fn(&mut TunerSettings)| {
        let mut settings = TunerSettings::new(100, 1);
        change(&mut settings);
        Tuner::new(space(), settings)
            .expect_err("wrong")
            .to_string()
    };
    assert_eq!(refused(&|s| s.pairs = 0), "pairs is 0, expected at least 1");
    assert_eq!(refused(&|s| s.batch = 0), "batch is 0, expected at least 1");
    assert_eq!(
        refused(&|s| s.final_share = Some(1.5)),
        "final_share is 1.5, expected 0 to 1"
    );
    assert!(refused(&|s| s.method = SearchMethod::Race).contains("needs a list of candidates"));
    assert!(refused(&|s| s.start = vec![Point::default()]).contains("the value is missing"));
    let choices = Space::parse("a = [1, 2]").expect("a space");
    let spsa = TunerSettings {
        method: SearchMethod::Spsa,
        ..TunerSettings::new(100, 1)
    };
    let error = Tuner::new(choices, spsa)
        .expect_err("no numbers")
        .to_string();
    assert!(
        error.contains("needs a key with a range of numbers"),
        "{error}"
    );
}
