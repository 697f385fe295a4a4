//! `paper puzzle battleships`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use patchwork_engine::search::Stop;
use patchwork_engine::util::JsonInteger;
use patchwork_engine::util::limits;
use patchwork_papers::puzzle::{Battleships, Fleet, generate};
use serde_json::json;

use super::pentominoes::parse_size;
use super::{stopped_at, timed};
use crate::endings::{Form, Output};
use crate::output::{listen, stopped};

/// Solve an instance of solitaire battleships, or generate one
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  patchwork-arena paper puzzle battleships instance.txt --all\n  \
                  patchwork-arena paper puzzle battleships --generate 7 > instance.txt\n\n\
                  A file has lines such as:\n  size 10 10\n  rows 1 3 1 1 6 0 2 3 1 2\n  cols 0 3 1 3 1 2 5 1 3 1\n  \
                  fleet 4x1 3x2 2x3 1x4 (length x number)\n  grid\nand the rows of the grid: . unknown, w water, \
                  c submarine, l r t b ends, m middle."
)]
pub(super) struct Args {
    /// File of an instance
    #[arg(required_unless_present = "generate")]
    file: Option<PathBuf>,
    /// Count all solutions instead of finding one
    #[arg(long)]
    all: bool,
    /// Ignore the squares that the file reveals
    #[arg(long)]
    no_hints: bool,
    /// Generate a random instance with one solution, from this seed
    #[arg(long, value_name = "SEED", conflicts_with_all = ["file", "all", "no_hints"])]
    generate: Option<u64>,
    /// Size of the generated board: rows x columns
    #[arg(long, value_name = "RxC", value_parser = parse_size, default_value = "10x10", requires = "generate")]
    size: (usize, usize),
    /// Ships of the generated instance: length x number
    #[arg(long, default_value_t, requires = "generate")]
    fleet: Fleet,
    #[command(flatten)]
    output: Output<Form>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    args.output.form()?;
    let stop = listen()?;
    match (&args.file, args.generate) {
        (Some(file), None) => solve(args, file, stop),
        (_, seed) => make(args, seed.unwrap_or_default(), stop),
    }
}

fn make(args: &Args, seed: u64, stop: &Stop) -> anyhow::Result<ExitCode> {
    let made = generate(args.size, &args.fleet, seed, stop).context("--generate")?;
    let Some((instance, solution)) = made else {
        return Ok(stopped(format_args!(
            "stopped before an instance was found"
        )));
    };
    let json = json!({
        "seed": JsonInteger(seed),
        "instance": instance.to_string(),
        "solution": solution.picture(),
    });
    args.output.answer(&json, |out| {
        writeln!(out, "# seed {seed}\n{instance}solution\n{solution}")
    })
}

fn solve(args: &Args, file: &Path, stop: &Stop) -> anyhow::Result<ExitCode> {
    let name = file.display();
    let text = limits::PUZZLE.read_text(file);
    let text = text.with_context(|| format!("{name}: cannot be read"))?;
    let instance: Battleships = text.parse().with_context(|| name.to_string())?;
    let instance = if args.no_hints {
        instance.without_hints()
    } else {
        instance
    };
    let most = if args.all { u64::MAX } else { 1 };
    let (result, seconds) = timed(args.output.quiet.quiet, "", |progress| {
        instance.solve(most, 1, stop, progress)
    });
    let first = result.grids.first();
    let json = json!({
        "solutions": result.counts.solutions,
        // Whether the search was completed.
        "complete": result.complete,
        // The first solution, row by row: `#` is a ship.
        "first": first.map(|grid| grid.picture()),
        "failures": result.counts.failures,
        "nodes": result.counts.nodes,
        "seconds": seconds,
    });
    args.output.answer(&json, |out| {
        if let Some(grid) = first {
            writeln!(out, "{grid}\n")?;
        }
        writeln!(
            out,
            "solutions {}  failures {}  nodes {}  seconds {seconds:.3}",
            result.counts.solutions, result.counts.failures, result.counts.nodes
        )
    })?;
    if result.complete {
        return Ok(ExitCode::SUCCESS);
    }
    Ok(stopped_at(result.counts.share))
}
