//! `export`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use patchwork_report::document::counted;
use patchwork_tournament::Results;
use patchwork_tournament::export::{write_json_lines, write_pgn, write_tsv};

use crate::endings::{GamesForm, Output, Quiet};

/// Write the games of a results folder as text
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  patchwork-arena export results/quickstart --format jsonl\n  \
                  patchwork-arena export results/quickstart --output games.tsv\n  \
                  patchwork-arena export results/quickstart --output games.pgn.gz\n\n\
                  Games are in order and without times. jsonl has one JSON object per line, tsv a table, and pgn text with headers and the agents' thoughts. `verify` reads tsv and pgn, \
                  `import` jsonl, `rate` all of them."
)]
pub(crate) struct Args {
    /// Results folder
    dir: PathBuf,
    #[command(flatten)]
    output: Output<GamesForm>,
}

/// Warns if games are missing.
fn tell_unfinished(dir: &Path, results: &Results, quiet: &Quiet) {
    let schedule = &results.schedule;
    if !schedule.is_over() {
        quiet.note(format_args!(
            "{}: the tournament is not finished: {} of {} games",
            dir.display(),
            results.games.len(),
            schedule.planned_games()
        ));
    }
}

/// Warns if the format cannot hold some of the games.
fn tell_left_out(dir: &Path, results: &Results, format: GamesForm, quiet: &Quiet) {
    if format != GamesForm::Tsv {
        return;
    }
    let games = results.games.facts().iter();
    let lost = games.filter(|game| !game.is_finished()).count() as u64;
    if lost > 0 {
        let verb = if lost == 1 { "is" } else { "are" };
        quiet.note(format_args!(
            "{}: {} that ended by a fault {verb} left out: the table holds games that were played to their end; jsonl and pgn hold all",
            dir.display(),
            counted(lost, "game"),
        ));
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let format = args.output.form()?;
    let results = Results::read(&args.dir)?;
    tell_unfinished(&args.dir, &results, &args.output.quiet);
    tell_left_out(&args.dir, &results, format, &args.output.quiet);
    let write = |out: &mut dyn Write| match format {
        GamesForm::JsonLines => write_json_lines(&results, out),
        GamesForm::Tsv => write_tsv(&results, out),
        GamesForm::Pgn => write_pgn(&results, out),
    };
    args.output.write_games(format, &args.dir, write)?;
    Ok(ExitCode::SUCCESS)
}
