//! The subcommands, one file each: the arguments and the code that runs them.
//!
//! To add a subcommand, create a file with `Args` and a function `run`, and add a line to the list below.

mod args;
mod endings;
#[cfg(feature = "cluster")]
mod fleet;
#[cfg(not(feature = "cluster"))]
#[path = "cli/no_fleet.rs"]
mod fleet;
mod limits;
pub(crate) mod output;
mod progress;
mod workforce;
mod wrapping;

use std::process::ExitCode;

/// A self-play tournament engine for the board game Patchwork
#[derive(clap::Parser)]
#[command(version, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// Declares the subcommands, each by its name and its module.
macro_rules! subcommands {
    ($($(#[$place:meta])? $Name:ident: $file:ident,)+) => {
        $($(#[$place])? mod $file;)+

        #[derive(clap::Subcommand)]
        enum Command {
            $($Name($file::Args),)+
        }

        impl Cli {
            pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
                limits::prepare()?;
                match self.command {
                    $(Command::$Name(args) => $file::run(&args),)+
                }
            }
        }
    };
}

subcommands! {
    Init: init,
    Run: run,
    Match: r#match,
    Tune: tune,
    Selfplay: selfplay,
    Learn: learn,
    Report: report,
    Export: export,
    Replay: replay,
    Plan: plan,
    Import: import,
    Verify: verify,
    #[cfg_attr(not(feature = "cluster"), path = "cli/no_cluster.rs")]
    Cluster: cluster,
    Play: play,
    Web: web,
    Analyze: analyze,
    Agents: agents,
    Packing: packing,
    Puzzle: puzzle,
    Characterize: characterize,
    Rate: rate,
    Sprt: sprt,
    CheckGames: check_games,
    Perft: perft,
    Bench: bench,
    Completions: completions,
    Man: man,
}
