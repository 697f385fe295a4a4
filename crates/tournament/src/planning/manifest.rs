//! The description of a results folder, and the place of stored games in its plan.

use std::collections::{BTreeMap, HashSet};

use patchwork_engine::agent::{AgentSettings, PLAIN_NAME, is_plain_name};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::identity::{AgentId, PLAY};
use super::plan::Plan;
use super::rings::PlannedRings;

/// The version of this program, stored with results.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The [version of play](PLAY) as text, as in manifests.
pub fn play_version() -> String {
    hex(PLAY)
}

/// Checks that a tournament can have this name, which also names its results folder.
pub fn check_folder_name(name: &str) -> Result<(), String> {
    if is_plain_name(name) {
        return Ok(());
    }
    Err(format!(
        "'{name}' cannot name a results folder; expected {PLAIN_NAME}"
    ))
}

/// A 64-bit number as in manifests: 16 hexadecimal digits.
pub(crate) fn hex(number: u64) -> String {
    format!("{number:016x}")
}

/// The description of what is played, which the ledger holds beside the games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct Manifest {
    /// Name of the tournament.
    pub name: String,
    /// Version of the program that started the tournament.
    pub version: String,
    /// The [version of play](PLAY) of the games, in 16 hexadecimal digits.
    pub play: String,
    /// [`Plan::hash`] in 16 hexadecimal digits.
    pub plan_hash: String,
    /// The plan of the games.
    pub plan: Plan,
    /// The agents of earlier plans; their games are kept, but are not part of the plan.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<EarlierAgent>,
    /// The descriptions from the agents' files, by name; reports show them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub descriptions: BTreeMap<String, String>,
    /// Whether the search that chooses the games is over; none if the plan alone determines them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_search_over: Option<bool>,
}

impl Serialize for Manifest {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        // This calls the derived function, which has the same name.
        Self::serialize(self, to)
    }
}

impl<'de> Deserialize<'de> for Manifest {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut manifest = Self::deserialize(from)?;
        manifest.plan.describe(&manifest.descriptions);
        Ok(manifest)
    }
}

/// An agent of an earlier plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EarlierAgent {
    /// Its name.
    pub name: String,
    /// Its settings.
    pub config: AgentSettings,
    /// Its number among the agents of its plan with the same settings, from 0.
    #[serde(default, skip_serializing_if = "is_first")]
    pub copy: u32,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
const fn is_first(copy: &u32) -> bool {
    *copy == 0
}

impl EarlierAgent {
    pub(crate) fn id(&self) -> AgentId {
        AgentId::new(&self.config, self.copy)
    }
}

impl Manifest {
    /// The manifest of a tournament started by this program.
    pub fn new(name: String, plan: Plan) -> Self {
        let agents = plan.agents().iter();
        let described = agents.filter(|agent| !agent.description.is_empty());
        let descriptions = described
            .map(|agent| (agent.name.clone(), agent.description.clone()))
            .collect();
        Self {
            name,
            version: VERSION.to_owned(),
            play: hex(PLAY),
            plan_hash: hex(plan.hash()),
            plan,
            earlier: Vec::new(),
            descriptions,
            is_search_over: None,
        }
    }

    /// Whether the plan matches the hash written beside it.
    pub(crate) fn is_intact(&self) -> bool {
        hex(self.plan.hash()) == self.plan_hash
    }

    /// This manifest with another plan, to which games in the folder may belong.
    pub(crate) fn with_plan(&self, plan: &Plan) -> Result<Self, String> {
        if let Some(what) = difference(&self.plan, plan, [" there", " here"]) {
            return Err(what);
        }
        Ok(Self {
            version: self.version.clone(),
            play: self.play.clone(),
            earlier: earlier_than(plan, self.known_agents().collect()),
            ..Self::new(self.name.clone(), plan.clone())
        })
    }

    /// Adds the agents of another folder, whose games may be in this one.
    pub(crate) fn add_earlier(&mut self, other: &Self) {
        let earlier = self.earlier.drain(..).chain(other.known_agents());
        self.earlier = earlier_than(&self.plan, earlier.collect());
    }

    /// All agents whose games may be in the folder: those of the plan, then those of earlier plans.
    pub(crate) fn known_agents(&self) -> impl Iterator<Item = EarlierAgent> {
        let ids = AgentId::of_all(self.plan.agents()).into_iter();
        let planned = ids
            .zip(self.plan.agents())
            .map(|((_, copy), agent)| EarlierAgent {
                name: agent.name.clone(),
                config: agent.config.clone(),
                copy,
            });
        planned.chain(self.earlier.iter().cloned())
    }
}

/// The agents that are not in the plan, in order of their names.
fn earlier_than(plan: &Plan, mut agents: Vec<EarlierAgent>) -> Vec<EarlierAgent> {
    let planned: HashSet<AgentId> = AgentId::of_all(plan.agents())
        .into_iter()
        .map(|(id, _)| id)
        .collect();
    agents.retain(|agent| !planned.contains(&agent.id()));
    agents.sort_by_cached_key(|agent| (agent.name.clone(), agent.id()));
    agents.dedup_by_key(|agent| agent.id());
    agents
}

/// The first difference between two plans because of which no game belongs to both; `words` follow the values of the
/// first and of the second plan.
pub(crate) fn difference(one: &Plan, other: &Plan, words: [&str; 2]) -> Option<String> {
    let rings = |plan: &Plan| match plan.rings() {
        PlannedRings::Own => "each pairing's own".to_owned(),
        PlannedRings::Common => "common to all pairings".to_owned(),
        PlannedRings::Book(book) => format!("a book of {}", book.rings().len()),
    };
    let settings = |plan: &Plan| {
        [
            ("seed", plan.seed().to_string()),
            ("track", plan.rules().to_string()),
            ("rings", rings(plan)),
        ]
    };
    let mut both = settings(one).into_iter().zip(settings(other));
    if let Some(((key, one), (_, other))) = both.find(|(one, other)| one != other) {
        let [of_one, of_other] = words;
        return Some(format!("{key}: {one}{of_one}, {other}{of_other}"));
    }
    (one.rings() != other.rings()).then(|| "the rings of the book differ".to_owned())
}
