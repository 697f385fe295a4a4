//! Tournament files: from names of agents to a plan.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::plan::{Format, Plan, PlannedAgent};
use crate::agent::{AgentFile, AgentFolder, is_plain_name};
use crate::config::{ConfigError, Count, from_table, read_table};
use crate::game::Track;

/// A tournament: where its results go and which games it has.
#[derive(Clone, Debug, PartialEq)]
pub struct Tournament {
    /// Name of the results folder.
    pub name: String,
    /// The games.
    pub plan: Plan,
}

/// The keys of a tournament file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Keys {
    name: String,
    #[serde(default = "default_seed")]
    seed: u64,
    #[serde(default)]
    track: TrackKey,
    #[serde(default)]
    format: Format,
    agents: Vec<String>,
    pairs: Count,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum TrackKey {
    #[default]
    Original,
    Revised,
}

const fn default_seed() -> u64 {
    1
}

/// Where agents are looked for when a tournament or a command names them.
#[derive(Clone, Debug)]
pub struct AgentPaths {
    /// Folders whose files are known by name, best first.
    folders: Vec<AgentFolder>,
    /// Folders that relative paths start from, best first.
    bases: Vec<PathBuf>,
}

impl AgentPaths {
    /// For names on the command line: the folder `agents` here, or another one.
    #[must_use]
    pub fn here(folder: Option<&Path>) -> Self {
        let folder = folder.map_or_else(|| PathBuf::from("agents"), Path::to_owned);
        Self {
            folders: vec![AgentFolder::new(folder)],
            bases: vec![PathBuf::new()],
        }
    }

    /// For names in a tournament file: the folder `agents` beside the file's folder, then the one
    /// here; or another one. Paths start at the file's folder, its parent, or here.
    #[must_use]
    pub fn of_tournament(file: &Path, folder: Option<&Path>) -> Self {
        let home = file.parent().unwrap_or(Path::new("")).to_owned();
        let project = home.join("..");
        let mut paths = Self::here(folder);
        if folder.is_none() {
            paths
                .folders
                .insert(0, AgentFolder::new(project.join("agents")));
        }
        paths.bases.splice(..0, [home, project]);
        paths
    }

    /// The agents that this list of names, paths and globs stands for.
    ///
    /// # Errors
    /// When one of them is not found, cannot be read, or comes twice; `file` and `key` are for the
    /// message.
    pub fn load(
        &self,
        file: &Path,
        key: &str,
        entries: &[String],
    ) -> Result<Vec<AgentFile>, ConfigError> {
        let mut agents: Vec<(AgentFile, &str)> = Vec::new();
        for entry in entries {
            let found = self
                .find(entry)
                .map_err(|what| ConfigError::at(file, key, what))?;
            for path in found {
                let agent = AgentFile::read(&path)?;
                if let Some((same, by)) = agents.iter().find(|(known, _)| known.name == agent.name)
                {
                    let what = format!(
                        "the agent {} comes twice, by '{by}' ({}) and by '{entry}' ({})",
                        agent.name,
                        same.path.display(),
                        agent.path.display()
                    );
                    return Err(ConfigError::at(file, key, what));
                }
                agents.push((agent, entry));
            }
        }
        Ok(agents.into_iter().map(|(agent, _)| agent).collect())
    }

    /// The files of one entry, sorted.
    fn find(&self, entry: &str) -> Result<Vec<PathBuf>, String> {
        let is_path = entry.contains(['/', '\\']) || entry.ends_with(".toml");
        if entry.contains(['*', '?', '[']) {
            return self.find_all(entry, is_path);
        }
        let found = if is_path {
            let mut paths = self.bases.iter().map(|base| base.join(entry));
            paths.find(|path| path.is_file())
        } else {
            self.folders.iter().find_map(|folder| folder.find(entry))
        };
        if let Some(path) = found {
            return Ok(vec![path]);
        }
        if is_path {
            return Err(format!("there is no file {entry}"));
        }
        let near = self.folders.iter().find_map(|folder| folder.suggest(entry));
        let near = near.map_or_else(String::new, |near| format!("; did you mean {near}?"));
        Err(format!(
            "there is no agent '{entry}' in {}{near}",
            self.folder_names()
        ))
    }

    /// The files of a glob in the first place where there are any, sorted.
    fn find_all(&self, pattern: &str, is_path: bool) -> Result<Vec<PathBuf>, String> {
        if !is_path {
            let glob = glob::Pattern::new(pattern).map_err(|e| format!("'{pattern}': {e}"))?;
            let matches = |path: &PathBuf| {
                let stem = path.file_stem().and_then(|stem| stem.to_str());
                stem.is_some_and(|stem| glob.matches(stem))
            };
            for folder in &self.folders {
                let files = folder.files().unwrap_or_default();
                let found: Vec<PathBuf> = files.into_iter().filter(matches).collect();
                if !found.is_empty() {
                    return Ok(found);
                }
            }
            return Err(format!(
                "no agent matches '{pattern}' in {}",
                self.folder_names()
            ));
        }
        for base in &self.bases {
            // The base is a folder that happens to be where it is, not a part of the pattern.
            let base = glob::Pattern::escape(&base.to_string_lossy());
            let text = Path::new(&base).join(pattern);
            let paths =
                glob::glob(&text.to_string_lossy()).map_err(|e| format!("'{pattern}': {e}"))?;
            let mut found = Vec::new();
            for path in paths {
                found.push(path.map_err(|error| format!("'{pattern}': {error}"))?);
            }
            found.retain(|path| path.is_file());
            if !found.is_empty() {
                return Ok(found);
            }
        }
        Err(format!("no agent file matches '{pattern}'"))
    }

    fn folder_names(&self) -> String {
        let names: Vec<String> = self
            .folders
            .iter()
            .map(|folder| folder.path().display().to_string())
            .collect();
        names.join(" or ")
    }
}

impl Tournament {
    /// Reads a tournament file and the files of its agents, which are looked for in `agents` when a
    /// folder is given.
    ///
    /// # Errors
    /// When a file cannot be read, a key is missing, unknown or wrong, or an agent is not found.
    pub fn read(path: &Path, agents: Option<&Path>) -> Result<Self, ConfigError> {
        let table = read_table(path)?;
        if table.contains_key("type") {
            return Err(ConfigError::new(
                path,
                "type: a key of agent files, expected a tournament file with name, agents and pairs",
            ));
        }
        let keys: Keys = from_table(path, table)?;
        if !is_plain_name(&keys.name) {
            let what = format!(
                "'{}' cannot name a results folder: expected letters, digits, '-', '_' and '.'",
                keys.name
            );
            return Err(ConfigError::at(path, "name", what));
        }
        let track = match keys.track {
            TrackKey::Original => Track::Original,
            TrackKey::Revised => Track::Revised,
        };
        let paths = AgentPaths::of_tournament(path, agents);
        let agents = paths.load(path, "agents", &keys.agents)?;
        let plan = Self::plan(keys.seed, track, keys.format, keys.pairs.get(), agents)
            .map_err(|error| ConfigError::new(path, error.to_string()))?;
        Ok(Self {
            name: keys.name,
            plan,
        })
    }

    /// The plan with these agents.
    ///
    /// # Errors
    /// As [`Plan::new`].
    pub fn plan(
        seed: u64,
        track: Track,
        format: Format,
        pairs: u32,
        agents: Vec<AgentFile>,
    ) -> Result<Plan, super::plan::PlanError> {
        let agents = agents.into_iter().map(|agent| PlannedAgent {
            name: agent.name,
            config: agent.config,
        });
        Plan::new(seed, track, format, pairs, agents.collect())
    }
}
