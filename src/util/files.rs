//! Files of text, which may be compressed with gzip, and tables of columns separated by tabs.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;

/// Why a file could not be read.
#[derive(Debug, thiserror::Error)]
#[error("{}: {what}", path.display())]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong, with the line where it is known.
    pub what: String,
}

/// Reads a file, decompressed if need be; `read` says in a sentence what is wrong with it.
///
/// # Errors
/// When the file cannot be opened, and those of `read`.
pub fn read_file<T>(
    path: &Path,
    read: impl FnOnce(Box<dyn BufRead>) -> Result<T, String>,
) -> Result<T, FileError> {
    let open = || {
        let mut file = BufReader::new(File::open(path)?);
        // Only peeked at, so that a pipe can be read as well.
        let is_gzip = file.fill_buf()?.starts_with(&[0x1f, 0x8b]);
        let plain: Box<dyn BufRead> = if is_gzip {
            Box::new(BufReader::new(MultiGzDecoder::new(file)))
        } else {
            Box::new(file)
        };
        Ok(plain)
    };
    let opened = open().map_err(|error: std::io::Error| error.to_string());
    opened.and_then(read).map_err(|what| FileError {
        path: path.to_owned(),
        what,
    })
}

/// A reader of a table whose first line names the columns.
pub fn tab_separated<R: Read>(table: R) -> csv::Reader<R> {
    let mut builder = csv::ReaderBuilder::new();
    builder.delimiter(b'\t').quoting(false).from_reader(table)
}

/// The error of a table as a sentence.
#[must_use]
pub fn table_error(error: &csv::Error) -> String {
    let what = match error.kind() {
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => format!("{len} columns where the header has {expected_len}"),
        csv::ErrorKind::Utf8 { .. } => "not valid UTF-8".to_owned(),
        csv::ErrorKind::Io(error) => format!("cannot be read: {error}"),
        _ => error.to_string(),
    };
    match error.position().map(csv::Position::line) {
        Some(line) => format!("line {line}: {what}"),
        None => what,
    }
}
