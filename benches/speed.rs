//! The speed of the parts, each compared with a plainer way to the same result in the same run.
//!
//! `cargo bench --bench speed [PART]`. The two sides of a row take turns, and each is represented by its
//! fastest round, so that ratios are meaningful on a machine that is also doing other things.

use std::hint::black_box;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::Path;
use std::time::{Duration, Instant};

use patchwork_engine::agent::estimate;
use patchwork_engine::agent::{
    AgentFile, AgentFolder, EvaluationSpec, MctsSettings, PatchworkSearch, RolloutPlayer,
};
use patchwork_engine::board::{Quilt, ShapeId, Words, cover};
use patchwork_engine::game::{Player, Setup, State, Track};
use patchwork_engine::placement::{Problem, Scratch, Strategy};
use patchwork_engine::record::Entry;
use patchwork_engine::search::{Budget, Picker, Stop};
use patchwork_engine::util::rng::{Rng, below, stream};
use patchwork_tournament::{
    Executor as _, Format, LocalThreads, Manifest, Plan, PlannedAgent, Results,
};

const ROUNDS: u32 = 7;

/// Runs both sides in turns and prints a row: rates per second and their ratio.
fn compare(what: &str, count: u32, against: &str, mut ours: impl FnMut(), mut plain: impl FnMut()) {
    let filter = std::env::args().skip(1).find(|arg| !arg.starts_with("--"));
    if filter.is_some_and(|part| !what.contains(&part)) {
        return;
    }
    let mut best = [Duration::MAX; 2];
    for _ in 0..ROUNDS {
        let start = Instant::now();
        ours();
        best[0] = best[0].min(start.elapsed());
        let start = Instant::now();
        plain();
        best[1] = best[1].min(start.elapsed());
    }
    let [ours, plain] = best.map(|time| f64::from(count) / time.as_secs_f64());
    let ratio = ours / plain;
    println!("{what:<34} {ours:>11.0}/s   {against:<36} {plain:>11.0}/s   x {ratio:.2}");
}

fn strategy(text: &str) -> Strategy {
    text.parse().expect("known names")
}

fn settings(name: &str) -> MctsSettings {
    let path = AgentFolder::shipped().find(name).expect("a shipped agent");
    let agent = AgentFile::read(&path).expect("its settings");
    let settings: Option<&MctsSettings> = agent.config.downcast_ref();
    settings.expect("an MCTS agent").clone()
}

/// States from the middle of greedy games.
fn positions(setup: &Setup, rng: &mut Rng) -> Vec<State> {
    let player = RolloutPlayer::new(Picker::epsilon_greedy(0.3), strategy("bl-lb/every/random"));
    let mut scratch = Scratch::default();
    let mut states = Vec::new();
    for _ in 0..20 {
        let mut state = State::new(setup);
        while !state.is_over() {
            if state.specials_waiting() == 0 && below(4, rng) == 0 {
                states.push(state);
            }
            let action = player.action(setup, &state, rng, &mut scratch);
            state.play_unchecked(setup, action);
        }
    }
    states
}

fn main() {
    let mut rng = stream(&[1]);
    let setup = Setup::random(Track::Original, &mut rng);
    let states = positions(&setup, &mut rng);
    random_games(&setup);
    estimates(&setup, &states);
    keys(&setup, &states);
    covers(&states);
    placements(&setup, &states);
    rollouts(&setup);
    searches(&setup);
    threads();
}

const GAMES: u32 = 10_000;

fn random_games(setup: &Setup) {
    compare(
        "random games",
        GAMES,
        "by listing the legal actions",
        || {
            let mut rng = stream(&[2]);
            for _ in 0..GAMES {
                let mut state = State::new(setup);
                while !state.is_over() {
                    let action = state.random_action(setup, &mut rng);
                    state.play_unchecked(setup, action);
                }
                black_box(state);
            }
        },
        || {
            let mut rng = stream(&[2]);
            for _ in 0..GAMES {
                let mut state = State::new(setup);
                while !state.is_over() {
                    let legal = state.legal_actions(setup);
                    let action = legal[below(legal.len() as u32, &mut rng) as usize];
                    state.play_unchecked(setup, action);
                }
                black_box(state);
            }
        },
    );
}

