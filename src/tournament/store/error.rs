//! Errors of results folders, one sentence each.

use std::io;
use std::path::PathBuf;

use super::wire::{FORMAT_VERSION, MAGIC, MAX_PAYLOAD};

/// Why a results folder cannot be used.
///
/// Each sentence is complete, so none has a `source`: printing the chain would repeat it.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file stands where the folder should.
    #[error("{} is a file; expected a results folder", .0.display())]
    NoFolder(PathBuf),
    /// The folder is not there or has no manifest.
    #[error("{} is not a results folder: it has no {}", .0.display(), super::MANIFEST)]
    NoResults(PathBuf),
    /// The folder for new results is in use already.
    #[error("{} already holds results; continue them or choose another folder", .0.display())]
    HoldsResults(PathBuf),
    /// The folder for new results has a file of games, or something else of this name.
    #[error(
        "{} is not empty, but there is no {} beside it; restore the manifest or move the folder away",
        .0.display(),
        super::MANIFEST
    )]
    NoManifestForGames(PathBuf),
    /// Another process holds the lock.
    #[error("{}: another process is writing to this folder; wait until it has ended", .0.display())]
    InUse(PathBuf),
    /// The manifest is not what was expected.
    #[error("{} is not a complete manifest: {what}; restore it or move the folder away", path.display())]
    Manifest {
        /// The file.
        path: PathBuf,
        /// The key and what is wrong there.
        what: String,
    },
    /// The file of games is not what was expected.
    #[error("{}: {fault}", path.display())]
    Games {
        /// The file.
        path: PathBuf,
        /// What is wrong and where.
        fault: Fault,
    },
    /// The game takes more bytes than any frame may.
    #[error("{}: a game of {bytes} bytes cannot be stored; the limit is {MAX_PAYLOAD}", path.display())]
    TooLong {
        /// The file.
        path: PathBuf,
        /// The length of the game.
        bytes: usize,
    },
    /// The operating system reports an error.
    #[error("{}: cannot {what}: {error}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What was tried, as in "be read".
        what: &'static str,
        /// What the system says.
        error: io::Error,
    },
}

/// What is wrong with a file of games, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The file begins with other bytes.
    #[error(
        "is not a file of games, or is damaged at byte 0: expected it to begin with '{}'; restore the file or move \
         the folder away",
        MAGIC.escape_ascii()
    )]
    NoGames,
    /// The file has another format.
    #[error(
        "damaged at byte 7, or of another version: it has format {0}, and this program reads {FORMAT_VERSION}"
    )]
    Format(u8),
    /// The file was changed by something other than this program.
    #[error(
        "damaged at byte {offset} (game {game}): {flaw}; restore the file or move the folder away"
    )]
    Damaged {
        /// Where the frame begins.
        offset: u64,
        /// Which frame of the file, from 1.
        game: u64,
        /// What is wrong with the frame.
        flaw: Flaw,
    },
    /// The frame is intact, but was written by a program with another record format.
    #[error(
        "the game at byte {offset} (game {game}) was written by another version of this program: {what}"
    )]
    Undecodable {
        /// Where the frame begins.
        offset: u64,
        /// Which frame of the file, from 1.
        game: u64,
        /// What the decoder says.
        what: String,
    },
}

/// Why bytes are not a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// The file ends too early.
    #[error("the file ends before the game does")]
    Short,
    /// A frame begins with other bytes.
    #[error("no game begins here")]
    Marker,
    /// The length is beyond the limit.
    #[error("the game cannot be {0} bytes long")]
    Length(u32),
    /// The payload, its length or the checksum was changed.
    #[error("the checksum does not match")]
    Checksum,
}
