//! Atomic file replacement.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

const SUFFIX: &str = ".tmp";

/// Writes a temporary file next to the path, then renames it.
pub(super) fn replace_with(
    path: &Path,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    let temporary = temporary_beside(path)?;
    let written = File::create_new(&temporary).and_then(|mut file| {
        write(&mut file)?;
        // Without this, a power failure may leave an empty file under the new name.
        file.sync_all()?;
        fs::rename(&temporary, path)
    });
    match written {
        Ok(()) => sync_folder_of(path),
        Err(error) => {
            // An error about the temporary file would hide the original error.
            let _ = fs::remove_file(&temporary);
            Err(error)
        }
    }
}

/// Removes temporary files left by killed processes. Failures are ignored, because these files do
/// no harm.
pub(super) fn sweep(dir: &Path) {
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with('.') && name.ends_with(SUFFIX) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// A file name that no other process or thread uses.
pub(super) fn temporary_beside(path: &Path) -> io::Result<PathBuf> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let Some(name) = path.file_name() else {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "it is not a file name",
        ));
    };
    let name = name.to_string_lossy();
    let process = std::process::id();
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    Ok(path.with_file_name(format!(".{name}.{process}-{count}{SUFFIX}")))
}

/// Makes sure that the new name also reaches the disk.
fn sync_folder_of(path: &Path) -> io::Result<()> {
    // A folder can be opened as a file only on Unix.
    if cfg!(unix) {
        let folder = path.parent().filter(|dir| !dir.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
        replace_with(path, |file| file.write_all(bytes))
    }

    fn names(dir: &Path) -> Vec<String> {
        let entries = fs::read_dir(dir).unwrap();
        entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect()
    }

    #[test]
    fn a_file_is_replaced_as_a_whole() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("summary.json");
        replace(&path, b"a long old text").unwrap();
        replace(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(names(dir.path()), ["summary.json"]);
    }

    #[test]
    fn the_old_file_stays_when_writing_fails() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("summary.json");
        replace(&path, b"old").unwrap();
        let error = replace_with(&path, |file| {
            file.write_all(b"ne")?;
            Err(io::ErrorKind::StorageFull.into())
        })
        .unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(dir.path()), ["summary.json"]);
    }

    #[test]
    fn a_folder_in_its_place_stays() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("summary.json");
        fs::create_dir(&path).unwrap();
        replace(&path, b"new").unwrap_err();
        assert_eq!(names(dir.path()), ["summary.json"]);
    }

    #[test]
    fn only_leftovers_are_swept() {
        let dir = tempfile::tempdir().unwrap();
        let keep = dir.path().join("notes.tmp");
        fs::write(&keep, "").unwrap();
        fs::write(temporary_beside(&dir.path().join("a")).unwrap(), "").unwrap();
        assert_eq!(names(dir.path()).len(), 2);
        sweep(dir.path());
        assert_eq!(names(dir.path()), ["notes.tmp"]);
    }
}
