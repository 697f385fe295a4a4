//! Errors of results folders, one sentence each.

use std::io;
use std::path::{Path, PathBuf};

use patchwork_engine::util::InputError;

use super::wire::{FORMAT_VERSION, MAGIC, MAX_PAYLOAD, OLDEST_FORMAT};
use crate::tournament::manifest::play_version;

/// The error of an operation on this file.
pub(super) fn cannot(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> StoreError {
    move |error| StoreError::Io {
        path: path.to_owned(),
        what,
        error,
    }
}

/// Why a results folder cannot be used.
///
/// Each message is complete, so there is no `source`: printing the error chain would repeat it.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The path is a file instead of a folder.
    #[error("{} is a file; expected a results folder", .0.display())]
    NoFolder(PathBuf),
    /// What is there instead of the file may be endless or never answer.
    #[error("{} is not a plain file; restore it or move the folder away", .0.display())]
    NotPlain(PathBuf),
    /// The file is one of the store's own.
    #[error("{} is the file of a results folder that holds its games or its plan; choose another file", .0.display())]
    OwnFile(PathBuf),
    /// The folder does not exist or has no manifest.
    #[error("{} is not a results folder: it has no {}", .0.display(), super::MANIFEST)]
    NoResults(PathBuf),
    /// The folder for new results already holds results.
    #[error("{} already holds results; continue them or choose another folder", .0.display())]
    HoldsResults(PathBuf),
    /// The folder for new results contains a games file, or something else with its name.
    #[error(
        "{} is not empty, but there is no {} beside it; restore the manifest or move the folder away",
        .0.display(),
        super::MANIFEST
    )]
    NoManifestForGames(PathBuf),
    /// Another process holds the lock.
    #[error("{}: another process is writing to this folder; wait until it has ended", .0.display())]
    InUse(PathBuf),
    /// The manifest is not valid.
    #[error("{} is not a complete manifest: {what}; restore it or move the folder away", path.display())]
    Manifest {
        /// The file.
        path: PathBuf,
        /// The key and what is wrong with it.
        what: String,
    },
    /// The games file is not valid.
    #[error("{}: {fault}", path.display())]
    Games {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        fault: Fault,
    },
    /// The folder was removed or replaced while games were written to it.
    #[error("{} was removed or replaced while this tournament ran; nothing more can be saved there", .0.display())]
    Gone(PathBuf),
    /// The game takes more bytes than a frame may hold.
    #[error("{}: a game of {bytes} bytes cannot be stored; the limit is {MAX_PAYLOAD}", path.display())]
    TooLong {
        /// The file.
        path: PathBuf,
        /// The size of the game in bytes.
        bytes: usize,
    },
    /// The folder belongs to another plan.
    #[error(
        "{} holds the results of another plan ({what}): rename this tournament or move the folder away",
        dir.display()
    )]
    OtherPlan {
        /// The folder.
        dir: PathBuf,
        /// How the plans differ.
        what: String,
    },
    /// The games have another version of play.
    #[error(
        "{} holds games of version {version}, whose version of play is {play}; this program has {}: \
         its agents play differently; rename this tournament or move the folder away",
        dir.display(),
        play_version()
    )]
    OtherPlay {
        /// The folder.
        dir: PathBuf,
        /// The version that started it.
        version: String,
        /// The version of play of its games.
        play: String,
    },
    /// The games do not match the manifest.
    #[error("{}: {what}: the folder's files do not belong together", dir.display())]
    Mixed {
        /// The folder.
        dir: PathBuf,
        /// What does not match.
        what: String,
    },
    /// An error reported by the operating system.
    #[error("{}: cannot {what}: {error}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The attempted operation, as in "be read".
        what: &'static str,
        /// The system error.
        error: io::Error,
    },
}

impl From<StoreError> for InputError {
    fn from(error: StoreError) -> Self {
        Self::new(error.to_string())
    }
}

/// What is wrong with a games file, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The file does not begin with the expected bytes.
    #[error(
        "is not a file of games, or is damaged at byte 0: expected it to begin with '{}'; restore the file or move \
         the folder away",
        MAGIC.escape_ascii()
    )]
    NoGames,
    /// The file has a different format version.
    #[error(
        "damaged at byte 7, or of another version: it has format {0}, and this program reads \
         {OLDEST_FORMAT} to {FORMAT_VERSION}"
    )]
    Format(u8),
    /// The file was changed by something other than this program.
    #[error(
        "damaged at byte {offset} (game {game}): {flaw}; restore the file or move the folder away"
    )]
    Damaged {
        /// The offset at which the frame begins.
        offset: u64,
        /// The number of the frame in the file, from 1.
        game: u64,
        /// What is wrong with the frame.
        flaw: Flaw,
    },
    /// The frame is intact, but was written by a program with another record format.
    #[error(
        "the game at byte {offset} (game {game}) was written by another version of this program: {what}"
    )]
    Undecodable {
        /// The offset at which the frame begins.
        offset: u64,
        /// The number of the frame in the file, from 1.
        game: u64,
        /// The decoder's error.
        what: String,
    },
    /// The game is intact, but belongs to another tournament.
    #[error("the game at byte {offset} (game {game}) does not belong to this folder: {what}")]
    Foreign {
        /// The offset at which the frame begins.
        offset: u64,
        /// The number of the frame in the file, from 1.
        game: u64,
        /// What does not match.
        what: String,
    },
}

/// Why bytes are not a valid frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// The file ends too early.
    #[error("the file ends before the game does")]
    Short,
    /// The frame does not begin with the marker.
    #[error("no game begins here")]
    Marker,
    /// The length exceeds the limit.
    #[error("the game cannot be {0} bytes long")]
    Length(u32),
    /// The payload, its length or the checksum was altered.
    #[error("the checksum does not match")]
    Checksum,
}
