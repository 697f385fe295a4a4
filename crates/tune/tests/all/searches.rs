//! Searches: any order of results, limits, wrong input, and what is found.

use patchwork_engine::util::InputError;
use patchwork_engine::util::rng::{Rng, stream};
use patchwork_tournament::domain::SettingValue;
use patchwork_tune::{Point, SearchMethod, Space, Stage, Trial, Tuner, TunerSettings, importance};
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

/// Runs a search with `ahead` trials at a time, told in reverse if `reverse`.
fn run(method: SearchMethod, pairs: u32, ahead: usize, reverse: bool) -> Tuner {
    let mut settings = TunerSettings {
        method,
        ..TunerSettings::new(pairs, 7)
    };
    settings.candidates = [0.2, 0.6, 0.7].map(|at| space().at_unit(&[at; 6])).to_vec();
    let mut tuner = Tuner::new(space(), settings).expect("a search");
    let mut playing: Vec<Trial> = Vec::new();
    while tuner.stage() != Stage::Done {
        playing.extend(tuner.ask(ahead));
        let trial = if reverse {
            playing.pop()
        } else {
            (!playing.is_empty()).then(|| playing.remove(0))
        };
        if let Some(trial) = trial {
            tuner.tell(trial.id, play(&trial)).expect("results");
        }
    }
    tuner
}

#[test]
fn searches_do_not_depend_on_the_order_of_results() {
    for &method in SearchMethod::ALL {
        let one = run(method, 100, 1, false);
        assert!(one.history().pairs() <= 100, "{}", method.name());
        let best = one.best().expect("a recommendation");
        assert!(
            best.error > 0.0 && (0.0..1.0).contains(&best.value),
            "{best:?}"
        );
        for (ahead, reverse) in [(3, false), (100, true)] {
            let other = run(method, 100, ahead, reverse);
            assert_eq!(other.history(), one.history(), "{}", method.name());
            assert_eq!(other.best(), one.best());
        }
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
                for trial in tuner.ask(100) {
                    tuner.tell(trial.id, play(&trial)).expect("results");
                }
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
    let methods = SearchMethod::ALL.iter().copied();
    let tuners: Vec<(SearchMethod, Tuner)> = methods
        .map(|method| (method, run(method, 300, 100, false)))
        .collect();
    for (method, tuner) in &tuners {
        let best = tuner.best().expect("a recommendation");
        let depth = best
            .point
            .get("rollout.depth")
            .and_then(SettingValue::number);
        assert!(
            (4.0..=12.0).contains(&depth.expect("active")),
            "{}: {best:?}",
            method.name()
        );
    }
    let mut tuners = tuners.iter();
    let ntbea = tuners.find(|(method, _)| *method == SearchMethod::Ntbea);
    let (_, tuner) = ntbea.expect("a method");
    let (keys, effects) = importance(tuner.space(), tuner.history());
    assert_eq!(keys[0].key, "rollout.depth");
    assert!(keys[0].own.low > keys[1].total.high, "{keys:?}");
    // Each value counts for itself.
    let depths = effects.iter().filter(|row| row.key == "rollout.depth");
    let depths: Vec<_> = depths.collect();
    assert_eq!(depths.len(), 13);
    let pairs = depths.iter().map(|row| row.pairs).sum::<u32>();
    assert_eq!(pairs, tuner.history().pairs());
}

#[test]
fn wrong_results_are_refused() {
    let mut tuner = Tuner::new(space(), TunerSettings::new(100, 1)).expect("a search");
    let trials = tuner.ask(2);
    let id = trials[1].id;
    let count = trials[1].rings.len();
    let refused = |told: Result<(), InputError>| told.expect_err("refused").to_string();
    let unknown = "trial 99 is unknown: it was never asked for";
    assert_eq!(refused(tuner.tell(99, vec![])), unknown);
    // Trial 2 is planned but has not been asked for.
    assert_eq!(
        refused(tuner.tell(2, vec![0.5; count])),
        "trial 2 is unknown: it was never asked for"
    );
    let error = tuner.tell(id, vec![0.5; count + 1]).expect_err("too many");
    assert!(error.to_string().contains("one for each ring"), "{error}");
    let error = tuner
        .tell(id, vec![f64::NAN; count])
        .expect_err("not a number");
    assert!(
        error.to_string().contains("expected a number from 0 to 1"),
        "{error}"
    );
    assert_eq!(tuner.tell(id, vec![0.5; count]), Ok(()));
    assert_eq!(
        refused(tuner.tell(id, vec![0.5; count])),
        format!("trial {id} already has results")
    );
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
