//! Where to look for agents that a file or the command line names, and the settings that all of them have.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use super::agent_file::AgentFile;
use super::folder::{AgentFolder, is_path, is_plain_name};
use super::variant::Overrides;
use crate::agent::settings::AgentSettings;
use crate::util::InputError;
use crate::util::config::Mistakes;

/// The folders searched for named agents and relative paths, and the settings common to the agents found there.
#[derive(Clone, Debug)]
pub struct AgentPaths {
    /// Folders searched for agent names, in order of preference.
    folders: Vec<AgentFolder>,
    /// Base folders of relative paths, in order of preference.
    bases: Vec<PathBuf>,
    /// The budget of all agents that have one.
    budget: Option<toml::Table>,
    /// Settings of all agents, which replace those in their names.
    set: Overrides,
}

/// The error for a person where an agent is expected.
fn a_person(name: &str) -> String {
    format!(
        "{name} is a person, who can only play with `patchwork-arena play` and `patchwork-arena web`"
    )
}

impl AgentPaths {
    /// Search paths for the command line: the folder `agents` in the current directory, then the shipped
    /// agents; or `folder` alone.
    pub fn here(folder: Option<&Path>) -> Self {
        let folders = match folder {
            Some(folder) => vec![AgentFolder::new(folder.to_owned())],
            None => vec![
                AgentFolder::new(PathBuf::from("agents")),
                AgentFolder::shipped(),
            ],
        };
        Self {
            folders,
            bases: vec![PathBuf::new()],
            budget: None,
            set: Overrides::default(),
        }
    }

    /// The same folders, from which all agents that have a budget get this one, such as `iterations = 100`. Agents
    /// keep their names; it is an error if a name sets a budget.
    pub fn with_budget(self, budget: Option<toml::Table>) -> Self {
        Self { budget, ..self }
    }

    /// The same folders, from which all agents get these settings. Their names show them. Agents without a budget do not get
    /// one, if another agent of the same list has one.
    pub fn with_set(self, set: Overrides) -> Self {
        Self { set, ..self }
    }

    /// Search paths for a file that names agents, such as a tournament file: the folder `agents` next to the file's folder, then the one in the current directory, then the shipped agents; or `folder` alone. Relative paths
    /// start at the file's folder, its parent, or the current directory.
    pub fn of_file(file: &Path, folder: Option<&Path>) -> Self {
        let home = file.parent().unwrap_or(Path::new("")).to_owned();
        let project = home.join("..");
        let mut paths = Self::here(folder);
        if folder.is_none() {
            let beside = AgentFolder::new(project.join("agents"));
            paths.folders.insert(0, beside);
        }
        paths.bases.splice(..0, [home, project]);
        paths
    }

    /// Loads the agents given by a list of names, paths and globs, each with overrides in braces or
    /// without. One agent can have a label before it, as in `LABEL=NAME`, which is then its name.
    pub fn load(
        &self,
        file: &Path,
        key: &str,
        entries: &[String],
    ) -> Result<Vec<AgentFile>, InputError> {
        let mut agents: Vec<(AgentFile, &str)> = Vec::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        let mut mistakes = Mistakes::default();
        for entry in entries {
            let found = self.load_entry(file, key, entry, &mut mistakes);
            for agent in found {
                let twice = places.get(&agent.name).map(|&place| &agents[place]);
                if let Some((same, by)) = twice {
                    // Globs may overlap.
                    let overlap = same.path == agent.path && (is_glob(by) || is_glob(entry));
                    if !overlap {
                        let what = format!(
                            "the agent {} comes twice, by '{by}' ({}) and by '{entry}' ({})",
                            agent.name,
                            same.path.display(),
                            agent.path.display()
                        );
                        mistakes.add(InputError::in_key(file, key, what));
                    }
                } else {
                    places.insert(agent.name.clone(), agents.len());
                    agents.push((agent, entry));
                }
            }
        }
        if self.set.touches_budget()
            && !agents.is_empty()
            && (agents.iter()).all(|(agent, _)| agent.config.budget().is_none())
        {
            let what = format!("{}: no agent here has a budget", self.set);
            mistakes.add(InputError::in_key(file, key, what));
        }
        mistakes.none()?;
        Ok(agents.into_iter().map(|(agent, _)| agent).collect())
    }

    /// The agent of an entry, which must match only one.
    pub fn load_one(&self, file: &Path, key: &str, entry: &str) -> Result<AgentFile, InputError> {
        let found = self.load(file, key, &[entry.to_owned()])?;
        <[AgentFile; 1]>::try_from(found)
            .map(|[agent]| agent)
            .map_err(|_| {
                let what = format!("'{entry}' matches several agents; expected one");
                InputError::in_key(file, key, what)
            })
    }

