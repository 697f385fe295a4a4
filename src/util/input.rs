//! Reading files of games and results, which may be compressed with gzip.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use flate2::bufread::MultiGzDecoder;

/// Why a file of games or results could not be read.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file cannot be opened.
    #[error("{}: {error}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// The system error.
        error: std::io::Error,
    },
    /// The contents are not as expected.
    #[error("{}: {what}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong, with line and column if they are known.
        what: String,
    },
}

/// Passes the contents of a file to `read`, whose error is a sentence that says what is wrong.
pub(crate) fn read_file<T>(
    path: &Path,
    read: impl FnOnce(&mut dyn BufRead) -> Result<T, String>,
) -> Result<T, FileError> {
    let open = |error| FileError::Open {
        path: path.to_owned(),
        error,
    };
    let mut file = BufReader::new(File::open(path).map_err(open)?);
    // Peek without consuming, so that a pipe can be read as well.
    let is_gzip = file.fill_buf().map_err(open)?.starts_with(&[0x1f, 0x8b]);
    let found = if is_gzip {
        read(&mut BufReader::new(MultiGzDecoder::new(file)))
    } else {
        read(&mut file)
    };
    found.map_err(|what| FileError::Format {
        path: path.to_owned(),
        what,
    })
}
