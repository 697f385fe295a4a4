//! The results folder of a tournament; only this module reads or writes it.
//!
//! | file | contents | written |
//! |---|---|---|
//! | `manifest.json` | the description of what is played, given by the caller | atomically, by [`Store::create`] and when the plan grows |
//! | `games.bin` | the finished games, in order of completion | frame by frame, by [`Store::append`] |
//! | others | data computed from the games | atomically, by [`Store::write_file`] |
//!
//! # `games.bin`
//! Sixteen bytes, then one frame per game. The first bytes are `PWGAMES`, a format version of one byte
//! and the [version of play](super::PLAY) of eight. Numbers are little-endian.
//!
//! | bytes | contents |
//! |---|---|
//! | 4 | marker: `F5 67 D2 9B` |
//! | 4 | length of the payload |
//! | 8 | XXH3-64 of the payload, seeded with its length |
//! | length | payload: a [`GameAddress`] in bincode 2, standard configuration; then the record and the times of an [`Entry`]; then its sections |
//!
//! Before the record is a byte. After 1, record and times are [packed](patchwork_engine::record::pack): the ring, the
//! number of each action among the legal ones, the times and thoughts. The rest follows from the rules, so such a game
//! is legal. After 0, which is for anything else, they are in bincode. In a file of format 3, they are in bincode without
//! a byte before them. Such a file is read and continued; merging writes a file of the current format.
//!
//! A section is what only some games have: a tag of one byte, a length of four, and as many bytes. Sections
//! come in the order of their tags, each at most once, and one without contents is left out.
//!
//! | tag | contents |
//! |---|---|
//! | 1 | the considered actions: the number of each ply, then the actions of all plies, in bincode |
//! | 2 | the termination: the loser (0 first, 1 second) and the number of the fault, in bincode |
//! | 3 | the error output: the text of the first and of the second player's program, in bincode |
//! | 4 | the actions that bots expected: the number of each ply, then the actions of all plies, in bincode |
//!
//! The address says which game it is, so a file of games means the same beside any manifest.
//! A frame is passed to the operating system as a whole, so killing the process does not lose a
//! game that was appended. A frame that the file ends within is *torn*, and so are zeros after the last complete
//! frame, which a power failure may leave: the next [`Store::open`] cuts them off. Any other flaw is *damage*,
//! which is an error and leaves the file unchanged.

mod archive;
mod atomic;
mod error;
mod frames;
mod payload;
mod sections;
mod wire;

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, ErrorKind, Read as _, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

pub use self::archive::Archive;
pub use self::error::{Fault, Flaw, StoreError};
pub use self::frames::{Scanned, StoredGame, frame_of_game, games_of_frames};
pub use self::wire::{FORMAT_VERSION, GamesFormat, MAX_FRAME, MAX_PAYLOAD};

pub(crate) use self::payload::encode_record;

pub(super) use self::archive::FrameSpan;
pub(super) use self::payload::{comparable, record_digest};

use patchwork_engine::record::Entry;
use patchwork_engine::util::limits;

use self::error::cannot;
use self::frames::{Appender, scan};
use self::wire::{FILE_HEADER, file_header};
use super::identity::{GameAddress, PLAY};

/// Name of the file that describes what is played.
pub const MANIFEST: &str = "manifest.json";

/// Name of the file of finished games.
pub const GAMES: &str = "games.bin";

