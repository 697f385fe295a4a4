//! Fits the coefficients of the position estimate (`crates/engine/src/agent/evaluation/position_estimate.rs`).
//!
//! ```text
//! cargo run --release --example fit_estimate -- play 0 3600 train.txt      # some minutes each
//! cargo run --release --example fit_estimate -- play 6000 9600 train.txt
//! cargo run --release --example fit_estimate -- fit train.txt              # prints the tables
//! cargo run --release --example fit_estimate -- play 3600 6000 test.txt
//! cargo run --release --example fit_estimate -- play 9600 12000 test.txt
//! cargo run --release --example fit_estimate -- measure test.txt           # prints their accuracy
//! ```
//!
//! The games are between MCTS agents with a few hundred iterations. In two of three games, some plies are
//! played at random, so that the positions are as uneven as those inside a search tree.

#[path = "support/equations.rs"]
mod equations;

use std::error::Error;
use std::fs;
use std::io::Write as _;
use std::path::Path;

use patchwork_engine::agent::position_estimate::{self, OWN, POWERS, estimate, win_chance};
use patchwork_engine::agent::{Agent, AgentFile, Limit, RolloutPlayer};
use patchwork_engine::game::{Action, ActionList, Player, Rules, Setup, State, Track};
use patchwork_engine::placement::{Scratch, Strategy};
use patchwork_engine::search::Picker;
use patchwork_engine::search::Stop;
use patchwork_engine::util::rng::{Rng, stream};
use rand::RngExt as _;

type Outcome<T> = Result<T, Box<dyn Error>>;

const SEED: u64 = 2014;

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["play", from, to, file] => play(from.parse()?..to.parse()?, Path::new(file)),
        ["fit", file] => fit(Path::new(file)),
        ["measure", file] => measure(Path::new(file)),
        _ => Err("expected: play FROM TO FILE, fit FILE or measure FILE".into()),
    }
}

/// Plays the games with these numbers and appends them to a file.
fn play(numbers: std::ops::Range<u64>, file: &Path) -> Outcome<()> {
    let mut out = fs::File::options().create(true).append(true).open(file)?;
    let mut pairs = Vec::new();
    for text in [
        include_str!("../agents/mcts-regret.toml"),
        include_str!("../agents/mcts-fast.toml"),
    ] {
        let text = text.replace("iterations = 1000", "iterations = 400");
        let settings = AgentFile::parse(Path::new("agent"), &text)?.config;
        pairs.push([settings.build(), settings.build()]);
    }
    for number in numbers {
        let track = Track::ALL[(number % 2) as usize];
        let pair = &mut pairs[usize::from(number % 4 == 3)];
        let noise = [0.0, 0.04, 0.15][(number / 4 % 3) as usize];
        let actions = game(number, track, pair, noise);
        let setup = Setup::random(track, &mut stream(&[SEED, number]));
        writeln!(out, "{track}\t{}\t{}", setup.ring(), ActionList(actions))?;
    }
    Ok(())
}

fn game(number: u64, track: Track, pair: &mut [Box<dyn Agent>; 2], noise: f64) -> Vec<Action> {
    let setup = Setup::random(track, &mut stream(&[SEED, number]));
    for (seat, agent) in pair.iter_mut().enumerate() {
        agent.start(&setup, stream(&[SEED, number, seat as u64]));
    }
    let mut rng = stream(&[SEED, number, 2]);
    let mut state = State::new(&setup);
    let mut actions = Vec::new();
    while !state.is_over() {
        let action = if rng.random_bool(noise) {
            blunder(&setup, &state, &mut rng)
        } else {
            pair[state.mover().index()]
                .decide(&setup, &state, Limit::own(&Stop::new()))
                .expect("no fault")
                .action
        };
        state.play_unchecked(&setup, action);
        actions.push(action);
        pair.iter_mut().for_each(|agent| agent.observe(action));
    }
    actions
}

