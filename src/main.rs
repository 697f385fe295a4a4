//! The command line: arguments, one library call for each subcommand, an exit code.
//!
//! 0 is success, 1 a check that found something, 2 bad input or a failure, 130 an interrupted run.

mod cli;

use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    match cli::Cli::parse().run() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}
