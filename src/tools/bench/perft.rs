//! `bench perft`.

use std::process::ExitCode;

use patchwork_engine::analysis::ReachedPosition;
use patchwork_engine::game;
use serde_json::json;

use crate::args::{PositionArgs, Seed, count};
use crate::endings::{Form, Output};

/// Count the action sequences from a position
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  patchwork-arena bench perft 2 --seed 7\n  patchwork-arena bench perft 2 --ring \"32 3 7 23 16 26 14 13 29 25 27 4 22 15 20 10 \
                  2 33 24 6 30 21 19 17 11 5 28 31 9 8 12 18 1\"\n\n\
                  Prints one line per depth: the depth, a tab, the count."
)]
pub(super) struct Args {
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

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    args.output.form()?;
    let ReachedPosition { setup, state, .. } = args.position.reached(args.seed.seed)?;
    let depths = 1..=args.depth;
    let counts: Vec<(u32, u64)> = depths
        .map(|depth| (depth, game::perft(&setup, &state, depth)))
        .collect();
    let rows = counts.iter();
    let rows = rows.map(|(depth, count)| json!({ "depth": depth, "count": count }));
    args.output.answer(&rows.collect::<Vec<_>>(), |out| {
        let mut rows = counts.iter();
        rows.try_for_each(|(depth, count)| writeln!(out, "{depth}\t{count}"))
    })?;
    Ok(ExitCode::SUCCESS)
}
