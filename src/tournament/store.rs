//! The results folder of a tournament; only this module reads or writes it.
//!
//! | file | contents | written |
//! |---|---|---|
//! | `manifest.json` | the description of what is played, given by the caller | once, by [`Store::create`] |
//! | `games.bin` | the finished games, in order of completion | frame by frame, by [`Store::append`] |
//! | others | data computed from the games | atomically, by [`Store::write_file`] |
//!
//! # `games.bin`
//! Eight bytes, `PWGAMES` and a format version, then one frame per game. Numbers are
//! little-endian.
//!
//! | bytes | contents |
//! |---|---|
//! | 4 | marker: `F5 67 D2 9B` |
//! | 4 | length of the payload |
//! | 8 | XXH3-64 of the payload, seeded with its length |
//! | length | payload: bincode 2, standard configuration, of an [`Entry`] |
//!
//! A frame is passed to the operating system as a whole, so killing the process does not lose a
//! game that was appended. A power failure may lose some games: the data after the last complete
//! frame is then *torn*, and the next [`Store::open`] cuts it off. Any other flaw is *damage*,
//! which is an error and leaves the file unchanged.

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

/// Name of the file that describes what is played.
pub const MANIFEST: &str = "manifest.json";

/// Name of the file of finished games.
pub const GAMES: &str = "games.bin";

/// A results folder that is locked for writing by this process.
#[derive(Debug)]
pub struct Store {
    dir: PathBuf,
    games: Appender<File>,
}

/// The contents of a results folder.
#[derive(Clone, Debug, PartialEq)]
pub struct Saved<M> {
    /// The description of what is played.
    pub manifest: M,
    /// The finished games, in the order in which they finished.
    pub games: Archive,
    /// Number of bytes of a torn frame at the end of `games.bin`, which are not part of any entry.
    pub torn: u64,
}

impl Store {
    /// Creates a results folder and its parents, and holds its lock.
    ///
    /// A folder in which an earlier call was interrupted before it wrote the manifest is treated as
    /// new.
    ///
    /// # Errors
    /// When the folder already holds results, another process is writing to it, or it cannot be
    /// written.
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
        // Another process may have created the results and finished since the first check.
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
        // Write the manifest last: if it exists, so does the file of games.
        store.sync()?;
        store.write_file(MANIFEST, &json)?;
        Ok(store)
    }

    /// Opens a results folder for appending, holds its lock and cuts off a torn last frame.
    ///
    /// # Errors
    /// When it is not a results folder, another process is writing to it, or its contents are
    /// damaged or were written by another version. In that case nothing is changed.
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

    /// Appends a finished game; once this returns, killing the process does not lose the game.
    ///
    /// # Errors
    /// When the game does not fit into a frame or the file cannot be written. The file then ends
    /// with the previous game, and the next call tries again.
    pub fn append(&mut self, entry: &Entry) -> Result<(), StoreError> {
        let path = || self.dir.join(GAMES);
        let frame = frames::frame_of_entry(entry).map_err(|bytes| StoreError::TooLong {
            path: path(),
            bytes,
        })?;
        let written = self.games.append(&frame);
        written.map_err(|error| cannot("be written", &self.dir.join(GAMES))(error))
    }

    /// Waits until the games are on disk, so that a power failure does not lose them.
    ///
    /// # Errors
    /// When the operating system cannot write them.
    pub fn sync(&self) -> Result<(), StoreError> {
        let synced = self.games.file().sync_all();
        synced.map_err(|error| cannot("be written", &self.dir.join(GAMES))(error))
    }

    /// Syncs like [`Self::sync`] and releases the lock.
    ///
    /// # Errors
    /// When the operating system cannot write the games.
    pub fn finish(self) -> Result<(), StoreError> {
        self.sync()
    }

    /// Writes or replaces a file of the folder atomically: a reader sees either the old or the new
    /// file.
    ///
    /// # Errors
    /// When it cannot be written; an old file then remains.
    pub fn write_file(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        write_file(&self.dir.join(name), bytes)
    }

    /// The folder.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }
}

/// Reads a results folder without changing it; another process may be appending to it.
///
/// # Errors
/// When it is not a results folder, or its contents are damaged or were written by another version.
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

/// Reads only the manifest.
///
/// # Errors
/// When the folder has no manifest, or it is not of this type.
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

/// Whether the folder is a results folder, that is, has a manifest.
///
/// # Errors
/// When the path is a file, or the folder cannot be read.
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

/// Writes or replaces a file atomically: a reader sees either the old or the new file.
///
/// # Errors
/// When it cannot be written; an old file then remains.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    atomic::replace(path, bytes).map_err(cannot("be written", path))
}

/// Opens and locks `games.bin`. The file is never renamed, so all writers lock the same file. The
/// lock ends with the process.
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

/// The games of a file, and the offset at which the last complete frame ends.
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
