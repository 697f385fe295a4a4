//! Tables: their columns and rows.

use std::borrow::Cow;
use std::io::{self, BufRead, Cursor, Read as _};

use patchwork_engine::util::lines::{TextLines, text_of};

/// Number of bytes that are enough to detect the format of a file.
const PEEKED: u64 = 4096;

/// The start of an input without a byte order mark, and the whole input.
pub fn peek(mut input: impl BufRead) -> io::Result<(Vec<u8>, impl BufRead)> {
    let mut start = Vec::new();
    // A single read may return fewer bytes than there are.
    (&mut input).take(PEEKED).read_to_end(&mut start)?;
    if start.starts_with("\u{feff}".as_bytes()) {
        start.drain(..3);
    }
    Ok((start.clone(), Cursor::new(start).chain(input)))
}

/// The number of a line, and its cells or what is wrong with it.
pub type NumberedRow<'a> = (u64, Result<Vec<Cow<'a, str>>, String>);

/// A table with a line of column names, separated by tabs, commas or semicolons.
pub struct TableLines<R> {
    lines: TextLines<R>,
    separator: char,
    header: String,
    columns: Vec<String>,
}

impl<R: BufRead> TableLines<R> {
    /// Reads the line of column names; `expected` names the columns in messages.
    pub fn new(input: R, expected: &str) -> Result<Self, String> {
        let mut lines = TextLines::new(input);
        let Some(header) = lines.next_text()? else {
            return Err(format!(
                "is empty; expected a line of column names: {expected}, separated by tabs, commas or semicolons"
            ));
        };
        let header = header.into_owned();
        // Where the comma is the decimal sign, spreadsheets write semicolons.
        let count = |sign| header.matches(sign).count();
        let separator = match count('\t') {
            0 if count(';') > count(',') => ';',
            0 => ',',
            _ => '\t',
        };
        let names = cells(&header, separator).map_err(|what| format!("line 1: {what}"))?;
        let columns = names
            .iter()
            .map(|name| name.trim().to_lowercase())
            .collect();
        Ok(Self {
            lines,
            separator,
            header,
            columns,
        })
    }

    /// The column with one of these names, which are in lower case, if any; the table may have them in any case.
    pub fn column(&self, names: &[&str]) -> Result<Option<usize>, String> {
        let is_one = |column: &&String| names.contains(&column.as_str());
        let mut found = self.columns.iter().filter(is_one);
        match (found.next(), found.next()) {
            (Some(one), Some(other)) if one == other => {
                Err(format!("line 1: more than one column is named {one}"))
            }
            (Some(one), Some(other)) => Err(format!(
                "line 1: the columns {one} and {other} mean the same; expected one of them"
            )),
            _ => Ok(self.columns.iter().position(|column| is_one(&column))),
        }
    }

    /// The number and the cells of the next line that has any and does not repeat the header, as where tables were joined.
    pub fn next_row(&mut self) -> Result<Option<NumberedRow<'_>>, String> {
        loop {
            let Some(line) = self.lines.next_line()? else {
                return Ok(None);
            };
            let is_blank =
                |byte: &u8| byte.is_ascii_whitespace() || char::from(*byte) == self.separator;
            if !line.iter().all(is_blank) && line != self.header.as_bytes() {
                break;
            }
        }
        let expected = self.columns.len();
        let row = match text_of(self.lines.line()) {
            Cow::Borrowed(line) => cells(line, self.separator),
            Cow::Owned(line) => cells(&line, self.separator).map(|row| {
                row.into_iter()
                    .map(|cell| cell.into_owned().into())
                    .collect()
            }),
        };
        let row = row.and_then(|row: Vec<Cow<'_, str>>| match row.len() {
            count if count == expected => Ok(row),
            count => Err(format!("{count} columns where the header has {expected}")),
        });
        Ok(Some((self.lines.number(), row)))
    }
}

/// The cells of a line without the quotes around them; a doubled quote inside becomes one.
fn cells(line: &str, separator: char) -> Result<Vec<Cow<'_, str>>, String> {
    if separator == '\t' {
        return Ok(line.split(separator).map(unquoted).collect());
    }
    let mut cells = Vec::new();
    let mut rest = line;
    loop {
        // Some people write a space after a comma.
        if rest.trim_start().starts_with('"') {
            rest = rest.trim_start();
        }
        let quoted = rest.starts_with('"');
        let end = if quoted {
            let closed = end_of_quotes(rest).ok_or("a quote is not closed on this line")?;
            if !rest[closed..].is_empty() && !rest[closed..].starts_with(separator) {
                return Err("text follows the quotes around a cell".to_owned());
            }
            closed
        } else {
            rest.find(separator).unwrap_or(rest.len())
        };
        cells.push(unquoted(&rest[..end]));
        match rest.get(end + separator.len_utf8()..) {
            Some(next) => rest = next,
            None => return Ok(cells),
        }
    }
}

/// The end of the quotes with which a text starts.
fn end_of_quotes(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 1;
    while at < bytes.len() {
        if bytes[at] == b'"' {
            if bytes.get(at + 1) != Some(&b'"') {
                return Some(at + 1);
            }
            at += 1;
        }
        at += 1;
    }
    None
}

/// A cell without the quotes that some programs put around text.
fn unquoted(cell: &str) -> Cow<'_, str> {
    let inside = cell
        .strip_prefix('"')
        .and_then(|cell| cell.strip_suffix('"'));
    match inside {
        Some(text) if text.contains("\"\"") => Cow::Owned(text.replace("\"\"", "\"")),
        Some(text) => Cow::Borrowed(text),
        None => Cow::Borrowed(cell),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn cells_are_split_at_separators_outside_quotes() {
        let split = |line, separator| cells(line, separator).map(|cells| cells.join("|"));
        let expected = [
            ("a,b,,c", ',', "a|b||c"),
            ("\"a,b\",\"c \"\"d\"\"\",\"\"", ',', "a,b|c \"d\"|"),
            ("", ',', ""),
            ("a\t\"b\"\t\"", '\t', "a|b|\""),
        ];
        for (line, separator, joined) in expected {
            assert_eq!(split(line, separator).as_deref(), Ok(joined), "{line}");
        }
        assert!(split("a,\"b", ',').is_err());
        assert!(split("a,\"b\"c,d", ',').is_err());
    }

    proptest! {
        #[test]
        fn a_quoted_row_is_read_as_it_was_written(
            row in prop::collection::vec("[a-c,\" \t\u{e4}]{0,6}", 2..6)
        ) {
            let quoted: Vec<String> = row.iter()
                .map(|cell| format!("\"{}\"", cell.replace('"', "\"\"")))
                .collect();
            let line = quoted.join(",");
            let read = cells(&line, ',').expect("cells");
            prop_assert_eq!(read, row);
        }
    }
}
