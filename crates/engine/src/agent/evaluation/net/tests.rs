use std::sync::{Arc, LazyLock};

use rand::RngExt as _;

use super::features::{INPUTS, MAX_ON, QuiltFacts, for_each_input};
use super::weights::{DAMAGED, FOREIGN};
use super::{Evaluator, Net, POINTS, WEIGHTS, layout};
use crate::agent::evaluation::position_estimate::certain_margin;
use crate::board::patterns::CLASSES;
use crate::board::{SIDE, Square};
use crate::game::{Player, Setup, State};
use crate::testing::random_games;
use crate::util::rng::stream;

fn random_weights(most: f32) -> Vec<f32> {
    let mut rng = stream(&[3]);
    let mut weights: Vec<f32> = (0..WEIGHTS)
        .map(|_| most * (2.0 * rng.random::<f32>() - 1.0))
        .collect();
    // Sums of many patterns stay in range.
    for weight in &mut weights[layout::PATTERNS.range()] {
        *weight /= 20.0;
    }
    weights
}

pub(super) fn random_net() -> Net {
    Net::rounded(&random_weights(0.5), "made at random".into()).expect("small")
}

static NET: LazyLock<Arc<Net>> = LazyLock::new(|| Arc::new(random_net()));

fn inputs(setup: &Setup, state: &State) -> Vec<usize> {
    let mover = state.mover();
    let [mut mine, mut theirs] =
        [mover, mover.other()].map(|player| QuiltFacts::of(state.quilt(player)));
    let mut inputs = Vec::new();
    for_each_input(setup, state, [&mut mine, &mut theirs], |input| {
        inputs.push(input)
    });
    inputs
}

#[test]
fn inputs_are_in_range_and_each_is_on_once() {
    let mut seen = vec![false; INPUTS];
    random_games(40, |setup, state| {
        let mut on = inputs(setup, state);
        assert!(on.len() <= MAX_ON, "{}", on.len());
        on.iter().for_each(|&input| seen[input] = true);
        on.sort_unstable();
        on.dedup();
        assert_eq!(on.len(), inputs(setup, state).len());
    });
    let share = seen.iter().filter(|&&seen| seen).count() as f64 / INPUTS as f64;
    assert!(share > 0.5, "{share}");
}

/// Adds weights times a value.
fn add(sums: &mut [f32], weights: &[f32], value: f32) {
    for (sum, weight) in sums.iter_mut().zip(weights) {
        *sum += value * weight;
    }
}

/// The network in floating point, straight from its definition.
fn by_definition(weights: &[f32], setup: &Setup, state: &State) -> f32 {
    let unit = |sum: f32| sum.clamp(0.0, 1.0);
    let mover = state.mover();
    let mut first = weights[layout::FIRST_BIAS.range()].to_vec();
    for (player, part) in [(mover, layout::MINE), (mover.other(), layout::THEIRS)] {
        let quilt = state.quilt(player);
        let mut units = weights[layout::QUILT_BIAS.range()].to_vec();
        for square in 0..SIDE * SIDE {
            let (row, column) = (square / SIDE, square % SIDE);
            let covered = |r: usize, c: usize| {
                let (r, c) = ((row + r).wrapping_sub(1), (column + c).wrapping_sub(1));
                r >= SIDE || c >= SIDE || quilt.contains(Square::at(c, r))
            };
            let bits = (0..9).filter(|bit| covered(bit / 3, bit % 3));
            let pattern: usize = bits.map(|bit| 1 << bit).sum();
            let row = layout::PATTERNS.row(CLASSES[pattern].into());
            add(&mut units, &weights[row], 1.0);
        }
        for (from, &value) in units.iter().enumerate() {
            add(&mut first, &weights[part.row(from)], unit(value));
        }
    }
    for input in inputs(setup, state) {
        add(&mut first, &weights[layout::INPUTS.row(input)], 1.0);
    }
    let mut second = weights[layout::SECOND_BIAS.range()].to_vec();
    for (from, &value) in first.iter().enumerate() {
        add(&mut second, &weights[layout::SECOND.row(from)], unit(value));
    }
    let output = second.iter().zip(&weights[layout::OUTPUT.range()]);
    let output: f32 = output.map(|(value, weight)| unit(*value) * weight).sum();
    let more = POINTS * (output + weights[layout::OUTPUT_BIAS.first]);
    match mover {
        Player::First => certain_margin(state) + more,
        Player::Second => certain_margin(state) - more,
    }
}

