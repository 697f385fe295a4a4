//! `bench`: a fixed amount of work on one thread. It measures the program's speed and shows whether play has
//! changed.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use patchwork_engine::agent::{
    AgentFile, AgentFolder, Estimator, MctsSettings, PatchworkSearch, RolloutPlayer,
};
use patchwork_engine::game::{self, Position, Setup, State, Track};
use patchwork_engine::placement::Scratch;
use patchwork_engine::search::{Budget, Picker, Stop};
use patchwork_engine::util::rng::{Rng, hash_words, stream};
use patchwork_report::document::LineTable;
use serde::Serialize;
use serde_json::json;

use crate::args::{PositionArgs, Seed, count};
use crate::endings::{Form, Output};

/// Measure the speed of this machine, or count action sequences (perft)
#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Example:\n  patchwork-arena bench --format json\n\n\
                  The workload is fixed and single-threaded. The signature, a hash of decisions, changes only if agents decide \
                  differently."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Option<BenchCommand>,
    #[command(flatten)]
    output: Output<Form>,
}

#[derive(clap::Subcommand)]
enum BenchCommand {
    Perft(PerftArgs),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if let Some(BenchCommand::Perft(args)) = &args.command {
        return perft(args);
    }
    args.output.form()?;
    let bench = bench();
    args.output.answer(&bench, |out| {
        let table = LineTable::new(1).left("", 12).left("", 10).right("", 11);
        let rate = |of, what, rate| table.line(&[&of, &what, &format!("{rate:.0}/s")]);
        writeln!(out, "signature                {}", bench.signature)?;
        writeln!(
            out,
            "{}",
            rate("random games", "", bench.random_games_per_s)
        )?;
        writeln!(out, "{}", rate("rollouts", "", bench.rollouts_per_s))?;
        for (agent, &per_s) in &bench.mcts_iterations_per_s {
            writeln!(out, "{}", rate(agent, "iterations", per_s))?;
        }
        writeln!(out, "One thread, the fastest of {ROUNDS} rounds each.")
    })
}

/// Count the action sequences from a position
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  patchwork-arena bench perft 2 --seed 7\n  patchwork-arena bench perft 2 --ring \"32 3 7 23 16 26 14 13 29 25 27 4 22 15 20 10 \
                  2 33 24 6 30 21 19 17 11 5 28 31 9 8 12 18 1\"\n\n\
                  Prints one line per depth: the depth, a tab, the count."
)]
struct PerftArgs {
    /// Length of the sequences
    #[arg(value_parser = count())]
    depth: u32,
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    seed: Seed,
    #[command(flatten)]
    output: Output<Form>,
}

fn perft(args: &PerftArgs) -> anyhow::Result<ExitCode> {
    args.output.form()?;
    let Position { setup, state, .. } = args.position.reached(args.seed.seed)?;
    let depths = 1..=args.depth;
    let counts: Vec<(u32, u64)> = depths
        .map(|depth| (depth, game::perft(&setup, &state, depth)))
        .collect();
    let rows = counts.iter();
    let rows = rows.map(|(depth, count)| json!({ "depth": depth, "count": count }));
    args.output.answer(&rows.collect::<Vec<_>>(), |out| {
        let mut rows = counts.iter();
        rows.try_for_each(|(depth, count)| writeln!(out, "{depth}\t{count}"))
    })
}

/// Number of rounds. The fastest one counts: other programs can only slow it down.
const ROUNDS: u32 = 5;

const RANDOM_GAMES: u32 = 20_000;
const ROLLOUTS: u32 = 30_000;
const ITERATIONS: u32 = 20_000;
const SETUPS: u64 = 4;

/// The shipped agents whose searches are measured. They are those that never change.
const AGENTS: [&str; 3] = ["mcts-uniform", "mcts-fast-1", "mcts-regret-1"];

#[derive(Serialize)]
struct Bench {
    /// A hash of every game played and every tree grown.
    signature: String,
    /// Games of uniformly random actions per second.
    random_games_per_s: f64,
    /// Games per second played with equation 1 and in-order placement.
    rollouts_per_s: f64,
    /// Iterations per second from the start position, by agent.
    mcts_iterations_per_s: BTreeMap<&'static str, f64>,
}

