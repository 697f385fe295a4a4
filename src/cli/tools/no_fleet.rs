//! `fleet` in a program built without fleets.

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::bail;

use crate::cli::fleet::MISSING;

/// Play a tournament on a fleet of machines
#[derive(clap::Args)]
#[command(hide = true, disable_help_flag = true)]
pub(crate) struct Args {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    rest: Vec<OsString>,
}

pub(crate) fn run(_args: &Args) -> anyhow::Result<ExitCode> {
    bail!("fleet: {MISSING}")
}
