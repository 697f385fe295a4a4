//! Tournament files: from names of agents to a plan.

use std::path::{Path, PathBuf};

use rand::seq::SliceRandom as _;
use serde::Deserialize;

use super::plan::{Format, Plan, PlanError, PlannedAgent, Purpose};
use super::rings::{RingBook, Rings};
use crate::agent::{AgentFile, AgentFolder, is_plain_name};
use crate::game::Track;
use crate::rating::sprt::{EloModel, Sprt, SprtError};
use crate::util::config::{self, ConfigError, Count, from_table};
use crate::util::rng::stream;

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
    track: Option<TrackKey>,
    #[serde(default)]
    format: FormatKey,
    agents: Vec<String>,
    pairs: Option<Count>,
    challengers: Option<Vec<String>>,
    rounds: Option<Count>,
    seeding: Option<Seeding>,
    rings: Option<String>,
    common_rings: Option<bool>,
    sprt: Option<SprtKeys>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum FormatKey {
    #[default]
    RoundRobin,
    Gauntlet,
    Swiss,
    KnockOut,
}

impl FormatKey {
    const fn name(self) -> &'static str {
        match self {
            Self::RoundRobin => "round-robin",
            Self::Gauntlet => "gauntlet",
            Self::Swiss => "swiss",
            Self::KnockOut => "knock-out",
        }
    }
}

/// The order of agents where a format needs one.
#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Seeding {
    /// As they are listed.
    #[default]
    List,
    /// Shuffled.
    Random,
}

/// The keys of a test. What is left out is as in [`Sprt::with_defaults`].
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SprtKeys {
    elo0: f64,
    elo1: f64,
    alpha: Option<f64>,
    beta: Option<f64>,
    #[serde(default)]
    model: EloModel,
}

/// Error rates of tests that name none.
pub const ERROR_RATE: f64 = 0.05;

/// Pairs at which a test gives up, when the plan does not say.
pub const MOST_TEST_PAIRS: u32 = 100_000;

/// Pairs of a test on these rings when none are given: [`MOST_TEST_PAIRS`], or each ring of a book
/// once.
#[must_use]
pub fn most_test_pairs(rings: &Rings) -> u32 {
    let rings = rings.count().unwrap_or(MOST_TEST_PAIRS);
    rings.min(MOST_TEST_PAIRS)
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum TrackKey {
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
        config::read(path, |table| Self::from_table(path, table, agents))
    }

    fn from_table(
        path: &Path,
        table: toml::Table,
        agents: Option<&Path>,
    ) -> Result<Self, ConfigError> {
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
        let plan = keys.plan(path, agents)?;
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
    ) -> Result<Plan, PlanError> {
        let agents = agents.into_iter().map(|agent| PlannedAgent {
            name: agent.name,
            config: agent.config,
        });
        Plan::new(seed, track, format, pairs, agents.collect())
    }
}

impl Keys {
    /// What the keys of this file say should be played, by agents of this folder if one is given.
    fn plan(&self, path: &Path, folder: Option<&Path>) -> Result<Plan, ConfigError> {
        self.check_keys(path)?;
        let paths = AgentPaths::of_tournament(path, folder);
        let mut agents = paths.load(path, "agents", &self.agents)?;
        let names = |agents: &[AgentFile]| -> Vec<String> {
            agents.iter().map(|agent| agent.name.clone()).collect()
        };
        let format = match self.format {
            FormatKey::RoundRobin => Format::RoundRobin,
            FormatKey::Gauntlet => {
                let entries = self.challengers.as_deref().unwrap_or_default();
                let challengers = paths.load(path, "challengers", entries)?;
                let format = Format::Gauntlet {
                    challengers: names(&challengers),
                };
                add_challengers(path, &mut agents, challengers)?;
                format
            }
            FormatKey::Swiss => Format::Swiss {
                rounds: self.round_count(path)?,
                seeds: self.seeds(names(&agents)),
            },
            FormatKey::KnockOut => Format::KnockOut {
                seeds: self.seeds(names(&agents)),
            },
        };
        if self.pairs.is_none() && self.sprt.is_none() {
            return Err(ConfigError::new(path, "missing key `pairs`"));
        }
        let (track, rings) = self.setups(path, &paths)?;
        let pairs = match self.pairs {
            Some(pairs) => pairs.get(),
            None => most_test_pairs(&rings),
        };
        let wrong = |error: PlanError| ConfigError::new(path, error.to_string());
        let plan = Tournament::plan(self.seed, track, format, pairs, agents).map_err(wrong)?;
        let plan = plan.with_rings(rings);
        match &self.sprt {
            Some(keys) => {
                let test = keys.test().map_err(|e| ConfigError::at(path, "sprt", e))?;
                plan.with_test(test).map_err(wrong)
            }
            None => Ok(plan),
        }
    }

