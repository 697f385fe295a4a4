//! The command line: parse arguments, run a subcommand, turn its result into an exit code.

#![cfg_attr(not(test), warn(clippy::too_many_lines))]

mod cli;

use std::process::ExitCode;

use cli::{Cli, output};

fn main() -> ExitCode {
    match Cli::read() {
        Ok(cli) => cli.run().unwrap_or_else(|error| output::failure(&error)),
        Err(error) => output::usage(&error),
    }
}
