//! `export`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use patchwork_arena::document::counted;
use patchwork_arena::input::FileForm;
use patchwork_arena::tournament::Results;
use patchwork_arena::tournament::export::{ExportFormat, export};

use super::args::one_of;
use super::endings::{write_games, written_form};
use super::output::{check_target, note};

/// Write the games of a results folder as text, in order and without times
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  patchwork-arena export results/quickstart --format jsonl\n  \
                  patchwork-arena export results/quickstart --output games.tsv\n  \
                  patchwork-arena export results/quickstart --output games.pgn.gz"
)]
pub(super) struct Args {
    /// Results folder
    dir: PathBuf,
    /// Output format [default: from the ending of the output file]
    #[arg(long, value_parser = one_of(FORMATS), required_unless_present = "output")]
    format: Option<ExportFormat>,
    /// Output file instead of the standard output; .jsonl, .tsv or .pgn tells the format, and .gz after it compresses
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

const FORMATS: [(&str, ExportFormat, &str); 3] = [
    ("jsonl", ExportFormat::Jsonl, "One JSON object per line"),
    ("tsv", ExportFormat::Tsv, "A table; check-games reads it"),
    (
        "pgn",
        ExportFormat::Pgn,
        "Text with headers and the agents' thoughts; check-games reads it",
    ),
];

const ENDINGS: [(FileForm, ExportFormat); 3] = [
    (FileForm::JsonLines, ExportFormat::Jsonl),
    (FileForm::Tsv, ExportFormat::Tsv),
    (FileForm::Pgn, ExportFormat::Pgn),
];

/// Warns if games are missing.
fn tell_unfinished(dir: &Path, results: &Results) {
    let schedule = &results.schedule;
    if !schedule.is_over() {
        note(format_args!(
            "{}: the tournament is not finished: {} of {} games",
            dir.display(),
            results.games.len(),
            schedule.planned_games()
        ));
    }
}

/// Warns if the format cannot hold some of the games.
fn tell_left_out(dir: &Path, results: &Results, format: ExportFormat) {
    if format != ExportFormat::Tsv {
        return;
    }
    let games = 0..results.games.len();
    let lost = games.filter(|&game| results.games.facts(game).fault.is_some());
    let lost = lost.count() as u64;
    if lost > 0 {
        let verb = if lost == 1 { "is" } else { "are" };
        note(format_args!(
            "{}: {} that ended by a fault {verb} left out: the table holds games that were played to their end; jsonl and pgn hold all",
            dir.display(),
            counted(lost, "game"),
        ));
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    check_target(args.output.as_deref())?;
    let format = written_form(args.output.as_deref(), args.format, &ENDINGS)?;
    let format = format.context("--format: is missing")?;
    let results = Results::read(&args.dir)?;
    tell_unfinished(&args.dir, &results);
    tell_left_out(&args.dir, &results, format);
    let place = args.dir.display().to_string();
    write_games(place, args.output.as_deref(), |out| {
        export(&results, format, out)
    })
}
