use super::empirical_likelihood::tilted_to_t;
use super::*;
use proptest::prelude::*;
use serde_json::Value;

#[test]
fn golden_numbers() {
    let golden: Value =
        serde_json::from_str(include_str!("../../tests/data/sprt-golden.json")).expect("JSON");
    let cases = golden["cases"].as_array().expect("cases");
    assert_eq!(cases.len(), 6);
    for case in cases {
        let number = |key: &str| case[key].as_f64().expect("a number");
        let counts = PairCounts::deserialize(&case["pairs"]).expect("counts");
        for (model, key) in [
            (EloModel::Logistic, "llr_logistic"),
            (EloModel::Normalized, "llr_normalized"),
        ] {
            let sprt = Sprt::new(number("elo0"), number("elo1"), 0.05, 0.05, model);
            let llr = sprt.expect("a test").llr(&counts);
            assert!((llr - number(key)).abs() < 2e-6, "{case} {key}: {llr}");
        }
        let estimate = counts.estimate();
        let ends = estimate.elo.interval();
        for (key, ours, tolerance) in [
            ("elo", estimate.elo.value, 1e-4),
            ("elo_95", ends.map(|(low, high)| (high - low) / 2.0), 1e-4),
            ("los", estimate.los, 1e-6),
        ] {
            let ours = ours.expect("a number");
            assert!(
                (ours - number(key)).abs() < tolerance,
                "{case} {key}: {ours}"
            );
        }
    }
}
fn counts() -> impl Strategy<Value = PairCounts> {
    let count = || prop_oneof![Just(0), 1..5u64, 1..100_000u64];
    let draw_free = (count(), count(), count()).prop_map(|(a, b, c)| [a, 0, b, 0, c]);
    let any = [count(), count(), count(), count(), count()];
    prop_oneof![draw_free, any].prop_map(PairCounts)
}

fn models() -> impl Strategy<Value = EloModel> {
    prop_oneof![Just(EloModel::Logistic), Just(EloModel::Normalized)]
}

proptest! {
    #[test]
    fn the_likeliest_distribution_is_one_and_meets_its_condition(
        counts in counts(),
        elo in -MAX_ELO..MAX_ELO,
    ) {
        let (_, observed) = counts.regularized();
        let logistic = SCORES.map(|score| score - score_of_elo(elo));
        let t = elo * T_OF_NORMALIZED;
        for (shares, normalized) in [
            (likeliest_with_mean_0(&observed, &logistic), false),
            (likeliest_with_t(&observed, t), true),
        ] {
            let (mean, deviation) = mean_and_deviation(&shares);
            prop_assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-6);
            prop_assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)));
            if normalized {
                prop_assert!((mean - 0.5 - t * deviation).abs() < 1e-6);
            } else {
                prop_assert!((mean - score_of_elo(elo)).abs() < 1e-6);
            }
        }
    }

    #[test]
    fn no_distribution_near_the_likeliest_is_likelier(
        counts in counts(),
        elo in -200.0..200.0,
        off in prop::array::uniform5(-0.1..0.1),
    ) {
        let (_, observed) = counts.regularized();
        let t = elo * T_OF_NORMALIZED;
        let best = likeliest_with_t(&observed, t);
        let other: Shares = std::array::from_fn(|i| best[i] * (1.0 + off[i]));
        let other = tilted_to_t(&other, t);
        let likelihood = |shares: &Shares| -> f64 {
            (0..5).map(|i| observed[i] * shares[i].ln()).sum()
        };
        prop_assert!(likelihood(&other) <= likelihood(&best) + 1e-9);
    }

    #[test]
    fn the_opponent_sees_the_opposite(counts in counts(), model in models()) {
        let sprt = |elo0, elo1| Sprt::new(elo0, elo1, 0.05, 0.05, model).expect("a test");
        let ours = sprt(-5.0, 20.0).llr(&counts);
        let theirs = sprt(-20.0, 5.0).llr(&counts.swapped());
        prop_assert!((ours + theirs).abs() < 1e-6 * (1.0 + ours.abs()), "{} {}", ours, theirs);
        let (ours, theirs) = (counts.estimate(), counts.swapped().estimate());
        let opposite = |a: Option<f64>, b: Option<f64>| match (a, b) {
            (Some(a), Some(b)) => (a + b).abs() < 1e-6 * (1.0 + a.abs()),
            (a, b) => a.is_none() && b.is_none(),
        };
        prop_assert!(opposite(ours.elo.value, theirs.elo.value));
        prop_assert!(opposite(ours.elo.low, theirs.elo.high));
        prop_assert!(opposite(ours.normalized.low, theirs.normalized.high));
        prop_assert!(opposite(ours.los.map(|los| los - 0.5), theirs.los.map(|los| los - 0.5)));
    }

    #[test]
    fn every_count_has_a_number(counts in counts(), model in models()) {
        let sprt = Sprt::new(0.0, MAX_ELO, 0.01, 0.1, model).expect("a test");
        prop_assert!(sprt.llr(&counts).is_finite());
        let estimate = counts.estimate();
        for number in [estimate.elo.value, estimate.elo.low, estimate.elo.high,
            estimate.normalized.value, estimate.normalized.low, estimate.normalized.high,
            estimate.los] {
            prop_assert!(number.is_none_or(f64::is_finite));
        }
        let inside = |low: Option<f64>, high: Option<f64>| low.zip(high).is_none_or(|(a, b)| a <= b);
        prop_assert!(inside(estimate.elo.low, estimate.elo.value) && inside(estimate.elo.value, estimate.elo.high));
    }
}

