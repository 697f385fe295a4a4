//! The command line: arguments, one library call for each subcommand, an exit code.
//!
//! 0 is success, 1 a check that found something, 2 bad input or a failure, 130 an interrupted run.

mod cli;

use std::process::ExitCode;

use clap::Parser as _;

use cli::{BAD_INPUT, Cli, note};

fn main() -> ExitCode {
    let result = match Cli::try_parse() {
        Ok(cli) => cli.run(),
        Err(error) if error.use_stderr() && !error.to_string().starts_with("error") => {
            // No arguments at all: the help.
            let _ = error.print();
            return ExitCode::from(BAD_INPUT);
        }
        Err(error) if error.use_stderr() => {
            note(format_args!("{}", sentence(&error.to_string())));
            return ExitCode::from(BAD_INPUT);
        }
        Err(error) => {
            // Help or the version, which was asked for.
            let _ = error.print();
            return ExitCode::SUCCESS;
        }
    };
    match result {
        Ok(code) => code,
        Err(error) => {
            note(format_args!("error: {error:#}"));
            ExitCode::from(BAD_INPUT)
        }
    }
}

/// The parser's message on one line, without the usage that `--help` shows as well.
fn sentence(message: &str) -> String {
    let lines = message.lines().map(str::trim);
    let told =
        lines.take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"));
    let told: Vec<&str> = told.filter(|line| !line.is_empty()).collect();
    format!(
        "{} (--help tells more)",
        told.join("; ").replace(":; ", ": ")
    )
}
