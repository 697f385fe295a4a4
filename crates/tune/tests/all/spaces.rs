//! Spaces: what is refused, random points and points nearby.

use std::collections::BTreeMap;
use std::fs;

use patchwork_engine::testing::rows;
use patchwork_engine::util::rng::stream;
use patchwork_tournament::domain::{Domain, SettingValue};
use patchwork_tune::{Conversation, Point, Space, SpaceKey, Tuning};
use proptest::prelude::*;

use super::space;

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
        "a..b" = [1, 2] => 'a..b' is not a key
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

#[test]
fn a_range_can_contain_none() {
    let space = Space::parse("depth = { low = 0, high = 40, none = true }").expect("a space");
    let points: Vec<Point> = [1.0, 0.92, 0.4].map(|at| space.at_unit(&[at])).into();
    let texts: Vec<String> = points.iter().map(ToString::to_string).collect();
    assert_eq!(texts, ["depth=none", "depth=40", "depth=18"]);
    assert_eq!(space.to_unit(&points[0]), [Some(1.0)]);
    let json = serde_json::to_string(&points[0]).expect("JSON");
    assert_eq!(json, "{\"depth\":null}");
    let read: Point = serde_json::from_str(&json).expect("a point");
    assert_eq!(space.check(&read), Ok(points[0].clone()));
    assert_eq!(space.keys()[0].to_json()["none"], true);
    let mut rng = stream(&[3]);
    let drawn = (0..8000).filter(|_| space.sample(&mut rng) == points[0]);
    assert!((900..1100).contains(&drawn.count()), "an eighth");
}

#[test]
fn the_base_is_a_candidate_wherever_the_search_starts() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("t.toml");
    let read = |more: &str, none: bool| {
        let file = format!(
            "name = \"t\"\nbase = \"mcts-fast\"\npairs = 60\n{more}[space]\n\
             \"rollout.depth\" = {{ low = 0, high = 9, none = {none} }}\n"
        );
        fs::write(&path, file).expect("written");
        Tuning::read(&path, None).expect("a search")
    };
    let starts = |tuning: &Tuning| -> Vec<String> {
        let start = tuning.settings.start.iter();
        start.map(ToString::to_string).collect()
    };
    let tuning = read("", true);
    assert_eq!(starts(&tuning), ["rollout.depth=none"]);
    let base = tuning.agent(&tuning.settings.start[0]).expect("an agent");
    assert_eq!(base.config.canonical(), tuning.base.config.canonical());
    let start = "[start]\n\"rollout.depth\" = 4\n";
    assert_eq!(
        starts(&read(start, true)),
        ["rollout.depth=4", "rollout.depth=none"]
    );
    // Not in this space.
    assert_eq!(starts(&read(start, false)), ["rollout.depth=4"]);
    assert!(starts(&read("", false)).is_empty());
}

/// A random space of up to six keys, some of them conditional.
fn any_space() -> impl Strategy<Value = Space> {
    any::<u64>().prop_map(|seed| {
        let mut rng = stream(&[seed]);
        let mut keys: Vec<SpaceKey> = Vec::new();
        for i in 0..rng.random_range(1..=6) {
            let low = rng.random_range(-50..50_i64);
            let domain = match rng.random_range(0..6) {
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
                3 => Domain::OrNone(Box::new(Domain::Integer {
                    low,
                    high: low + rng.random_range(3..40),
                    step: 1,
                    log: false,
                })),
                4 => Domain::Real {
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
            let parents: Vec<&SpaceKey> = keys
                .iter()
                .filter(|key| matches!(key.domain, Domain::Choice(_)))
                .collect();
            let mut when = BTreeMap::new();
            if !parents.is_empty() && rng.random::<bool>() {
                let parent = parents[rng.random_range(0..parents.len())];
                when.insert(parent.name.clone(), parent.domain.levels(9)[..1].to_vec());
            }
            keys.push(SpaceKey {
                name: format!("k{i}"),
                domain,
                when,
            });
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
