//! `selfplay`.

use std::path::PathBuf;
use std::process::ExitCode;

use patchwork_arena::document::{counted, thousands};
use patchwork_arena::learn::{GamesFile, SelfPlayPlan, play};
use patchwork_arena::tournament::ledger;

use super::args::Workers;
use super::output::{listen, note, stopped_for_now};
use super::progress::Counter;

/// Play games of an agent against itself, for `learn`
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  patchwork-arena selfplay tournaments/selfplay.toml --output games.selfplay\n\n\
                  The plan determines the games. Those that the file already has are not played again."
)]
pub(super) struct Args {
    /// Plan file
    plan: PathBuf,
    /// File to which the games are appended
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    workers: Workers,
    /// Folder of agent files [default: agents beside the plan's folder, then agents here]
    #[arg(long, value_name = "DIR")]
    agents: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let plan = SelfPlayPlan::read(&args.plan, args.agents.as_deref())?;
    ledger::check_foreign(&args.output)?;
    let mut file = GamesFile::open(&args.output, plan.hash())?;
    let stop = listen()?;
    let mut counter = Counter::new(plan.games.into(), &args.workers);
    counter.reach(file.games().into());
    play(&plan, &mut file, args.workers.threads(), stop, || {
        counter.add()
    })?;
    counter.finish();
    let games = file.games();
    if games < plan.games {
        return Ok(stopped_for_now(format_args!(
            "Stopped: {} of {} are in {}.",
            thousands(games.into()),
            counted(plan.games.into(), "game"),
            args.output.display()
        )));
    }
    if !args.workers.is_silent() {
        note(format_args!(
            "{} holds {}",
            args.output.display(),
            counted(games.into(), "game")
        ));
    }
    Ok(ExitCode::SUCCESS)
}
