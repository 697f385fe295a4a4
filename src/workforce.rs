//! Who plays the games of a command: the threads of this machine, or a fleet.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;

use anyhow::bail;
use patchwork_report::TournamentReport;
use patchwork_report::document::{CsvTable, counted, thousands};
use patchwork_tournament::{GamePlayer, Manifest, Results, pairs_given_up};

use super::endings::{Output, ReportForm};
use super::output::{note, stopped_for_now, verdict_code};

/// How the report of games is written.
#[derive(clap::Args)]
pub(super) struct ReportArgs {
    #[command(flatten)]
    pub(super) output: Output<ReportForm>,
    /// Print all sections of the report, not only the ranking and one line for each other section
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

/// The games of a plan that were played into its folder.
pub(super) struct RunOutcome {
    /// Whether everything has been played.
    pub(super) is_complete: bool,
    /// The pairs that a fleet has given up, with the reasons.
    pub(super) given_up: BTreeMap<String, String>,
    /// Whether a fleet has returned different records of one game.
    pub(super) differs: bool,
    pub(super) results: Results,
}

impl RunOutcome {
    pub(super) fn of(results: Results) -> Self {
        Self {
            is_complete: results.schedule.is_over(),
            given_up: BTreeMap::new(),
            differs: false,
            results,
        }
    }

    /// Says that the user has stopped the games, and how far they got.
    fn stopped(&self, dir: &Path) -> ExitCode {
        let schedule = &self.results.schedule;
        stopped_for_now(format_args!(
            "Stopped: {} of {} are saved in {}.",
            thousands(schedule.finished_games()),
            counted(schedule.planned_games(), "game"),
            dir.display()
        ))
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

/// The threads of this machine, or a fleet.
pub(super) trait Workforce {
    /// Number of games played at the same time, if it is known.
    fn threads(&self) -> Option<NonZeroUsize>;

    /// Whether messages for people are suppressed, except errors.
    fn is_silent(&self) -> bool;

    /// A player of games.
    fn player(&mut self) -> Box<dyn GamePlayer + '_>;

    /// Plays the missing games of a plan into its folder.
    fn play(&mut self, manifest: &Manifest, dir: &Path) -> anyhow::Result<RunOutcome>;

    /// Plays the missing games of a plan into its folder and saves the report's tables there. Breaks
    /// with the exit code if the user stopped the run.
    fn play_into(
        &mut self,
        manifest: &Manifest,
        dir: &Path,
    ) -> anyhow::Result<ControlFlow<ExitCode, Results>> {
        let played = self.play(manifest, dir)?;
        if !played.given_up.is_empty() {
            return Err(pairs_given_up(&played.given_up).into());
        }
        if !played.is_complete {
            return Ok(ControlFlow::Break(played.stopped(dir)));
        }
        TournamentReport::new(&played.results)?.save(dir)?;
        Ok(ControlFlow::Continue(played.results))
    }

    /// Plays the missing games of a plan into its folder, then writes the report.
    fn play_and_save(
        &mut self,
        manifest: &Manifest,
        dir: &Path,
        output: &ReportArgs,
    ) -> anyhow::Result<ExitCode> {
        let played = self.play(manifest, dir)?;
        if !played.is_complete && played.given_up.is_empty() {
            return Ok(played.stopped(dir));
        }
        let report = TournamentReport::new(&played.results)?;
        if played.is_complete {
            report.save(dir)?;
            report.save_page(dir)?;
        }
        output.write(&report, CsvTable::default(), Some(dir))?;
        for (pair, why) in &played.given_up {
            note(format_args!("The pair {pair} was not played: {why}"));
        }
        if played.is_complete && !self.is_silent() {
            note(format_args!("Games and reports are in {}.", dir.display()));
        }
        Ok(match !played.is_complete || played.differs {
            true => ExitCode::FAILURE,
            false => decision(&report),
        })
    }
}
