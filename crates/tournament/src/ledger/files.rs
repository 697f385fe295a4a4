//! Files of a results folder, and those that a command writes.

use std::ffi::OsString;
use std::fs;
use std::io::{self, BufWriter, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use super::atomic;
use super::error::{TournamentError, cannot};
use super::schema::GAMES;

/// Builds a new results folder under a temporary name and renames it when it is complete, so that an
/// interrupted build can be repeated. Nothing is left of a build that fails.
pub(crate) fn build_folder<T, E: From<TournamentError>>(
    into: &Path,
    build: impl FnOnce(&Path) -> Result<T, E>,
) -> Result<T, E> {
    if !may_become_folder(into) {
        let what = "there is something else; expected a new name or an empty folder";
        let error = io::Error::new(ErrorKind::AlreadyExists, what);
        return Err(cannot("be made", into)(error).into());
    }
    let mut name = OsString::from(".");
    name.push(into.file_name().unwrap_or_default());
    name.push(".unfinished");
    let aside = into.with_file_name(name);
    if aside.exists() {
        fs::remove_dir_all(&aside).map_err(cannot("be removed", &aside))?;
    }
    let above = into.ancestors().skip(1);
    let missing: Vec<&Path> = above.take_while(|dir| !dir.exists()).collect();
    let built = build(&aside);
    let built = built.and_then(|built| {
        fs::rename(&aside, into).map_err(cannot("be made", into))?;
        Ok(built)
    });
    if built.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_dir_all(&aside);
        missing.into_iter().for_each(|dir| {
            let _ = fs::remove_dir(dir);
        });
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
pub(crate) fn is_same(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// The folders without repetitions.
pub(crate) fn distinct(dirs: &[PathBuf]) -> Vec<&Path> {
    let mut all: Vec<&Path> = Vec::new();
    for dir in dirs {
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
pub fn check_foreign(path: &Path) -> Result<(), TournamentError> {
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
        let name = name.to_ascii_lowercase();
        name.strip_prefix(GAMES)
            .is_some_and(|rest| ["", "-wal", "-shm"].contains(&rest))
    });
    let folder = target.parent().unwrap_or(Path::new("/"));
    if own && folder.join(GAMES).exists() {
        return Err(TournamentError::OwnFile(path.to_owned()));
    }
    Ok(())
}

/// Writes or replaces a file atomically: a reader sees either the old or the new file.
///
/// # Errors
/// When it cannot be written; an old file then remains.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), TournamentError> {
    write_file_with(path, |out| out.write_all(bytes))
}

/// Like [`write_file`], for contents that are not in memory all at once.
///
/// # Errors
/// When it cannot be written or `write` fails; an old file then remains.
pub fn write_file_with(
    path: &Path,
    write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>,
) -> Result<(), TournamentError> {
    let written = atomic::replace_with(path, |file| {
        let mut out = BufWriter::new(file);
        write(&mut out)?;
        out.flush()
    });
    written.map_err(cannot("be written", path))
}

/// Removes a file, if there is one.
pub fn remove_file(path: &Path) -> Result<(), TournamentError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(cannot("be removed", path)(error)),
        _ => Ok(()),
    }
}

/// Makes a folder, if there is none, and those above it.
pub fn create_folder(path: &Path) -> Result<(), TournamentError> {
    fs::create_dir_all(path).map_err(cannot("be made", path))
}
