//! `report`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::builder::TypedValueParser;
use patchwork_report::document::CsvTable;
use patchwork_report::{TUNING, TournamentReport, TuningState};
use patchwork_tournament::import::united;
use patchwork_tournament::{Results, ledger};
use tempfile::TempDir;

use super::import::say;
use crate::crew::ReportArgs;
use crate::endings::{ReportForm, one_of};
use crate::output::check_distinct;

/// Report the results of a tournament
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  patchwork-arena report results/quickstart\n  \
                  patchwork-arena report results/quickstart --full\n  \
                  patchwork-arena report results/monday results/tuesday\n  \
                  patchwork-arena report results/quickstart --format csv --table patches\n  \
                  patchwork-arena report results/quickstart --output patches.csv --table patches\n  \
                  patchwork-arena report results/quickstart --format csv --output results/quickstart\n  \
                  patchwork-arena report results/quickstart --output page.html"
)]
pub(crate) struct Args {
    /// Results folder; several are reported as if they had been imported into one
    #[arg(required = true, value_name = "DIR")]
    dirs: Vec<PathBuf>,
    #[command(flatten)]
    report: ReportArgs,
    /// Which table to write as CSV [default: ratings; if --output is a folder, all of them, one file per table]
    #[arg(long, value_name = "TABLE", value_parser = table())]
    table: Option<CsvTable>,
}

fn table() -> impl TypedValueParser<Value = CsvTable> {
    one_of(CsvTable::all().map(|table| (table.name(), table, table.about())))
}

/// Checks that the format goes with the other arguments.
fn check_form(args: &Args) -> anyhow::Result<()> {
    let form = args.report.form()?;
    if args.table.is_some() && form != ReportForm::Csv {
        bail!("--table: requires --format csv, or an output file that ends in .csv");
    }
    Ok(())
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if let Some(folder) = args.report.folder()? {
        return save_tables(args, folder);
    }
    check_form(args)?;
    if let [dir] = &args.dirs[..]
        && ledger::exists(dir)?
        && let Some(tuning) = TuningState::of(dir, &ledger::facts(dir)?)?
        && write_tuning(args, dir, &tuning)?
    {
        return Ok(ExitCode::SUCCESS);
    }
    let (results, _united) = read(&args.dirs, args.report.output.quiet.quiet)?;
    let dir = &args.dirs[0];
    let table = args.table.unwrap_or_default();
    let report = TournamentReport::new(&results)?;
    let dir = (args.dirs.len() == 1).then_some(&**dir);
    args.report.write(&report, table, dir)
}

/// Writes the report of a search for a better agent as the search has saved it, or says how far the search is. `false` if
/// the games are asked for.
fn write_tuning(args: &Args, dir: &Path, tuning: &TuningState) -> anyhow::Result<bool> {
    let form = args.report.form()?;
    let [data, text, page] = TUNING;
    let file = match (form, &tuning.page) {
        (ReportForm::Csv, _) => return Ok(false),
        (ReportForm::Text, None) => {
            args.report.output.write(form, |out| {
                writeln!(out, "{}: {}.", dir.display(), tuning.state)?;
                tuning
                    .lines
                    .iter()
                    .try_for_each(|line| writeln!(out, "{line}"))
            })?;
            return Ok(true);
        }
        (_, None) => return Ok(false),
        (ReportForm::Text, _) => text,
        (ReportForm::Json, _) => data,
        (ReportForm::Html, _) => page,
    };
    let path = dir.join(file);
    let saved = fs::read(&path).with_context(|| format!("{} cannot be read", path.display()))?;
    let is_read = form == ReportForm::Text && args.report.output.file().is_none();
    args.report.output.write(form, |out| {
        out.write_all(&saved)?;
        match tuning.page.as_ref().filter(|_| is_read) {
            Some(page) => writeln!(out, "Page: {}", page.display()),
            None => Ok(()),
        }
    })?;
    Ok(true)
}

/// Writes all CSV tables into a folder.
fn save_tables(args: &Args, folder: &Path) -> anyhow::Result<ExitCode> {
    if args.table.is_some() {
        bail!(
            "--table: {} is a folder, for all tables; expected a file for one",
            folder.display()
        );
    }
    let (results, _united) = read(&args.dirs, args.report.output.quiet.quiet)?;
    TournamentReport::new(&results)?.save_tables(folder)?;
    Ok(ExitCode::SUCCESS)
}

/// The results of a folder, or of several in a temporary folder.
fn read(dirs: &[PathBuf], is_quiet: bool) -> anyhow::Result<(Results, Option<TempDir>)> {
    if let [dir] = dirs {
        return Ok((Results::read(dir)?, None));
    }
    check_distinct(dirs)?;
    if let Some(file) = dirs.iter().find(|path| path.is_file()) {
        bail!("{}: expected a results folder", file.display());
    }
    let (results, sources, folder) = united(dirs)?;
    if !is_quiet {
        sources
            .iter()
            .filter(|source| source.others > 0)
            .for_each(say);
    }
    Ok((results, Some(folder)))
}
