//! Folders of agent files, and the names of agents.

use std::path::{Path, PathBuf};

use super::shipped::{self, SHIPPED};
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

/// A folder of agent files.
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

    fn is_shipped(&self) -> bool {
        self.folder == Path::new(shipped::FOLDER)
    }

    /// Whether the folder exists.
    pub fn exists(&self) -> bool {
        self.is_shipped() || self.folder.exists()
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// The agent files in order of name.
    pub fn files(&self) -> Result<Vec<PathBuf>, InputError> {
        if self.is_shipped() {
            let names = SHIPPED.iter().map(|(name, _)| shipped::path(name));
            return Ok(names.collect());
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

    /// The file of the agent with this name, if it exists.
    pub fn find(&self, name: &str) -> Option<PathBuf> {
        if !is_plain_name(name) {
            return None;
        }
        let path = self.folder.join(format!("{name}.toml"));
        shipped::is_file(&path).then_some(path)
    }

    /// `; did you mean NAME?` with the agent whose name is most similar to this one, or nothing.
    pub fn did_you_mean(&self, name: &str) -> String {
        let files = self.files().unwrap_or_default();
        let stems = files.iter().filter_map(|path| path.file_stem()?.to_str());
        let stems = stems.filter(|stem| is_plain_name(stem));
        did_you_mean(name, stems)
    }
}