    fn round_count(&self, path: &Path) -> Result<u32, ConfigError> {
        let what = "missing key `rounds`, which format = \"swiss\" needs";
        let rounds = self.rounds.map(Count::get);
        rounds.ok_or_else(|| ConfigError::new(path, what))
    }

    /// Refuses keys that mean nothing in the format.
    fn check_keys(&self, path: &Path) -> Result<(), ConfigError> {
        use FormatKey::{Gauntlet, KnockOut, Swiss};
        let keys: [(&str, bool, &[FormatKey]); 4] = [
            ("challengers", self.challengers.is_some(), &[Gauntlet]),
            ("sprt", self.sprt.is_some(), &[Gauntlet]),
            ("rounds", self.rounds.is_some(), &[Swiss]),
            ("seeding", self.seeding.is_some(), &[Swiss, KnockOut]),
        ];
        for (key, given, formats) in keys {
            if given && !formats.contains(&self.format) {
                let names: Vec<String> = formats
                    .iter()
                    .map(|format| format!("\"{}\"", format.name()))
                    .collect();
                let what = format!(
                    "goes with format = {} only, and the format is \"{}\"",
                    names.join(" or "),
                    self.format.name()
                );
                return Err(ConfigError::at(path, key, what));
            }
        }
        if self.format == Gauntlet && self.challengers.is_none() {
            return Err(ConfigError::new(
                path,
                "missing key `challengers`: the agents of the gauntlet that meet all others",
            ));
        }
        if self.rings.is_some() && self.common_rings.is_some() {
            let what = "does not go with rings: all pairings have the rings of a book in common";
            return Err(ConfigError::at(path, "common_rings", what));
        }
        Ok(())
    }

    /// All agents from the strongest down, as far as the file tells.
    fn seeds(&self, mut names: Vec<String>) -> Vec<String> {
        if self.seeding == Some(Seeding::Random) {
            // From one order, so that the list does not matter.
            names.sort();
            names.shuffle(&mut stream(&[self.seed, Purpose::Seeds as u64]));
        }
        names
    }

    /// The printing of the track, and the rings.
    fn setups(&self, path: &Path, paths: &AgentPaths) -> Result<(Track, Rings), ConfigError> {
        let track = self.track.map(|track| match track {
            TrackKey::Original => Track::Original,
            TrackKey::Revised => Track::Revised,
        });
        let Some(name) = &self.rings else {
            let common = self.common_rings == Some(true);
            let rings = if common { Rings::Common } else { Rings::Own };
            return Ok((track.unwrap_or_default(), rings));
        };
        let mut files = paths.bases.iter().map(|base| base.join(name));
        let file = files
            .find(|path| path.is_file())
            .ok_or_else(|| ConfigError::at(path, "rings", format!("there is no file {name}")))?;
        let rings = RingBook::read(&file)?.rings_for(track);
        rings.map_err(|what| ConfigError::at(path, "rings", what))
    }
}

impl SprtKeys {
    fn test(&self) -> Result<Sprt, SprtError> {
        let alpha = self.alpha.unwrap_or(ERROR_RATE);
        let beta = self.beta.unwrap_or(ERROR_RATE);
        Sprt::new(self.elo0, self.elo1, alpha, beta, self.model)
    }
}

/// Adds the challengers that are not among the agents yet.
fn add_challengers(
    path: &Path,
    agents: &mut Vec<AgentFile>,
    challengers: Vec<AgentFile>,
) -> Result<(), ConfigError> {
    for challenger in challengers {
        match agents.iter().find(|agent| agent.name == challenger.name) {
            None => agents.push(challenger),
            Some(same) if same.config == challenger.config => {}
            Some(other) => {
                let what = format!(
                    "the agent {} is another one here ({}) than in agents ({})",
                    challenger.name,
                    challenger.path.display(),
                    other.path.display()
                );
                return Err(ConfigError::at(path, "challengers", what));
            }
        }
    }
    Ok(())
}
