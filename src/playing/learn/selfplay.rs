//! `learn selfplay`.

use std::path::PathBuf;
use std::process::ExitCode;

use patchwork_learn::{GamesFile, SelfPlayPlan, play};
use patchwork_report::document::{counted, thousands};
use patchwork_tournament::ledger;
use serde_json::json;

use crate::args::{AgentsOfFile, Workers};
use crate::endings::Printed;
use crate::output::{listen, stopped_for_now};
use crate::progress::Counter;

/// Play an agent against itself to generate training games
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  patchwork-arena learn selfplay tournaments/selfplay.toml --output games.selfplay\n\n\
                  docs/learning.md describes the keys of a self-play plan. The plan determines the games; games that the output \
                  already has are not played again."
)]
pub(super) struct Args {
    /// Self-play plan (.toml)
    plan: PathBuf,
    /// File to which the games are appended
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    printed: Printed,
    #[command(flatten)]
    workers: Workers,
    #[command(flatten)]
    agents: AgentsOfFile,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let plan = SelfPlayPlan::read(&args.plan, args.agents.agents.as_deref())?;
    ledger::check_foreign(&args.output)?;
    let mut file = GamesFile::open(&args.output, plan.hash())?;
    let stop = listen()?;
    let progress = args.workers.progress(&args.printed.quiet);
    let mut counter = Counter::new(plan.games.into(), progress);
    counter.reach(file.games().into());
    let threads = args.workers.threads().0;
    play(&plan, &mut file, threads, stop, || counter.add())?;
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
    let json = json!({ "file": args.output, "games": games });
    args.printed.answer(&json, |out| {
        let games = counted(games.into(), "game");
        writeln!(out, "{} holds {games}", args.output.display())
    })
}
