//! `store`.

use std::path::PathBuf;
use std::process::ExitCode;

use patchwork_arena::document::counted;
use patchwork_arena::tournament::migrate;

use super::output::print;

/// Convert results folders of older versions
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    action: StoreCommand,
}

#[derive(clap::Subcommand)]
enum StoreCommand {
    /// Convert a results folder of an older version into a new folder
    #[command(
        after_help = "Example:\n  patchwork-arena store migrate results/old --into results/new\n\n\
                            The old folder is not changed. The new one can be reported, exported, replayed \
                            and completed, but its plan cannot be changed."
    )]
    Migrate {
        /// Results folder of an older version
        dir: PathBuf,
        /// The new folder, which must not exist [default: DIR with -migrated after its name]
        #[arg(long, value_name = "DIR")]
        into: Option<PathBuf>,
    },
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let StoreCommand::Migrate { dir, into } = &args.action;
    let into = into.clone().unwrap_or_else(|| {
        let mut name = dir.file_name().unwrap_or_default().to_owned();
        name.push("-migrated");
        dir.with_file_name(name)
    });
    let results = migrate(dir, &into)?;
    let count = counted(results.games.len() as u64, "game");
    print(|out| writeln!(out, "{}: {count} of {}", into.display(), dir.display()))?;
    Ok(ExitCode::SUCCESS)
}
