//! `perft`.

use std::process::ExitCode;

use patchwork_engine::game;

use super::args::{PositionArgs, count, seed};
use super::output::print;

/// Count the action sequences from a position
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  patchwork-arena perft 2 --seed 7\n  patchwork-arena perft 2 --ring \"32 3 7 23 16 26 14 13 29 25 27 4 22 15 20 10 \
                  2 33 24 6 30 21 19 17 11 5 28 31 9 8 12 18 1\"\n\n\
                  Prints one line per depth: the depth, a tab, the count."
)]
pub(super) struct Args {
    /// Length of the sequences
    #[arg(value_parser = count())]
    depth: u32,
    #[command(flatten)]
    position: PositionArgs,
    /// Seed of the ring
    #[arg(long, default_value_t = 1, value_parser = seed, allow_negative_numbers = true)]
    seed: u64,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let position = args.position.reached(args.seed)?;
    for depth in 1..=args.depth {
        let count = game::perft(&position.setup, &position.state, depth);
        print(|out| writeln!(out, "{depth}\t{count}"))?;
    }
    Ok(ExitCode::SUCCESS)
}
