//! `paper puzzle`: one subcommand for each puzzle, one file each.

mod battleships;
mod nmbr9;
mod pentominoes;

use std::process::ExitCode;
use std::time::Instant;

use crate::progress::bar;

/// Solve puzzles from related papers: battleships, pentominoes, Nmbr9
#[derive(clap::Args)]
#[command(arg_required_else_help = true)]
pub(super) struct Args {
    #[command(subcommand)]
    puzzle: Puzzle,
}

#[derive(clap::Subcommand)]
enum Puzzle {
    Battleships(battleships::Args),
    Pentominoes(pentominoes::Args),
    Nmbr9(nmbr9::Args),
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.puzzle {
        Puzzle::Battleships(args) => battleships::run(args),
        Puzzle::Pentominoes(args) => pentominoes::run(args),
        Puzzle::Nmbr9(args) => nmbr9::run(args),
    }
}

/// Searches, with a bar that shows the share of the search tree done, and returns the seconds that it took.
fn timed<T>(quiet: bool, message: &str, search: impl FnOnce(&mut dyn FnMut(f64)) -> T) -> (T, f64) {
    const PARTS: f64 = 1000.0;
    let bar = bar(PARTS as u64, quiet).with_message(message.to_owned());
    let start = Instant::now();
    let result = search(&mut |share| bar.set_position((PARTS * share) as u64));
    let seconds = start.elapsed().as_secs_f64();
    bar.finish_and_clear();
    (result, seconds)
}

/// Says that the user has stopped a search after this share of its tree, 0 to 1.
fn stopped_at(share: f64) -> ExitCode {
    let done = match 100.0 * share {
        percent if percent < 0.1 => "less than 0.1%".to_owned(),
        percent => format!("{percent:.1}%"),
    };
    crate::output::stopped(format_args!(
        "stopped after {done} of the search tree; the counts are those of that part"
    ))
}
