//! `packing` and `characterize`.

use std::fs;

use patchwork_engine::placement::EVALUATIONS;

use patchwork_test_support::program::{PROJECT, Workspace, expect_in};
use patchwork_test_support::traces::published_traces;

#[test]
fn packings_are_the_published_ones() {
    let home = Workspace::new();
    let orders = format!("{PROJECT}/extras/papers/src/paper/table1-orders.txt");
    let published = format!("paper packing --as-published --orders '{orders}'");
    let traces = home.ok(&format!("{published} --trace --order-range 0..24"));
    let mut ours: Vec<&str> = traces.lines().collect();
    let data = published_traces();
    let mut theirs: Vec<&str> = data.lines().collect();
    assert_eq!(ours[0], theirs[0]);
    ours.sort_unstable();
    theirs.sort_unstable();
    assert!(ours == theirs, "the traces differ");

    let report = home.ok("paper packing --as-published --evaluation regret -q");
    expect_in(&report, "11 of 11 deterministic strategies agree");
    let one = "--policy bl --transforms every --evaluation regret";
    let one = home.ok(&format!("paper packing --as-published --orders 2 -q {one}"));
    let (_, beside) = one
        .split_once("Beside the published table")
        .expect("the table");
    assert_eq!(
        beside.matches("-every").count() + beside.matches("-some").count(),
        1,
        "{one}"
    );
    // Comparing two strategies runs these two.
    let compare = "--compare bl-lb/every/regret all/every/regret";
    let brief = "paper packing --orders 2 -q --format csv";
    assert_eq!(home.ok(&format!("{brief} {compare}")).lines().count(), 3);

    let some = "paper packing --orders 20 --seed 3 --policy bl --policy bl-lb -q";
    let text = home.ok(&format!("{some} {compare}"));
    expect_in(&text, "bl-lb-every + regret minus all-every + regret");
    let json = home.json(&format!("{some} --format json"));
    assert!(json.is_object());
    let csv = home.ok(&format!("{some} --format csv --table packings"));
    assert_eq!(csv.lines().count(), 1 + 20 * 2 * 2 * EVALUATIONS.len());

    let orders = fs::read_to_string(&orders).expect("readable");
    let first = orders.lines().next().expect("a line");
    for (content, expected) in [
        (
            format!("{first}\n{}", first.replacen("33", "32", 1)),
            "line 2",
        ),
        (first[..20].to_owned(), "line 1"),
        (String::new(), "orders.txt"),
        ("x".to_owned(), "line 1"),
    ] {
        home.write("orders.txt", &content);
        home.refuses(
            "paper packing --orders orders.txt",
            &format!("orders.txt ... {expected}"),
        );
    }
    for (arguments, expected) in [
        ("--order-range 990..1001", "1000"),
        ("--order-range 5..5", "--order-range"),
        ("--order-range 5", "--order-range"),
        ("--policy bllb", "did you mean bl-lb?"),
        ("--policy largest-domain", "largest-domain"),
        ("--transforms all", "expected some or every"),
        ("--evaluation regert", "did you mean regret?"),
        ("--orders 0", "--orders"),
        ("--orders no-such-file", "no-such-file"),
        ("--table pairs", "--format csv"),
    ] {
        home.refuses(&format!("paper packing {arguments}"), expected);
    }
    home.refuses(
        "paper packing --compare bl all/every/regret",
        "--compare ... 'bl'",
    );
}

#[test]
fn the_game_is_characterized() {
    let home = Workspace::new();
    let text = home.ok("paper characterize --games 20 --quiet");
    for expected in ["20 games", "23.2", "23.0", "83.2", "56.0"] {
        assert!(text.contains(expected), "{text}");
    }
    let json = home.json("paper characterize --games 4 --agent mcts-fast --format json");
    assert_eq!(
        (&json["agent"], &json["games"]),
        (&"mcts-fast".into(), &4.into())
    );
    home.refuses("paper characterize --agent rndom", "did you mean random?");
    home.refuses("paper characterize --agent *", "several agents");
}
