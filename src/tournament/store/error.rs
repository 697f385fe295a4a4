//! What can be wrong with a results folder, each in one sentence.

use std::io;
use std::path::PathBuf;

use super::frames::{FORMAT_VERSION, MAGIC, MAX_PAYLOAD};

/// Why a results folder cannot be used.
///
/// The sentence of each is complete, so none has a `source`: printing the chain would say it twice.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file stands where the folder should.
    #[error("{} is a file, and a results folder was expected", .0.display())]
    NoFolder(PathBuf),
    /// The folder is not there or has no manifest.
    #[error("{} is no results folder: it has no {}", .0.display(), super::MANIFEST)]
    NoResults(PathBuf),
    /// A new folder was asked for and this one is none.
    #[error("{} holds results already: resume them, or name another folder", .0.display())]
    HoldsResults(PathBuf),
    /// A new folder was asked for and this one has a file of games, or of something else.
    #[error(
        "{} is not empty, but there is no {} beside it; restore that or move the folder away",
        .0.display(),
        super::MANIFEST
    )]
    NoManifestForGames(PathBuf),
    /// Somebody else holds the lock.
    #[error("{}: another process is writing to this folder; wait until it has ended", .0.display())]
    InUse(PathBuf),
    /// The manifest is not what was expected.
    #[error("{} is no complete manifest: {what}; restore it or move the folder away", path.display())]
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
    #[error("{}: a game of {bytes} bytes cannot be kept, at most {MAX_PAYLOAD} are possible", path.display())]
    TooLong {
        /// The file.
        path: PathBuf,
        /// What the game takes.
        bytes: usize,
    },
    /// The system refuses.
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
        "is no file of games, or damaged at byte 0: it should begin with '{}'; restore the file or move \
         the folder away",
        MAGIC.escape_ascii()
    )]
    NoGames,
    /// The file has another format.
    #[error(
        "damaged at byte 7, or of another version: it has format {0}, this program reads {FORMAT_VERSION}"
    )]
    Format(u8),
    /// The file was changed by something else than this program.
    #[error(
        "damaged at byte {offset} (game {game}): {flaw}; restore the file or move the folder away"
    )]
    Damaged {
        /// Where the frame begins.
        offset: u64,
        /// Which frame of the file, from 1 on.
        game: u64,
        /// What is wrong with the frame.
        flaw: Flaw,
    },
    /// The frame is as it was written, but not by a program that keeps games as this one does.
    #[error(
        "the game at byte {offset} (game {game}) was written by another version of this program: {what}"
    )]
    Undecodable {
        /// Where the frame begins.
        offset: u64,
        /// Which frame of the file, from 1 on.
        game: u64,
        /// What the decoder says.
        what: String,
    },
}

/// Why bytes are no frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// The file ends too early.
    #[error("the file ends before the game does")]
    Short,
    /// A frame begins with other bytes.
    #[error("no game begins here")]
    Marker,
    /// No frame is that long.
    #[error("the game cannot be {0} bytes long")]
    Length(u32),
    /// The payload, its length or the checksum was changed.
    #[error("the checksum does not match")]
    Checksum,
}
