//! `export`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use patchwork_report::document::counted;
use patchwork_report::{write_games_table, write_plies};
use patchwork_tournament::Results;
use patchwork_tournament::export::{write_json_lines, write_pgn, write_tsv};

use crate::endings::{GamesForm, Output, Quiet};

/// Write the games of a results folder as text
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  patchwork-arena export results/quickstart --format jsonl\n  \
                  patchwork-arena export results/quickstart --output games.tsv\n  \
                  patchwork-arena export results/quickstart --output games.pgn.gz\n  \
                  patchwork-arena export results/quickstart --table plies --output plies.csv\n\n\
                  Games are in the order of the plan; only the table of plies has times. jsonl has one JSON object per line, tsv is a table, \
                  and pgn is text with headers and comments. `verify` reads tsv and pgn, `import` reads jsonl, and `rate` reads all three."
)]
pub(crate) struct Args {
    /// Results folder
    dir: PathBuf,
    /// Write a table as CSV instead, for SQL queries and data frames
    #[arg(long, value_name = "TABLE")]
    table: Option<GamesTable>,
    #[command(flatten)]
    output: Output<GamesForm>,
}

/// A table of games.
#[derive(Clone, Copy, clap::ValueEnum)]
enum GamesTable {
    /// One row per game
    Games,
    /// One row per ply, with the time if it was recorded
    Plies,
}

/// The format, and the table that it is of.
fn form(args: &Args) -> anyhow::Result<(GamesForm, Option<GamesTable>)> {
    if args.table.is_some() && !args.output.is_given() {
        return Ok((GamesForm::Csv, args.table));
    }
    let form = args.output.form()?;
    match (args.table, form) {
        (None, GamesForm::Csv) => bail!("--format csv: requires --table games or --table plies"),
        (Some(_), GamesForm::JsonLines | GamesForm::Tsv | GamesForm::Pgn) => {
            bail!("--table: requires --format csv, or an output file that ends in .csv")
        }
        (table, form) => Ok((form, table)),
    }
}

/// Warns if games are missing.
fn tell_unfinished(dir: &Path, results: &Results, quiet: &Quiet) {
    let schedule = &results.schedule;
    if !results.is_over() {
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
    let (format, table) = form(args)?;
    if let Some(GamesTable::Plies) = table {
        let write = |out: &mut dyn Write| write_plies(&args.dir, out);
        return args.output.write(format, write);
    }
    let results = Results::read(&args.dir)?;
    tell_unfinished(&args.dir, &results, &args.output.quiet);
    tell_left_out(&args.dir, &results, format, &args.output.quiet);
    let write = |out: &mut dyn Write| match format {
        GamesForm::JsonLines => write_json_lines(&results, out),
        GamesForm::Tsv => write_tsv(&results, out),
        GamesForm::Pgn => write_pgn(&results, out),
        GamesForm::Csv => write_games_table(&results, out),
    };
    args.output.write(format, write)
}
