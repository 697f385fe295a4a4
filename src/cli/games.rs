//! Subcommands about the game itself and the agents.

use std::path::Path;
use std::process::ExitCode;

use super::{BAD_INPUT, CharacterizeArgs, PerftArgs, bench, note, print};
use anyhow::{Context as _, bail};
use comfy_table::{Table, TableStyle};
use indicatif::ProgressBar;
use patchwork_arena::agent::{AgentFile, AgentFolder};
use patchwork_arena::game::{self, ActionList, Ring, Setup, State};
use patchwork_arena::paper::characterize::{self, papers_agent};
use patchwork_arena::placement::{EVALUATIONS, POLICIES, Transforms};
use patchwork_arena::record::check::check_file;
use patchwork_arena::tournament::AgentPaths;

/// Prints the parts that strategies are put together from.
pub(super) fn list_strategies() -> anyhow::Result<ExitCode> {
    let mut table = Table::new();
    table.load_style(TableStyle::new());
    table.set_header(["key", "value", "what it does"]);
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

pub(super) fn check(file: &Path) -> anyhow::Result<ExitCode> {
    let checked = check_file(file)?;
    for mismatch in &checked.mismatches {
        note(format_args!("line {}: {}", mismatch.line, mismatch.what));
    }
    let (games, mismatches) = (checked.games, checked.mismatches.len());
    print(|out| writeln!(out, "{games} games, {mismatches} mismatches"))?;
    Ok(ExitCode::from(u8::from(mismatches > 0)))
}

pub(super) fn perft(args: &PerftArgs) -> anyhow::Result<ExitCode> {
    let ring: Ring = args.ring.parse().context("--ring")?;
    let setup = Setup::new(args.track, ring);
    let actions = if args.actions == "-" {
        ActionList::default()
    } else {
        args.actions.parse().context("--actions")?
    };
    let mut state = State::new(&setup);
    for (i, &action) in actions.0.iter().enumerate() {
        state = state
            .try_play(&setup, action)
            .with_context(|| format!("--actions: ply {}, {action}", i + 1))?;
    }
    for depth in 1..=args.depth.get() {
        let count = game::perft(&setup, &state, depth);
        print(|out| writeln!(out, "{depth}\t{count}"))?;
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn list_agents(folder: &Path) -> anyhow::Result<ExitCode> {
    let mut table = Table::new();
    table.load_style(TableStyle::new());
    table.set_header(["agent", "type", "what it is for"]);
    let mut errors = Vec::new();
    for path in AgentFolder::new(folder.to_owned()).files()? {
        match AgentFile::read(&path) {
            Ok(agent) => {
                let kind = agent.config.kind();
                table.add_row([agent.name.as_str(), kind, agent.description.as_str()]);
            }
            Err(error) => errors.push(error.to_string()),
        }
    }
    if table.row_count() == 0 && errors.is_empty() {
        bail!(
            "{}: no agent files (*.toml) in this folder",
            folder.display()
        );
    }
    print(|out| writeln!(out, "{}", table.trim_fmt()))?;
    for error in &errors {
        note(format_args!("error: {error}"));
    }
    Ok(ExitCode::from(if errors.is_empty() {
        0
    } else {
        BAD_INPUT
    }))
}

/// The agent that an argument of a subcommand names.
pub(super) fn one_agent(
    command: &str,
    argument: &str,
    name: &str,
    folder: Option<&Path>,
) -> anyhow::Result<AgentFile> {
    let paths = AgentPaths::here(folder);
    let mut found = paths.load(Path::new(command), argument, &[name.to_owned()])?;
    match (found.pop(), found.is_empty()) {
        (Some(agent), true) => Ok(agent),
        _ => bail!("{argument}: '{name}' stands for several agents, expected one"),
    }
}

pub(super) fn characterize(args: &CharacterizeArgs) -> anyhow::Result<ExitCode> {
    let (name, config) = match &args.agent {
        None => ("greedy (BL-Every + Regret)".to_owned(), papers_agent()),
        Some(agent) => {
            let found = one_agent("characterize", "--agent", agent, args.agents.as_deref())?;
            (found.name, found.config)
        }
    };
    let games = args.games.get();
    let bar = if args.quiet {
        ProgressBar::hidden()
    } else {
        ProgressBar::new(games.into())
    };
    let done = || bar.inc(1);
    let found = characterize::characterize(&name, &config, args.track, games, args.seed, done)?;
    bar.finish_and_clear();
    print(|out| {
        if args.json {
            serde_json::to_writer_pretty(&mut *out, &found)?;
            return writeln!(out);
        }
        characterize::write_text(out, &found)
    })?;
    Ok(ExitCode::SUCCESS)
}

pub(super) fn bench(json: bool) -> anyhow::Result<ExitCode> {
    let bench = bench::bench();
    print(|out| {
        if json {
            serde_json::to_writer_pretty(&mut *out, &bench)?;
            return writeln!(out);
        }
        writeln!(out, "signature                {}", bench.signature)?;
        writeln!(
            out,
            "random games           {:>10.0}/s",
            bench.random_games_per_s
        )?;
        writeln!(
            out,
            "rollouts               {:>10.0}/s",
            bench.rollouts_per_s
        )?;
        for (agent, rate) in &bench.mcts_iterations_per_s {
            writeln!(out, "{agent:<12} iterations {rate:>9.0}/s")?;
        }
        writeln!(
            out,
            "One thread, the fastest of {} rounds each.",
            bench::ROUNDS
        )
    })?;
    Ok(ExitCode::SUCCESS)
}
