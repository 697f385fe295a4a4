//! The report of a search for a better agent: candidates, effects of keys, convergence and the proof, as
//! text, JSON and CSV; and the run that leads to it.

mod figures;
mod results;
mod run;
mod sections;

use std::io::{self, Write};
use std::path::Path;

pub use self::results::{ConvergenceRow, SearchResults, TuningReport};
pub use self::run::{BEST, TuningCrew, conclude, search};
use self::sections::document;
use patchwork_report::TUNING;
use patchwork_report::document::{TextForm, write_csv, write_document, write_text};
use patchwork_tournament::ledger::{self, TournamentError};

impl TuningReport {
    /// Writes the report as `tuning.json`, `tuning.txt` and the page `tuning.html`, the measured times as `times.json`, and a
    /// CSV file for each table into a folder. Each file is written atomically.
    fn save(&self, dir: &Path) -> Result<(), TournamentError> {
        const TIMES: &str = "times.json";
        let [data, text, page] = TUNING;
        let document = document(self);
        let form = TextForm {
            full: true,
            ..TextForm::default()
        };
        let write = |name: &str, write: &dyn Fn(&mut dyn Write) -> io::Result<()>| {
            ledger::write_file_with(&dir.join(name), write)
        };
        write(data, &|out| {
            serde_json::to_writer_pretty(&mut *out, self)?;
            writeln!(out)
        })?;
        write(TIMES, &|out| {
            serde_json::to_writer_pretty(&mut *out, &self.times)?;
            writeln!(out)
        })?;
        for table in document.tables() {
            if let Some(csv) = table.csv {
                write(&csv.file_name(), &|out| write_csv(out, table))?;
            }
        }
        write(text, &|out| write_text(out, &document, form))?;
        write(page, &|out| {
            write_document(out, &document, &format!("{data}, {TIMES}"))
        })
    }
}

/// Writes the report of a search as text for a terminal.
pub fn write_tuning(out: impl io::Write, report: &TuningReport, form: TextForm) -> io::Result<()> {
    write_text(out, &document(report), form)
}
