//! The page of a search for a better agent.

use super::browser::browser;
use super::layout::check;
use patchwork_test_support::program::Workspace;

/// Every kind of key: long choices, a condition, whole and real numbers, a logarithmic scale.
const SEARCH: &str = r#"name = "search"
base = "mcts-fast-1"
pairs = 60
equal = "budget"
[budget]
iterations = 4
[start]
"rollout.depth" = 40
[space]
"expansion.strategy" = ["in-order/some/first", "bl/some/first", "bl/every/area", "bl-lb/every/regret"]
"rollout.strategy" = ["in-order/some/first", "bl/some/first", "pareto-bl/some/bottom"]
"rollout.pick" = ["greedy", "epsilon-greedy", "uniform"]
"rollout.epsilon" = { low = 0.0, high = 0.5, step = 0.05, when = { "rollout.pick" = ["epsilon-greedy"] } }
"rollout.depth" = { low = 0, high = 40, step = 2 }
"search.exploration" = { low = 0.05, high = 5.0, log = true }
[proof]
pairs = 4
slow_pairs = 0
"#;

#[test]
#[ignore = "a browser"]
fn nothing_of_a_search_is_cut_or_hard_to_read() {
    let Some(mut browser) = browser() else { return };
    let home = Workspace::new();
    home.write("tournaments/search.toml", SEARCH);
    home.ok("tune tournaments/search.toml -q");
    let url = format!(
        "file://{}",
        home.path("results/search/tuning.html").display()
    );
    check(&mut browser, &url);

    let report = home.json_file("results/search/tuning.json");
    let count = |rows: &str| report[rows].as_array().map(Vec::len);
    browser.open(&url, 1280, "light");
    let mut counted = |selector: &str| {
        let count = format!("document.querySelectorAll({selector:?}).length");
        browser.eval(&count).as_u64().map(|count| count as usize)
    };
    // The page shows what the data contain: a mark for each effect.
    assert_eq!(counted("#effects svg.plot"), Some(6));
    assert_eq!(counted("#effects svg.plot circle"), count("effects"));
    assert_eq!(counted("#viewer"), Some(0));
    browser.assert_content();
}
