//! Shares of variance of functions whose shares are known.

use std::f64::consts::TAU;

use patchwork_tournament::domain::SettingValue;
use patchwork_tune::{Point, Space, variance_shares};

/// Four ranges, of which functions use three.
const CUBE: &str = "a = { low = 0.0, high = 1.0 }\nb = { low = 0.0, high = 1.0 }\nc = { low = 0.0, high = 1.0 }\n\
                    d = { low = 1.0, high = 100.0, log = true }";

/// Checks the own and total shares of a function of three numbers, which is given where a key is not active, too.
fn check(space: &str, value: impl Fn([f64; 3]) -> f64, expected: &[(f64, f64)]) {
    let space = Space::parse(space).expect("a space");
    let number = |point: &Point, key| point.get(key).and_then(SettingValue::number);
    let found = variance_shares(&space, |point| {
        value(["a", "b", "c"].map(|key| number(point, key).unwrap_or(f64::NAN)))
    });
    assert_eq!(found.len(), expected.len());
    for ((key, of), (own, total)) in space.keys().iter().zip(&found).zip(expected) {
        let far = (of.own - own).abs().max((of.total - total).abs());
        assert!(far < 0.01, "{}: {of:?}, not {own} and {total}", key.name);
    }
    // A key without effect explains nothing at all.
    if expected.last() == Some(&(0.0, 0.0)) {
        let last = found.last().expect("keys");
        assert_eq!((last.own, last.total), (0.0, 0.0));
    }
}

#[test]
fn own_shares_of_a_sum_add_up_to_one() {
    // The variances are in the ratio of 1, 4 and 1.
    let sum = |[a, b, c]: [f64; 3]| a + 2.0 * b + 2.0 * (c - 0.5).abs();
    let [one, four] = [1.0 / 6.0, 4.0 / 6.0].map(|share| (share, share));
    check(CUBE, sum, &[one, four, one, (0.0, 0.0)]);
}

#[test]
fn shares_of_ishigamis_function_are_known() {
    // Ishigami and Homma 1990, with a = 7 and b = 0.1.
    let value = |numbers: [f64; 3]| {
        let [a, b, c] = numbers.map(|number| TAU * (number - 0.5));
        libm::sin(a) * (1.0 + 0.1 * c.powi(4)) + 7.0 * libm::sin(b).powi(2)
    };
    let expected = [
        (0.3139, 0.5576),
        (0.4424, 0.4424),
        (0.0, 0.2437),
        (0.0, 0.0),
    ];
    check(CUBE, value, &expected);
}

#[test]
fn a_product_has_a_share_that_no_key_explains_alone() {
    let both = (3.0 / 7.0, 4.0 / 7.0);
    check(
        CUBE,
        |[a, b, _]| a * b,
        &[both, both, (0.0, 0.0), (0.0, 0.0)],
    );
}

#[test]
fn shares_under_a_condition_are_of_the_variance_there() {
    // Where a is 1, the variance is that of b; elsewhere b is not active.
    let space = "a = [1, 2]\nb = { low = 0.0, high = 1.0, when = { a = 1 } }";
    let value = |[a, b, _]: [f64; 3]| if a < 1.5 { b } else { 0.5 };
    // b has the variance 1 / 12 in half of the space.
    check(space, value, &[(0.0, 0.5), (1.0, 1.0)]);
    let apart = |[a, b, _]: [f64; 3]| if a < 1.5 { b } else { 1.0 };
    // The means are 1/2 and 1; given b, the variance is a quarter of the square of the difference.
    check(space, apart, &[(0.6, 0.8), (1.0, 1.0)]);
}

#[test]
fn a_constant_has_no_shares() {
    check(
        "a = [1, 2]\nb = [3, 4, 5]",
        |_| 0.7,
        &[(0.0, 0.0), (0.0, 0.0)],
    );
}
