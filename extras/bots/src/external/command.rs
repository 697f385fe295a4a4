//! The command that starts a bot.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use patchwork_engine::util::InputError;

/// The command that starts a bot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BotCommand {
    /// The program and its arguments.
    pub words: Vec<String>,
    /// The working folder.
    pub folder: PathBuf,
    /// Environment variables in addition to those of the arena.
    pub environment: BTreeMap<String, String>,
    /// Resource limits, as commands of the shell.
    pub limits: Vec<String>,
}

impl BotCommand {
    /// A program and its arguments in a working folder, without limits.
    pub fn new(words: Vec<String>, folder: &Path) -> Self {
        Self {
            words,
            folder: folder.to_owned(),
            ..Self::default()
        }
    }

    /// Checks that the working folder exists and the program can be run.
    pub fn check(&self) -> Result<(), InputError> {
        let folder = &self.folder;
        if !folder.is_dir() {
            let what = format_args!("there is no folder {}", folder.display());
            return Err(InputError::at("folder", what));
        }
        let wrong = |what: String| Err(InputError::at("command", what));
        let program = &self.words[0];
        if program.contains('/') {
            let path = folder.join(program.strip_prefix("./").unwrap_or(program));
            return match is_executable(&path) {
                Some(true) => Ok(()),
                Some(false) => wrong(format!("{} is not executable", path.display())),
                None => wrong(format!("there is no file {}", path.display())),
            };
        }
        let own = self.environment.get("PATH").map(Into::into);
        let path = own.or_else(|| std::env::var_os("PATH")).unwrap_or_default();
        let mut folders = std::env::split_paths(&path);
        if folders.any(|at| is_executable(&folder.join(at).join(program)) == Some(true)) {
            return Ok(());
        }
        wrong(format!(
            "there is no program '{program}' in PATH; a program in the folder is written './{program}'"
        ))
    }
}

/// Whether a file is executable; `None` if it does not exist.
fn is_executable(path: &Path) -> Option<bool> {
    use std::os::unix::fs::PermissionsExt as _;
    let found = std::fs::metadata(path)
        .ok()
        .filter(std::fs::Metadata::is_file)?;
    Some(found.permissions().mode() & 0o111 != 0)
}
