//! The other players as described by their files: they follow the rules, repeat their games, and reject
//! invalid settings.

use std::path::Path;
use std::time::{Duration, Instant};

use patchwork_engine::agent::{Agent, AgentFile, AgentSettings, Limit};
use patchwork_engine::game::{Player, State, Track};
use patchwork_engine::record::{Entry, GameId};
use patchwork_engine::search::Stop;
use patchwork_engine::util::rng::stream;
use patchwork_tournament::PlannedGame;
use patchwork_tournament::play::play_game;

use patchwork_engine::testing::{setup, setup_on};
use patchwork_test_support::program::{expect_in, rows};

const FILES: [&str; 4] = [
    include_str!("../agents/alpha-beta.toml"),
    include_str!("../agents/flat-greedy.toml"),
    include_str!("../agents/flat-uniform.toml"),
    include_str!("../agents/greedy-beam.toml"),
];

fn config(text: &str) -> Result<AgentSettings, String> {
    let file = AgentFile::parse(Path::new("agents/x.toml"), text);
    file.map(|file| file.config)
        .map_err(|error| error.to_string())
}

fn spec(text: &str) -> AgentSettings {
    config(text).expect(text)
}

/// A game between two agents; the referee refuses illegal actions.
fn play(agents: [&AgentSettings; 2], track: Track, seed: u64) -> Entry {
    let setup = setup_on(track, seed);
    let [mut first, mut second] = agents.map(|settings| settings.build());
    let seats: [&mut dyn Agent; 2] = [&mut *first, &mut *second];
    let id = GameId {
        pairing: 0,
        pair: 0,
        leg: 0,
    };
    let streams = [stream(&[seed, 1]), stream(&[seed, 2])];
    let game = PlannedGame { id, seats: [0, 1] };
    play_game(game, &setup, seats, streams, &Stop::new())
        .expect("legal actions")
        .expect("not stopped")
}

#[test]
fn games_are_legal_and_repeat_on_both_tracks() {
    let specs = FILES.map(|text| {
        // Smaller budgets are enough: the test is about the rules.
        let text = text.replace("= 1500", "= 300").replace("= 1000", "= 200");
        spec(&text)
    });
    for (i, first) in specs.iter().enumerate() {
        assert!(first.is_deterministic());
        let second = &specs[(i + 1) % specs.len()];
        for track in Track::ALL {
            let game = play([first, second], track, i as u64);
            assert_eq!(game.record, play([first, second], track, i as u64).record);
            let values = game.record.plies.iter().filter_map(|ply| ply.thought.value);
            assert!(values.clone().count() > 20);
            assert!(values.into_iter().all(|value| (0.0..=1.0).contains(&value)));
        }
    }
}

#[test]
fn an_agent_forgets_the_game_before() {
    for text in FILES {
        let spec = spec(&text.replace("= 1500", "= 300").replace("= 1000", "= 200"));
        let mut agent = spec.build();
        let mut opening = |seed: u64| {
            let setup = setup(seed);
            agent.start(&setup, stream(&[seed]));
            let decision = agent.decide(&setup, &State::new(&setup), Limit::own(&Stop::new()));
            decision.expect("no fault")
        };
        let fresh = opening(1);
        let _ = opening(2);
        assert_eq!(opening(1), fresh, "{text}");
    }
}

#[test]
fn time_is_the_budget_where_it_is_asked_for() {
    let placements = "strategy = 'all/every/regret'";
    let rollout = "[rollout]\npick = 'uniform'\nstrategy = 'all/every/random'";
    let setup = setup(9);
    for text in [
        format!("type = 'alpha-beta'\n[budget]\nmilliseconds = 30\n[expansion]\n{placements}"),
        format!("type = 'flat'\n[budget]\nmilliseconds = 30\n{rollout}"),
    ] {
        let spec = spec(&text);
        assert!(!spec.is_deterministic());
        let mut agent = spec.build();
        agent.start(&setup, stream(&[1]));
        let start = Instant::now();
        let _ = agent.decide(&setup, &State::new(&setup), Limit::own(&Stop::new()));
        // How late it is, is checked by the bench `time_control`.
        assert!(start.elapsed() >= Duration::from_millis(30), "{text}");
    }
}

