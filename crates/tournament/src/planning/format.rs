//! The interface of tournament formats.

use std::collections::HashMap;
use std::path::Path;

use patchwork_engine::agent::{AgentFile, AgentPaths};
use patchwork_engine::util::InputError;
use patchwork_engine::util::rng::Rng;
use patchwork_engine::util::schema::{FileSchema, SchemaTable};
use rand::seq::SliceRandom as _;
use schemars::JsonSchema;
use serde::Deserialize;

use super::encounter::{DecidedBy, Encounter, Round};
use super::pairings::{Pairings, pairing_of};
use super::planned_agent::PlannedAgent;

/// A tournament format: which agents meet, given the results so far.
///
/// The defaults are those of a format in which all pairings meet once, in a single round.
pub(crate) trait TournamentFormat {
    /// The properties that do not depend on the settings.
    fn info() -> FormatInfo
    where
        Self: Sized;

    /// Reads the settings from the format's own keys of a tournament file.
    fn read(keys: toml::Table, entrants: &mut Entrants<'_>) -> Result<Self, InputError>
    where
        Self: Sized;

    /// The schema of the format's own keys; none by default.
    fn schema(file: &mut FileSchema) -> SchemaTable
    where
        Self: Sized,
    {
        file.table::<()>()
    }

    /// Checks the settings against the sorted names of the agents, and sorts lists of names whose
    /// order has no meaning.
    fn check(&mut self, _names: &[&str]) -> Result<(), InputError> {
        Ok(())
    }

    /// The size of the tournament.
    fn extent(&self, field: &Field<'_>) -> FormatExtent {
        FormatExtent::of_one_round(Pairings::All(field.len()))
    }

    /// The round after these, which are fewer than [`FormatExtent::rounds`].
    fn next_round(&self, field: &Field<'_>, _rounds: &[Round]) -> Round {
        let FormatExtent { pairings, .. } = self.extent(field);
        let encounter = |(pairing, agents)| Encounter::new(pairing, agents, 0, field.pairs);
        Round {
            encounters: (0..).zip(pairings.iter()).map(encounter).collect(),
            byes: Vec::new(),
        }
    }

    /// Whether an encounter all of whose games have been played needs another pair.
    fn needs_further_pair(&self, _field: &Field<'_>, _encounter: &Encounter) -> bool {
        false
    }

    /// The agent that advances from an encounter that is over, if the format eliminates the other one, and the
    /// criterion.
    fn decision(&self, _field: &Field<'_>, _encounter: &Encounter) -> Option<(u16, DecidedBy)> {
        None
    }

    /// The standings so far, best agent first, if the format ranks agents.
    fn standings(&self, _field: &Field<'_>, _rounds: &[Round]) -> Option<Vec<FormatStanding>> {
        None
    }

    /// The winner after all these rounds, if the format has one.
    fn champion(&self, _rounds: &[Round]) -> Option<u16> {
        None
    }
}

/// The properties of a format that do not depend on its settings.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FormatInfo {
    /// The format's name in tournament files.
    pub(crate) name: &'static str,
    /// The keys of tournament files that belong to this format but not to every format.
    pub(crate) keys: &'static [&'static str],
    /// Whether later rounds depend on results.
    pub(crate) is_adaptive: bool,
    /// Whether a sequential test may end its encounters.
    pub(crate) is_testable: bool,
}

/// The size of a tournament.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct FormatExtent {
    /// Which agents may meet.
    pub(crate) pairings: Pairings,
    /// Number of rounds.
    pub(crate) rounds: u32,
    /// Number of encounters in all rounds.
    pub(crate) encounters: u64,
    /// The maximum number of pairs of one pairing, in multiples of the plan's pairs.
    pub(crate) meetings: u32,
}

impl FormatExtent {
    pub(crate) fn of_one_round(pairings: Pairings) -> Self {
        Self {
            rounds: 1,
            encounters: pairings.len(),
            meetings: 1,
            pairings,
        }
    }
}

/// An agent's row of the standings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FormatStanding {
    /// The agent's index.
    pub agent: u16,
    /// Number of games won; a bye counts as half of an encounter's games.
    pub points: u64,
    /// Sum of the opponents' points, counting each opponent once per meeting. A bye counts as an
    /// opponent with the agent's own points (Buchholz).
    pub opponents: u64,
    /// Points scored in games minus those of the opponents.
    pub margin: i64,
    /// Number of rounds without an opponent.
    pub byes: u32,
}

/// The agents of a tournament and the number of pairs per encounter.
pub(crate) struct Field<'a> {
    /// The agents, sorted by name.
    pub(crate) agents: &'a [PlannedAgent],
    /// Number of pairs of an encounter.
    pub(crate) pairs: u32,
}

impl Field<'_> {
    /// The number of agents.
    pub(crate) fn len(&self) -> u16 {
        self.agents.len() as u16
    }

    /// The indices of the agents with these names.
    pub(crate) fn indices(&self, names: &[String]) -> Vec<u16> {
        let index = |name: &String| {
            self.agents
                .binary_search_by(|agent| agent.name.cmp(name))
                .ok()
        };
        names.iter().filter_map(index).map(|i| i as u16).collect()
    }

    /// An encounter of two agents that have met `meetings` times before, if all agents may meet.
    pub(crate) fn encounter(&self, one: u16, other: u16, meetings: u32) -> Encounter {
        let pairing = pairing_of(one, other, self.len());
        let agents = (one.min(other), one.max(other));
        Encounter::new(pairing, agents, meetings * self.pairs, self.pairs)
    }
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
    /// Used to shuffle the seeds.
    pub(crate) rng: Rng,
}

/// How agents are ordered if a format needs an order.
#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Seeding {
    /// As listed.
    #[default]
    List,
    /// In shuffled order.
    Random,
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

    /// The names of all agents, the strongest first, according to the seeding.
    pub(crate) fn seeds(&mut self, seeding: Seeding) -> Vec<String> {
        let names = self.agents.iter().map(|agent| agent.name.clone());
        let mut names: Vec<String> = names.collect();
        if seeding == Seeding::Random {
            // Sort first, so that the result does not depend on the order of the list.
            names.sort();
            names.shuffle(&mut self.rng);
        }
        names
    }
}

/// Checks that the seeds are exactly the agents.
pub(crate) fn check_seeds(seeds: &[String], names: &[&str]) -> Result<(), InputError> {
    let mut sorted: Vec<&String> = seeds.iter().collect();
    sorted.sort();
    if sorted.into_iter().eq(names) {
        Ok(())
    } else {
        Err(InputError::at("seeds", "expected each agent once"))
    }
}
