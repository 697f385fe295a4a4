//! `puzzle nmbr9`.

use serde_json::Value;

use patchwork_test_support::program::{Workspace, rows};

fn words(line: &str) -> Vec<&str> {
    let (head, deck) = line.split_once(" --deck ").unwrap_or((line, ""));
    let mut words = vec!["paper", "puzzle", "nmbr9", "-q"];
    words.extend(head.split(' '));
    if !deck.is_empty() {
        words.extend(["--deck", deck]);
    }
    words
}

fn json(home: &Workspace, line: &str) -> Value {
    home.json(&[&words(line)[..], &["--format", "json"]].concat())
}

#[test]
fn optima_come_with_their_layouts() {
    let home = Workspace::new();
    let line = "--draft free --max-value 6 --copies 2 --cards 5 --grid 8 --levels 3";
    let answer = json(&home, line);
    assert_eq!(answer["score"], 19);
    assert_eq!(answer["proven"], true);
    assert_eq!(answer["layout"].as_array().map(Vec::len), Some(5));
    assert!(
        answer["seconds"]
            .as_f64()
            .is_some_and(|seconds| seconds >= 0.0)
    );
    let text = home.ok(&words(line));
    assert!(
        text.starts_with("score 19, proven to be the best\n"),
        "{text}"
    );
    assert!(text.contains("\nlevel 3: 6\n"), "{text}");

    let line = "--draft known --max-value 9 --copies 1 --grid 8 --levels 3 --deck 9 8 7 6 5 4";
    assert_eq!(json(&home, line)["score"], 20);
    let line = "--draft known --max-value 4 --copies 1 --grid 8 --levels 3 --deck 0 1 2 3 4";
    let answer = json(&home, line);
    assert!(answer["score"].is_null() && answer["layout"].is_null());
    assert_eq!(answer["proven"], true);
    assert!(home.ok(&words(line)).starts_with("no layout"));
}

#[test]
fn a_search_ends_in_time_with_the_best_so_far() {
    let home = Workspace::new();
    let answer = json(&home, "--draft free --width 2000 --seconds 1");
    assert_eq!(answer["proven"], false);
    assert!(answer["score"].as_u64() <= answer["bound"].as_u64());
    let layout = answer["layout"].as_array();
    assert!(layout.is_none_or(|parts| parts.len() == 20));
}

#[test]
fn variants_that_do_not_exist_are_refused() {
    let home = Workspace::new();
    for [line, expected] in rows("
        --draft free --max-value 2 --copies 1 --cards 4 => --cards: found 4; expected at most 3, 1 of each value from 0 to 2
        --draft free --cards 0 => --cards: found 0; expected 1 to 20
        --draft free --copies 0 => --copies: found 0; expected 1 to 9
        --draft free --max-value 10 => --max-value: found 10
        --draft free --cards 3 --grid 33 => --grid: found 33; expected 3 to 32
        --draft free --cards 3 --levels 11 => --levels: found 11; expected 1 to 10
        --draft known => --deck: missing
        --draft free --deck 1 2 => --deck: cannot be used
        --draft known --max-value 3 --deck 1 4 => --deck: found card '4'; expected values from 0 to 3
        --draft known --deck 1 x => --deck: found card 'x'
        --draft known --cards 3 --deck 1 2 => --deck: found 2 cards; expected 3
        --draft known --copies 1 --deck 1 2 1 => --deck: found 2 cards of value 1; expected at most 1
        --draft unknown => unknown
    ") {
        home.refuses(&words(line), expected);
    }
}
