//! Reading files of games and results, which may be compressed with gzip; the formats of files by the endings of their
//! names.
//!
//! ```
//! use std::io::BufRead;
//!
//! use patchwork_arena::input::read_file;
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("results.csv");
//! std::fs::write(&path, "first,second,score\nann,bob,1\n")?;
//! let lines = read_file(&path, |text| Ok(text.lines().count()))?;
//! assert_eq!(lines, 2);
//! let error = read_file(&path, |_| Err::<(), _>("no games".to_owned())).unwrap_err();
//! assert_eq!(error.to_string(), format!("{}: no games", path.display()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod endings;

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;

use patchwork_engine::util::{InputError, limits};

pub use self::endings::{FileForm, is_compressed};

/// Passes the contents of a file to `read`, whose error is a sentence about what is wrong. A file larger than
/// the [limit of games](limits::GAMES) is an error.
pub fn read_file<T>(
    path: &Path,
    read: impl FnOnce(&mut dyn BufRead) -> Result<T, String>,
) -> Result<T, InputError> {
    let wrong = |what: String| InputError::new(format!("{}: {what}", path.display()));
    let open = |error| wrong(format!("cannot be read: {error}"));
    let mut file = BufReader::new(limits::open(path).map_err(open)?);
    // Peek without consuming, so that a pipe can be read as well.
    let is_gzip = file.fill_buf().map_err(open)?.starts_with(&[0x1f, 0x8b]);
    let found = if is_gzip {
        read(&mut BufReader::new(Limited::new(MultiGzDecoder::new(file))))
    } else {
        read(&mut BufReader::new(Limited::new(file)))
    };
    found.map_err(wrong)
}

/// Checks that the name of a file whose contents have the format `found` does not end like another format. Names
/// without a known ending and those of plain text (`.txt`) may have any contents. The error is a sentence; `about`
/// describes the contents.
pub(crate) fn check_ending(path: &Path, found: &[FileForm], about: &str) -> Result<(), String> {
    match FileForm::of(path) {
        None | Some(FileForm::Text) => Ok(()),
        Some(told) if found.contains(&told) => Ok(()),
        Some(told) => Err(format!(
            "the name ends in {}, but the contents begin like {about}; expected a name that ends in {}",
            told.ending(),
            FileForm::listed(found)
        )),
    }
}

/// A reader that fails beyond the limit for files of games.
struct Limited<R> {
    input: R,
    left: u64,
}

impl<R> Limited<R> {
    fn new(input: R) -> Self {
        let left = limits::GAMES.bytes;
        Self { input, left }
    }
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        match self.left.checked_sub(count as u64) {
            Some(left) => self.left = left,
            None => return Err(limits::GAMES.exceeded()),
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_games_ends_at_the_limit() {
        let mut limited = Limited {
            input: io::repeat(b'\n'),
            left: 10_000,
        };
        let mut read = Vec::new();
        let error = limited.read_to_end(&mut read).expect_err("too large");
        assert_eq!(
            error.to_string(),
            "it is larger than 20 GB, the limit for a file of games"
        );
        assert!(read.len() <= 10_000);
    }
}
