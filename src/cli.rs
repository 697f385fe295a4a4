//! The subcommands, one file each: the arguments and the code that runs them.

mod agents;
mod analyze;
mod args;
mod bench;
mod characterize;
mod check_games;
#[cfg(feature = "cluster")]
mod cluster;
#[cfg(not(feature = "cluster"))]
#[path = "cli/no_cluster.rs"]
mod cluster;
mod completions;
mod export;
#[cfg(feature = "cluster")]
mod fleet;
#[cfg(not(feature = "cluster"))]
#[path = "cli/no_fleet.rs"]
mod fleet;
mod hands;
mod init;
mod learn;
mod man;
mod r#match;
mod merge;
pub(crate) mod output;
mod packing;
mod perft;
mod plan;
mod play;
mod pool;
mod progress;
mod puzzle;
mod rate;
mod replay;
mod report;
mod run;
mod selfplay;
mod sprt;
mod store;
mod tune;
mod verify;
mod web;

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
    ($($(#[$when:meta])? $Name:ident: $file:ident,)+) => {
        #[derive(clap::Subcommand)]
        enum Command {
            $($(#[$when])? $Name($file::Args),)+
        }

        impl Cli {
            pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
                match self.command {
                    $($(#[$when])? Command::$Name(args) => $file::run(&args),)+
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
    Merge: merge,
    Verify: verify,
    Cluster: cluster,
    Pool: pool,
    Store: store,
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
