//! `completions`.

use std::process::ExitCode;

use clap::CommandFactory as _;
use clap_complete::Shell;

use super::Cli;
use super::output::print;

/// Print a script for shell completion of subcommands and options
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  patchwork-arena completions bash > ~/.local/share/bash-completion/completions/patchwork-arena\n  \
                  patchwork-arena completions fish > ~/.config/fish/completions/patchwork-arena.fish"
)]
pub(super) struct Args {
    /// The shell
    shell: Shell,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut command = Cli::command();
    let name = command.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, name, &mut script);
    print(|out| out.write_all(&script))?;
    Ok(ExitCode::SUCCESS)
}
