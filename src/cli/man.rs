//! `man`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Command, CommandFactory as _};
use clap_mangen::Man;
use patchwork_arena::tournament::ledger;

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
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    write_pages(&command, &args.folder)?;
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

/// Writes the pages of a command and of its subcommands, each as a whole.
fn write_pages(command: &Command, folder: &Path) -> anyhow::Result<()> {
    let shown = |command: &&Command| !command.is_hide_set();
    for subcommand in command.get_subcommands().filter(shown) {
        write_pages(subcommand, folder)?;
    }
    let page = Man::new(command.clone());
    let mut bytes = Vec::new();
    page.render(&mut bytes)?;
    ledger::write_file(&folder.join(page.get_filename()), &bytes)?;
    Ok(())
}
