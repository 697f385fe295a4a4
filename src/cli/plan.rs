//! `plan`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::bail;
use patchwork_arena::document::counted;
use patchwork_arena::input::{FileForm, is_compressed};
use patchwork_arena::tournament::PlanFile;

use super::args::TournamentFile;
use super::output::{check_not_read, check_target, print, write_estimate, write_file};

/// Write a tournament's plan to a file from which other machines can play it
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  patchwork-arena plan tournaments/zoo.toml --output zoo.json\n  \
                  patchwork-arena run zoo.json --shard 2/8 --results R2\n\n\
                  The file holds the settings of all agents and the rings of a book, so that machines need \
                  no other files. docs/cluster.md has complete recipes."
)]
pub(super) struct Args {
    #[command(flatten)]
    tournament: TournamentFile,
    /// File to write; its name ends in .json
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Folder that contains the tournament's own folder; times of its games serve for the estimate
    #[arg(long, value_name = "DIR", default_value = "results")]
    results: PathBuf,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    check_target(Some(&args.output))?;
    check_not_read(&args.output, &[args.tournament.path()])?;
    if is_compressed(&args.output) || FileForm::of(&args.output) != Some(FileForm::Json) {
        bail!(
            "{}: expected a name that ends in .json, by which a plan is told from a tournament file",
            args.output.display()
        );
    }
    let manifest = args.tournament.read()?;
    let dir = args.results.join(&manifest.name);
    let file = PlanFile::new(manifest, &dir)?;
    let json = file.to_json();
    write_file(&args.output, |out| out.write_all(&json))?;
    let plan = &file.manifest.plan;
    let at_most = if plan.is_uncertain() { "at most " } else { "" };
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
        let time = file.core_seconds.map(Duration::from_secs_f64);
        write_estimate(out, time, " of one core")
    })?;
    Ok(ExitCode::SUCCESS)
}
