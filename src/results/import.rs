//! `import`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::anyhow;
use patchwork_report::TournamentReport;
use patchwork_report::document::counted;
use patchwork_tournament::check_folder_name;
use patchwork_tournament::import::{Imported, Keep, import};
use serde_json::json;

use crate::args::read_tournament;
use crate::endings::{Form, Output};
use crate::output::note;

/// Import games from results folders and exported files
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  patchwork-arena import R1/zoo R2/zoo R3/zoo --into results/zoo\n  \
                  patchwork-arena import results/monday results/tuesday --into results/week\n  \
                  patchwork-arena import games.jsonl --tournament tournaments/zoo.toml --into results/zoo\n\n\
                  A game is identified by its agents' settings, its seed, pair and leg, whichever machine played it. Every \
                  record is checked against the rules. Without --tournament, an existing folder keeps its plan, and the plan of a \
                  new folder has all agents and the largest number of pairs. Folders must have the same seed, track and kind of rings."
)]
pub(crate) struct Args {
    /// Results folders, and files of JSON lines that export wrote
    #[arg(required = true, value_name = "DIR|FILE")]
    sources: Vec<PathBuf>,
    /// Folder for all games; it is created, or the games it lacks are added
    #[arg(long, value_name = "DIR")]
    into: PathBuf,
    /// Use the plan of this tournament file or plan file for the folder
    #[arg(long, value_name = "FILE")]
    tournament: Option<PathBuf>,
    /// Keep only moves and results, without estimates, candidates, times and error output
    #[arg(long)]
    moves_only: bool,
    #[command(flatten)]
    output: Output<Form>,
}

/// Maximum number of missing games that are listed one by one.
const MAX_NAMED: usize = 10;

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    args.output.form()?;
    let name = args.into.file_name().and_then(|name| name.to_str());
    check_folder_name(name.unwrap_or_default()).map_err(|what| anyhow!("--into: {what}"))?;
    let keep = match args.moves_only {
        true => Keep::Moves,
        false => Keep::Everything,
    };
    let manifest = args
        .tournament
        .as_deref()
        .map(read_tournament)
        .transpose()?;
    let (results, imported) = import(&args.sources, &args.into, manifest.as_ref(), keep)?;
    if !args.output.quiet.quiet {
        imported.iter().for_each(say);
    }
    let schedule = &results.schedule;
    let complete = results.is_over();
    if complete {
        let report = TournamentReport::new(&results)?;
        report.save(&args.into)?;
        report.save_page(&args.into)?;
    }
    let missing = schedule.planned_games() - schedule.finished_games();
    let stored = results.games.len() as u64;
    let plan = &results.manifest.plan;
    let named = || {
        schedule
            .clone()
            .take(MAX_NAMED)
            .map(|game| plan.game_name(game.id))
    };
    let json = json!({
        "folder": args.into,
        "planned": schedule.planned_games(),
        "stored": stored,
        "not_in_plan": results.aside.games(),
        "missing": if complete { 0 } else { missing },
        "missing_games": named().filter(|_| !complete).collect::<Vec<_>>(),
        "sources": imported,
    });
    args.output.answer(&json, |out| {
        let planned = counted(schedule.planned_games(), "game");
        writeln!(out, "Folder:      {}", args.into.display())?;
        writeln!(out, "Planned:     {planned}")?;
        writeln!(out, "Stored:      {}", counted(stored, "game"))?;
        if results.aside.games() > 0 {
            writeln!(out, "Not in plan: {}", results.aside)?;
        }
        if complete {
            return Ok(());
        }
        writeln!(out, "Missing:     {}", counted(missing, "game"))?;
        for game in named() {
            writeln!(out, "             {game}")?;
        }
        if missing > MAX_NAMED as u64 {
            writeln!(out, "             and more")?;
        }
        Ok(())
    })
}

/// Says what was taken from a source.
pub(crate) fn say(from: &Imported) {
    let mut parts = vec![format!("took {}", counted(from.taken, "game"))];
    for (count, what) in [
        (from.there, "already there"),
        (from.unplanned, "not in the plan"),
        (
            from.others,
            "kept as another record of a game that is there",
        ),
        (from.lost.unwrap_or(0), "lost to damage"),
    ] {
        if count > 0 {
            parts.push(format!("{} {what}", counted(count, "game")));
        }
    }
    if from.lost.is_none() {
        parts.push("how many games were lost to damage is not known".to_owned());
    }
    note(format_args!(
        "{}: {}",
        from.source.display(),
        parts.join("; ")
    ));
}
