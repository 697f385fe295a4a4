//! The report of a search for a better agent: candidates, effects of keys, convergence and the proof, as
//! text, JSON and CSV; and the run that leads to it.

mod figures;
mod results;
mod run;
mod sections;

use std::io;
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
        const IN_MEMORY: &str = "writing to a vector cannot fail";
        let [data, text, page_name] = TUNING;
        let jsons = [
            (data, serde_json::to_vec_pretty(self)),
            ("times.json", serde_json::to_vec_pretty(&self.times)),
        ];
        for (name, json) in jsons {
            let mut json = json.expect(IN_MEMORY);
            json.push(b'\n');
            ledger::write_file(&dir.join(name), &json)?;
        }
        let document = document(self);
        for table in document.tables() {
            if let Some(csv) = table.csv {
                let mut bytes = Vec::new();
                write_csv(&mut bytes, table).expect(IN_MEMORY);
                ledger::write_file(&dir.join(csv.file_name()), &bytes)?;
            }
        }
        let mut told = Vec::new();
        let form = TextForm {
            full: true,
            ..TextForm::default()
        };
        write_text(&mut told, &document, form).expect(IN_MEMORY);
        ledger::write_file(&dir.join(text), &told)?;
        let mut page = Vec::new();
        write_document(&mut page, &document, "tuning.json, times.json").expect(IN_MEMORY);
        ledger::write_file(&dir.join(page_name), &page)
    }
}

/// Writes the report of a search as text for a terminal.
pub fn write_tuning(out: impl io::Write, report: &TuningReport, form: TextForm) -> io::Result<()> {
    write_text(out, &document(report), form)
}
