//! Fits the values of 3x3 patterns for the evaluation `patterns` of placements
//! (`crates/engine/src/placement/evaluations/patterns/values.rs`), and prints that file.
//!
//! ```text
//! cargo run --release --example fit_patterns -- agents/archive/champion-2.toml 1000 500
//! ```
//!
//! The arguments are an agent, a number of games and a number of iterations. One position is taken from each game of the
//! agent against itself: one in which it buys a patch. Each placement of the patch is valued by a search of the position
//! after it. The values of the patterns are those that predict best, within each position, the log-odds of these
//! chances to win. The same arguments print the same numbers, with any number of threads.

#[path = "support/equations.rs"]
mod equations;

use std::error::Error;

use patchwork_engine::agent::{self, Agent, Limit};
use patchwork_engine::board::Quilt;
use patchwork_engine::board::patterns::PATTERN_CLASSES;
use patchwork_engine::game::{Action, PatchId, Placement, Player, Setup, State, Track};
use patchwork_engine::placement::{Candidates, Problem, pattern_counts};
use patchwork_engine::search::{Budget, Stop};
use patchwork_engine::util::rng::stream;
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

const SEED: u64 = 11;
/// The budget of the games from which the positions are taken.
const OF_GAMES: Budget = Budget::Iterations(300);
/// Nearer to the end, results are certain rather than a matter of patterns.
const MIN_SPACES: u8 = 12;
/// How much more a placement counts that is better by one in log-odds: the best ones must be told apart.
const FOCUS: f64 = 3.0;
/// Draws the values towards 0, for each position.
const RIDGE: f64 = 3e-5;

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, games, iterations] = &arguments[..] else {
        return Err("expected an agent file, a number of games and a number of iterations".into());
    };
    agent::load(file)?;
    let budget = Budget::Iterations(iterations.parse()?);
    let games = (0..games.parse::<u64>()?).into_par_iter();
    let positions = games.map_init(
        || agent::load(file).expect("it was read before"),
        |player, game| position(&mut **player, game, budget),
    );
    let positions: Vec<Vec<Placed>> = positions
        .collect::<Vec<_>>()
        .into_iter()
        .flatten()
        .collect();
    eprintln!("{} positions", positions.len());
    let values = fit(&positions);
    println!("//! The values of 3x3 patterns, in thousandths of log-odds.");
    println!("//!");
    println!(
        "//! Written by `cargo run --release --example fit_patterns -- {}`.",
        arguments.join(" ")
    );
    println!();
    println!("use crate::board::patterns::PATTERN_CLASSES;");
    println!();
    println!(
        "/// Number of phases of a game, by the number of covered squares, with values of their own."
    );
    println!(
        "pub(super) const PHASES: usize = {};",
        values.len() / PATTERN_CLASSES
    );
    println!();
    println!("/// By phase and class.");
    println!("#[rustfmt::skip]");
    println!("pub(super) static VALUES: [[i16; PATTERN_CLASSES]; PHASES] = [");
    for phase in values.chunks(PATTERN_CLASSES) {
        println!("    [");
        for line in phase.chunks(17) {
            let numbers: Vec<String> = line
                .iter()
                .map(|value| ((1000.0 * value).round() as i16).to_string())
                .collect();
            println!("        {},", numbers.join(", "));
        }
        println!("    ],");
    }
    println!("];");
    Ok(())
}

/// The quilt after a placement.
struct Placed {
    /// The counts of its patterns that are not 0, with their indices.
    counts: Vec<(usize, f64)>,
    /// The log-odds of the chance to win.
    log_odds: f64,
}

