//! Limits on every kind of input, so that a wrong file results in an error message instead of exhausting
//! memory.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;

/// The maximum size of a kind of input, after decompression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputLimit {
    /// The kind, such as `a configuration file`.
    pub of: &'static str,
    /// The maximum number of bytes.
    pub bytes: u64,
}

const MEGABYTE: u64 = 1_000_000;
const GIGABYTE: u64 = 1_000_000_000;

/// Tournament, agent and tuning files.
pub const CONFIGURATION: InputLimit = InputLimit::new("a configuration file", MEGABYTE);
/// Ring books: about a million rings.
pub const RING_BOOK: InputLimit = InputLimit::new("a ring book", 100 * MEGABYTE);
/// Orders of patches for the packing experiment.
pub const ORDERS: InputLimit = InputLimit::new("a file of orders", 100 * MEGABYTE);
/// Networks: a hundred times the current size.
pub const NET: InputLimit = InputLimit::new("a network", 20 * MEGABYTE);
/// Puzzles.
pub const PUZZLE: InputLimit = InputLimit::new("a puzzle", MEGABYTE);
/// Plan files, with at most a ring book and thousands of agents.
pub const PLAN: InputLimit = InputLimit::new("a plan file", 200 * MEGABYTE);
/// Games and results, which are read one by one.
pub const GAMES: InputLimit = InputLimit::new("a file of games", 20 * GIGABYTE);
/// Maximum length of a line in a file of games, in bytes.
pub const LONGEST_LINE: usize = 4_000_000;

impl InputLimit {
    const fn new(of: &'static str, bytes: u64) -> Self {
        Self { of, bytes }
    }

    /// The error for a larger input.
    pub fn exceeded(self) -> io::Error {
        let (size, of) = (size(self.bytes), self.of);
        let what = format!("it is larger than {size}, the limit for {of}");
        io::Error::new(io::ErrorKind::FileTooLarge, what)
    }

    /// Reads a whole file.
    ///
    /// # Errors
    /// When the file is larger than the limit, a folder or a device, or cannot be read.
    pub fn read(self, path: &Path) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let most = self.bytes.saturating_add(1);
        open(path)?.take(most).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > self.bytes {
            return Err(self.exceeded());
        }
        Ok(bytes)
    }

    /// Reads a whole file as text.
    pub fn read_text(self, path: &Path) -> io::Result<String> {
        let refused = |what| io::Error::new(io::ErrorKind::InvalidData, what);
        let bytes = self.read(path)?;
        if utf16_order(&bytes).is_some() {
            let what = "line 1: it is UTF-16, as PowerShell writes it; expected UTF-8";
            return Err(refused(what.to_owned()));
        }
        String::from_utf8(bytes).map_err(|error| {
            let (before, rest) = error.as_bytes().split_at(error.utf8_error().valid_up_to());
            let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
            refused(format!(
                "line {line}: the byte {:#04x} is not UTF-8, but perhaps ISO 8859-1 or Windows-1252; expected UTF-8",
                rest[0]
            ))
        })
    }
}

/// Whether a text is UTF-16 by its byte order mark or by a first letter of two bytes, and if so, whether the greater byte
/// comes first.
pub fn utf16_order(start: &[u8]) -> Option<bool> {
    match start {
        [0xff, 0xfe, ..] | [1..=255, 0, 1..=255, 0, ..] => Some(false),
        [0xfe, 0xff, ..] | [0, 1..=255, 0, 1..=255, ..] => Some(true),
        _ => None,
    }
}

/// Opens a file, or a pipe that a shell created.
///
/// # Errors
/// When it is a folder, a device (which may be endless) or a named pipe (to which nobody may write), or when
/// it cannot be opened.
pub fn open(path: &Path) -> io::Result<File> {
    let there = fs::metadata(path)?;
    if there.is_dir() {
        let what = "it is a folder; expected a file";
        return Err(io::Error::new(io::ErrorKind::IsADirectory, what));
    }
    if let Some(what) = unusual(&there, path) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
    }
    File::open(path)
}

/// What is wrong with a path that is neither a file nor a folder nor a pipe of a shell.
#[cfg(unix)]
fn unusual(there: &fs::Metadata, path: &Path) -> Option<&'static str> {
    use std::os::unix::fs::FileTypeExt as _;
    let kind = there.file_type();
    if kind.is_char_device() || kind.is_block_device() {
        return Some("it is a device; expected a file or a pipe");
    }
    // Opening a named pipe blocks until somebody writes to it. The pipes of a shell do not have a path in a folder.
    let is_named = kind.is_fifo() && path.canonicalize().is_ok();
    is_named.then_some("it is a named pipe; expected a file or a pipe such as <(command)")
}

#[cfg(not(unix))]
fn unusual(_: &fs::Metadata, _: &Path) -> Option<&'static str> {
    None
}

/// A number of bytes for people: `4 MB`.
pub fn size(bytes: u64) -> String {
    let units = [(GIGABYTE, "GB"), (MEGABYTE, "MB"), (1000, "kB")];
    let unit = units.iter().find(|(unit, _)| bytes >= *unit);
    unit.map_or_else(
        || format!("{bytes} bytes"),
        |(unit, name)| format!("{} {name}", bytes / unit),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_above_the_limit_is_refused_and_one_at_the_limit_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x");
        let limit = InputLimit::new("a test", 2000);
        fs::write(&path, vec![b'a'; 2000]).expect("written");
        assert_eq!(limit.read_text(&path).expect("read").len(), 2000);
        fs::write(&path, vec![b'a'; 2001]).expect("written");
        let told = |path: &Path| limit.read(path).expect_err("refused").to_string();
        assert_eq!(told(&path), "it is larger than 2 kB, the limit for a test");
        assert_eq!(told(folder.path()), "it is a folder; expected a file");
        if cfg!(unix) {
            let device = "it is a device; expected a file or a pipe";
            assert_eq!(told(Path::new("/dev/zero")), device);
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn pipes_of_a_shell_are_read_and_named_ones_refused() {
        use std::io::Write as _;
        use std::os::fd::AsRawFd as _;

        let limit = InputLimit::new("a test", 2000);
        let (reader, mut writer) = io::pipe().expect("a pipe");
        writer.write_all(b"through a pipe").expect("written");
        drop(writer);
        let path = format!("/proc/self/fd/{}", reader.as_raw_fd());
        assert_eq!(
            limit.read_text(Path::new(&path)).expect("read"),
            "through a pipe"
        );

        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        assert!(made.expect("started").success());
        // Nobody writes to the pipe: reading would block forever.
        let refused = limit.read(&path).expect_err("refused").to_string();
        assert!(
            refused.starts_with("it is a named pipe; expected a file"),
            "{refused}"
        );
    }
}