const REPEATS: u32 = 20;

fn estimates(setup: &Setup, states: &[State]) {
    let rollout = RolloutPlayer::new(Picker::GREEDY, strategy("in-order/some/first"));
    compare(
        "linear estimates",
        REPEATS * states.len() as u32,
        "by a rollout to the end",
        || {
            for state in (0..REPEATS).flat_map(|_| states) {
                black_box(estimate(setup, black_box(state)));
            }
        },
        || {
            let mut rng = stream(&[5]);
            let mut scratch = Scratch::default();
            for &state in (0..REPEATS).flat_map(|_| states) {
                black_box(rollout.play_out(setup, state, &mut rng, &mut scratch));
            }
        },
    );

    // As an expanded node needs them: of positions that differ in one player's quilt.
    let mut after = Vec::new();
    for state in states {
        for action in state.legal_actions(setup).into_iter().step_by(20) {
            let mut next = *state;
            next.play_unchecked(setup, action);
            after.push(next);
        }
    }
    let mut learned = EvaluationSpec::file("learned")
        .estimator()
        .expect("in the program");
    compare(
        "learned estimates",
        after.len() as u32,
        "linear estimates",
        || {
            for state in &after {
                black_box(learned.margin(setup, black_box(state)));
            }
        },
        || {
            for state in &after {
                black_box(estimate(setup, black_box(state)));
            }
        },
    );
}

fn keys(setup: &Setup, states: &[State]) {
    compare(
        "keys of positions",
        REPEATS * states.len() as u32,
        "by counting the legal actions",
        || {
            for state in (0..REPEATS).flat_map(|_| states) {
                black_box(black_box(state).key());
            }
        },
        || {
            for state in (0..REPEATS).flat_map(|_| states) {
                black_box(black_box(state).count_actions(setup));
            }
        },
    );
}

fn covers(states: &[State]) {
    let quilts: Vec<Quilt> = states
        .iter()
        .map(|state| state.quilt(state.mover()))
        .collect();
    let covers = (quilts.len() * ShapeId::all().count()) as u32;
    compare(
        "squares that a shape can cover",
        covers,
        "from the list of placements",
        || {
            for quilt in &quilts {
                let free = Words::new(black_box(*quilt).complement());
                for shape in ShapeId::all() {
                    black_box(cover(shape, free));
                }
            }
        },
        || {
            for quilt in &quilts {
                let free = Words::new(black_box(*quilt).complement());
                for shape in ShapeId::all() {
                    let mut covered = Quilt::EMPTY;
                    for orientation in shape.shape().orientations() {
                        for anchor in orientation.anchors_in(free).squares().squares() {
                            covered = covered.union(orientation.place(anchor));
                        }
                    }
                    black_box(covered);
                }
            }
        },
    );
}

fn placements(setup: &Setup, states: &[State]) {
    for (what, ours, against, plain) in [
        (
            "place in-order some + first",
            strategy("in-order/some/first"),
            "bl some + first",
            strategy("bl/some/first"),
        ),
        (
            "place bl-lb every + regret",
            strategy("bl-lb/every/regret"),
            "all + regret",
            strategy("all/every/regret"),
        ),
        (
            "place first-fail some + first",
            strategy("first-fail/some/first"),
            "bl-lb every + regret",
            strategy("bl-lb/every/regret"),
        ),
    ] {
        let place = |strategy: Strategy| {
            let mut rng = stream(&[3]);
            let mut scratch = Scratch::default();
            for state in states {
                for place in state.offers() {
                    let problem = Problem::patch(setup, state, setup.patch_at(place));
                    black_box(strategy.choose(&problem, &mut rng, &mut scratch));
                }
            }
        };
        let count = states
            .iter()
            .map(|state| state.offers().count() as u32)
            .sum();
        compare(what, count, against, || place(ours), || place(plain));
    }
}

