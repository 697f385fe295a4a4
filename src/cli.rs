//! The subcommands, one file each: its arguments and what it does with them.

mod agents;
mod analyze;
mod args;
mod bench;
mod characterize;
mod check_games;
mod export;
mod r#match;
pub(crate) mod output;
mod packing;
mod perft;
mod play;
mod progress;
mod rate;
mod replay;
mod report;
mod run;
mod sprt;

use std::process::ExitCode;

/// A self-play tournament engine for the board game Patchwork
#[derive(clap::Parser)]
#[command(version, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Run(run::Args),
    Match(r#match::Args),
    Report(report::Args),
    Export(export::Args),
    Replay(replay::Args),
    Play(play::Args),
    Analyze(analyze::Args),
    Agents(agents::Args),
    Packing(packing::Args),
    Characterize(characterize::Args),
    Rate(rate::Args),
    Sprt(sprt::Args),
    CheckGames(check_games::Args),
    Perft(perft::Args),
    Bench(bench::Args),
}

impl Cli {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        match self.command {
            Command::Run(args) => run::run(&args),
            Command::Match(args) => r#match::run(&args),
            Command::Report(args) => report::run(&args),
            Command::Export(args) => export::run(&args),
            Command::Replay(args) => replay::run(&args),
            Command::Play(args) => play::run(&args),
            Command::Analyze(args) => analyze::run(&args),
            Command::Agents(args) => agents::run(&args),
            Command::Packing(args) => packing::run(&args),
            Command::Characterize(args) => characterize::run(&args),
            Command::Rate(args) => rate::run(&args),
            Command::Sprt(args) => sprt::run(&args),
            Command::CheckGames(args) => check_games::run(&args),
            Command::Perft(args) => perft::run(&args),
            Command::Bench(args) => bench::run(&args),
        }
    }
}
