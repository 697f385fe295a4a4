use super::*;
use patchwork_engine::testing::rows;

/// The agents of a sweep, with `mcts-fast` as its base.
fn swept(text: &str) -> Result<Vec<(AgentFile, SweptValues)>, String> {
    let text = format!("base = \"mcts-fast\"\n{text}");
    let keys: SweepKeys = toml::from_str(&text).map_err(|error| error.message().to_owned())?;
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../agents");
    let paths = AgentPaths::here(Some(Path::new(folder)));
    let agents = keys.agents(Path::new("t.toml"), &paths, 7, MAX_SWEPT);
    agents.map_err(|error| error.to_string())
}

fn names(text: &str) -> Vec<String> {
    let agents = swept(text).unwrap();
    agents.into_iter().map(|(agent, _)| agent.name).collect()
}

#[test]
fn a_grid_has_all_combinations() {
    let names = names(
        "[keys]\n\"search.exploration\" = { low = 0.2, high = 3.2, steps = 3, log = true }\n\
             rollout.strategy = [\"bl/some/first\", \"in-order/some/first\"]\n",
    );
    assert_eq!(
        names,
        [
            "strategy=bl/some/first exploration=0.2",
            "strategy=bl/some/first exploration=0.8",
            "strategy=bl/some/first exploration=3.2",
            "strategy=in-order/some/first exploration=0.2",
            "strategy=in-order/some/first exploration=0.8",
            "strategy=in-order/some/first exploration=3.2",
        ]
    );
}

#[test]
fn the_settings_are_those_of_the_names() {
    let agents =
        swept("keys = { budget.iterations = { low = 10, high = 30, steps = 3 } }").unwrap();
    let budgets = agents.iter().map(|(agent, _)| agent.config.budget());
    let expected = [10, 20, 30].map(|n| Some(patchwork_engine::search::Budget::Iterations(n)));
    assert!(budgets.eq(expected));
    let both = names(
        "[keys]\n\"expansion.strategy\" = [\"bl/some/first\"]\n\
             \"rollout.strategy\" = [\"bl/some/first\"]\n",
    );
    let whole = "expansion.strategy=bl/some/first rollout.strategy=bl/some/first";
    assert_eq!(both, [whole]);
}

#[test]
fn a_key_may_have_no_effect_with_some_values_of_another() {
    let decay = "[keys]\nexpansion.prior.decay = [1.0, 2.0]\n";
    let error = swept(decay).expect_err("no agent has a prior");
    let expected = "t.toml: sweep.keys.expansion.prior.decay: requires search.select = \"puct\"";
    assert!(error.contains(expected), "{error}");
    let both = format!("{decay}search.select = [\"ucb1\", \"puct\"]\n");
    // With UCB1, agents that differ only in the prior are one.
    assert_eq!(
        names(&both),
        [
            "select=ucb1",
            "decay=1.0 select=puct",
            "decay=2.0 select=puct"
        ]
    );
    let picks =
        "[keys]\nrollout.pick = [\"greedy\", \"epsilon-greedy\"]\nrollout.epsilon = [0.1, 0.3]\n";
    assert_eq!(names(picks).len(), 3);
}

#[test]
fn samples_cover_every_key() {
    for method in ["latin-hypercube", "sobol"] {
        let text = format!(
            "method = \"{method}\"\npoints = 16\n[keys]\n\
                 \"search.exploration\" = {{ low = 0.0, high = 1.6 }}\n\
                 \"search.solver\" = [true, false]\n"
        );
        let agents = swept(&text).unwrap();
        assert_eq!(agents.len(), 16);
        let numbers = agents
            .iter()
            .map(|(_, values)| &values["search.exploration"]);
        let mut numbers: Vec<f64> = numbers.map(|value| value.number().unwrap()).collect();
        numbers.sort_by(f64::total_cmp);
        // One number in each sixteenth of the range.
        for (layer, number) in numbers.iter().enumerate() {
            let low = 0.1 * layer as f64;
            assert!(
                (low - 1e-3..low + 0.1 + 1e-3).contains(number),
                "{method}: {numbers:?}"
            );
        }
        let solver = agents
            .iter()
            .filter(|(_, values)| values["search.solver"] == true.into());
        assert_eq!(solver.count(), 8, "{method}");
        let other = text.replace("points = 16", "points = 16\nseed = 8");
        assert_ne!(names(&text), names(&other));
        assert_eq!(names(&text), names(&text));
    }
}

