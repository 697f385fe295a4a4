//! The protocol of optimisers.

use patchwork_tune::{ArenaLine, Conversation};

use super::space;

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
    let error = talk.read(&ask(1, -1, point)).expect_err("negative");
    assert!(
        error.to_string().starts_with("line 4: expected {\"ask\""),
        "{error}"
    );
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
    }) = talk.tell(&trial, vec![0.5, 0.7])
    else {
        panic!("results")
    };
    assert!((value - 0.6).abs() < 1e-12 && error > 0.0);
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