/// A random patch, or advancing; placed sensibly four times out of five.
fn blunder(setup: &Setup, state: &State, rng: &mut Rng) -> Action {
    let strategy = if rng.random_bool(0.2) {
        "all/every/random"
    } else {
        "bl-lb/every/regret"
    };
    let strategy: Strategy = strategy.parse().expect("names in the source");
    let player = RolloutPlayer::new(Picker::UNIFORM, strategy);
    player.action(setup, state, rng, &mut Scratch::default())
}

/// A position of a game, with the result of the game.
struct Sample {
    setup: Setup,
    state: State,
    /// Points of the first player minus those of the second.
    margin: f64,
    /// Whether the first player won.
    won: bool,
}

fn samples(file: &Path) -> Outcome<Vec<Sample>> {
    let mut samples = Vec::new();
    for line in fs::read_to_string(file)?.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [track, ring, actions] = fields[..] else {
            return Err(format!("expected track, ring and actions, found {line}").into());
        };
        let setup = Setup::new(track.parse::<Rules>()?, ring.parse()?);
        let mut states = Vec::new();
        let mut state = State::new(&setup);
        for &action in &actions.parse::<ActionList>()?.0 {
            states.push(state);
            state = state.try_play(&setup, action)?;
        }
        let outcome = state.outcome().ok_or("a game is not played to its end")?;
        samples.extend(states.into_iter().map(|state| Sample {
            setup: setup.clone(),
            state,
            margin: outcome.margin(Player::First).into(),
            won: outcome.winner == Player::First,
        }));
    }
    Ok(samples)
}

/// Prints the coefficients that fit the positions best.
fn fit(file: &Path) -> Outcome<()> {
    let samples = samples(file)?;
    let rows: Vec<Vec<f64>> = samples.iter().map(features).collect();
    let certain = |sample: &Sample| f64::from(position_estimate::certain_margin(&sample.state));
    let targets: Vec<f64> = samples.iter().map(|s| s.margin - certain(s)).collect();
    let coefficients = least_squares(&rows, &targets);

    let (own, shared) = coefficients.split_at(OWN * POWERS);
    println!("const OWN_COEFFICIENTS: [[f32; POWERS]; OWN] = [");
    for powers in own.chunks(POWERS) {
        println!("    {powers:.3?},");
    }
    println!("];");
    println!("const SHARED_COEFFICIENTS: [f32; SHARED] = {shared:.3?};");

    let guesses: Vec<Guess> = samples
        .iter()
        .zip(&rows)
        .map(|(sample, row)| Guess {
            margin: certain(sample) + dot(row, &coefficients),
            left: left(sample),
            won: sample.won,
        })
        .collect();
    println!("const WIN_SCALE: [f32; 3] = {:.3?};", win_scale(&guesses));
    Ok(())
}

/// The share of the whole track that both players together have left.
fn left(sample: &Sample) -> f64 {
    let each = Player::BOTH.map(|p| f64::from(position_estimate::time_left(sample.state.space(p))));
    (each[0] + each[1]) / 2.0
}