#[test]
fn bad_sweeps_get_a_sentence() {
    for [text, expected] in rows(
        r#"
        keys = {} => t.toml: sweep.keys: none; expected at least one key
        [keys]\n"search.exploration" = [] => t.toml: sweep.keys.search.exploration: the list of values is empty
        [keys]\n"search.exploration" = [1.0, 1.0] => the value 1.0 is given twice
        [keys]\n"search.exploration" = 3 => found 3, expected a list of values or a table such as
        [keys]\n"search.exploration" = { low = 1.0, high = 1.0, steps = 2 } => low is 1 and high is 1, expected low < high
        [keys]\n"search.exploration" = { low = 0.0, high = 1.0, steps = 2, log = true } => low is 0, expected more than 0 with log = true
        [keys]\n"search.exploration" = { low = -1, high = 1.0, steps = 2, log = true } => low is -1, expected more than 0 with log = true
        [keys]\n"search.exploration" = { low = 0.1, high = 1.0 } => missing key `steps`
        [keys]\n"search.exploration" = { low = 0.1, high = 1.0, stps = 2 } => unknown key `stps`; expected values, labels, low, high, step, steps, log, none or when; did you mean steps?
        [keys]\n"search.exploration" = { from = 0.1, to = 1.0, steps = 2 } => unknown key `from`; expected values, labels, low, high,
        [keys]\n"search.exploration" = { low = 0.1, high = 1.0, steps = 2, when = { "search.select" = 'puct' } } => when: requires a tuning space
        [keys]\n"search.exploration" = { low = "a", high = 1.0, steps = 2 } => low is "a", expected a number
        [keys]\n"search.exploration" = { low = nan, high = 1.0, steps = 2 } => low is NaN, expected a finite number
        keys = { budget.iterations = { low = 1, high = 3, steps = 4 } } => 4 steps are
        points = 3\nkeys = { search.exploration = [1.0] } => sweep.points: requires method
        method = "sobol"\nkeys = { search.exploration = [1.0] } => missing key `points`
        method = "sobol"\npoints = 3\nkeys = { search.exploration = [1.0] } => have the same settings
        keys = { search.explor = [1.0] } => search.explor
        keys = { search.exploration = [-1.0] } => search.exploration
        keys = { budget.iterations = { low = 1, high = 20000, steps = 20000 } } => 20000 agents, more than 10000; add --yes if that is intended
        keys = { budget.iterations = { low = 1, high = 200000, steps = 200000 } } => 200000 steps; expected at most 65535
        "#,
    ) {
        match swept(text) {
            Err(error) => assert!(error.contains(expected), "{text}: {error}"),
            Ok(_) => panic!("{text} is valid"),
        }
    }
}

#[test]
fn values_are_shown_by_their_labels() {
    let both = names(
        "[keys]\n\"search.exploration\" = { values = [0.5, 2.0], labels = [\"narrow\", \"wide\"] }\n\
         budget.iterations = [10]\n",
    );
    let expected = [
        "iterations=10 exploration=narrow",
        "iterations=10 exploration=wide",
    ];
    assert_eq!(both, expected);
    for [labels, expected] in rows(
        r#"
        ["a"] => found 1, expected one for each of `values`, of which there are 2
        ["a", "a"] => "a" is there twice
        ["a", "b c"] => expected letters, digits
    "#,
    ) {
        let text = format!(
            "[keys]\n\"search.exploration\" = {{ values = [0.5, 2.0], labels = {labels} }}\n"
        );
        let error = swept(&text).expect_err("refused");
        let place = "sweep.keys.search.exploration: labels: ";
        assert!(error.contains(place) && error.contains(expected), "{error}");
    }
}
