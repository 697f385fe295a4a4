//! `verify`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use patchwork_engine::util::JsonInteger;
use patchwork_report::document::counted;
use patchwork_tournament::check_games::check_file;
use patchwork_tournament::verify::verify;
use serde_json::json;

use crate::args::{Seed, Threads, count};
use crate::endings::{Form, Output};
use crate::output::{listen, note, stopped};

/// Check games by replaying them, or against the rules
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  patchwork-arena verify R3/zoo --sample 50 --seed 20261121\n  \
                  patchwork-arena verify tests/data/random-games.tsv.gz\n\n\
                  When a game of a results folder is replayed, its record must be the same, byte for byte. Games of agents whose decisions \
                  depend on time cannot be replayed, nor can games from files; both are only checked against the rules. For a sample, choose a \
                  seed that those who played the games cannot predict. The exit code is 1 if a game fails the check."
)]
pub(crate) struct Args {
    /// Results folder, or file of games as export writes them, tsv or pgn; may be gzipped
    #[arg(value_name = "DIR|FILE")]
    source: PathBuf,
    /// Number of games of the folder to check, drawn at random [default: all]
    #[arg(long, value_name = "N", value_parser = count())]
    sample: Option<u32>,
    #[command(flatten)]
    seed: Seed,
    #[command(flatten)]
    output: Output<Form>,
    #[command(flatten)]
    threads: Threads,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    args.output.form()?;
    match args.source.is_dir() {
        true => check_folder(args),
        false => check_games(args),
    }
}

/// Checks the games of a file.
fn check_games(args: &Args) -> anyhow::Result<ExitCode> {
    if args.sample.is_some() {
        bail!("--sample: requires a results folder; all games of a file are checked");
    }
    let (games, mismatches) = args.threads.pool()?.install(|| check_file(&args.source))?;
    let wrong = mismatches
        .iter()
        .map(|(line, what)| json!({ "line": line, "what": what }));
    let json = json!({ "games": games, "wrong": wrong.collect::<Vec<_>>() });
    for (line, what) in &mismatches {
        note(format_args!("line {line}: {what}"));
    }
    args.output.answer(&json, |out| {
        let games = counted(games as u64, "game");
        let mismatches = counted(mismatches.len() as u64, "mismatch");
        writeln!(out, "{games}, {mismatches}")
    })?;
    Ok(ExitCode::from(u8::from(!mismatches.is_empty())))
}

/// Plays games of a folder again.
fn check_folder(args: &Args) -> anyhow::Result<ExitCode> {
    let stop = listen()?;
    let (pool, seed) = (args.threads.pool()?, args.seed.seed);
    let sample = args.sample.map_or(usize::MAX, |sample| sample as usize);
    let verified = pool.install(|| verify(&args.source, sample, seed, stop))?;
    let wrong = verified
        .wrong
        .iter()
        .map(|(game, what)| json!({ "game": game, "what": what }));
    let json = json!({
        "folder": args.source,
        "games": verified.games,
        "checked": verified.checked(),
        "seed": JsonInteger(seed),
        "agree": verified.agree,
        "only_legal": verified.only_legal,
        "wrong": wrong.collect::<Vec<_>>(),
        "stopped": verified.stopped,
    });
    args.output.answer(&json, |out| {
        let checked = counted(verified.checked(), "game");
        let dir = args.source.display();
        writeln!(out, "Folder:    {dir}, {}", counted(verified.games, "game"))?;
        writeln!(out, "Checked:   {checked}, drawn with seed {seed}")?;
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
