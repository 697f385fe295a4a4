use super::*;
use crate::game::Player;
use crate::testing::{decide, setup, setup_and_rng};
use crate::util::rng::{below, stream};
use std::time::{Duration, Instant};

fn agent(strategy: &str, best: &str, budget: Budget) -> AlphaBetaAgent {
    let keys = format!(
        "table_megabytes = 1\nbudget = {{ nodes = 1 }}\n\
             expansion = {{ strategy = '{strategy}'{best} }}"
    );
    let settings: AlphaBetaSettings = toml::from_str(&keys).expect("keys");
    AlphaBetaAgent::new(&AlphaBetaSettings { budget, ..settings }, Estimator::Linear)
}

const ALL: &str = "all/every/first";
const ONE: &str = "in-order/some/first";

/// A position from random play, with about this many spaces left for both players together.
fn position(seed: u64, left: u8) -> (Setup, State) {
    let (setup, mut rng) = setup_and_rng(seed);
    let mut state = State::new(&setup);
    loop {
        let spaces: u8 = Player::BOTH
            .map(|player| 53 - state.space(player))
            .iter()
            .sum();
        let mut next = state;
        // Buy often, so that there is little room at the end.
        let actions = state.legal_actions(&setup);
        let pick = if actions.len() > 1 && below(8, &mut rng) > 0 {
            1
        } else {
            0
        };
        let action = actions[pick + below((actions.len() - pick) as u32, &mut rng) as usize];
        next.play_unchecked(&setup, action);
        if spaces <= left || next.is_over() {
            return (setup, state);
        }
        state = next;
    }
}

/// Searches every line to the end or to the horizon, without pruning.
fn minimax(setup: &Setup, state: &State, depth: i32, breadth: &Breadth, nodes: &mut u32) -> i32 {
    *nodes += 1;
    let mover = state.mover();
    if state.is_over() {
        return result(state, mover);
    }
    if depth <= 0 && state.specials_waiting() == 0 {
        return guess(&mut Estimator::Linear, setup, state, mover);
    }
    let mut actions = Vec::new();
    let mut work = Workspace::new(stream(&[1]));
    let mut list = RankedActions::default();
    list.collect(setup, state, breadth, &mut work, &mut actions);
    let is_turn = state.specials_waiting() == 0;
    let forced = is_turn && state.affordable(setup).next().is_none();
    let depth = depth - i32::from(is_turn && !forced);
    let values = actions.iter().map(|&action| {
        let mut next = *state;
        next.play_unchecked(setup, action);
        let value = minimax(setup, &next, depth, breadth, nodes);
        if next.mover() == mover { value } else { -value }
    });
    let best = values
        .max()
        .expect("a position that is not over has actions");
    if best <= -PROVEN && (actions.len() as u32) < state.count_actions(setup) {
        UNTRIED
    } else {
        best
    }
}

fn value(agent: &mut AlphaBetaAgent, setup: &Setup, state: &State, depth: i32) -> (i32, u32) {
    agent.start(setup, stream(&[1]));
    let stop = Stop::new();
    let mut search = agent.search(setup, Budget::Depth(1), &stop);
    (
        search.value(state, depth, 0, -INFINITE, INFINITE),
        search.nodes,
    )
}

fn agrees_with_minimax(strategy: &str, best: &str, left: u8, depth: i32) {
    let mut agent = agent(strategy, best, Budget::Depth(1));
    let breadth = agent.breadth;
    let (mut searched, mut plain, mut proven) = (0, 0, 0);
    for seed in 0..40 {
        let (setup, state) = position(seed, left);
        if state.is_over() {
            continue;
        }
        let (value, nodes) = value(&mut agent, &setup, &state, depth);
        let expected = minimax(&setup, &state, depth, &breadth, &mut plain);
        assert_eq!(value, expected, "seed {seed}, {state:?}");
        searched += nodes;
        proven += u32::from(value.abs() >= PROVEN);
    }
    assert!(searched < plain, "{searched} of {plain}");
    assert!(depth < 50 || proven > 0, "some games are decided");
}

#[test]
fn the_value_is_that_of_plain_minimax_to_the_end_of_the_game() {
    agrees_with_minimax(ONE, "", 16, 99);
    agrees_with_minimax(ALL, ", best = 2", 9, 99);
}

#[test]
fn the_value_is_that_of_plain_minimax_to_a_horizon() {
    agrees_with_minimax(ONE, "", 106, 4);
    agrees_with_minimax("bl-lb/every/area", ", best = 3", 60, 2);
}

#[test]
fn a_proof_is_who_wins_by_best_play() {
    let mut agent = agent(ALL, "", Budget::Nodes(20_000));
    let mut counts = [0; 2];
    for seed in 100..160 {
        let (setup, state) = position(seed, 7);
        let winner = crate::agent::evaluation::endgame::winner(&setup, &state, 100_000);
        let (false, Some(winner)) = (state.is_over(), winner) else {
            continue;
        };
        agent.start(&setup, stream(&[2]));
        let decision = decide(&mut agent, &setup, &state);
        if let Some(wins) = decision.thought.proven {
            assert_eq!(wins, winner == state.mover(), "seed {seed}");
            assert_eq!(decision.thought.value, Some(f32::from(u8::from(wins))));
            counts[usize::from(wins)] += 1;
        }
    }
    assert!(counts.iter().all(|&count| count > 5), "{counts:?}");
}

#[test]
fn a_loss_is_not_proven_by_some_of_the_actions() {
    let mut agent = agent(ONE, "", Budget::Nodes(5_000));
    for seed in 0..60 {
        let (setup, state) = position(seed, 12);
        if state.is_over() {
            continue;
        }
        agent.start(&setup, stream(&[2]));
        let proven = decide(&mut agent, &setup, &state).thought.proven;
        if let (Some(wins), Some(winner)) = (
            proven,
            crate::agent::evaluation::endgame::winner(&setup, &state, 200_000),
        ) {
            assert_eq!(wins, winner == state.mover(), "seed {seed}");
        }
    }
}

#[test]
fn budgets_are_kept_and_repeat() {
    let setup = setup(4);
    let state = State::new(&setup);
    let decide = |budget: Budget, stop: &Stop| {
        let mut agent = agent(ONE, "", budget);
        agent.start(&setup, stream(&[5]));
        let decision = agent.decide(&setup, &state, Limit::own(stop));
        decision.expect("no fault")
    };
    let stop = Stop::new();
    let decision = decide(Budget::Nodes(3000), &stop);
    assert_eq!(decision.thought.iterations, 3000);
    assert_eq!(decision, decide(Budget::Nodes(3000), &stop));
    let deep = decide(Budget::Depth(5), &stop);
    assert_eq!(deep, decide(Budget::Depth(5), &stop));
    assert!(decide(Budget::Depth(3), &stop).thought.iterations < deep.thought.iterations);
    // On a busy machine, the time may end before the search has run.
    let searched = (1..).any(|step| {
        let time = Duration::from_millis(20) * step;
        let start = Instant::now();
        let timed = decide(Budget::Time(time), &stop);
        assert!(start.elapsed() >= time);
        timed.thought.iterations > 100
    });
    assert!(searched);
    stop.set();
    assert!(decide(Budget::Depth(60), &stop).thought.iterations < 100);
}