fn rollouts(setup: &Setup) {
    let rollouts = |policy: &'static str, evaluation: &'static str| {
        let player = RolloutPlayer::new(
            Picker::GREEDY,
            strategy(&format!("{policy}/some/{evaluation}")),
        );
        move || {
            let mut rng = stream(&[4]);
            let mut scratch = Scratch::default();
            for _ in 0..GAMES {
                black_box(player.play_out(setup, State::new(setup), &mut rng, &mut scratch));
            }
        }
    };
    compare(
        "rollouts in-order some + first",
        GAMES,
        "rollouts all + random",
        rollouts("in-order", "first"),
        rollouts("all", "random"),
    );
    let player = RolloutPlayer::new(Picker::epsilon_greedy(0.1), strategy("in-order/some/first"));
    compare(
        "rollouts in one loop",
        GAMES,
        "by actions",
        || {
            let mut rng = stream(&[4]);
            let mut scratch = Scratch::default();
            for _ in 0..GAMES {
                black_box(player.play_out(setup, State::new(setup), &mut rng, &mut scratch));
            }
        },
        || {
            let mut rng = stream(&[4]);
            let mut scratch = Scratch::default();
            for _ in 0..GAMES {
                let mut state = State::new(setup);
                while !state.is_over() {
                    let action = player.action(setup, &state, &mut rng, &mut scratch);
                    state.play_unchecked(setup, action);
                }
                black_box(state);
            }
        },
    );
}

fn searches(setup: &Setup) {
    let iterations = 20_000;
    let searches = |name: &str, budget: u32, threads: u32| {
        let mut settings = settings(name);
        settings.threads = NonZeroU32::new(threads);
        move || {
            for _ in 0..iterations / budget {
                let estimator = settings
                    .estimate
                    .estimator()
                    .expect("no other file is needed");
                let settings = settings.clone();
                let mut search = PatchworkSearch::new(setup, settings, &estimator, stream(&[5]));
                let (start, budget) = (State::new(setup), Budget::Iterations(budget));
                black_box(search.decide_together(&start, &budget.meter(&Stop::new())));
            }
        }
    };
    let search = |name: &str, budget: u32| searches(name, budget, 1);
    for name in ["mcts-fast", "mcts-regret"] {
        compare(
            &format!("{name} iterations"),
            iterations,
            "mcts-uniform iterations",
            search(name, iterations),
            search("mcts-uniform", iterations),
        );
    }

    compare(
        "champion iterations",
        iterations,
        "champion-1 iterations",
        search("champion", iterations / 10),
        search("champion-1", iterations / 10),
    );

    // How much a search slows down as its tree grows.
    compare(
        "champion iterations, 1 search",
        iterations,
        "in 10 searches",
        search("champion", iterations),
        search("champion", iterations / 10),
    );

    compare(
        "champion iterations on 2 threads",
        iterations,
        "on 1 thread",
        searches("champion", iterations, 2),
        search("champion", iterations),
    );
}

fn threads() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/agents");
    let agents = ["mcts-fast", "mcts-regret"].map(|name| {
        AgentFile::read(&Path::new(folder).join(format!("{name}.toml"))).expect("a shipped agent")
    });
    let pairs = 10;
    let agents = agents.map(PlannedAgent::from).into();
    let plan = Plan::new(6, Track::Original, Format::RoundRobin, pairs, agents).expect("a plan");
    let manifest = Manifest::new("speed".to_owned(), plan);
    let play = |threads: usize| {
        let mut threads = LocalThreads(NonZeroUsize::new(threads).expect("not zero"));
        let mut first_wins = 0;
        let mut results = Results::empty(manifest.clone());
        let mut count = |entry: &Entry, _: &Results| {
            first_wins += u32::from(entry.record.winner == Player::First);
        };
        threads
            .play(&mut results, &Stop::new(), &mut count)
            .expect("games are played");
        black_box(first_wins);
    };
    compare(
        "games on 2 threads",
        2 * pairs,
        "on 1 thread",
        || play(2),
        || play(1),
    );
}
