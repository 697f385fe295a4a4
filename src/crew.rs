//! Who plays the games of a command, and what is said and written about them.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::bail;
use patchwork_report::TournamentReport;
use patchwork_report::document::{CsvTable, counted, thousands};
use patchwork_tournament::{Executor, Manifest, PlaySummary, Results};

use super::endings::{Form, Output, ReportForm};
use super::output::{listen, note, stopped_for_now, verdict_code};
use super::progress::Progress;

/// How the report of games is written.
#[derive(clap::Args)]
pub(super) struct ReportArgs {
    #[command(flatten)]
    pub(super) output: Output<ReportForm>,
    /// Print the tables of the sections, not only the standings and one line for each of the others
    #[arg(long)]
    full: bool,
}

impl ReportArgs {
    /// The format, if it goes with the other arguments; see [`Output::form`].
    pub(super) fn form(&self) -> anyhow::Result<ReportForm> {
        self.checked(self.output.form()?)
    }

    /// The folder for all tables as CSV, if that is what is asked for.
    pub(super) fn folder(&self) -> anyhow::Result<Option<&Path>> {
        let folder = self.output.folder(ReportForm::Csv);
        folder.map(|_| self.checked(ReportForm::Csv)).transpose()?;
        Ok(folder)
    }

    fn checked(&self, form: ReportForm) -> anyhow::Result<ReportForm> {
        if self.full && form != ReportForm::Text {
            bail!("--full: requires --format text; the other formats are always complete");
        }
        Ok(form)
    }

    /// Writes the report of a folder, or of games that are not kept. `table` is the one of CSV; text on the standard
    /// output names the page of the folder.
    pub(super) fn write(
        &self,
        report: &TournamentReport<'_>,
        table: CsvTable,
        dir: Option<&Path>,
    ) -> anyhow::Result<ExitCode> {
        let form = self.form()?;
        self.output.write(form, |out| match form {
            ReportForm::Json => report.write_json(out),
            ReportForm::Csv => report.write_csv(table, out),
            ReportForm::Html => report.write_page(out),
            ReportForm::Text => {
                report.write_text(&mut *out, self.output.layout(self.full))?;
                let is_plain = self.output.quiet.quiet || self.output.file().is_some();
                match dir.filter(|_| !is_plain) {
                    Some(dir) => write_page_line(out, dir),
                    None => Ok(()),
                }
            }
        })
    }
}

/// Says where the page of a folder is, or how to write it.
fn write_page_line(out: &mut dyn Write, dir: &Path) -> io::Result<()> {
    let path = TournamentReport::page_in(dir);
    let (dir, page) = (dir.display(), path.display());
    match path.exists() {
        true => writeln!(out, "Page: {page}"),
        false => writeln!(out, "Page: patchwork-arena report {dir} --output {page}"),
    }
}

/// The exit code of a complete tournament: that of the verdict if it is a sequential test of two agents.
pub(super) fn decision(report: &TournamentReport<'_>) -> ExitCode {
    let tests = report.header().sprt.iter();
    let tests: Vec<_> = tests.flat_map(|found| &found.tests).collect();
    match &tests[..] {
        [test] => verdict_code(test.verdict),
        _ => ExitCode::SUCCESS,
    }
}

/// Who plays the games of a command, and how their progress is shown.
pub(super) struct Crew<'a> {
    pub(super) executor: Box<dyn Executor + 'a>,
    /// The format of the progress, or `None` if it is not shown.
    pub(super) progress: Option<Form>,
}

impl Crew<'_> {
    /// Whether messages for people are suppressed, except errors.
    pub(super) fn is_silent(&self) -> bool {
        self.progress != Some(Form::Text)
    }

    /// Plays the missing games of a plan into its folder, or keeps them in memory, and shows the progress.
    pub(super) fn play(
        &mut self,
        manifest: &Manifest,
        dir: Option<&Path>,
    ) -> anyhow::Result<(Results, PlaySummary)> {
        let stop = listen()?;
        let mut results = match dir {
            Some(dir) => Results::open(dir, manifest)?,
            None => Results::empty(manifest.clone()),
        };
        let threads = self.executor.threads();
        if let Some(dir) = dir.filter(|_| threads.is_some() && !self.is_silent()) {
            note_existing(dir, &results);
        }
        let mut progress = Progress::new(&results, self.progress, threads);
        let watch = &mut |entry: &_, results: &_| progress.add(entry, results);
        let played = self.executor.play(&mut results, stop, watch);
        progress.finish(&results);
        results.finish()?;
        let played = played?;
        for (count, noun, what) in [
            (
                played.garbage,
                "message",
                "Not understood or not of this plan",
            ),
            (played.refused, "game", "Refused"),
            (
                played.different,
                "game",
                "Received twice with different records",
            ),
        ] {
            if count > 0 {
                note(format_args!("{what}: {}.", counted(count, noun)));
            }
        }
        Ok((results, played))
    }

    /// Writes the report of games that were played into a folder.
    pub(super) fn report(
        &self,
        (results, played): (Results, PlaySummary),
        dir: &Path,
        args: &ReportArgs,
    ) -> anyhow::Result<ExitCode> {
        let is_over = results.is_over();
        if !is_over && played.given_up.is_empty() {
            return Ok(stopped_in(dir, &results));
        }
        let report = TournamentReport::new(&results)?;
        if is_over {
            report.save(dir)?;
            report.save_page(dir)?;
        }
        args.write(&report, CsvTable::default(), Some(dir))?;
        for (pair, why) in &played.given_up {
            note(format_args!("The pair {pair} was not played: {why}"));
        }
        if is_over && !self.is_silent() {
            note(format_args!("Games and reports are in {}.", dir.display()));
        }
        Ok(match !is_over || played.different > 0 {
            true => ExitCode::FAILURE,
            false => decision(&report),
        })
    }
}

/// Says how many games a folder holds.
pub(super) fn note_existing(dir: &Path, results: &Results) {
    let (done, aside) = (results.games.len() as u64, &results.aside);
    if done == 0 && aside.games() == 0 {
        return;
    }
    let planned = counted(results.schedule.planned_games(), "game");
    let verb = if done == 1 { "is" } else { "are" };
    let aside = match (aside.games(), aside.groups()) {
        (0, _) => String::new(),
        (1, _) => format!("; {aside} and is kept aside"),
        (_, 1) => format!("; {aside} and are kept aside"),
        _ => format!("; {aside}; these games are kept aside"),
    };
    let done = thousands(done);
    note(format_args!(
        "{}: {done} of {planned} {verb} there{aside}",
        dir.display()
    ));
}

/// Says that the user has stopped the games of a folder, and how far they got.
pub(super) fn stopped_in(dir: &Path, results: &Results) -> ExitCode {
    let schedule = &results.schedule;
    stopped_for_now(format_args!(
        "Stopped: {} of {} are saved in {}.",
        thousands(schedule.finished_games()),
        counted(schedule.planned_games(), "game"),
        dir.display()
    ))
}