/// A results folder that is locked for writing by this process.
#[derive(Debug)]
pub struct Store {
    dir: PathBuf,
    games: Appender<File>,
    /// The format in which games are appended, that of the file.
    format: GamesFormat,
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
        let json = manifest_json(dir, manifest)?;
        if exists(dir)? {
            return Err(StoreError::HoldsResults(dir.to_owned()));
        }
        create_folder(dir)?;
        let (mut file, games) = lock_games(dir, true)?;
        // Another process may have created the results and finished since the first check.
        if exists(dir)? {
            return Err(StoreError::HoldsResults(dir.to_owned()));
        }
        let mut bytes = Vec::new();
        let most = FILE_HEADER as u64 + 1;
        let read = (&mut file).take(most).read_to_end(&mut bytes);
        read.map_err(cannot("be read", &games))?;
        if !file_header(PLAY).starts_with(&bytes) {
            return Err(StoreError::NoManifestForGames(games));
        }
        atomic::sweep(dir);
        let appender = Appender::new(file, PLAY).map_err(cannot("be written", &games))?;
        let store = Self {
            dir: dir.to_owned(),
            games: appender,
            format: GamesFormat::CURRENT,
        };
        // Write the manifest last: if it exists, so does the file of games.
        store.sync()?;
        store.write_file(MANIFEST, &json)?;
        Ok(store)
    }

    /// Opens a results folder for appending, holds its lock and cuts off a torn last frame. `visit` is
    /// called for each game and may refuse it; what it returns is passed to `collect`. Also returns the file for
    /// reading.
    ///
    /// # Errors
    /// When it is not a results folder, another process is writing to it, its games are damaged or
    /// were written by another version, or `visit` refuses a game. In that case nothing is changed.
    pub fn open<T: Send>(
        dir: &Path,
        visit: impl Fn(StoredGame<'_>) -> Result<T, String> + Sync,
        collect: impl FnMut(T),
    ) -> Result<(Self, Scanned, Arc<File>), StoreError> {
        if !exists(dir)? {
            return Err(StoreError::NoResults(dir.to_owned()));
        }
        let (file, games) = lock_games(dir, false)?;
        let scanned = scan(&file, &games, visit, collect)?;
        atomic::sweep(dir);
        let appender = match scanned.play {
            None => Appender::new(file, PLAY),
            Some(_) => Appender::resume(file, scanned.end),
        };
        let store = Self {
            dir: dir.to_owned(),
            games: appender.map_err(cannot("be written", &games))?,
            format: scanned.format,
        };
        let reader = store.reader()?;
        Ok((store, scanned, reader))
    }

    /// Appends a finished game; once this returns, killing the process does not lose the game. Returns the
    /// bytes of the file that hold the encoded entry.
    ///
    /// # Errors
    /// When the game does not fit into a frame, the file cannot be written, or the folder was removed
    /// or replaced. The file then ends with the previous game, and the next call tries again.
    pub fn append(
        &mut self,
        address: &GameAddress,
        entry: &Entry,
    ) -> Result<Range<u64>, StoreError> {
        let path = || self.dir.join(GAMES);
        let frame = frames::frame_of_game(self.format, address, entry);
        let frame = frame.map_err(|bytes| StoreError::TooLong {
            path: path(),
            bytes,
        })?;
        if !is_file_at(self.games.file(), &path()) {
            return Err(StoreError::Gone(self.dir.clone()));
        }
        let written = self.games.append(&frame);
        written.map_err(|error| cannot("be written", &path())(error))?;
        let end = self.games.end();
        Ok(end - frames::entry_length(&frame, address)..end)
    }

    /// Replaces the games by these, in this order and encoded in the current format, and releases the lock: a reader sees
    /// either the old or the new games.
    ///
    /// # Errors
    /// When the file cannot be written; the old one then remains.
    pub(super) fn replace_games(
        self,
        games: impl Iterator<Item = (GameAddress, Vec<u8>)>,
    ) -> Result<(), StoreError> {
        let path = self.dir.join(GAMES);
        let written = atomic::replace_with(&path, |file| {
            let mut out = BufWriter::new(file);
            out.write_all(&file_header(PLAY))?;
            for (address, encoded) in games {
                let frame = frames::frame_of_encoded(&address, &encoded);
                let frame = frame.map_err(|bytes| {
                    io::Error::other(format!(
                        "a game of {bytes} bytes; the limit is {MAX_PAYLOAD}"
                    ))
                })?;
                out.write_all(&frame)?;
            }
            out.flush()
        });
        written.map_err(cannot("be written", &path))
    }

    /// Replaces the description of what is played.
    ///
    /// # Errors
    /// When it cannot be written; the old one then remains.
    pub(crate) fn write_manifest(&self, manifest: &impl Serialize) -> Result<(), StoreError> {
        self.write_file(MANIFEST, &manifest_json(&self.dir, manifest)?)
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

    /// Appends text to a file of the folder, which is created if it does not exist.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn append_text(&self, name: &str, text: &str) -> Result<(), StoreError> {
        let path = self.dir.join(name);
        check_plain(&path)?;
        let file = OpenOptions::new().append(true).create(true).open(&path);
        file.and_then(|mut file| file.write_all(text.as_bytes()))
            .map_err(cannot("be written", &path))
    }

    /// The format of the file of games.
    pub(super) const fn format(&self) -> GamesFormat {
        self.format
    }

    /// The file of games for reading.
    pub(super) fn reader(&self) -> Result<Arc<File>, StoreError> {
        Ok(Arc::new(open_file(&self.dir, GAMES)?))
    }

    /// The folder.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }
}

