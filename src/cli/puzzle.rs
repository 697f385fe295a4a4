//! `puzzle`: one subcommand for each puzzle, one file each.

mod battleships;
mod nmbr9;
mod pentominoes;

use std::process::ExitCode;

/// Solve the puzzles of the papers beside Patchwork
#[derive(clap::Args)]
#[command(arg_required_else_help = true)]
pub(super) struct Args {
    #[command(subcommand)]
    puzzle: Puzzle,
}

/// Declares the puzzles, each by its name and its file.
macro_rules! puzzles {
    ($($Name:ident: $file:ident,)+) => {
        #[derive(clap::Subcommand)]
        enum Puzzle {
            $($Name($file::Args),)+
        }

        pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
            match &args.puzzle {
                $(Puzzle::$Name(args) => $file::run(args),)+
            }
        }
    };
}

puzzles! {
    Battleships: battleships,
    Pentominoes: pentominoes,
    Nmbr9: nmbr9,
}