/// The features that the coefficients of the estimate multiply, from the first player's point of view.
fn features(sample: &Sample) -> Vec<f64> {
    let [first, second] = Player::BOTH.map(|player| {
        let left = position_estimate::time_left(sample.state.space(player));
        let features = position_estimate::own_features(&sample.state, player);
        features.map(|feature| (1..=POWERS as i32).map(move |n| f64::from(feature * left.powi(n))))
    });
    let own = first
        .into_iter()
        .flatten()
        .zip(second.into_iter().flatten());
    let shared = position_estimate::shared_features(&sample.setup, &sample.state);
    own.map(|(first, second)| first - second)
        .chain(shared.map(f64::from))
        .collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The solution of the normal equations.
fn least_squares(rows: &[Vec<f64>], targets: &[f64]) -> Vec<f64> {
    let size = rows[0].len();
    // Each equation with its right-hand side at the end.
    let mut equations = vec![vec![0.0; size + 1]; size];
    for (row, target) in rows.iter().zip(targets) {
        for (equation, x) in equations.iter_mut().zip(row) {
            for (cell, y) in equation.iter_mut().zip(row.iter().chain([target])) {
                *cell += x * y;
            }
        }
    }
    equations::solution(equations)
}

/// An estimated margin, the share of the track left, and whether the first player won.
struct Guess {
    margin: f64,
    left: f64,
    won: bool,
}

/// The a, b, c for which the logistic curve of margin / (a + b left + c left^2) has the least log loss, by
/// coordinate descent.
fn win_scale(guesses: &[Guess]) -> [f64; 3] {
    let loss = |scale: &[f64; 3]| -> f64 {
        let each = guesses.iter().map(|guess| {
            let scale = scale[0] + guess.left * (scale[1] + guess.left * scale[2]);
            let margin = if guess.won {
                guess.margin
            } else {
                -guess.margin
            };
            if scale > 0.1 {
                (-margin / scale).exp().ln_1p()
            } else {
                f64::INFINITY
            }
        });
        each.sum()
    };
    let mut best = [3.0, 3.0, 0.0];
    let mut least = loss(&best);
    let mut step = 2.0;
    while step > 0.004 {
        let mut better = false;
        for (i, sign) in [
            (0, 1.0),
            (0, -1.0),
            (1, 1.0),
            (1, -1.0),
            (2, 1.0),
            (2, -1.0),
        ] {
            let mut trial = best;
            trial[i] += sign * step;
            let found = loss(&trial);
            if found < least {
                (least, best, better) = (found, trial, true);
            }
        }
        if !better {
            step /= 2.0;
        }
    }
    best
}

/// Prints how well the program's current estimate predicts margins and winners, compared with the current
/// margin.
fn measure(file: &Path) -> Outcome<()> {
    let samples = samples(file)?;
    println!("{} positions", samples.len());
    println!("track left      n   score: R2  RMSE   AUC   estimate: R2  RMSE   AUC   Brier");
    for (from, to) in [
        (0.0, 2.0),
        (0.75, 2.0),
        (0.5, 0.75),
        (0.25, 0.5),
        (0.0, 0.25),
    ] {
        let part: Vec<&Sample> = samples
            .iter()
            .filter(|s| (from..to).contains(&left(s)))
            .collect();
        let score = |s: &Sample| {
            let [first, second] = Player::BOTH.map(|player| s.state.score(player));
            f64::from(first - second)
        };
        let guess = |s: &Sample| f64::from(estimate(&s.setup, &s.state));
        let (r2, rmse, auc) = quality(&part, score);
        let (our_r2, our_rmse, our_auc) = quality(&part, guess);
        let brier = mean(part.iter().map(|s| {
            let chance = win_chance(estimate(&s.setup, &s.state), &s.state);
            (f64::from(chance) - f64::from(u8::from(s.won))).powi(2)
        }));
        println!(
            "{from:.2}-{:.2} {:>8} {r2:>10.3} {rmse:>6.2} {auc:.3} {our_r2:>13.3} {our_rmse:>6.2} {our_auc:.3} {brier:>7.4}",
            to.min(1.0),
            part.len()
        );
    }
    Ok(())
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (count, sum) = values.fold((0.0, 0.0), |(n, sum), x| (n + 1.0, sum + x));
    sum / count
}

/// R squared (of the margin around 0), root mean square error, and the probability that a won position has a
/// higher estimate than a lost one.
fn quality(samples: &[&Sample], guess: impl Fn(&Sample) -> f64) -> (f64, f64, f64) {
    let error = mean(samples.iter().map(|s| (s.margin - guess(s)).powi(2)));
    let spread = mean(samples.iter().map(|s| s.margin.powi(2)));
    let mut ranked: Vec<(f64, bool)> = samples.iter().map(|s| (guess(s), s.won)).collect();
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut won, mut lost, mut above) = (0.0, 0.0, 0.0);
    for group in ranked.chunk_by(|a, b| a.0 == b.0) {
        let wins = group.iter().filter(|guess| guess.1).count() as f64;
        let losses = group.len() as f64 - wins;
        above += wins * (lost + losses / 2.0);
        (won, lost) = (won + wins, lost + losses);
    }
    (1.0 - error / spread, error.sqrt(), above / (won * lost))
}
