//! Tests of parts that are not of the library.

use std::path::Path;

use patchwork_engine::agent::{AgentFile, Limit, register};
use patchwork_engine::game::{Action, Setup, State, Track};
use patchwork_engine::record::Record;
use patchwork_engine::search::Stop;
use patchwork_engine::util::rng::stream;

use crate::placing::PlacingSettings;
use crate::{FILE, play};

#[test]
fn agents_with_own_parts_play() {
    let folder = tempfile::tempdir().expect("a folder");
    let results = play(FILE.as_ref(), folder.path()).expect("played");
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

/// A game of an agent against itself.
fn placed(points: f64) -> Vec<Action> {
    let strategies = "['in-order/some/first', 'in-order/every/area']";
    let text = format!(
        "type = 'placing'\niterations = 200\nstrategies = {strategies}\npoints = {points:?}"
    );
    let file = AgentFile::parse(Path::new("mine.toml"), &text).expect("an agent");
    let (setup, mut agent) = (
        Setup::random(Track::Original, &mut stream(&[3])),
        file.config.build(),
    );
    agent.start(&setup, stream(&[4]));
    let mut state = State::new(&setup);
    let mut actions = Vec::new();
    while !state.is_over() {
        let decision = agent.decide(&setup, &state, Limit::own(&Stop::new()));
        let action = decision.expect("no fault").action;
        state = state.try_play(&setup, action).expect("legal");
        agent.observe(action);
        actions.push(action);
    }
    actions
}

#[test]
fn rollouts_learn_which_strategy_places_best() {
    register::<PlacingSettings>();
    let learned = placed(1000.0);
    assert_eq!(learned, placed(1000.0));
    assert_ne!(learned, placed(0.0));
}
