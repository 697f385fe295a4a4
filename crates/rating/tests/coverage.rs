//! The simulation of coverage in a reduced form.

#[path = "../examples/coverage.rs"]
#[allow(dead_code, reason = "the program also runs by itself")]
mod coverage;

#[test]
#[ignore = "a simulation"]
fn intervals_contain_the_truth_in_all_designs() {
    for (name, shown) in coverage::run(200) {
        // Where intervals have no end on one side, they contain more.
        let most = if name.starts_with("separated") {
            1.0
        } else {
            0.97
        };
        for share in [shown.ratings, shown.differences] {
            assert!((0.93..=most).contains(&share), "{name}: {shown:?}");
        }
        assert!(
            (0.85..1.15).contains(&shown.error) && shown.alarms.is_none_or(|share| share < 0.09),
            "{name}: {shown:?}"
        );
    }
}
