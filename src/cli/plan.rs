//! `plan`.

use std::path::PathBuf;
use std::process::ExitCode;

use indicatif::HumanDuration;
use patchwork_arena::report::counted;
use patchwork_arena::tournament::PlanFile;

use super::args::TournamentFile;
use super::output::{print, write_file};

/// Write a tournament's plan to a file from which other machines can play it
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  patchwork-arena plan tournaments/zoo.toml --out zoo.json\n  \
                  patchwork-arena run zoo.json --shard 2/8 --results R2\n\n\
                  The file holds the settings of all agents and the rings of a book, so that machines need \
                  no other files. docs/cluster.md has complete recipes."
)]
pub(super) struct Args {
    #[command(flatten)]
    tournament: TournamentFile,
    /// File to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Folder in which the tournament's own folder is; its games tell how long the others take
    #[arg(long, value_name = "DIR", default_value = "results")]
    results: PathBuf,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let tournament = args.tournament.read()?;
    let dir = args.results.join(&tournament.name);
    let file = PlanFile::new(tournament, &dir)?;
    write_file(&args.out, &file.to_json())?;
    let plan = &file.manifest.plan;
    let uncertain = plan.test().is_some() || plan.format().is_adaptive();
    let at_most = if uncertain { "at most " } else { "" };
    print(|out| {
        writeln!(
            out,
            "Plan:      {} of {}",
            file.manifest.plan_hash, file.manifest.name
        )?;
        writeln!(out, "Agents:    {}", plan.agents().len())?;
        writeln!(
            out,
            "Games:     {at_most}{}, in {}",
            counted(file.games, "game"),
            counted(file.pairs, "pair")
        )?;
        match file.core_seconds {
            Some(seconds) if seconds < 1.0 => {
                writeln!(out, "Estimated: less than a second of one core")
            }
            Some(seconds) => {
                let time = std::time::Duration::from_secs_f64(seconds);
                writeln!(out, "Estimated: {} of one core", HumanDuration(time))
            }
            None => writeln!(
                out,
                "Estimated: unknown, as no game of some agents has been timed yet"
            ),
        }
    })?;
    Ok(ExitCode::SUCCESS)
}
