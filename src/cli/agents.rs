//! `agents`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use comfy_table::{Table, TableStyle};
use patchwork_arena::agent::{AgentFile, AgentFolder};
use patchwork_arena::placement::{EVALUATIONS, POLICIES, Transforms};

use super::output::{failure, print};

/// List the agents, or the parts of their strategies
#[derive(clap::Args)]
#[command(after_help = "Example:\n  patchwork-arena agents list")]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// List the agent files and what they are for
    #[command(after_help = "Example:\n  patchwork-arena agents list --agents my-agents")]
    List {
        /// Folder of agent files
        #[arg(long, value_name = "DIR", default_value = "agents")]
        agents: PathBuf,
    },
    /// List the policies, transforms and evaluations that agent files can name
    #[command(after_help = "Example:\n  patchwork-arena agents strategies")]
    Strategies,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.command {
        Command::List { agents } => list(agents),
        Command::Strategies => strategies(),
    }
}

fn list(folder: &Path) -> anyhow::Result<ExitCode> {
    let mut table = table(["agent", "type", "what it is for"]);
    let mut errors = Vec::new();
    for path in AgentFolder::new(folder.to_owned()).files()? {
        match AgentFile::read(&path) {
            Ok(agent) => {
                let kind = agent.config.kind();
                table.add_row([agent.name.as_str(), kind, agent.description.as_str()]);
            }
            Err(error) => errors.push(error),
        }
    }
    if table.row_count() == 0 && errors.is_empty() {
        bail!("{}: found no agent files (*.toml)", folder.display());
    }
    print(|out| writeln!(out, "{}", table.trim_fmt()))?;
    let mut code = ExitCode::SUCCESS;
    for error in errors {
        code = failure(&error.into());
    }
    Ok(code)
}

fn strategies() -> anyhow::Result<ExitCode> {
    let mut table = table(["key", "value", "what it does"]);
    for policy in POLICIES {
        table.add_row(["policy", policy.name(), policy.about()]);
    }
    for transforms in Transforms::ALL {
        table.add_row(["transforms", transforms.name(), transforms.about()]);
    }
    for evaluation in EVALUATIONS {
        table.add_row(["evaluation", evaluation.name(), evaluation.about()]);
    }
    print(|out| writeln!(out, "{}", table.trim_fmt()))?;
    Ok(ExitCode::SUCCESS)
}

fn table(header: [&str; 3]) -> Table {
    let mut table = Table::new();
    table.load_style(TableStyle::new()).set_header(header);
    table
}
