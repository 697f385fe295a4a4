//! `paper`: the experiments of the papers.

mod characterize;
mod packing;
mod puzzle;

use std::process::ExitCode;

/// Reproduce the experiments of the paper on Patchwork, and solve puzzles from related papers
#[derive(clap::Args)]
#[command(
    arg_required_else_help = true,
    after_help = "Examples:\n  patchwork-arena paper packing --as-published\n  \
                  patchwork-arena paper characterize --games 1000"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: PaperCommand,
}

#[derive(clap::Subcommand)]
enum PaperCommand {
    Packing(packing::Args),
    Characterize(characterize::Args),
    Puzzle(puzzle::Args),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.command {
        PaperCommand::Packing(args) => packing::run(args),
        PaperCommand::Characterize(args) => characterize::run(args),
        PaperCommand::Puzzle(args) => puzzle::run(args),
    }
}
