//! Lines of an external optimiser, after a first line with the space that it searches.
#![cfg_attr(not(test), no_main)]

use patchwork_tune::{Conversation, Space};

const SPACE: &str = "\"search.select\" = [\"ucb1\", \"puct\"]\n\
    \"search.exploration\" = { low = 0.05, high = 5.0, log = true, when = { \"search.select\" = [\"ucb1\"] } }";
const PAIRS: u32 = 100;

#[cfg(not(test))]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check(bytes));

pub(crate) fn check(bytes: &[u8]) {
    let text = bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    let (first, lines) = text.split_once("\n\n").unwrap_or(("", text));
    let space = match Space::parse(first) {
        Ok(space) if !space.keys().is_empty() => space,
        Ok(_) => Space::parse(SPACE).expect("a space"),
        Err(error) => {
            assert!(!error.to_string().is_empty());
            Space::parse(SPACE).expect("a space")
        }
    };
    let mut talk = Conversation::new(space, PAIRS);
    let mut pairs = 0;
    for line in lines.lines() {
        match talk.read(line) {
            Ok(Some(trial)) => pairs += trial.rings.len(),
            Ok(None) => {}
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    assert!(pairs <= PAIRS as usize);
    let _ = (talk.greeting(), talk.history());
}
