//! `man`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::CommandFactory as _;

use super::Cli;
use super::output::print;

/// Write the manual pages, one for each subcommand
#[derive(clap::Args)]
#[command(after_help = "Example:\n  patchwork-arena man ~/.local/share/man/man1")]
pub(super) struct Args {
    /// Folder to write into, which is created if necessary
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let cannot = || format!("{}: cannot be written", args.folder.display());
    std::fs::create_dir_all(&args.folder).with_context(cannot)?;
    let command = Cli::command().disable_help_subcommand(true);
    clap_mangen::generate_to(command, &args.folder).with_context(cannot)?;
    let first = args.folder.join("patchwork-arena.1");
    print(|out| {
        writeln!(
            out,
            "wrote the manual pages; read them with: man {}",
            first.display()
        )
    })?;
    Ok(ExitCode::SUCCESS)
}