fn bench() -> Bench {
    let setups: Vec<Setup> = (0..SETUPS)
        .map(|i| Setup::random(Track::Original, &mut stream(&[i])))
        .collect();
    let mut signature = Vec::new();

    let mut rate = |count: u32, work: &mut dyn FnMut(&Setup, Rng, u32) -> u64| {
        let mut best = Duration::MAX;
        let mut seen = Vec::new();
        for _ in 0..ROUNDS {
            seen.clear();
            let start = Instant::now();
            for (setup, seed) in setups.iter().zip(100..) {
                seen.push(work(setup, stream(&[seed]), count / SETUPS as u32));
            }
            best = best.min(start.elapsed());
        }
        signature.append(&mut seen);
        f64::from(count) / best.as_secs_f64()
    };

    let random_games_per_s = rate(RANDOM_GAMES, &mut random_games);
    let strategy = "in-order/some/first".parse().expect("names in the source");
    let player = RolloutPlayer::new(Picker::GREEDY, strategy);
    let rollouts_per_s = rate(ROLLOUTS, &mut |setup, rng, count| {
        rollouts(&player, setup, rng, count)
    });
    let mcts_iterations_per_s = AGENTS
        .iter()
        .map(|&name| {
            let settings = settings(name);
            let rate = rate(ITERATIONS, &mut |setup, rng, count| {
                iterations(settings.clone(), setup, rng, count)
            });
            (name, rate)
        })
        .collect();
    Bench {
        signature: format!("{:016x}", hash_words(&signature)),
        random_games_per_s,
        rollouts_per_s,
        mcts_iterations_per_s,
    }
}

fn settings(name: &str) -> MctsSettings {
    let file = AgentFolder::shipped().find(name);
    let agent = file.and_then(|file| AgentFile::read(&file).ok());
    let settings = agent.and_then(|agent| agent.config.downcast_ref().cloned());
    settings.unwrap_or_else(|| panic!("{name} is a shipped MCTS agent"))
}

/// The scores and the winner, combined into one number.
fn end_of_game(state: &State) -> u64 {
    let outcome = state.outcome_unchecked();
    let [first, second] = outcome.scores.map(|score| score as u16);
    u64::from(first) << 32 | u64::from(second) << 8 | outcome.winner.index() as u64
}

fn random_games(setup: &Setup, mut rng: Rng, count: u32) -> u64 {
    let mut seen = 0;
    for _ in 0..count {
        let mut state = State::new(setup);
        while !state.is_over() {
            let action = state.random_action(setup, &mut rng);
            state.play_unchecked(setup, action);
        }
        seen = mix(seen, end_of_game(&state));
    }
    seen
}

fn rollouts(player: &RolloutPlayer, setup: &Setup, mut rng: Rng, count: u32) -> u64 {
    let mut scratch = Scratch::default();
    let mut seen = 0;
    for _ in 0..count {
        let end = player.play_out(setup, State::new(setup), &mut rng, &mut scratch);
        seen = mix(seen, end_of_game(&end));
    }
    seen
}

fn iterations(settings: MctsSettings, setup: &Setup, rng: Rng, count: u32) -> u64 {
    let mut search = PatchworkSearch::new(setup, settings, &Estimator::Linear, rng);
    let budget = Budget::Iterations(count);
    let _ = search.decide(&State::new(setup), &budget.meter(&Stop::new()));
    let candidates = search.tree_search().candidates(&[]).into_iter();
    candidates.fold(0, |seen, one| mix(seen, one.visits.into()))
}

/// Mixes a number into a hash, at a cost too small to affect the measurement.
const fn mix(seen: u64, next: u64) -> u64 {
    (seen.rotate_left(5) ^ next).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_agents_that_the_program_was_built_with_are_valid() {
        for name in AGENTS {
            let _ = settings(name);
        }
    }
}
