//! `merge`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::anyhow;
use patchwork_arena::document::counted;
use patchwork_arena::report::TournamentReport;
use patchwork_arena::tournament::check_folder_name;
use patchwork_arena::tournament::merge::{Keep, merge};

use super::output::{note, print};

/// Merge results folders that hold parts of one tournament
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  patchwork-arena merge R1/zoo R2/zoo R3/zoo --into results/zoo\n\n\
                  Every record is checked against the rules. The merged folder is the same in whatever order, \
                  and however often, folders are merged."
)]
pub(super) struct Args {
    /// Results folders of the same plan
    #[arg(required = true, value_name = "DIR")]
    dirs: Vec<PathBuf>,
    /// Folder for all games; it is created, or the games it lacks are added
    #[arg(long, value_name = "DIR")]
    into: PathBuf,
    /// Keep the moves and the results alone: no estimates, candidates, times or error output
    #[arg(long)]
    moves_only: bool,
    /// Do not list what each folder holds
    #[arg(long, short)]
    quiet: bool,
}

/// Maximum number of missing games that are listed one by one.
const MOST_NAMED: usize = 10;

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let name = args.into.file_name().and_then(|name| name.to_str());
    check_folder_name(name.unwrap_or_default()).map_err(|what| anyhow!("--into: {what}"))?;
    let keep = match args.moves_only {
        true => Keep::Moves,
        false => Keep::Everything,
    };
    let (results, folders, doubles) = merge(&args.dirs, &args.into, keep)?;
    if !args.quiet {
        for folder in &folders {
            let aside = match folder.aside.games() {
                0 => String::new(),
                _ => format!("; left out: {}", folder.aside),
            };
            let (dir, games) = (folder.dir.display(), counted(folder.games, "game"));
            note(format_args!("{dir}: {games}{aside}"));
        }
    }
    let schedule = &results.schedule;
    let complete = schedule.is_over();
    if complete {
        let report = TournamentReport::new(&results);
        report.save(&args.into)?;
        report.save_page(&args.into)?;
    }
    let missing = schedule.planned_games() - schedule.finished_games();
    print(|out| {
        writeln!(out, "Folder:    {}", args.into.display())?;
        writeln!(
            out,
            "Planned:   {}",
            counted(schedule.planned_games(), "game")
        )?;
        writeln!(
            out,
            "There:     {}",
            counted(results.games.len() as u64, "game")
        )?;
        if doubles > 0 {
            let doubles = counted(doubles, "game");
            writeln!(out, "Duplicate: {doubles} with equal records")?;
        }
        if complete {
            return Ok(());
        }
        let plan = &results.manifest.plan;
        writeln!(out, "Missing:   {}", counted(missing, "game"))?;
        for game in results.missing().take(MOST_NAMED) {
            writeln!(out, "           {}", plan.game_name(game.id))?;
        }
        if missing > MOST_NAMED as u64 {
            writeln!(out, "           and more")?;
        }
        Ok(())
    })?;
    Ok(ExitCode::SUCCESS)
}
