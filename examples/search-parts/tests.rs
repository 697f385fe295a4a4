//! Tests of parts that are not of the library.

use std::path::Path;

use patchwork_engine::agent::AgentFile;
use patchwork_engine::record::Record;

use crate::play;

#[test]
fn agents_with_own_parts_play() {
    let folder = tempfile::tempdir().expect("a folder");
    let results = play(folder.path()).expect("played");
    assert_eq!(results.games.len(), 40);
    let games = results.games.iter().map(|entry| entry.expect("readable"));
    let records: Vec<Record> = games.map(|entry| entry.record).collect();
    // The same seeds, and other games.
    assert_ne!(records[0], records[20]);

    let text = "extends = 'mcts-fast'\nrollout.learn = { by = 'ppa', speed = 1.0 }";
    let error = AgentFile::parse(Path::new("mine.toml"), text).map(|_| ());
    let error = error.expect_err("a wrong key").to_string();
    let expected = "unknown key `speed`, expected `by` or `points` or `rate`";
    assert!(error.contains(expected), "{error}");
}