#[test]
fn mistakes_in_files_get_a_sentence() {
    let strategy = "strategy = 'bl/some/first'";
    let alpha_beta = |budget: &str, rest: &str| {
        format!("type = 'alpha-beta'\n{rest}\n[budget]\n{budget}\n[expansion]\n{strategy}")
    };
    let flat = |budget: &str, rest: &str| {
        format!("type = 'flat'\n[budget]\n{budget}\n[rollout]\npick = 'greedy'\n{strategy}\n{rest}")
    };
    let greedy = |keys: &str| format!("type = 'greedy'\n{keys}\nplacement = 'bl/some/first'");
    let check = |text: &str, expected: &str| {
        let error = config(text).expect_err(text);
        expect_in(&error, &format!("agents/x.toml: ... {expected}"));
        assert!(!error.contains('\n'), "{error}");
    };
    for [kind, budget, rest, expected] in rows(
        r#"
        alpha-beta => => => budget: expected one of the keys depth, nodes, milliseconds or processor_milliseconds
        alpha-beta => depth = 3\nnodes = 5 => => budget: expected depth, nodes, milliseconds or processor_milliseconds, found more than one of them
        alpha-beta => depth = 0 => => budget.depth: expected a whole number from 1 to 4294967295, found 0
        alpha-beta => nodez = 10 => => did you mean nodes?
        alpha-beta => nodes = 10 => table_megabytes = 5000 => table_megabytes: expected a number from 1 to 4096, found 5000
        flat => => => budget: expected one of the keys playouts, iterations, milliseconds or processor_milliseconds
        flat => playouts = 1\niterations = 1 => => budget: expected playouts, iterations, milliseconds or processor_milliseconds, found more than one of them
        flat => playouts = 1 => [search]\nvalue = 'win'\nmargin_scale = 3.0 => search.margin_scale: requires
        flat => playouts = 1 => [search]\nexploration = 1.0 => unknown key `exploration`
        flat => playouts = 1 => epsilon = 0.5 => rollout.epsilon: requires pick = "epsilon-greedy"
        flat => playouts = 1 => estimate = 0.5 => rollout.estimate: requires type = "mcts"
        flat => playouts = 1 => learn = 'mast' => rollout.learn: requires type = "mcts"
        greedy => => depth = 2 => depth: requires the key beam
        greedy => => beam = 200000 => beam: expected a number from 1 to 100000, found 200000
        greedy => => beam = 2\nbeem = 3 => unknown key `beem`
        alphabeta => => => did you mean alpha-beta?
        "#,
    ) {
        let text = match kind {
            "alpha-beta" => alpha_beta(budget, rest),
            "flat" => flat(budget, rest),
            "greedy" => greedy(rest),
            unknown => format!("type = '{unknown}'"),
        };
        check(&text, expected);
    }
    let policy = alpha_beta("nodes = 10", "").replace("'bl/", "'b/");
    check(
        &policy,
        "expansion.strategy: unknown policy 'b'; expected in-order, bl, ",
    );
    assert_eq!(config(&greedy("beam = 4\ndepth = 2")).map(|_| ()), Ok(()));
}

#[test]
fn a_beam_search_beats_the_greedy_agent_from_both_seats() {
    let beam = spec("type = 'greedy'\nbeam = 4\ndepth = 2\nplacement = 'bl-lb/every/regret'");
    let greedy = spec("type = 'greedy'\nplacement = 'bl-lb/every/regret'");
    let mut won = 0;
    for pair in 0..10 {
        let track = Track::ALL[(pair % 2) as usize];
        let first = play([&beam, &greedy], track, pair).record.winner;
        let second = play([&greedy, &beam], track, pair).record.winner;
        won += u32::from(first == Player::First) + u32::from(second == Player::Second);
    }
    assert!(won >= 17, "{won} of 20");
}
