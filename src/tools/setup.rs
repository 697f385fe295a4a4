//! `setup`: shell completion and manual pages.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Command, CommandFactory as _};
use clap_complete::Shell;
use clap_mangen::Man;
use patchwork_tournament::ledger;

use crate::Cli;
use crate::output::{print, print_unbroken};

/// Write shell completions and manual pages
#[derive(clap::Args)]
#[command(
    arg_required_else_help = true,
    after_help = "Examples:\n  patchwork-arena setup completions bash > ~/.local/share/bash-completion/completions/patchwork-arena\n  \
                  patchwork-arena setup man ~/.local/share/man/man1"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: SetupCommand,
}

#[derive(clap::Subcommand)]
enum SetupCommand {
    /// Print a script for shell completion of subcommands and options
    #[command(
        after_help = "Example:\n  patchwork-arena setup completions fish > ~/.config/fish/completions/patchwork-arena.fish"
    )]
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Write the manual pages, one for each subcommand
    #[command(after_help = "Example:\n  patchwork-arena setup man ~/.local/share/man/man1")]
    Man {
        /// Folder to write into, which is created if necessary
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.command {
        SetupCommand::Completions { shell } => completions(*shell)?,
        SetupCommand::Man { folder } => pages(folder)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn completions(shell: Shell) -> anyhow::Result<()> {
    let mut command = Cli::command();
    let name = command.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, name, &mut script);
    print_unbroken(|out| out.write_all(&script))
}

fn pages(folder: &Path) -> anyhow::Result<()> {
    let cannot = || format!("{}: cannot be written", folder.display());
    std::fs::create_dir_all(folder).with_context(cannot)?;
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    write_pages(&command, folder)?;
    let first = folder.join("patchwork-arena.1");
    print(|out| {
        writeln!(
            out,
            "wrote the manual pages; read them with: man {}",
            first.display()
        )
    })
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
