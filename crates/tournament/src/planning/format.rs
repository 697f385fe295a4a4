//! The interface of tournament formats.

use std::collections::HashMap;
use std::path::Path;

use patchwork_engine::agent::{AgentFile, AgentPaths};
use patchwork_engine::util::InputError;
use patchwork_engine::util::schema::{FileSchema, SchemaTable};

use super::pairings::Pairings;

/// A tournament format: which agents meet.
///
/// The defaults are those of a format without settings in which every agent meets every other agent.
pub(crate) trait TournamentFormat: Sized {
    /// The properties that do not depend on the settings.
    fn info() -> FormatInfo;

    /// Reads the settings from the format's own keys of a tournament file.
    fn read(keys: toml::Table, entrants: &mut Entrants<'_>) -> Result<Self, InputError>;

    /// The schema of the format's own keys; none by default.
    fn schema(file: &mut FileSchema) -> SchemaTable {
        file.table::<()>()
    }

    /// Checks the settings against the sorted names of the agents, and sorts lists of names whose
    /// order has no meaning.
    fn check(&mut self, _names: &[&str]) -> Result<(), InputError> {
        Ok(())
    }

    /// The pairings of the agents with these names, which are sorted.
    fn pairings(&self, names: &[&str]) -> Pairings {
        Pairings::All(names.len() as u16)
    }
}

/// The properties of a format that do not depend on its settings.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FormatInfo {
    /// The format's name in tournament files.
    pub(crate) name: &'static str,
    /// The keys of tournament files that belong to this format but not to every format.
    pub(crate) keys: &'static [&'static str],
    /// Whether a sequential test may end its pairings.
    pub(crate) is_testable: bool,
}

/// The agents of a tournament file while it is being read.
pub(crate) struct Entrants<'a> {
    /// The tournament file.
    pub(crate) file: &'a Path,
    /// Where to look for its agents.
    pub(crate) paths: &'a AgentPaths,
    /// The agents, in the order in which they are listed.
    pub(crate) agents: Vec<AgentFile>,
    /// The names of the agents of the sweep, if there is one.
    pub(crate) swept: Vec<String>,
}

impl Entrants<'_> {
    /// Adds agents that a key of the file names, except those that take part already.
    pub(crate) fn add(&mut self, key: &str, agents: Vec<AgentFile>) -> Result<(), InputError> {
        let known = self.agents.iter().map(|agent| (&*agent.name, agent));
        let known: HashMap<&str, &AgentFile> = known.collect();
        let mut added = Vec::new();
        for agent in agents {
            match known.get(&*agent.name) {
                None => added.push(agent),
                Some(same) if same.config == agent.config => {}
                Some(other) => {
                    let what = format!(
                        "the agent {} is {} here and {} elsewhere; expected the same settings",
                        agent.name,
                        agent.path.display(),
                        other.path.display()
                    );
                    return Err(InputError::in_key(self.file, key, what));
                }
            }
        }
        self.agents.extend(added);
        Ok(())
    }
}