/// The placements of the first patch that the agent buys in a game after some plies; none if the result is
/// all but certain.
fn position(player: &mut dyn Agent, game: u64, budget: Budget) -> Option<Vec<Placed>> {
    let track = Track::ALL[(game % 2) as usize];
    let setup = Setup::random(track, &mut stream(&[SEED, game]));
    let (state, patch) = purchase(player, &setup, game)?;
    let mover = state.mover();
    let problem = Problem::patch(&setup, &state, patch);
    let all = Candidates::all(problem.shape(), problem.quilt());
    let placements: Vec<Placement> = all.placements().collect();
    if placements.len() < 2 || state.spaces_left() < MIN_SPACES {
        return None;
    }
    let mut most = 0.0_f64;
    let placed = placements.into_iter().map(|placement| {
        let mut next = state;
        next.play_unchecked(&setup, Action::Buy(patch, placement));
        let chance = f64::from(chance(player, &setup, next, mover, budget));
        most = most.max(chance);
        let chance = chance.clamp(0.01, 0.99);
        let counts = pattern_counts(next.quilt(mover)).into_iter().enumerate();
        Placed {
            counts: counts.filter(|(_, count)| *count != 0.0).collect(),
            log_odds: libm::log(chance / (1.0 - chance)),
        }
    });
    let placed: Vec<Placed> = placed.collect();
    (0.02 < most && most < 0.98).then_some(placed)
}

/// The position and the patch of the purchase.
fn purchase(player: &mut dyn Agent, setup: &Setup, game: u64) -> Option<(State, PatchId)> {
    let stop = Stop::new();
    let limit = Limit {
        budget: Some(OF_GAMES),
        stop: &stop,
    };
    player.start(setup, stream(&[SEED, game, 5]));
    let mut state = State::new(setup);
    let mut ply = 0;
    while !state.is_over() {
        let action = player
            .decide(setup, &state, limit)
            .expect("no fault")
            .action;
        match action {
            Action::Buy(patch, _) if ply >= 7 * game % 34 => return Some((state, patch)),
            _ => state.play_unchecked(setup, action),
        }
        player.observe(action);
        ply += 1;
    }
    None
}

/// The chance of a player to win, by a search of the next position with a choice.
fn chance(
    player: &mut dyn Agent,
    setup: &Setup,
    mut state: State,
    winner: Player,
    budget: Budget,
) -> f32 {
    let stop = Stop::new();
    let limit = Limit {
        budget: Some(budget),
        stop: &stop,
    };
    while !state.is_over() {
        player.start(setup, stream(&[SEED]));
        let decision = player.decide(setup, &state, limit).expect("no fault");
        if let Some(value) = decision.thought.value {
            return if state.mover() == winner {
                value
            } else {
                1.0 - value
            };
        }
        state.play_unchecked(setup, decision.action);
    }
    f32::from(u8::from(state.outcome_unchecked().winner == winner))
}

/// The values with the least squared error within each position.
fn fit(positions: &[Vec<Placed>]) -> Vec<f64> {
    let size = pattern_counts(Quilt::EMPTY).len();
    // Each normal equation with its right-hand side at the end.
    let mut equations = vec![vec![0.0; size + 1]; size];
    for placements in positions {
        let best = placements
            .iter()
            .map(|one| one.log_odds)
            .fold(f64::NEG_INFINITY, f64::max);
        let weight = |one: &Placed| libm::exp(FOCUS * (one.log_odds - best));
        let sum: f64 = placements.iter().map(weight).sum();
        let mut mean = vec![0.0; size + 1];
        for one in placements {
            let weight = weight(one) / sum;
            let cells = || one.counts.iter().copied().chain([(size, one.log_odds)]);
            for (i, x) in cells() {
                mean[i] += weight * x;
            }
            for &(i, x) in &one.counts {
                for (j, y) in cells() {
                    equations[i][j] += weight * x * y;
                }
            }
        }
        for (equation, x) in equations.iter_mut().zip(&mean) {
            for (cell, y) in equation.iter_mut().zip(&mean) {
                *cell -= x * y;
            }
        }
    }
    for (i, equation) in equations.iter_mut().enumerate() {
        equation[i] += RIDGE * positions.len() as f64;
    }
    equations::solution(equations)
}
