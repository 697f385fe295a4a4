//! `paper characterize`.

use std::process::ExitCode;

use anyhow::bail;
use patchwork_engine::game::Rules;
use patchwork_papers::characterize::{characterize, papers_agent};
use patchwork_papers::write_characteristics;

use crate::args::{Agents, Seed, count};
use crate::endings::{Form, Output};
use crate::progress;

/// Measure the game as the paper does, with one agent playing itself
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  patchwork-arena paper characterize --games 1000\n  \
                  patchwork-arena paper characterize --agent mcts-fast --games 50"
)]
pub(super) struct Args {
    /// Number of games
    #[arg(long, value_name = "N", default_value = "100", value_parser = count())]
    games: u32,
    /// Name or file of the agent [default: greedy with BL-Every + Regret, as in the paper]
    #[arg(long)]
    agent: Option<String>,
    #[command(flatten)]
    agents: Agents,
    #[command(flatten)]
    seed: Seed,
    /// Printing of the time board: original or revised; original+2 gives the second player 2 extra buttons (komi)
    #[arg(long, default_value_t)]
    track: Rules,
    #[command(flatten)]
    output: Output<Form>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    args.output.form()?;
    let (name, config) = match &args.agent {
        None if !args.agents.overrides()?.is_empty() => bail!("--set: requires --agent"),
        None => ("greedy (BL-Every + Regret)".to_owned(), papers_agent()),
        Some(agent) => {
            let found = args.agents.read("--agent", agent)?;
            (found.name, found.config)
        }
    };
    let bar = progress::bar(args.games.into(), args.output.quiet.quiet);
    let done = || bar.inc(1);
    let found = characterize(&name, &config, args.track, args.games, args.seed.seed, done)?;
    bar.finish_and_clear();
    args.output
        .answer(&found, |out| write_characteristics(out, &found))
}
