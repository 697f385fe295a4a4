//! `pool`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::anyhow;
use patchwork_arena::document::counted;
use patchwork_arena::report::TournamentReport;
use patchwork_arena::tournament::check_folder_name;
use patchwork_arena::tournament::pool::pool;

use super::output::{note, print_report};

/// Combine the games of several results folders into one
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  patchwork-arena pool results/monday results/tuesday --into results/week\n\n\
                  The folders must have the same seed, track and kind of rings. A game that several \
                  folders hold is kept once."
)]
pub(super) struct Args {
    /// Results folders
    #[arg(required = true, value_name = "DIR")]
    dirs: Vec<PathBuf>,
    /// Folder for all games; it is created, or the games it lacks are added
    #[arg(long, value_name = "DIR")]
    into: PathBuf,
    /// Print all sections of the report
    #[arg(long)]
    full: bool,
    /// Do not say what was taken from each folder
    #[arg(long, short)]
    quiet: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let name = args.into.file_name().and_then(|name| name.to_str());
    let name = name.unwrap_or_default();
    check_folder_name(name).map_err(|what| anyhow!("--into: {what}"))?;
    let (results, taken) = pool(&args.dirs, &args.into, name)?;
    if !args.quiet {
        for taken in taken {
            let there = taken.games - taken.taken;
            let (dir, verb) = (taken.dir.display(), if there == 1 { "was" } else { "were" });
            let (new, there) = (counted(taken.taken, "game"), counted(there, "game"));
            note(format_args!(
                "{dir}: took {new}; {there} {verb} there already"
            ));
        }
    }
    let report = TournamentReport::new(&results);
    report.save(&args.into)?;
    report.save_page(&args.into)?;
    print_report(&report, &args.into, args.full)?;
    Ok(ExitCode::SUCCESS)
}
