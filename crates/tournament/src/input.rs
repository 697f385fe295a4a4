//! Reading files of games and results, which may be compressed with gzip and in UTF-16; the formats of files by the endings of their
//! names.
//!
//! ```
//! use std::io::BufRead;
//!
//! use patchwork_tournament::input::read_file;
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
mod tables;

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;

use patchwork_engine::util::{InputError, limits};

pub use self::endings::{FileForm, is_compressed};
pub use self::tables::{NumberedRow, TableLines, peek};

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
    let mut plain: Box<dyn BufRead> = if is_gzip {
        Box::new(BufReader::new(Limited::new(MultiGzDecoder::new(file))))
    } else {
        Box::new(BufReader::new(Limited::new(file)))
    };
    let start = plain.fill_buf().map_err(open)?;
    if let Some((_, name, unpack)) = COMPRESSIONS.iter().find(|of| start.starts_with(of.0)) {
        return Err(wrong(format!(
            "is {name}; only gzip is read. `{unpack}` unpacks it, and /dev/stdin reads from a pipe"
        )));
    }
    let found = match limits::utf16_order(start) {
        None => read(&mut plain),
        Some(is_big) => {
            let ready = VecDeque::new();
            read(&mut BufReader::new(Utf16 {
                plain,
                is_big,
                ready,
            }))
        }
    };
    found.map_err(wrong)
}

/// The first bytes of files that other programs compressed, in words, and what unpacks them.
const COMPRESSIONS: [(&[u8], &str, &str); 6] = [
    (b"\x28\xb5\x2f\xfd", "compressed with zstd", "zstdcat FILE"),
    (b"\xfd7zXZ\0", "compressed with xz", "xzcat FILE"),
    (b"BZh", "compressed with bzip2", "bzcat FILE"),
    (b"PK\x03\x04", "a zip archive", "unzip -p FILE"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", "7z x -so FILE"),
    (b"\x04\x22\x4d\x18", "compressed with lz4", "lz4cat FILE"),
];

/// UTF-16, as PowerShell writes it, read as UTF-8.
struct Utf16 {
    plain: Box<dyn BufRead>,
    is_big: bool,
    /// What is read and not passed on yet.
    ready: VecDeque<u8>,
}

impl Utf16 {
    fn unit(&mut self) -> io::Result<Option<u16>> {
        let mut two = [0; 2];
        match self.plain.read_exact(&mut two) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
            Err(error) => Err(error),
            Ok(()) if self.is_big => Ok(Some(u16::from_be_bytes(two))),
            Ok(()) => Ok(Some(u16::from_le_bytes(two))),
        }
    }
}

impl Read for Utf16 {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.ready.len() < buffer.len() {
            let Some(unit) = self.unit()? else { break };
            let other = match unit {
                0xd800..=0xdbff => self.unit()?,
                _ => None,
            };
            for letter in char::decode_utf16([Some(unit), other].into_iter().flatten()) {
                let letter = letter.unwrap_or(char::REPLACEMENT_CHARACTER);
                self.ready.extend(letter.encode_utf8(&mut [0; 4]).bytes());
            }
        }
        self.ready.read(buffer)
    }
}

/// Checks that the name of a file whose contents have the format `found` does not end like another format. Names
/// without a known ending and those of plain text (`.txt`) may have any contents. The error is a sentence; `about`
/// describes the contents.
pub fn check_ending(path: &Path, found: &[FileForm], about: &str) -> Result<(), String> {
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
    fn utf16_is_read_and_other_compression_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games");
        let read = |bytes: &[u8]| {
            std::fs::write(&path, bytes).expect("written");
            let text = |input: &mut dyn BufRead| {
                let mut text = String::new();
                input
                    .read_to_string(&mut text)
                    .map_err(|error| error.to_string())?;
                Ok(text)
            };
            read_file(&path, text).map_err(|error| error.to_string())
        };
        let long = "White, \u{e4}\u{1f600}\n".repeat(5000);
        for text in ["\u{feff}a\n", "a,b", &long] {
            let units = || text.encode_utf16();
            let little: Vec<u8> = units().flat_map(u16::to_le_bytes).collect();
            let big: Vec<u8> = units().flat_map(u16::to_be_bytes).collect();
            assert_eq!(read(&little).as_deref(), Ok(text));
            assert_eq!(read(&big).as_deref(), Ok(text));
            assert_eq!(read(text.as_bytes()).as_deref(), Ok(text));
        }
        // A lone half of a letter, at the end and before another letter.
        let halves = [0xff, 0xfe, 0, 0xd8, b'a', 0, 0, 0xd8];
        assert_eq!(read(&halves).as_deref(), Ok("\u{feff}\u{fffd}a\u{fffd}"));
        for (start, name, unpack) in COMPRESSIONS {
            let told = read(&[start, b"..."].concat()).expect_err(name);
            assert!(told.contains(name) && told.contains(unpack), "{told}");
        }
    }

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
