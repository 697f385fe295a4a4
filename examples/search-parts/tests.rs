//! Tests of parts that are not of the library.

use std::path::Path;

use patchwork_engine::agent::{AgentFile, Limit};
use patchwork_engine::game::{Action, Setup, State, Track};
use patchwork_engine::record::Record;
use patchwork_engine::search::{
    GameRules, Guidance, Leaf, Meter, Picker, Playout, PlayoutMove, PlayoutOption, PlayoutResult,
    PlayoutTurn, Search, Selected, Settings, Side, Stop, Value,
};
use patchwork_engine::util::rng::stream;
use patchwork_tournament::Manifest;

use crate::grave::GRAVE;
use crate::history::PROGRESSIVE_HISTORY;
use crate::lgrf::LGRF;
use crate::ppa::PPA;
use crate::{FILE, play, register_all};

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

/// The actions of a game in which rollouts learn how to place patches.
fn placed(points: f64) -> Vec<Action> {
    let strategies = "['in-order/some/first', 'in-order/every/area']";
    played(&format!(
        "type = 'placing'\niterations = 200\nstrategies = {strategies}\npoints = {points:?}"
    ))
}

#[test]
fn rollouts_learn_which_strategy_places_best() {
    register_all();
    let learned = placed(1000.0);
    assert_eq!(learned, placed(1000.0));
    assert_ne!(learned, placed(0.0));
}

