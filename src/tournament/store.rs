//! The folder with a tournament's results; only this module reads or writes it.
//!
//! | file | holds | written |
//! |---|---|---|
//! | `manifest.json` | what is played, as the caller describes it | once, by [`Store::create`] |
//! | `games.bin` | the finished games, in the order in which they finished | frame by frame, by [`Store::append`] |
//! | others | what is computed from the games | atomically, by [`Store::write_file`] |
//!
//! # `games.bin`
//! Eight bytes, `PWGAMES` and a format version, then one frame per game. Numbers are
//! little-endian.
//!
//! | bytes | what |
//! |---|---|
//! | 4 | marker: `F5 67 D2 9B` |
//! | 4 | length of the payload |
//! | 8 | XXH3-64 of the payload, seeded with its length |
//! | length | payload: bincode 2, standard configuration, of an [`Entry`] |
//!
//! A frame is handed to the operating system whole, so killing the process loses no game that was
//! appended. A power cut may lose some: what follows the last whole frame is then *torn*, and the next
//! [`Store::open`] cuts it off. Every other flaw is *damage*, which is an error and leaves the file as it
//! is.

mod archive;
mod atomic;
mod error;
mod frames;
mod wire;

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

pub use self::archive::Archive;
pub use self::error::{Fault, Flaw, StoreError};
pub use self::wire::{FORMAT_VERSION, MAX_PAYLOAD, encode_record};

use self::frames::Appender;
use self::wire::FILE_HEADER;
use crate::record::Entry;

/// Name of the file that says what is played.
pub const MANIFEST: &str = "manifest.json";

/// Name of the file of finished games.
pub const GAMES: &str = "games.bin";

/// A results folder that this process, and no other, may write to.
#[derive(Debug)]
pub struct Store {
    dir: PathBuf,
    games: Appender<File>,
}

/// What a results folder holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Saved<M> {
    /// What is played.
    pub manifest: M,
    /// The finished games, in the order in which they finished.
    pub games: Archive,
    /// Bytes of a torn frame at the end of `games.bin`, which belong to no entry.
    pub torn: u64,
}

impl Store {
    /// Makes a results folder, with the folders above it, and holds its lock.
    ///
    /// A folder in which an earlier call was interrupted before it wrote the manifest counts as new.
    ///
    /// # Errors
    /// When the folder holds results already, another process writes to it, or it cannot be written.
    pub fn create<M: Serialize>(dir: &Path, manifest: &M) -> Result<Self, StoreError> {
        let path = dir.join(MANIFEST);
        let mut json =
            serde_json::to_vec_pretty(manifest).map_err(|error| StoreError::Manifest {
                path: path.clone(),
                what: error.to_string(),
            })?;
        json.push(b'\n');

        if exists(dir)? {
            return Err(StoreError::HoldsResults(dir.to_owned()));
        }
        fs::create_dir_all(dir).map_err(cannot("be made", dir))?;
        let (mut file, games) = lock_games(dir, true)?;
        // Another process may have created and finished the results since the first check.
        if exists(dir)? {
            return Err(StoreError::HoldsResults(dir.to_owned()));
        }
        let bytes = read_games(&mut file, &games)?;
        if !FILE_HEADER.starts_with(&bytes) {
            return Err(StoreError::NoManifestForGames(games));
        }
        atomic::sweep(dir);
        let appender = Appender::new(file).map_err(cannot("be written", &games))?;
        let store = Self {
            dir: dir.to_owned(),
            games: appender,
        };
        // The manifest comes last: where it exists, the file of games does too.
        store.sync()?;
        store.write_file(MANIFEST, &json)?;
        Ok(store)
    }

    /// Opens a results folder to append to it, holds its lock and cuts off a torn last frame.
    ///
    /// # Errors
    /// When it is not a results folder, another process writes to it, or something in it is damaged or
    /// was written by another version; nothing is changed then.
    pub fn open<M: DeserializeOwned>(dir: &Path) -> Result<(Self, Saved<M>), StoreError> {
        let manifest = read_manifest(dir)?;
        let (mut file, games) = lock_games(dir, false)?;
        let bytes = read_games(&mut file, &games)?;
        let length = bytes.len() as u64;
        let (archive, end) = parse_games(bytes, &games)?;
        atomic::sweep(dir);
        let appender = Appender::resume(file, end).map_err(cannot("be written", &games))?;
        let store = Self {
            dir: dir.to_owned(),
            games: appender,
        };
        Ok((
            store,
            Saved {
                manifest,
                games: archive,
                torn: length - end,
            },
        ))
    }

