//! `report`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::builder::TypedValueParser;
use patchwork_arena::document::CsvTable;
use patchwork_arena::input::FileForm;
use patchwork_arena::report::{RingChoice, TournamentReport, write_plies};
use patchwork_arena::tournament::{Results, ledger};

use super::args::{ReportForm, count, one_of};
use super::endings::{write_as_named, write_games, written_form};
use super::output::{check_target, file_form, print, print_data, print_report, write_file};

/// Report the results of a tournament
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  patchwork-arena report results/quickstart\n  \
                  patchwork-arena report results/quickstart --full\n  \
                  patchwork-arena report results/quickstart --format csv --table patches\n  \
                  patchwork-arena report results/quickstart --output patches.csv --table patches\n  \
                  patchwork-arena report results/quickstart --html\n  \
                  patchwork-arena report results/quickstart --ring-book fair.txt --rings balanced --most 100"
)]
pub(super) struct Args {
    /// Results folder
    dir: PathBuf,
    /// Output format [default: from the ending of the output file, or text]
    #[arg(long, value_enum)]
    format: Option<ReportForm>,
    /// Output file instead of the standard output; .txt, .json, .csv or .html (a page for a browser) tells the format,
    /// and .gz after it compresses
    #[arg(long, short, value_name = "FILE", conflicts_with_all = ["html", "ring_book"])]
    output: Option<PathBuf>,
    /// Print all sections, not only the ranking and one line for each other section
    #[arg(long, conflicts_with_all = ["html", "ring_book"])]
    full: bool,
    /// Which table to write as CSV [default: ratings]
    #[arg(long, value_name = "TABLE", value_parser = table())]
    table: Option<TableChoice>,
    /// Add the time of each ply, with --table plies
    #[arg(long)]
    times: bool,
    /// Write report.html, a page for a browser, into the folder
    #[arg(long, conflicts_with_all = ["format", "table", "ring_book"])]
    html: bool,
    /// Write a ring book: the rings that were played and the seat that each favours, in a file from which
    /// tournaments can take their setups
    #[arg(long, value_name = "FILE", conflicts_with = "format")]
    ring_book: Option<PathBuf>,
    /// Which rings to write, with --ring-book
    #[arg(long, default_value = "all", value_parser = one_of(RING_CHOICES), requires = "ring_book")]
    rings: RingChoice,
    /// Maximum number of rings, with --ring-book
    #[arg(long, value_name = "N", value_parser = count(), requires = "ring_book")]
    most: Option<u32>,
}

/// A table of the report, or all plies.
#[derive(Clone, Copy)]
enum TableChoice {
    Report(CsvTable),
    Plies,
}

fn table() -> impl TypedValueParser<Value = TableChoice> {
    let tables =
        CsvTable::all().map(|table| (table.name(), TableChoice::Report(table), table.about()));
    let plies = (
        "plies",
        TableChoice::Plies,
        "One row per ply, for data frames",
    );
    one_of(tables.chain([plies]))
}

const RING_CHOICES: [(&str, RingChoice, &str); 4] = [
    ("all", RingChoice::All, "All rings, the most balanced first"),
    (
        "balanced",
        RingChoice::Balanced,
        "Rings that may favour neither player, the most balanced first",
    ),
    (
        "first",
        RingChoice::First,
        "Rings that favour the first player, the most certain first",
    ),
    (
        "second",
        RingChoice::Second,
        "Rings that favour the second player, the most certain first",
    ),
];

/// What is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Written {
    Form(ReportForm),
    Page,
}

const ENDINGS: [(FileForm, Written); 4] = [
    (FileForm::Text, Written::Form(ReportForm::Text)),
    (FileForm::Json, Written::Form(ReportForm::Json)),
    (FileForm::Csv, Written::Form(ReportForm::Csv)),
    (FileForm::Html, Written::Page),
];

/// The format, if it goes with the other arguments.
fn form(args: &Args) -> anyhow::Result<Written> {
    let format = args.format.map(Written::Form);
    let form = written_form(args.output.as_deref(), format, &ENDINGS)?;
    let form = form.unwrap_or(Written::Form(ReportForm::Text));
    if args.table.is_some() && form != Written::Form(ReportForm::Csv) {
        bail!("--table: requires --format csv, or an output file that ends in .csv");
    }
    if args.full && form != Written::Form(ReportForm::Text) {
        bail!("--full: requires --format text; the other formats are always complete");
    }
    if args.times && !matches!(args.table, Some(TableChoice::Plies)) {
        bail!("--times: requires --table plies");
    }
    Ok(form)
}

/// Writes the report into a file.
fn write(
    path: &Path,
    form: Written,
    report: &TournamentReport<'_>,
    table: CsvTable,
    full: bool,
) -> anyhow::Result<()> {
    match form {
        Written::Form(ReportForm::Text) => {
            write_as_named(path, |out| report.write_text(out, file_form(full)))
        }
        Written::Form(ReportForm::Json) => write_as_named(path, |out| report.write_json(out)),
        Written::Form(ReportForm::Csv) => write_as_named(path, |out| report.write_csv(table, out)),
        Written::Page => {
            let mut page = Vec::new();
            report.write_page(&mut page)?;
            write_as_named(path, |out| out.write_all(&page))
        }
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let form = form(args)?;
    check_target(args.output.as_deref().or(args.ring_book.as_deref()))?;
    let results = Results::read(&args.dir)?;
    if matches!(args.table, Some(TableChoice::Plies)) {
        let place = args.dir.display().to_string();
        return write_games(place, args.output.as_deref(), |out| {
            write_plies(&results, args.times, out)
        });
    }
    let table = match args.table {
        Some(TableChoice::Report(table)) => table,
        _ => CsvTable::default(),
    };
    let report = TournamentReport::new(&results)?;
    let place = || args.dir.display().to_string();
    if args.html {
        let mut page = Vec::new();
        report.write_page(&mut page).with_context(place)?;
        let path = TournamentReport::page_in(&args.dir);
        ledger::write_file(&path, &page)?;
        print(|out| writeln!(out, "{}", path.display()))?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(path) = &args.ring_book {
        let most = args.most.map_or(usize::MAX, |most| most as usize);
        let mut book = Vec::new();
        report
            .write_ring_book(&mut book, args.rings, most)
            .context("no ring book")
            .with_context(place)?;
        write_file(path, |out| out.write_all(&book))?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(path) = &args.output {
        write(path, form, &report, table, args.full).with_context(place)?;
        return Ok(ExitCode::SUCCESS);
    }
    match form {
        Written::Form(ReportForm::Json) => print(|out| report.write_json(out))?,
        Written::Form(ReportForm::Csv) => print_data(|out| report.write_csv(table, out))?,
        _ => print_report(&report, &args.dir, args.full)?,
    }
    Ok(ExitCode::SUCCESS)
}
