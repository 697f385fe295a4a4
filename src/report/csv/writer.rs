//! Writes serializable values as CSV rows.

use std::io;

use serde::Serialize;
use serde_json::Value;

/// Writes rows of serialized values under named columns.
pub(in crate::report) struct CsvWriter<'a> {
    columns: Vec<&'static str>,
    writer: ::csv::Writer<&'a mut dyn io::Write>,
}

impl<'a> CsvWriter<'a> {
    /// Writes the column names, which are separated by spaces.
    pub(in crate::report) fn new(
        out: &'a mut dyn io::Write,
        columns: &'static str,
    ) -> io::Result<Self> {
        // The header is written here, because the CSV writer would take it from the first row,
        // which may not exist.
        let mut builder = ::csv::WriterBuilder::new();
        let mut writer = builder.has_headers(false).from_writer(out);
        let columns: Vec<_> = columns.split_whitespace().collect();
        writer.write_record(&columns)?;
        Ok(Self { columns, writer })
    }

    /// Writes rows whose fields have the same names as the columns; other fields are ignored.
    pub(in crate::report) fn rows<R: Serialize>(
        &mut self,
        rows: impl IntoIterator<Item = R>,
    ) -> io::Result<()> {
        for row in rows {
            let row = serde_json::to_value(row)?;
            let text = |column: &&str| match field(&row, column) {
                None | Some(Value::Null) => String::new(),
                Some(Value::String(text)) => not_a_formula(text),
                Some(number) => number.to_string(),
            };
            self.writer.write_record(self.columns.iter().map(text))?;
        }
        Ok(())
    }

    /// Writes a row whose fields are in the order of the columns; faster than [`Self::rows`].
    pub(in crate::report) fn exact_row(&mut self, row: impl Serialize) -> io::Result<()> {
        Ok(self.writer.serialize(row)?)
    }

    /// Flushes all rows to the output.
    pub(in crate::report) fn finish(mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// A text that a spreadsheet does not take for a formula.
fn not_a_formula(text: &str) -> String {
    let formula = text.len() > 1 && text.starts_with(['=', '+', '-', '@']);
    let is_number = || text.parse::<f64>().is_ok();
    if formula && !is_number() {
        format!("'{text}")
    } else {
        text.to_owned()
    }
}

/// A field of a row or of an object in the row. In the second case, the column name is the name of
/// the object followed by that of the field: `time_mean` is the `mean` of `time`.
fn field<'a>(row: &'a Value, column: &str) -> Option<&'a Value> {
    let inner = |(name, object): (&String, &'a Value)| {
        let rest = || column.strip_prefix(name.as_str())?.strip_prefix('_');
        object.get(column).or_else(|| object.get(rest()?))
    };
    row.get(column)
        .or_else(|| row.as_object()?.iter().find_map(inner))
}
