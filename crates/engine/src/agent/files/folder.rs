//! Folders of agent files, and the names of agents.

use std::path::{Path, PathBuf};

use super::shipped;
use crate::util::InputError;
use crate::util::suggest::did_you_mean;

/// The characters that [`is_plain_name`] accepts, in words.
pub const PLAIN_NAME: &str = "letters, digits, '-', '_' and '.'";

/// Whether a name of an agent or tournament is a valid file name on every system and is readable in
/// a table: letters, digits, `-`, `_` and `.`, not starting with a dot, at most 100 characters.
pub fn is_plain_name(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    !name.is_empty() && name.len() <= 100 && !name.starts_with('.') && name.chars().all(plain)
}

/// Whether an entry names an agent file by its path instead of its name.
pub fn is_path(entry: &str) -> bool {
    entry.contains(['/', '\\']) || entry.ends_with(".toml")
}

/// A folder of agent files. A folder `archive` inside it has frozen versions, which are found by their names; lists and
/// patterns leave them out.
#[derive(Clone, Debug)]
pub struct AgentFolder {
    folder: PathBuf,
}

impl AgentFolder {
    /// The agents in this folder, which does not have to exist.
    pub const fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// The agents that are built into the program.
    pub fn shipped() -> Self {
        Self::new(PathBuf::from(shipped::FOLDER))
    }

    /// The frozen versions of this folder, in a folder that does not have to exist.
    pub fn archive(&self) -> Self {
        Self::new(self.folder.join(shipped::ARCHIVE))
    }

    /// Whether the folder exists.
    pub fn exists(&self) -> bool {
        shipped::agents(&self.folder).is_some() || self.folder.exists()
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// The agent files in order of name.
    pub fn files(&self) -> Result<Vec<PathBuf>, InputError> {
        if let Some(agents) = shipped::agents(&self.folder) {
            return Ok(agents.iter().map(|(name, _)| self.file(name)).collect());
        }
        let unreadable = |error: std::io::Error| {
            InputError::in_file(
                &self.folder,
                format!("the folder of agents cannot be read: {error}"),
            )
        };
        let mut files = Vec::new();
        for entry in std::fs::read_dir(&self.folder).map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            if path
                .extension()
                .is_some_and(|extension| extension == "toml")
            {
                files.push(path);
            }
        }
        files.sort_by(|a, b| a.file_stem().cmp(&b.file_stem()));
        Ok(files)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.toml"))
    }

    /// The file of the agent with this name, if it exists, here or in the archive.
    pub fn find(&self, name: &str) -> Option<PathBuf> {
        is_plain_name(name).then(|| self.find_file(name))?
    }

    /// The file NAME.toml, if it exists, here or in the archive.
    pub(super) fn find_file(&self, name: &str) -> Option<PathBuf> {
        let mut paths = [self.file(name), self.archive().file(name)].into_iter();
        paths.find(|path| shipped::is_file(path))
    }

    /// `; did you mean NAME?` with the agent whose name is most similar to this one, or nothing.
    pub fn did_you_mean(&self, name: &str) -> String {
        let archived = self.archive().files().unwrap_or_default();
        let files = self.files().unwrap_or_default();
        let all = files.iter().chain(&archived);
        let stems = all.filter_map(|path| path.file_stem()?.to_str());
        let stems = stems.filter(|stem| is_plain_name(stem));
        did_you_mean(name, stems)
    }
}