    /// Appends a finished game; when this returns, killing the process does not lose it.
    ///
    /// # Errors
    /// When the game does not fit into a frame or the file cannot be written; the file then ends
    /// with the game before, and the next call tries again.
    pub fn append(&mut self, entry: &Entry) -> Result<(), StoreError> {
        let path = || self.dir.join(GAMES);
        let frame = frames::frame_of_entry(entry).map_err(|bytes| StoreError::TooLong {
            path: path(),
            bytes,
        })?;
        let written = self.games.append(&frame);
        written.map_err(|error| cannot("be written", &self.dir.join(GAMES))(error))
    }

    /// Waits until the games are on the disk, where a power cut does not lose them.
    ///
    /// # Errors
    /// When the system cannot write them.
    pub fn sync(&self) -> Result<(), StoreError> {
        let synced = self.games.file().sync_all();
        synced.map_err(|error| cannot("be written", &self.dir.join(GAMES))(error))
    }

    /// Waits as [`Self::sync`] does and releases the lock.
    ///
    /// # Errors
    /// When the system cannot write the games.
    pub fn finish(self) -> Result<(), StoreError> {
        self.sync()
    }

    /// Writes or replaces a file of the folder atomically: a reader sees the old or the new one.
    ///
    /// # Errors
    /// When it cannot be written; an old file is still there then.
    pub fn write_file(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        write_file(&self.dir.join(name), bytes)
    }

    /// The folder.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }
}

/// Reads a results folder and changes nothing; a run may be appending to it meanwhile.
///
/// # Errors
/// When it is not a results folder, or something in it is damaged or was written by another version.
pub fn read<M: DeserializeOwned>(dir: &Path) -> Result<Saved<M>, StoreError> {
    let manifest = read_manifest(dir)?;
    let path = dir.join(GAMES);
    let bytes = fs::read(&path).map_err(cannot("be read", &path))?;
    let length = bytes.len() as u64;
    let (games, end) = parse_games(bytes, &path)?;
    Ok(Saved {
        manifest,
        games,
        torn: length - end,
    })
}

/// Reads the manifest alone.
///
/// # Errors
/// When the folder has none, or not one of this type.
pub fn read_manifest<M: DeserializeOwned>(dir: &Path) -> Result<M, StoreError> {
    if !exists(dir)? {
        return Err(StoreError::NoResults(dir.to_owned()));
    }
    let path = dir.join(MANIFEST);
    let bytes = fs::read(&path).map_err(cannot("be read", &path))?;
    let mut json = serde_json::Deserializer::from_slice(&bytes);
    serde_path_to_error::deserialize(&mut json)
        .map_err(|error| error.to_string())
        .and_then(|manifest| {
            json.end().map_err(|error| error.to_string())?;
            Ok(manifest)
        })
        .map_err(|what| StoreError::Manifest { path, what })
}

/// Whether the folder is a results folder: whether it has a manifest.
///
/// # Errors
/// When there is a file in place of the folder, or it cannot be read.
pub fn exists(dir: &Path) -> Result<bool, StoreError> {
    match fs::metadata(dir) {
        Ok(found) if !found.is_dir() => Err(StoreError::NoFolder(dir.to_owned())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(cannot("be read", dir)(error)),
        Ok(_) => {
            let path = dir.join(MANIFEST);
            path.try_exists().map_err(cannot("be read", &path))
        }
    }
}

/// Writes or replaces a file atomically: a reader sees the old or the new one.
///
/// # Errors
/// When it cannot be written; an old file is still there then.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    atomic::replace(path, bytes).map_err(cannot("be written", path))
}

/// Opens and locks `games.bin`. It is never renamed, so all writers lock the same file; the lock ends
/// with the process.
fn lock_games(dir: &Path, create: bool) -> Result<(File, PathBuf), StoreError> {
    let path = dir.join(GAMES);
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(create)
        .truncate(false)
        .open(&path)
        .map_err(cannot("be opened", &path))?;
    match file.try_lock() {
        Ok(()) => Ok((file, path)),
        Err(TryLockError::WouldBlock) => Err(StoreError::InUse(dir.to_owned())),
        Err(TryLockError::Error(error)) => Err(cannot("be locked", &path)(error)),
    }
}

fn read_games(file: &mut File, path: &Path) -> Result<Vec<u8>, StoreError> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)
        .map_err(cannot("be read", path))?;
    Ok(bytes)
}

/// The games of a file, and where the last whole frame ends.
fn parse_games(bytes: Vec<u8>, path: &Path) -> Result<(Archive, u64), StoreError> {
    let parsed = frames::parse(&bytes).map_err(|fault| StoreError::Games {
        path: path.to_owned(),
        fault,
    });
    parsed.map(|(places, end)| (Archive::new(bytes, places), end))
}

fn cannot(what: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> StoreError {
    move |error| StoreError::Io {
        path: path.to_owned(),
        what,
        error,
    }
}

#[cfg(test)]
mod tests;
