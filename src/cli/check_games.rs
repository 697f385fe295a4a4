//! `check-games`.

use std::path::PathBuf;
use std::process::ExitCode;

use patchwork_arena::document::counted;
use patchwork_arena::tournament::check_games::check_file;

use super::output::{note, print};

/// Replay the games of a file and check them against the rules
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  patchwork-arena check-games tests/data/random-games.tsv.gz\n\n\
                  Prints the numbers of games and mismatches; the exit code is 0 only if there are no mismatches."
)]
pub(super) struct Args {
    /// File of games as export writes them, tsv or pgn; may be gzipped
    file: PathBuf,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let (games, mismatches) = check_file(&args.file)?;
    for (line, what) in &mismatches {
        note(format_args!("line {line}: {what}"));
    }
    print(|out| {
        let games = counted(games as u64, "game");
        let mismatches = counted(mismatches.len() as u64, "mismatch");
        writeln!(out, "{games}, {mismatches}")
    })?;
    Ok(ExitCode::from(u8::from(!mismatches.is_empty())))
}
