//! Rows of CSV from whatever can be serialized.

use std::io;

use serde::Serialize;
use serde_json::Value;

/// Writes rows of serialized values under named columns.
pub(in crate::report) struct CsvWriter<'a> {
    columns: Vec<&'static str>,
    writer: ::csv::Writer<&'a mut dyn io::Write>,
}

impl<'a> CsvWriter<'a> {
    /// Writes the names of the columns, which are given separated by spaces.
    pub(in crate::report) fn new(
        out: &'a mut dyn io::Write,
        columns: &'static str,
    ) -> io::Result<Self> {
        // The columns are named here: the writer would name them by the first row, if there is one.
        let mut builder = ::csv::WriterBuilder::new();
        let mut writer = builder.has_headers(false).from_writer(out);
        let columns: Vec<_> = columns.split_whitespace().collect();
        writer.write_record(&columns)?;
        Ok(Self { columns, writer })
    }

    /// Writes rows whose fields are named as the columns; other fields are left out.
    pub(in crate::report) fn rows<R: Serialize>(
        &mut self,
        rows: impl IntoIterator<Item = R>,
    ) -> io::Result<()> {
        for row in rows {
            let row = serde_json::to_value(row)?;
            let text = |column: &&str| match field(&row, column) {
                None | Some(Value::Null) => String::new(),
                Some(Value::String(text)) => text.clone(),
                Some(number) => number.to_string(),
            };
            self.writer.write_record(self.columns.iter().map(text))?;
        }
        Ok(())
    }

    /// Writes a row whose fields are the columns in their order: faster than [`Self::rows`].
    pub(in crate::report) fn exact_row(&mut self, row: impl Serialize) -> io::Result<()> {
        Ok(self.writer.serialize(row)?)
    }

    /// Makes sure that all rows have arrived.
    pub(in crate::report) fn finish(mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// A field of a row or of an object in the row, in which case the name of the object may come before
/// that of the field: `time_mean` is the `mean` of `time`.
fn field<'a>(row: &'a Value, column: &str) -> Option<&'a Value> {
    let inner = |(name, object): (&String, &'a Value)| {
        let rest = || column.strip_prefix(name.as_str())?.strip_prefix('_');
        object.get(column).or_else(|| object.get(rest()?))
    };
    row.get(column)
        .or_else(|| row.as_object()?.iter().find_map(inner))
}