#[test]
fn pairs_that_all_end_alike_tell_no_spread() {
    for (counts, elo) in [
        ([0, 0, 0, 0, 7], None),
        ([9, 0, 0, 0, 0], None),
        ([0, 0, 4, 0, 0], Some(0.0)),
    ] {
        let estimate = PairCounts(counts).estimate();
        assert_eq!(estimate.elo.value.map(|elo| elo.round() + 0.0), elo);
        assert_eq!(
            (estimate.elo.low, estimate.elo.high, estimate.los),
            (None, None, None)
        );
    }
    assert_eq!(PairCounts::default().estimate(), PairEstimate::default());
}

#[test]
fn few_pairs_that_differ_tell_no_spread_and_even_ones_no_dust() {
    let ends = |counts| {
        let estimate = PairCounts(counts).estimate();
        estimate.normalized.interval()
    };
    assert_eq!(ends([0, 0, 0, 1, 30]), None);
    assert_eq!(ends([0, 0, 4, 0, 30]), None);
    let (low, high) = ends([0, 0, 5, 0, 30]).expect("an interval");
    assert!(0.0 < low && low < high);
    let even = PairCounts([1, 0, 0, 0, 1]).estimate();
    assert_eq!(
        (even.elo.value, even.normalized.value),
        (Some(0.0), Some(0.0))
    );
    assert_eq!((even.elo.low, even.elo.high), (None, None));
}

#[test]
fn verdicts_follow_the_bounds() {
    let sprt = Sprt::new(0.0, 30.0, 0.05, 0.1, EloModel::Logistic).expect("a test");
    let (lower, upper) = sprt.bounds();
    assert!((lower - (0.1f64 / 0.95).ln()).abs() < 1e-12);
    assert!((upper - (0.9f64 / 0.05).ln()).abs() < 1e-12);
    let verdict = |counts| sprt.verdict(&PairCounts(counts));
    assert_eq!(verdict([0; 5]), Verdict::Continue);
    assert_eq!(sprt.llr(&PairCounts::default()), 0.0);
    assert_eq!(verdict([40, 0, 90, 0, 41]), Verdict::Continue);
    assert_eq!(verdict([40, 0, 90, 0, 70]), Verdict::AcceptH1);
    assert_eq!(verdict([70, 0, 90, 0, 40]), Verdict::AcceptH0);
    assert_eq!(Verdict::AcceptH0.to_string(), "accept H0");
}

#[test]
fn what_is_no_test_is_refused_in_a_sentence() {
    let new = |elo0, elo1, alpha, beta| {
        let sprt = Sprt::new(elo0, elo1, alpha, beta, EloModel::Logistic);
        sprt.expect_err("no test").to_string()
    };
    assert_eq!(
        new(10.0, 0.0, 0.05, 0.05),
        "elo0 is 10 and elo1 is 0; expected elo0 to be the smaller one"
    );
    assert!(new(f64::NAN, 0.0, 0.05, 0.05).starts_with("elo0 is NaN; expected a number"));
    assert!(new(0.0, 1e300, 0.05, 0.05).starts_with("elo1 is 1e300; expected a number"));
    assert!(new(0.0, 1001.0, 0.05, 0.05).starts_with("elo1 is 1001; expected a number"));
    assert!(new(0.0, 5.0, 0.0, 0.05).starts_with("alpha is 0; expected a probability"));
    assert!(new(0.0, 5.0, 0.05, 0.5).starts_with("beta is 0.5; expected a probability"));
    for text in [
        "",
        "1,2,3,4",
        "1,2,3,4,5,6",
        "1,2,x,4,5",
        "1,-2,3,4,5",
        "1,2,3,4,5000000000",
    ] {
        let error = text
            .parse::<PairCounts>()
            .expect_err("no counts")
            .to_string();
        assert!(error.starts_with(&format!(
            "'{text}' is not a list of pair counts; expected five"
        )));
    }
    let error = "elo".parse::<EloModel>().expect_err("no model").to_string();
    assert_eq!(
        error,
        "unknown Elo model 'elo'; expected logistic or normalized"
    );
}
