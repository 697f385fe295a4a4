//! Tables of a document as CSV; `docs/tables.md` documents the columns of those of a tournament.
//!
//! Numbers are not rounded. Unknown values are empty.

use std::borrow::Cow;
use std::io;

use ::csv::Writer;
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use super::{ReportTable, TableCell};

/// Number of rows computed at a time.
const BATCH: usize = 4096;

/// Writes a table with a header line.
pub fn write_csv(mut out: impl io::Write, table: &ReportTable<'_>) -> io::Result<()> {
    let mut head = Writer::from_writer(Vec::new());
    head.write_record(table.names().map(|(name, _)| name))?;
    out.write_all(&bytes(head)?)?;
    for start in (0..table.len).step_by(BATCH) {
        let rows = start..table.len.min(start + BATCH);
        let chunk = |row: usize| written([table.values(row)]);
        let rows: Vec<io::Result<Vec<u8>>> = if table.len < BATCH {
            rows.map(chunk).collect()
        } else {
            rows.into_par_iter().map(chunk).collect()
        };
        for row in rows {
            out.write_all(&row?)?;
        }
    }
    out.flush()
}

fn bytes(writer: Writer<Vec<u8>>) -> io::Result<Vec<u8>> {
    writer.into_inner().map_err(|error| error.into_error())
}

/// Rows, each with its line ending.
pub(crate) fn written<'a>(
    rows: impl IntoIterator<Item = impl AsRef<[TableCell<'a>]>>,
) -> io::Result<Vec<u8>> {
    let mut writer = Writer::from_writer(Vec::new());
    for row in rows {
        for value in row.as_ref() {
            match value {
                TableCell::Text(text) => writer.write_field(guarded(text).as_bytes())?,
                TableCell::Name(name, _) => writer.write_field(guarded(name).as_bytes())?,
                TableCell::Integer(number) => writer.write_field(number.to_string())?,
                TableCell::Flag(flag) => writer.write_field(flag.to_string())?,
                TableCell::Number(_) | TableCell::Estimate(_) | TableCell::Spread(_) => {
                    writer.write_field(number(value.raw()))?;
                }
            }
        }
        writer.write_record(None::<&[u8]>)?;
    }
    bytes(writer)
}

/// A number as in JSON, but 0 without a sign.
fn number(value: Option<f64>) -> String {
    let number = value.and_then(|value| serde_json::Number::from_f64(value + 0.0));
    number.map_or_else(String::new, |number| number.to_string())
}

/// Text that a spreadsheet does not read as a formula: text that starts with `=`, `+`, `-`, `@`, one of these in full
/// width or a control character gets an apostrophe in front.
pub fn guarded(text: &str) -> Cow<'_, str> {
    match text.chars().next() {
        Some(first)
            if "=+-@\u{ff1d}\u{ff0b}\u{ff0d}\u{ff20}".contains(first) || first.is_control() =>
        {
            format!("'{text}").into()
        }
        _ => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_has_no_sign() {
        assert_eq!(number(Some(-0.0)), "0.0");
        assert_eq!(number(Some(-1.5)), "-1.5");
        assert_eq!(number(None), "");
    }

    #[test]
    fn spreadsheets_take_no_name_for_a_formula() {
        for name in [
            "=1+1",
            "+a",
            "-a",
            "@a",
            "\ta",
            "\ra",
            "\u{ff1d}1+1",
            "\u{ff0b}a",
            "\u{ff0d}a",
            "\u{ff20}a",
        ] {
            assert_eq!(guarded(name), format!("'{name}"));
        }
        assert_eq!(guarded("a=1"), "a=1");
    }
}
