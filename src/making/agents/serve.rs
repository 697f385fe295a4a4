//! `agents serve`.

use std::io;
use std::num::NonZeroU32;
use std::process::ExitCode;

use anyhow::Context as _;

use crate::args::{Agents, search_threads};

#[derive(clap::Args)]
pub(super) struct Args {
    /// Name or file of the agent
    name: String,
    #[command(flatten)]
    agents: Agents,
    /// Number of threads that search a position if the agent has a time budget
    #[arg(long, value_name = "N", default_value = "1", value_parser = search_threads())]
    threads: NonZeroU32,
}

/// Answers over the standard input and output until the other side ends.
pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let agent = args.agents.read("NAME", &args.name)?;
    let settings = agent.config.with_threads(args.threads);
    let input = io::BufReader::new(io::stdin());
    // If the other side has closed the pipe, there is nothing left to do.
    let output = io::BufWriter::new(io::stdout());
    match patchwork_bots::serve(&agent.name, &settings, input, output) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(error).context("cannot write to the standard output")
        }
        _ => Ok(ExitCode::SUCCESS),
    }
}
