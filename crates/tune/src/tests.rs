use std::collections::BTreeMap;

use patchwork_engine::agent::AgentFile;
use patchwork_engine::util::InputError;
use patchwork_engine::util::rng::{Rng, below, stream};
use proptest::prelude::*;

use super::candidates::{agent_of, check_corners};
use super::*;
use patchwork_engine::testing::rows;
use patchwork_tournament::domain::{Domain, SettingValue};

const SPACE: &str = r#"
    "search.select" = ["ucb1", "puct"]
    "search.exploration" = { low = 0.05, high = 5.0, log = true, when = { "search.select" = "ucb1" } }
    "search.prior" = { values = [true, false], when = { "search.select" = ["puct"] } }
    "search.temperature" = { low = 1.0, high = 1000.0, log = true, when = { "search.prior" = true } }
    "rollout.depth" = { low = 0, high = 12 }
    "rollout.epsilon" = { low = 0.0, high = 0.5, step = 0.05 }
"#;

fn space() -> Space {
    Space::parse(SPACE).expect("a space")
}

#[test]
fn bad_spaces_are_refused() {
    for [text, expected] in rows(
        r#"
        => there are no keys
        a = [] => "a": the list of values is empty
        a = [1] => "a": 1 is the only value
        a = [1, 2, 1.0] => "a": the value 1.0 is given twice
        a = [1, nan] => "a": found NaN, expected a finite number
        a = [1, [2]] => "a": found [2], expected a text
        a = 3 => "a": found 3, expected a list
        a = { low = 2, high = 2 } => "a": low is 2 and high is 2, expected low < high
        a = { low = 2.5, high = 1 } => "a": low is 2.5 and high is 1, expected low < high
        a = { low = 0.0, high = inf } => "a": high is inf
        a = { low = nan, high = 1.0 } => "a": low is NaN
        a = { low = -1e308, high = 1e308 } => "a": high - low is too large
        a = { low = 0.0, high = 1.0, log = true } => "a": low is 0, expected more than 0
        a = { low = 0, high = 9, log = true } => "a": low is 0, expected more than 0
        a = { low = 0, high = 9, step = 0 } => "a": step is 0, expected at least 1
        a = { low = 0, high = 9, step = 10 } => "a": step is 10, so 0 would be the only value
        a = { low = 0.0, high = 1.0, step = 0.0 } => "a": step is 0, expected more than 0
        a = { low = 1.0, high = 2.0, step = 0.5, log = true } => "a": a step cannot be combined with
        a = { low = 0 } => "a": `high` is missing
        a = { low = 0, high = "x" } => "a": high is "x", expected a number
        a = { values = [1, 2], low = 0 } => "a": `values` and `low` cannot be combined
        a = { low = 0, hihg = 1 } => "a": unknown key `hihg`
        a = { b = [1, 2] } => "a": unknown key `b`; a dotted key of the agent must be in quotes: "a.b"
        "a..b" = [1, 2] => "a..b": expected a dotted key
        a = [1, 2]\n"a.b" = [1, 2] => "a.b": the key is inside "a"
        a = { values = [1, 2], when = { b = 1 } } => "a": when: the space has no key "b"
        a = { values = [1, 2], when = { a = 1 } } => "a": when: the key depends on itself
        a = { values = [1, 2], when = { b = 1 } }\nb = { values = [1, 2], when = { a = 1 } } => "a": when: the key depends on itself
        a = [1, 2]\nb = { values = [1, 2], when = { a = [] } } => "b": when: "a": the list of values is empty
        a = [1, 2]\nb = { values = [1, 2], when = { a = 3 } } => "b": when: "a": 3 is not one of 1, 2
        a = { low = 0.0, high = 1.0 }\nb = { values = [1, 2], when = { a = 0.5 } } => "b": when: "a": a condition needs
        a = [1, 2]\nb = { values = [1, 2], when = { a = 1 } }\nc = { values = [1, 2], when = { a = 2, b = 1 } } => "c": can never be active
        a = [1, => not valid TOML
    "#,
    ) {
        let error = Space::parse(text).expect_err(text).to_string();
        assert!(error.starts_with(expected), "{text}: {error}");
        assert!(!error.contains('\n'), "{error}");
    }
}

#[test]
fn starting_values_are_checked() {
    let start = |depth: SettingValue| {
        let values = [
            ("search.select", "ucb1".into()),
            ("search.exploration", 1.into()),
            ("rollout.depth", depth),
            ("rollout.epsilon", 0.1.into()),
        ];
        space().check(&values.into_iter().collect())
    };
    let point = start(4.into()).expect("in the space");
    let text =
        "rollout.depth=4, rollout.epsilon=0.1, search.exploration=1.0, search.select=\"ucb1\"";
    assert_eq!(point.to_string(), text);
    let json = serde_json::to_string(&point).expect("JSON");
    assert_eq!(
        serde_json::from_str::<Point>(&json).expect("a point"),
        point
    );
    for (depth, expected) in [
        (
            13.into(),
            "\"rollout.depth\": 13 is out of range, expected 0 to 12",
        ),
        (
            1.5.into(),
            "\"rollout.depth\": found 1.5, expected a whole number",
        ),
        (
            "x".into(),
            "\"rollout.depth\": found \"x\", expected a number",
        ),
        (f64::NAN.into(), "\"rollout.depth\": nan is out of range"),
    ] {
        let error = start(depth).expect_err("wrong").to_string();
        assert!(error.starts_with(expected), "{error}");
    }
    let error = space().check(&Point::default()).expect_err("nothing");
    assert_eq!(error.to_string(), "\"rollout.depth\": the value is missing");
    let inactive = point.iter().map(|(key, value)| (key, value.clone()));
    let inactive = inactive.chain([("search.prior", true.into())]).collect();
    let error = space().check(&inactive).expect_err("inactive");
    assert!(error.to_string().contains("not active"), "{error}");
    let unknown = [("search.selct", "ucb1".into())].into_iter().collect();
    let error = space().check(&unknown).expect_err("unknown");
    assert!(
        error.to_string().ends_with("did you mean search.select?"),
        "{error}"
    );
}

#[test]
fn samples_are_uniform() {
    let space = space();
    let mut rng = stream(&[2]);
    let points: Vec<Point> = (0..12_000).map(|_| space.sample(&mut rng)).collect();
    let share = |goes: &dyn Fn(&Point) -> bool| {
        points.iter().filter(|point| goes(point)).count() as f64 / points.len() as f64
    };
    let near =
        |share: f64, expected: f64| assert!((share - expected).abs() < 0.02, "{share} {expected}");
    near(share(&|p| p.get("search.exploration").is_some()), 0.5);
    near(share(&|p| p.get("search.temperature").is_some()), 0.25);
    // On a logarithmic scale the middle of 0.05 to 5 is 0.5.
    let low = |p: &Point| p.get("search.exploration").and_then(SettingValue::number) < Some(0.5);
    near(
        share(&|p| p.get("search.exploration").is_some() && low(p)),
        0.25,
    );
    for depth in 0..=12 {
        near(
            share(&|p| p.get("rollout.depth") == Some(&depth.into())),
            1.0 / 13.0,
        );
    }
}

/// A random space of up to six keys, some of them conditional.
fn any_space() -> impl Strategy<Value = Space> {
    any::<u64>().prop_map(|seed| {
        let mut rng = stream(&[seed]);
        let mut keys: Vec<SpaceKey> = Vec::new();
        for i in 0..rng.random_range(1..=6) {
            let low = rng.random_range(-50..50_i64);
            let domain = match rng.random_range(0..5) {
                0 => Domain::Choice((0..rng.random_range(2..5_i64)).map(Into::into).collect()),
                1 => Domain::Integer {
                    low,
                    high: low + rng.random_range(3..90),
                    step: rng.random_range(1..4),
                    log: false,
                },
                2 => Domain::Integer {
                    low: 1,
                    high: rng.random_range(2..1000),
                    step: 1,
                    log: true,
                },
                3 => Domain::Real {
                    low: low as f64,
                    high: low as f64 + rng.random::<f64>() + 0.1,
                    step: None,
                    log: false,
                },
                _ => Domain::Real {
                    low: 0.001,
                    high: 10.0 * rng.random::<f64>() + 0.01,
                    step: None,
                    log: true,
                },
            };
            let mut key = SpaceKey::new(format!("k{i}"), domain);
            let parents: Vec<&SpaceKey> = keys
                .iter()
                .filter(|key| matches!(key.domain, Domain::Choice(_)))
                .collect();
            if !parents.is_empty() && rng.random::<bool>() {
                let parent = parents[rng.random_range(0..parents.len())];
                key = key.when(
                    parent.name.clone(),
                    parent.domain.levels(9).into_iter().take(1),
                );
            }
            keys.push(key);
        }
        Space::new(keys).expect("a space")
    })
}

proptest! {
    #[test]
    fn points_stay_in_the_space(space in any_space(), seed in any::<u64>()) {
        let mut rng = stream(&[seed]);
        let point = space.sample(&mut rng);
        for point in [space.mutate(&point, &mut rng), space.middle(), point.clone()] {
            prop_assert_eq!(space.check(&point).expect("in the space"), point.clone());
            let unit: Vec<f64> = space.to_unit(&point).into_iter().map(|at| at.unwrap_or(0.3)).collect();
            prop_assert!(unit.iter().all(|at| (0.0..=1.0).contains(at)));
            let back = space.at_unit(&unit);
            for (key, value) in point.iter() {
                let back = back.get(key).expect("active");
                match (value.number(), back.number()) {
                    (Some(one), Some(two)) => prop_assert!((one - two).abs() <= 1e-9 * one.abs().max(1.0)),
                    _ => prop_assert_eq!(value, back),
                }
            }
        }
        prop_assert_ne!(space.mutate(&point, &mut rng), point);
    }

    #[test]
    fn no_text_breaks_the_reader(text in "[a-c\\.\"= \\[\\]{}0-9,\n-]{0,60}") {
        let _ = Space::parse(&text);
        let _ = Conversation::new(space(), 5).read(&text);
    }
}

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
    let model = Landscape::fit(tuner.space(), tuner.history(), None);
    let (keys, effects) = importance(tuner.space(), tuner.history(), &model);
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
    assert!(refused(&|s| s.start = Some(Point::default())).contains("the value is missing"));
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

#[test]
fn a_conversation_is_checked() {
    let mut talk = Conversation::new(space(), 20);
    let point = r#"{"search.select":"ucb1","search.exploration":1.0,"rollout.depth":3,"rollout.epsilon":0.2}"#;
    let ask = |id: u64, pairs: i32, point: &str| {
        format!(r#"{{"ask":{{"id":{id},"point":{point},"pairs":{pairs}}}}}"#)
    };
    for blank in ["", "\u{feff}", " \t"] {
        assert_eq!(talk.read(blank), Ok(None), "{blank:?}");
    }
    assert_eq!(talk.end(), None);
    for (line, expected) in [
        ("nonsense".to_owned(), "line 4: expected {\"ask\": ...}"),
        (r#"{"ask":{"id":1}}"#.to_owned(), "line 5: expected"),
        (ask(1, 0, point), "line 6: ask 1: pairs is 0"),
        (ask(1, -1, point), "line 7: expected"),
        (
            ask(1, 21, point),
            "line 8: ask 1: pairs is 21, and 20 of 20 are left",
        ),
        (
            ask(1, 2, "{}"),
            "line 9: ask 1: \"rollout.depth\": the value is missing",
        ),
    ] {
        let error = talk.read(&line).expect_err("wrong").to_string();
        assert!(error.starts_with(expected), "{error}");
    }
    let Ok(Some(trial)) = talk.read(&ask(1, 2, point)) else {
        panic!("a trial")
    };
    assert_eq!(trial.rings, 0..2);
    let error = talk.read(&ask(1, 2, point)).expect_err("twice").to_string();
    assert!(error.ends_with("ask 1: the id was used before"), "{error}");
    let Ok(ArenaLine::Tell {
        value,
        error,
        pairs: 2,
        ..
    }) = talk.tell(1, vec![0.5, 0.7])
    else {
        panic!("results")
    };
    assert!((value - 0.6).abs() < 1e-12 && error > 0.0);
    let error = talk.tell(1, vec![0.5, 0.7]).expect_err("twice").to_string();
    assert_eq!(error, "trial 1 already has results");
    // The same candidate gets new rings.
    let Ok(Some(trial)) = talk.read(&ask(2, 3, point)) else {
        panic!("a trial")
    };
    assert_eq!(trial.rings, 2..5);
    let best = format!(r#"{{"best":{{"point":{point}}}}}"#);
    assert_eq!(talk.read(&best), Ok(None));
    assert_eq!(talk.end(), Some(&trial.point));
    assert_eq!(talk.read("\n"), Ok(None));
    let error = talk.read(&ask(3, 1, point)).expect_err("late").to_string();
    assert!(error.contains("after \"best\""), "{error}");
    let greeting = serde_json::to_string(&talk.greeting()).expect("JSON");
    assert!(greeting.starts_with(r#"{"space":{"keys":{"#), "{greeting}");
}

/// Groups of keys: the first ones switch the others on and off, which are named after the bar.
const SWITCHES: &str = r#"
    "rollout.depth" = [0, 4] | "rollout.pick" = ["greedy", "uniform", "epsilon-greedy"]
    "rollout.depth" = [0, 4] | "rollout.epsilon" = { low = 0.0, high = 0.5 }
    "rollout.depth" = { low = 0, high = 3 } | "rollout.strategy" = ["bl/some/first", "in-order/some/first"]
    "rollout.depth" = [0, 6] | "rollout.corner" = [true, false]
    "rollout.pick" = ["greedy", "epsilon-greedy"] | "rollout.epsilon" = { low = 0.0, high = 0.5 }
    "search.select" = ["ucb1", "puct"] | "expansion.prior.decay" = { low = 0.0, high = 3.0 }
    "search.select" = ["ucb1", "puct"] | "expansion.prior.temperature" = { low = 0.1, high = 9.0, log = true }
    "search.value" = ["win", "margin", "mix"] | "search.margin_scale" = { low = 5.0, high = 40.0 }
    "search.value" = ["win", "mix"] | "search.win_weight" = { low = 0.0, high = 1.0 }
    "search.endgame" = { low = 0, high = 50, step = 25 } | "search.endgame_spaces" = [8, 16, 24]
"#;

/// The result of a candidate depends on a key that switches others on, and on the exploration constant.
#[test]
#[ignore = "50 searches"]
fn keys_without_effect_are_not_important() {
    let base = AgentFile::read("../../agents/mcts-fast.toml".as_ref()).expect("shipped");
    let pairs: Vec<_> = SWITCHES
        .trim()
        .lines()
        .map(|line| line.split_once(" | ").expect("keys"))
        .collect();
    for seed in 0..50 {
        let mut rng = stream(&[seed]);
        let (switch, idle) = pairs[below(pairs.len() as u32, &mut rng) as usize];
        let text =
            format!("{switch}\n{idle}\n\"search.exploration\" = {{ low = 0.1, high = 2.0 }}");
        let space = Space::parse(&text).expect("a space").of(&base);
        check_corners(&base, &space).expect("valid agents");
        let key = |line: &str| line.split('"').nth(1).expect("a key").to_owned();
        let (switch, idle) = (key(switch), key(idle));
        let settings = TunerSettings::new(300, seed);
        let mut tuner = Tuner::new(space.clone(), settings).expect("a search");
        let mut agents = BTreeMap::new();
        loop {
            let trials = tuner.ask(usize::MAX);
            if trials.is_empty() {
                break;
            }
            for Trial { id, point, rings } in trials {
                let config = agent_of(&base, &space, &point).expect("a candidate").config;
                let known = agents
                    .entry(config.canonical())
                    .or_insert_with(|| point.clone());
                assert_eq!(*known, point, "one agent is one candidate");
                let place = |key: &str| Some(space.domain(key)?.position(point.get(key)?));
                let planted = 0.3
                    + 0.3 * place(&switch).expect("it has an effect")
                    + 0.1 * place("search.exploration").expect("it has an effect");
                let results = rings.map(|_| planted + 0.2 * (rng.random::<f64>() - 0.5));
                tuner.tell(id, results.collect()).expect("results");
            }
        }
        let model = Landscape::fit(&space, tuner.history(), None);
        let (keys, _) = importance(&space, tuner.history(), &model);
        let share = |key: &str| {
            let row = keys.iter().find(|row| row.key == key);
            row.and_then(|row| row.total.value).expect("a key")
        };
        assert!(share(&idle) < 0.05, "{seed}: {idle}: {}", share(&idle));
        assert!(share(&switch) > 0.5, "{seed}: {switch}: {}", share(&switch));
    }
}
