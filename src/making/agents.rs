//! `agents`.

#[cfg(all(unix, feature = "bots"))]
mod check;
#[cfg(feature = "bots")]
mod serve;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use patchwork_engine::agent::{AgentFile, AgentPaths, AgentSettings};
use patchwork_engine::placement::{EVALUATIONS, POLICIES, Transforms};
use patchwork_report::document::LineTable;
use serde::Serialize;
use serde_json::Value;

use crate::args::Agents;
use crate::endings::{Form, Output};
use crate::output::failure;

/// List agents, show their settings, test bots and serve agents
#[derive(clap::Args)]
#[command(after_help = "Example:\n  patchwork-arena agents list")]
pub(crate) struct Args {
    #[command(subcommand)]
    command: AgentsCommand,
}

#[derive(clap::Subcommand)]
enum AgentsCommand {
    /// List the agents and what they are for
    #[command(after_help = "Example:\n  patchwork-arena agents list --agents my-agents")]
    List {
        /// Folder of agent files [default: agents, and the shipped agents]
        #[arg(long, value_name = "DIR")]
        agents: Option<PathBuf>,
        /// List the frozen versions in the folder `archive` instead; commands accept their names, too
        #[arg(long)]
        archive: bool,
        #[command(flatten)]
        output: Output<Form>,
    },
    /// Print the settings of an agent, including those of the files it extends and all overrides
    #[command(after_help = "Examples:\n  patchwork-arena agents show champion\n  \
                      patchwork-arena agents show 'mcts-fast{search.exploration=1.0}' --format json")]
    Show {
        /// Name or file of the agent
        name: String,
        #[command(flatten)]
        agents: Agents,
        #[command(flatten)]
        output: Output<Form>,
    },
    /// List the policies, transforms and evaluations that agent files can name
    #[command(after_help = "Example:\n  patchwork-arena agents strategies")]
    Strategies {
        #[command(flatten)]
        output: Output<Form>,
    },
    /// Test whether a bot follows the whole protocol (docs/protocol.md)
    #[cfg(all(unix, feature = "bots"))]
    #[command(after_help = "Example:\n  patchwork-arena agents check -- python3 bot.py")]
    Check(check::Args),
    /// Serve an agent as a bot, on standard input and output
    #[cfg(feature = "bots")]
    #[command(after_help = "Example:\n  patchwork-arena agents serve mcts-fast")]
    Serve(serve::Args),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.command {
        AgentsCommand::List {
            agents,
            archive,
            output,
        } => list(agents.as_deref(), *archive, output),
        AgentsCommand::Show {
            name,
            agents,
            output,
        } => show(name, agents, output),
        AgentsCommand::Strategies { output } => strategies(output),
        #[cfg(all(unix, feature = "bots"))]
        AgentsCommand::Check(args) => check::run(args),
        #[cfg(feature = "bots")]
        AgentsCommand::Serve(args) => serve::run(args),
    }
}

fn list(folder: Option<&Path>, archive: bool, output: &Output<Form>) -> anyhow::Result<ExitCode> {
    let mut rows = vec![["agent", "type", "what it is for"].map(str::to_owned)];
    let mut errors = Vec::new();
    let paths = AgentPaths::here(folder);
    let files = if archive {
        paths.archived()?
    } else {
        paths.all()?
    };
    for path in &files {
        match AgentFile::read(path) {
            Ok(agent) => {
                let kind = agent.config.kind().to_owned();
                rows.push([agent.name, kind, agent.description]);
            }
            Err(error) => errors.push(error),
        }
    }
    if let (Some(folder), []) = (folder, &files[..]) {
        bail!("{}: found no agent files (*.toml)", folder.display());
    }
    let mut code = write_columns(output, &rows)?;
    for error in errors {
        code = failure(&error.into());
    }
    Ok(code)
}

/// The effective settings of an agent.
#[derive(Serialize)]
struct ShownAgent<'a> {
    /// Its name, which is not a key of its file.
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<&'a str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    description: &'a str,
    #[serde(flatten)]
    settings: &'a AgentSettings,
}

fn show(name: &str, agents: &Agents, output: &Output<Form>) -> anyhow::Result<ExitCode> {
    let form = output.form()?;
    let agent = agents.read("NAME", name)?;
    let settings = agent.config.clone().effective();
    let shown = ShownAgent {
        agent: (form == Form::Json).then_some(&*agent.name),
        description: &agent.description,
        settings: &settings,
    };
    let text = toml::to_string(&shown).context("the settings cannot be written")?;
    output.answer(&shown, |out| {
        write!(out, "# {}\n{text}", agent.name)?;
        let Some(card) = settings.network_card() else {
            return Ok(());
        };
        write!(out, "\n# The network that estimates positions:\n")?;
        card.lines().try_for_each(|line| writeln!(out, "# {line}"))
    })
}

fn strategies(output: &Output<Form>) -> anyhow::Result<ExitCode> {
    let mut rows = vec![["key", "value", "what it does"]];
    for policy in POLICIES {
        rows.push(["policy", policy.name, policy.about]);
    }
    for transforms in Transforms::ALL {
        rows.push(["transforms", transforms.name(), transforms.about()]);
    }
    for evaluation in EVALUATIONS {
        rows.push(["evaluation", evaluation.name, evaluation.about]);
    }
    write_columns(output, &rows)
}

/// Writes rows in columns, each as wide as its longest text, or as JSON. The first row has the names of the columns.
fn write_columns<T: AsRef<str>>(
    output: &Output<Form>,
    rows: &[[T; 3]],
) -> anyhow::Result<ExitCode> {
    let rows: Vec<[&str; 3]> = rows
        .iter()
        .map(|row| row.each_ref().map(T::as_ref))
        .collect();
    let object = |row: &[&str; 3]| {
        let cells = rows[0].into_iter().zip(*row);
        Value::from_iter(cells)
    };
    let json: Vec<Value> = rows[1..].iter().map(object).collect();
    let width = |i: usize| {
        rows.iter()
            .map(|row| console::measure_text_width(row[i]))
            .max()
    };
    let table = LineTable::new(2).left("", width(0).unwrap_or(0));
    let table = table.left("", width(1).unwrap_or(0)).left("", 0);
    output.answer(&json, |out| {
        rows.iter()
            .try_for_each(|[one, two, three]| writeln!(out, "{}", table.line(&[one, two, three])))
    })
}