#[test]
fn integers_agree_with_the_definition() {
    let weights = random_weights(0.5);
    let mut evaluator = Evaluator::new(Arc::clone(&NET));
    let mut count = 0;
    random_games(20, |setup, state| {
        if !state.is_over() && state.specials_waiting() == 0 {
            let (found, expected) = (
                evaluator.margin(setup, state),
                by_definition(&weights, setup, state),
            );
            assert!((found - expected).abs() < 0.5, "{found} {expected}");
            count += 1;
        }
    });
    assert!(count > 500);
}

#[test]
fn a_filled_evaluator_says_what_a_new_one_says() {
    let mut evaluator = Evaluator::new(Arc::clone(&NET));
    random_games(20, |setup, state| {
        let found = evaluator.margin(setup, state);
        assert_eq!(found, Evaluator::new(Arc::clone(&NET)).margin(setup, state));
        assert_eq!(found, -evaluator.margin(setup, &state.swapped()));
        if let Some(outcome) = state.outcome() {
            assert_eq!(found, f32::from(outcome.margin(Player::First)));
        }
    });
}

#[test]
fn the_largest_weights_cannot_overflow() {
    for sign in [1.0, -1.0] {
        let weights: Vec<f32> = layout::ALL
            .iter()
            .flat_map(|part| part.range().map(|_| sign * f32::from(i16::MAX) / part.one))
            .collect();
        let net = Net::rounded(&weights, String::new()).expect("in range");
        let mut evaluator = Evaluator::new(Arc::new(net));
        random_games(3, |setup, state| {
            assert!(evaluator.margin(setup, state).is_finite())
        });
    }
}

#[test]
fn a_file_comes_back_as_it_was_written() {
    let bytes = NET.to_bytes();
    let read = Net::from_bytes(&bytes).expect("a network");
    assert_eq!(read.to_bytes(), bytes);
    assert_eq!((read.card(), read.hash()), ("made at random", NET.hash()));
    assert!(bytes.len() < 1_000_000, "{}", bytes.len());
}

#[test]
fn other_files_are_refused() {
    let bytes = NET.to_bytes();
    let refused = |bytes: &[u8]| {
        let error = Net::from_bytes(bytes).expect_err("not a network");
        error.to_string()
    };
    assert_eq!(refused(b""), FOREIGN);
    assert_eq!(refused(b"type = 'mcts'"), FOREIGN);
    for length in (14..60).chain([bytes.len() / 2, bytes.len() - 1]) {
        assert_eq!(refused(&bytes[..length]), DAMAGED, "{length}");
    }
    let changed = |at: usize, by: u8| {
        let mut bytes = bytes.clone();
        bytes[at] ^= by;
        refused(&bytes)
    };
    let version = "the network has version 2; this program reads version 1";
    assert_eq!(changed(14, 3), version);
    let shape = changed(18, 1);
    assert!(
        shape.contains(&format!("this program's networks have {WEIGHTS}")),
        "{shape}"
    );
    assert_eq!(changed(40, 1), DAMAGED);
    assert_eq!(changed(bytes.len() - 1, 1), DAMAGED);
}

#[test]
fn weights_that_are_no_numbers_are_refused() {
    for wrong in [f32::NAN, f32::INFINITY, 40.0] {
        let mut weights = random_weights(0.5);
        weights[7] = wrong;
        let error = Net::rounded(&weights, String::new())
            .expect_err("refused")
            .to_string();
        assert!(error.starts_with("weight 7 of the network is"), "{error}");
    }
}
