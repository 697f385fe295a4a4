//! Tests of a tournament with a kind of agent that is not one of the library.

use std::path::Path;

use patchwork_engine::agent::{AgentFile, register};
use patchwork_engine::record::Record;
use patchwork_tournament::Results;
use patchwork_tournament::stats::Summary;

use crate::play;
use crate::saver::SaverSettings;

#[test]
fn own_players_are_rated_and_resumed() {
    register::<SaverSettings>();
    let folder = tempfile::tempdir().expect("a folder");
    let stopped = play(&folder.path().join("stopped"), 7).expect("stopped");
    assert!(stopped.games.len() < 120, "{}", stopped.games.len());
    let resumed = play(&folder.path().join("stopped"), usize::MAX).expect("resumed");
    let whole = play(&folder.path().join("whole"), usize::MAX).expect("played");
    assert_eq!(resumed.games.len(), 120);
    let records = |results: &Results| -> Vec<Record> {
        let games = results.games.iter();
        games.map(|entry| entry.expect("readable").record).collect()
    };
    assert_eq!(records(&resumed), records(&whole));

    let plan = &resumed.manifest.plan;
    let summary = Summary::of(&plan.names(), &plan.pairings(), &resumed.games).expect("readable");
    let ranked: Vec<&str> = summary.ratings.iter().map(|row| &*row.agent).collect();
    assert_eq!(
        ranked,
        ["greedy-regret", "saver", "saver{reserve=3}", "random"]
    );
}

#[test]
fn own_settings_are_checked_like_others() {
    register::<SaverSettings>();
    let read = |text: &str| AgentFile::parse(Path::new("mine.toml"), text);
    let agent = |text: &str| read(text).expect("an agent").config;
    let (left_out, stated) = (
        agent("type = 'saver'"),
        agent("type = 'saver'\nreserve = 0"),
    );
    assert_eq!(left_out.canonical(), stated.canonical());
    for (text, expected) in [
        (
            "type = 'saver'\nreserve = 51",
            "mine.toml:2: reserve: expected a number from 0 to 50, found 51",
        ),
        (
            "type = 'saver'\nreserved = 1",
            "mine.toml:2: unknown key `reserved`; expected reserve; did you mean reserve?",
        ),
        (
            "type = 'savers'",
            "mine.toml:1: type: unknown value \"savers\"; expected random, greedy, flat, alpha-beta, mcts \
             or saver; did you mean saver?",
        ),
    ] {
        assert_eq!(read(text).expect_err(text).to_string(), expected);
    }
}
