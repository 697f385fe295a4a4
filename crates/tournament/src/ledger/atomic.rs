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
    sweep_of(path, &name);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    Ok(path.with_file_name(format!(".{name}.{process}-{count}{SUFFIX}")))
}

/// Removes the temporary files of a file that processes left which no longer run. Failures are ignored.
#[cfg(unix)]
fn sweep_of(path: &Path, name: &str) {
    use rustix::process::{Pid, test_kill_process};

    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty());
    let dir = fs::read_dir(dir.unwrap_or(Path::new(".")));
    for entry in dir.into_iter().flatten().flatten() {
        let found = entry.file_name();
        let process = found.to_str().and_then(|found| {
            let rest = found.strip_prefix('.')?.strip_prefix(name)?;
            let (process, _) = rest
                .strip_prefix('.')?
                .strip_suffix(SUFFIX)?
                .split_once('-')?;
            Pid::from_raw(process.parse().ok()?)
        });
        let is_gone = |process| test_kill_process(process) == Err(rustix::io::Errno::SRCH);
        if process.is_some_and(is_gone) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// On this platform, they remain.
#[cfg(not(unix))]
fn sweep_of(_path: &Path, _name: &str) {}

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

    /// A process that was killed leaves its file to the next one that writes there.
    #[cfg(unix)]
    #[test]
    fn what_killed_processes_left_is_removed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("games.csv");
        let mut ended = std::process::Command::new("true").spawn().unwrap();
        ended.wait().unwrap();
        let (gone, alive) = (ended.id(), std::process::id());
        let others = [
            format!(".games.csv.{alive}-999{SUFFIX}"),
            format!(".other.csv.{gone}-0{SUFFIX}"),
        ];
        let left = format!(".games.csv.{gone}-7{SUFFIX}");
        for name in others.iter().chain([&left]) {
            fs::write(dir.path().join(name), "half").unwrap();
        }
        replace(&path, b"whole").unwrap();
        let mut expected = [&others[..], &["games.csv".to_owned()]].concat();
        let mut found = names(dir.path());
        expected.sort();
        found.sort();
        assert_eq!(found, expected);
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
}