    fn load_entry(
        &self,
        file: &Path,
        key: &str,
        entry: &str,
        mistakes: &mut Mistakes,
    ) -> Vec<AgentFile> {
        let (label, entry) = label_of(entry);
        let split = Overrides::split(entry);
        let split = split.map_err(|what| InputError::in_key(file, key, what));
        let Some((name, overrides)) = mistakes.take(split) else {
            return Vec::new();
        };
        let found = self.find(name);
        let found = mistakes.take(found.map_err(|what| InputError::in_key(file, key, what)));
        let read = |path: PathBuf| {
            let mut agent = AgentFile::read(&path)?;
            if let Some(budget) = &self.budget {
                let limited = agent.with_budget(budget);
                agent = limited.map_err(|error| InputError::in_key(file, "budget", error))?;
            }
            let agent = match agent.config.budget() {
                Some(_) => agent.variant(&overrides.then(&self.set)),
                None => agent.variant(&overrides.then(&self.set.without_budget())),
            };
            let agent = agent.map_err(|error| InputError::in_key(file, key, error))?;
            if agent.config.is_person() {
                return Err(InputError::in_key(file, key, a_person(name)));
            }
            Ok(agent)
        };
        let mut agents = Vec::new();
        for path in found.unwrap_or_default() {
            match read(path) {
                Ok(agent) => agents.push(agent),
                // What is wrong with one agent of a glob is often wrong with all of them.
                Err(error) => {
                    mistakes.add(error);
                    break;
                }
            }
        }
        match (label, &mut agents[..]) {
            (Some(label), [agent]) => agent.name = label.to_owned(),
            (Some(label), [_, _, ..]) => {
                let what =
                    format!("'{entry}' matches several agents; the label {label} is for one");
                mistakes.add(InputError::in_key(file, key, what));
            }
            _ => {}
        }
        agents
    }

    /// The files of all agents to choose from, in order of name. A file hides files of the same name in later folders.
    pub fn all(&self) -> Result<Vec<PathBuf>, InputError> {
        Self::files(&self.folders)
    }

    /// The files of all frozen versions, in order of name.
    pub fn archived(&self) -> Result<Vec<PathBuf>, InputError> {
        let folders = self.folders.iter().map(AgentFolder::archive);
        Self::files(&folders.collect::<Vec<_>>())
    }

    fn files(folders: &[AgentFolder]) -> Result<Vec<PathBuf>, InputError> {
        let mut all = BTreeMap::new();
        for folder in folders {
            let is_missing = folders.len() > 1 && !folder.exists();
            let files = if is_missing {
                Vec::new()
            } else {
                folder.files()?
            };
            for path in files {
                let stem = path.file_stem().unwrap_or_default().to_owned();
                all.entry(stem).or_insert(path);
            }
        }
        Ok(all.into_values().collect())
    }

    /// The first existing file with this relative path.
    pub fn file(&self, path: &str) -> Result<PathBuf, String> {
        let mut paths = self.bases.iter().map(|base| base.join(path));
        let found = paths.find(|path| path.is_file());
        found.ok_or_else(|| format!("there is no file {path}"))
    }

    /// The files that match one entry, sorted.
    fn find(&self, entry: &str) -> Result<Vec<PathBuf>, String> {
        let is_path = is_path(entry);
        if is_glob(entry) {
            return self.find_all(entry, is_path);
        }
        if is_path {
            return Ok(vec![self.file(entry)?]);
        }
        if let Some(path) = self.folders.iter().find_map(|folder| folder.find(entry)) {
            return Ok(vec![path]);
        }
        if entry == AgentSettings::PERSON {
            return Err(a_person(entry));
        }
        let mut files = self
            .folders
            .iter()
            .map(|folder| folder.path().join(format!("{entry}.toml")));
        if let Some(path) = files.find(|path| path.is_file()) {
            return Err(AgentFile::unnamed(&path).to_string());
        }
        let mut near = self.folders.iter().map(|folder| folder.did_you_mean(entry));
        let near = near.find(|near| !near.is_empty()).unwrap_or_default();
        let folders = self.folder_names();
        Err(format!("there is no agent '{entry}' in {folders}{near}"))
    }

    /// The files that match a glob, sorted, from the first place with any match.
    fn find_all(&self, pattern: &str, is_path: bool) -> Result<Vec<PathBuf>, String> {
        let wrong = |error: &dyn std::fmt::Display| format!("'{pattern}': {error}");
        if !is_path {
            let glob = glob::Pattern::new(pattern).map_err(|error| wrong(&error))?;
            let matches = |path: &PathBuf| {
                let stem = path.file_stem().and_then(|stem| stem.to_str());
                stem.is_some_and(|stem| glob.matches(stem))
            };
            for folder in &self.folders {
                let mut files = folder.files().unwrap_or_default();
                files.retain(matches);
                if !files.is_empty() {
                    return Ok(files);
                }
            }
            let folders = self.folder_names();
            return Err(format!("no agent matches '{pattern}' in {folders}"));
        }
        for base in &self.bases {
            // The base is a literal folder, not part of the pattern.
            let base = glob::Pattern::escape(&base.to_string_lossy());
            let text = Path::new(&base).join(pattern);
            let paths = glob::glob(&text.to_string_lossy()).map_err(|error| wrong(&error))?;
            let found: Result<Vec<PathBuf>, _> = paths.collect();
            let mut found = found.map_err(|error| wrong(&error))?;
            found.retain(|path| path.is_file());
            if !found.is_empty() {
                return Ok(found);
            }
        }
        Err(format!("no agent file matches '{pattern}'"))
    }

    fn folder_names(&self) -> String {
        let shipped = AgentFolder::shipped();
        let names = self.folders.iter().map(|folder| {
            if folder.path() == shipped.path() {
                return "among the shipped agents".to_owned();
            }
            folder.path().display().to_string()
        });
        names.collect::<Vec<_>>().join(" or ")
    }
}

/// The label of an entry, if it has one, and the rest.
fn label_of(entry: &str) -> (Option<&str>, &str) {
    match entry.split_once('=') {
        Some((label, rest)) if is_plain_name(label) => (Some(label), rest),
        _ => (None, entry),
    }
}

/// Whether an entry may match several agents; the part in braces is not part of the name.
fn is_glob(entry: &str) -> bool {
    let name = entry.split('{').next().unwrap_or(entry);
    name.contains(['*', '?', '['])
}
