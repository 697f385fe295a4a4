//! Why a tournament cannot be played, kept or read, one sentence each.

use std::io;
use std::path::{Path, PathBuf};

use patchwork_engine::util::InputError;

use super::codec::MAX_RECORD;
use super::schema::{GAMES, SCHEMA};
use crate::planning::game_number::GameNumber;
use crate::planning::manifest::play_version;

/// The error of an operation on this file.
pub(super) fn cannot(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> TournamentError {
    move |error| TournamentError::Io {
        path: path.to_owned(),
        what,
        error,
    }
}

/// Why a tournament cannot be played, or its results folder cannot be used.
///
/// Each message is complete, so there is no `source`: printing the error chain would repeat it.
#[derive(Debug, thiserror::Error)]
pub enum TournamentError {
    /// An agent broke the rules or has lost too many games by faults, a file or a setting is not valid, no thread could be
    /// started, or a fleet cannot be used.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The path is a file instead of a folder.
    #[error("{} is a file; expected a results folder", .0.display())]
    NoFolder(PathBuf),
    /// What is there instead of the file may be endless or never answer.
    #[error("{} is not a plain file; restore it or move the folder away", .0.display())]
    NotPlain(PathBuf),
    /// The file is one of the store's own.
    #[error("{} is the file of a results folder that holds its games or its plan; choose another file", .0.display())]
    OwnFile(PathBuf),
    /// The folder does not exist or has no ledger.
    #[error("{} is not a results folder: it has no {}", .0.display(), GAMES)]
    NoResults(PathBuf),
    /// The file is not a ledger.
    #[error("{} is not a ledger of games; move it away, or choose another folder", .0.display())]
    Foreign(PathBuf),
    /// The ledger has other tables.
    #[error("{} has tables of version {}, and this program reads version {}: use the program that wrote it", .0.display(), .1, SCHEMA)]
    OtherSchema(PathBuf, i64),
    /// The folder for new results already holds results.
    #[error("{} already holds results; continue them or choose another folder", .0.display())]
    HoldsResults(PathBuf),
    /// Another program holds a lock of the database.
    #[error("{} is locked by another program; end what it does there, then try again", .0.display())]
    Locked(PathBuf),
    /// Other names lead to the file, beside which others may keep a log.
    #[error("{} is a link or has several names; expected a file of its own, because the other name has no lock: put a copy in its place", .0.display())]
    Linked(PathBuf),
    /// Another process holds the lock.
    #[error("{}: another process is writing to this folder; wait until it has ended", .0.display())]
    InUse(PathBuf),
    /// The manifest is not valid.
    #[error("{}: the manifest is not valid: {what}; restore the file, or save its games with `patchwork-arena import DIR --tournament FILE --into NEW`", path.display())]
    Manifest {
        /// The file.
        path: PathBuf,
        /// The key and what is wrong with it.
        what: String,
    },
    /// The ledger was changed by something other than this program.
    #[error(
        "{}: damaged: {what}; restore the file, or save its whole games with `patchwork-arena import DIR --into NEW`; \
         add `--tournament FILE` with the tournament's file if its plan is damaged, too",
        path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        what: String,
    },
    /// An error reported by the database.
    #[error("{}: cannot {what}: {text}", path.display())]
    Database {
        /// The file.
        path: PathBuf,
        /// The attempted operation, as in "be read".
        what: &'static str,
        /// What the database says.
        text: String,
    },
    /// The folder or its file was removed or replaced while games were written to it.
    #[error("{} was removed or replaced while this tournament ran; nothing more can be saved there", .0.display())]
    Gone(PathBuf),
    /// The game takes more bytes than a frame may hold.
    #[error("{}: a game of {bytes} bytes cannot be stored; the limit is {MAX_RECORD}", path.display())]
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
    #[error("{}: {what}", dir.display())]
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

impl TournamentError {
    /// Whether parts of the file may be lost.
    pub(crate) const fn is_damage(&self) -> bool {
        matches!(
            self,
            Self::Damaged { .. } | Self::Manifest { .. } | Self::Foreign(_) | Self::OtherSchema(..)
        )
    }

    /// What does not match in a folder.
    pub(crate) fn mixed(dir: &Path, what: String) -> Self {
        let dir = dir.to_owned();
        Self::Mixed { dir, what }
    }

    /// What is wrong with a game of a ledger, by its number there.
    pub(crate) fn game(dir: &Path, game: GameNumber, what: &str) -> Self {
        Self::mixed(dir, format!("the game {game} of the ledger: {what}"))
    }
}

/// Of the kind [`io::ErrorKind::InvalidData`]: what was to be written could not be read.
impl From<TournamentError> for io::Error {
    fn from(error: TournamentError) -> Self {
        Self::new(io::ErrorKind::InvalidData, error)
    }
}

impl From<TournamentError> for InputError {
    fn from(error: TournamentError) -> Self {
        match error {
            TournamentError::Input(error) => error,
            error => Self::new(error.to_string()),
        }
    }
}
