//! `verify`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::value_parser;
use patchwork_arena::document::counted;
use patchwork_arena::tournament::verify::verify;

use super::args::{Workers, seed};
use super::output::{listen, print, stopped};

/// Play a random sample of a results folder's games again and compare the records
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  patchwork-arena verify R3/zoo --sample 50 --seed 20261121\n\n\
                  Games of agents that depend on time cannot be played again exactly; they are only checked \
                  against the rules. The exit code is 1 if a game is wrong."
)]
pub(super) struct Args {
    /// Results folder
    dir: PathBuf,
    /// Number of games to check; all if there are fewer
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..))]
    sample: u32,
    /// Seed of the sample; choose one that the machines' owners cannot predict
    #[arg(long, default_value_t = 1, value_parser = seed, allow_negative_numbers = true)]
    seed: u64,
    #[command(flatten)]
    workers: Workers,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let stop = listen()?;
    let pool = args.workers.pool()?;
    let verified = pool.install(|| verify(&args.dir, args.sample as usize, args.seed, stop))?;
    print(|out| {
        let checked = counted(verified.checked(), "game");
        let dir = args.dir.display();
        writeln!(out, "Folder:    {dir}, {}", counted(verified.games, "game"))?;
        writeln!(out, "Checked:   {checked}, drawn with seed {}", args.seed)?;
        let agree = counted(verified.agree, "game");
        writeln!(out, "Agree:     {agree} played again with the same bytes")?;
        if verified.only_legal > 0 {
            writeln!(
                out,
                "Legal:     {} of agents that do not play the same game each time, so only the rules were checked",
                counted(verified.only_legal, "game")
            )?;
        }
        writeln!(
            out,
            "Wrong:     {}",
            counted(verified.wrong.len() as u64, "game")
        )?;
        for (game, what) in &verified.wrong {
            writeln!(out, "           {game}: {what}")?;
        }
        Ok(())
    })?;
    if verified.stopped {
        return Ok(stopped(format_args!(
            "Stopped before the end of the sample."
        )));
    }
    Ok(ExitCode::from(u8::from(!verified.wrong.is_empty())))
}