/// Reads the games of a results folder without changing it. Another process may be appending to it: the games are those
/// that were complete when reading began.
/// `visit` is called for each game and may refuse it; what it returns is passed to `collect`. Also returns the
/// file.
///
/// # Errors
/// When it is not a results folder, its games are damaged or were written by another version, or
/// `visit` refuses a game.
pub fn read_games<T: Send>(
    dir: &Path,
    visit: impl Fn(StoredGame<'_>) -> Result<T, String> + Sync,
    collect: impl FnMut(T),
) -> Result<(Scanned, Arc<File>), StoreError> {
    if !exists(dir)? {
        return Err(StoreError::NoResults(dir.to_owned()));
    }
    let (path, file) = (dir.join(GAMES), open_file(dir, GAMES)?);
    let end = file.metadata().map_err(cannot("be read", &path))?.len();
    let scanned = scan((&file).take(end), &path, visit, collect)?;
    Ok((scanned, Arc::new(file)))
}

/// Reads the manifest.
///
/// # Errors
/// When the folder has no manifest, or it is not of this type.
pub(crate) fn read_manifest<M: DeserializeOwned>(dir: &Path) -> Result<M, StoreError> {
    if !exists(dir)? {
        return Err(StoreError::NoResults(dir.to_owned()));
    }
    let path = dir.join(MANIFEST);
    check_plain(&path)?;
    let bytes = limits::MANIFEST
        .read(&path)
        .map_err(cannot("be read", &path))?;
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

/// Builds a new results folder under a temporary name and renames it when it is complete, so that an
/// interrupted build can be repeated. Nothing is left of a build that fails.
///
/// # Errors
/// When `build` fails, or there is something else under the name already.
pub(super) fn build_folder<E: From<StoreError>>(
    into: &Path,
    build: impl FnOnce(&Path) -> Result<(), E>,
) -> Result<(), E> {
    if !may_become_folder(into) {
        let what = "there is something else; expected a new name or an empty folder";
        let error = std::io::Error::new(ErrorKind::AlreadyExists, what);
        return Err(cannot("be made", into)(error).into());
    }
    let mut name = OsString::from(".");
    name.push(into.file_name().unwrap_or_default());
    name.push(".unfinished");
    let aside = into.with_file_name(name);
    if aside.exists() {
        fs::remove_dir_all(&aside).map_err(cannot("be removed", &aside))?;
    }
    let built = build(&aside);
    let built = built.and_then(|()| Ok(fs::rename(&aside, into).map_err(cannot("be made", into))?));
    if built.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_dir_all(&aside);
    }
    built
}

/// Whether there is nothing at a path, or an empty folder.
fn may_become_folder(path: &Path) -> bool {
    match fs::read_dir(path) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) => error.kind() == ErrorKind::NotFound,
    }
}