/// The actions of a game of an agent against itself.
fn played(text: &str) -> Vec<Action> {
    let file = AgentFile::parse(Path::new("mine.toml"), text).expect("an agent");
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
fn agents_with_an_idea_decide_alike_with_equal_seeds_and_otherwise_than_without() {
    register_all();
    let base = "extends = 'mcts-fast'\nbudget.iterations = 100\n";
    let without = played(base);
    for idea in [
        "rollout.learn = 'ppa'",
        "rollout.learn = 'lgrf'",
        "rollout.learn = { by = 'lgrf', length = 2.0 }",
        "search.select = 'progressive-history'",
        "search.select = 'grave'",
    ] {
        let text = format!("{base}{idea}");
        let with = played(&text);
        assert_eq!(with, played(&text), "{idea}");
        assert_ne!(with, without, "{idea}");
    }
}

#[test]
fn tournaments_name_agents_that_exist() {
    register_all();
    for name in ["ideas-fast", "ideas-regret"] {
        let file = Path::new(FILE).with_file_name(format!("{name}.toml"));
        let manifest = Manifest::of_file(&file, None).expect("a tournament");
        assert_eq!(manifest.name, name);
    }
}

const fn made(side: Side, kind: u16) -> PlayoutMove {
    let turn = PlayoutTurn { side, progress: 0 };
    PlayoutMove { turn, kind }
}

fn won_by(side: Side) -> PlayoutResult {
    PlayoutResult {
        value: Value::for_side(side, 1.0),
        margin: 0.0,
    }
}

/// The kind that a policy lets the second side make among three, of which the first one has the greatest score.
fn reply(policy: &mut dyn Playout, trace: &[PlayoutMove]) -> u16 {
    let mut options =
        [(0, 1.0), (1, 0.0), (2, 0.5)].map(|(kind, worth)| PlayoutOption { kind, worth });
    let turn = made(Side::Second, 0).turn;
    policy.weigh(trace, turn, &mut options, &Picker::GREEDY);
    options[Picker::GREEDY.draw(&options, || unreachable!("nothing is random"))].kind
}

#[test]
fn the_last_good_reply_is_made_until_it_loses() {
    let one = [made(Side::First, 3), made(Side::Second, 1)];
    let two = [
        made(Side::First, 2),
        made(Side::First, 3),
        made(Side::Second, 2),
    ];
    for (length, after_two) in [(1.0, 1), (2.0, 2)] {
        let mut policy = (LGRF.build)(&[length], 4);
        assert_eq!(reply(&mut *policy, &one[..1]), 0);
        policy.observe(&two, &won_by(Side::Second));
        policy.observe(&one, &won_by(Side::Second));
        assert_eq!(reply(&mut *policy, &one[..1]), 1);
        assert_eq!(reply(&mut *policy, &two[..2]), after_two);
        // Not after the same move of the other side.
        assert_eq!(reply(&mut *policy, &[made(Side::Second, 3)]), 0);
        policy.observe(&one, &won_by(Side::First));
        assert_eq!(reply(&mut *policy, &one[..1]), 0);
        policy.observe(&one, &won_by(Side::Second));
        policy.clear();
        assert_eq!(reply(&mut *policy, &two[..2]), 0);
    }
}

#[test]
fn weights_rise_by_wins_alone() {
    let mut policy = (PPA.build)(&[1.0, 1.0], 4);
    for (winner, made_then) in [(Side::First, 0), (Side::Second, 2)] {
        assert_eq!(reply(&mut *policy, &[]), 0);
        policy.observe(&[made(Side::Second, 2)], &won_by(winner));
        assert_eq!(reply(&mut *policy, &[]), made_then);
    }
}

const TRACE: [PlayoutMove; 2] = [made(Side::First, 1), made(Side::Second, 2)];

#[test]
fn history_knows_moves_by_side() {
    let build = PROGRESSIVE_HISTORY.memory.expect("a memory");
    let mut history = build(&[3.0], 4);
    for winner in [Side::First, Side::Second, Side::Second, Side::Second] {
        history.observe(&TRACE, &won_by(winner));
    }
    assert_eq!(history.recall(&[], TRACE[0]), [4.0, 0.25]);
    assert_eq!(history.recall(&TRACE, TRACE[1]), [4.0, 0.75]);
    assert_eq!(history.recall(&[], made(Side::First, 2)), [0.0; 2]);
    history.clear();
    assert_eq!(history.recall(&[], TRACE[0]), [0.0; 2]);
}

#[test]
fn the_nearest_node_with_enough_visits_is_asked() {
    let [first, second] = TRACE;
    let mut memory = GRAVE.memory.expect("a memory")(&[2.0, 0.0], 4);
    memory.observe(&TRACE, &won_by(Side::First));
    assert_eq!(memory.recall(&[], first), [1.0, 1.0]);
    assert_eq!(memory.recall(&[first], second), [1.0, 0.0]);
    // The node after the first move is known now and has one visit, so the root is asked.
    memory.observe(&TRACE, &won_by(Side::Second));
    assert_eq!(memory.recall(&[first], second), [2.0, 0.5]);
    memory.observe(&TRACE, &won_by(Side::Second));
    assert_eq!(memory.recall(&[first], second), [2.0, 1.0]);
    memory.keep(first.kind);
    assert_eq!(memory.recall(&[], second), [2.0, 1.0]);
    memory.clear();
    assert_eq!(memory.recall(&[], second), [0.0; 2]);
}

/// Two actions, 1 and 2, with equal results.
struct Even {
    /// What is recalled of action 2; the mean of action 1 is the rest.
    mean: f32,
}

impl GameRules for Even {
    type Position = u8;
    type Action = u8;

    fn is_over(&self, position: &u8) -> bool {
        *position > 0
    }

    fn mover(&self, _: &u8) -> Side {
        Side::Second
    }

    fn play(&self, position: &mut u8, action: u8) {
        *position = action;
    }
}

impl Guidance for Even {
    fn expand(&mut self, _: &u8, actions: &mut Vec<(u8, f32)>) -> bool {
        actions.extend([(1, 1.0), (2, 1.0)]);
        true
    }

    fn evaluate(&mut self, _: &u8) -> Leaf {
        Leaf::estimate(Value::for_first(0.5))
    }

    fn recall(&mut self, _: &u8, action: u8) -> [f32; 2] {
        let mean = [1.0 - self.mean, self.mean][usize::from(action) - 1];
        [100.0, mean]
    }
}

#[test]
fn rules_follow_what_is_recalled() {
    register_all();
    for name in ["progressive-history", "grave"] {
        for (mean, range) in [(0.0, 1..40), (0.5, 50..51), (1.0, 61..100)] {
            let settings = Settings {
                select: Selected::of(name, &[]).expect("registered"),
                ..Settings::default()
            };
            let mut search = Search::new(Even { mean }, settings).expect("searchable");
            search.decide(&0, &Meter::iterations(100, &Stop::new()));
            let visits = search.candidates(&[])[1].visits;
            assert!(range.contains(&visits), "{name} {mean}: {visits}");
        }
    }
}