/// Whether two paths lead to the same existing folder.
pub(super) fn is_same(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// The folders without repetitions, starting with `own`.
pub(super) fn distinct<'a>(dirs: &'a [PathBuf], own: Option<&'a Path>) -> Vec<&'a Path> {
    let mut all: Vec<&Path> = Vec::new();
    for dir in own.into_iter().chain(dirs.iter().map(PathBuf::as_path)) {
        if !all.iter().any(|other| is_same(dir, other)) {
            all.push(dir);
        }
    }
    all
}

/// Checks that a path is not a file of a results folder that only the store itself may write.
///
/// # Errors
/// When it is, also through links.
pub fn check_foreign(path: &Path) -> Result<(), StoreError> {
    let target = fs::canonicalize(path);
    let target = target.or_else(|_| {
        let name = path.file_name().ok_or(ErrorKind::InvalidInput)?;
        let folder = path.parent().filter(|folder| *folder != Path::new(""));
        Ok::<_, std::io::Error>(fs::canonicalize(folder.unwrap_or(Path::new(".")))?.join(name))
    });
    // A path that leads nowhere fails when it is written.
    let Ok(target) = target else { return Ok(()) };
    let name = target.file_name().and_then(|name| name.to_str());
    let own = name.is_some_and(|name| {
        [MANIFEST, GAMES]
            .iter()
            .any(|own| name.eq_ignore_ascii_case(own))
    });
    let folder = target.parent().unwrap_or(Path::new("/"));
    let is_store = || folder.join(MANIFEST).exists() || folder.join(GAMES).exists();
    if own && is_store() {
        return Err(StoreError::OwnFile(path.to_owned()));
    }
    Ok(())
}

/// Writes or replaces a file atomically: a reader sees either the old or the new file.
///
/// # Errors
/// When it cannot be written; an old file then remains.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    write_file_with(path, |out| out.write_all(bytes))
}

/// Like [`write_file`], for contents that are not in memory all at once.
///
/// # Errors
/// When it cannot be written or `write` fails; an old file then remains.
pub fn write_file_with(
    path: &Path,
    write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>,
) -> Result<(), StoreError> {
    let written = atomic::replace_with(path, |file| {
        let mut out = BufWriter::new(file);
        write(&mut out)?;
        out.flush()
    });
    written.map_err(cannot("be written", path))
}

/// Removes a file, if there is one.
///
/// # Errors
/// When it cannot be removed.
pub fn remove_file(path: &Path) -> Result<(), StoreError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(cannot("be removed", path)(error)),
        _ => Ok(()),
    }
}

/// Makes a folder, if there is none, and those above it.
///
/// # Errors
/// When it cannot be made.
pub fn create_folder(path: &Path) -> Result<(), StoreError> {
    fs::create_dir_all(path).map_err(cannot("be made", path))
}

fn manifest_json(dir: &Path, manifest: &impl Serialize) -> Result<Vec<u8>, StoreError> {
    let mut json = serde_json::to_vec_pretty(manifest).map_err(|error| StoreError::Manifest {
        path: dir.join(MANIFEST),
        what: error.to_string(),
    })?;
    json.push(b'\n');
    Ok(json)
}

/// Checks that there is a plain file or nothing at a path: what else is there may be endless or never answer.
fn check_plain(path: &Path) -> Result<(), StoreError> {
    match fs::metadata(path) {
        Ok(found) if !found.is_file() => Err(StoreError::NotPlain(path.to_owned())),
        _ => Ok(()),
    }
}

/// Opens a file of a folder for reading.
fn open_file(dir: &Path, name: &str) -> Result<File, StoreError> {
    let path = dir.join(name);
    check_plain(&path)?;
    File::open(&path).map_err(cannot("be read", &path))
}

/// Whether a program holds the lock of a folder.
pub(crate) fn is_locked(dir: &Path) -> bool {
    open_file(dir, GAMES)
        .is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

/// Opens and locks `games.bin`. The file is never renamed, so all writers lock the same file. The
/// lock ends with the process.
fn lock_games(dir: &Path, create: bool) -> Result<(File, PathBuf), StoreError> {
    let path = dir.join(GAMES);
    check_plain(&path)?;
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

/// Whether the path still leads to this open file.
#[cfg(unix)]
fn is_file_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let identity = |found: fs::Metadata| (found.dev(), found.ino());
    match (
        file.metadata().map(identity),
        fs::metadata(path).map(identity),
    ) {
        (Ok(open), Ok(there)) => open == there,
        _ => false,
    }
}

/// On this platform, only checks that a file exists at the path.
#[cfg(not(unix))]
fn is_file_at(_: &File, path: &Path) -> bool {
    path.exists()
}

#[cfg(test)]
mod tests;
