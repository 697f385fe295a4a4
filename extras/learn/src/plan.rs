//! Plans of self-play: the agent, the number of games, and the openings.

use std::path::Path;

use patchwork_engine::agent::{Agent, AgentFile, AgentPaths};
use patchwork_engine::util::InputError;
use patchwork_engine::util::config::{self, Count, from_table};
use patchwork_engine::util::rng::hash_words;
use patchwork_engine::util::schema::FileSchema;
use schemars::JsonSchema;
use serde::Deserialize;

use patchwork_tournament::CommonBudget;

/// Self-play of one agent, as described by a file.
#[derive(Clone, Debug)]
pub struct SelfPlayPlan {
    /// The agent in both seats.
    pub agent: AgentFile,
    /// Number of games.
    pub games: u32,
    /// The seed of rings, openings and agents.
    pub seed: u64,
    /// How games begin.
    pub opening: Opening,
}

/// How games begin: with plies of which some are random, so that positions are as uneven as in a search tree.
/// These plies are not learned from.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Opening {
    /// The most plies of an opening; each number of plies below it is as likely. 0 to 200.
    pub plies: u32,
    /// The share of games that have one, 0 to 1.
    pub share: f64,
}

impl Default for Opening {
    fn default() -> Self {
        Self {
            plies: 32,
            share: 0.75,
        }
    }
}

/// The keys of a plan.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PlanKeys {
    /// The agent in both seats.
    agent: String,
    /// Number of games.
    games: Count,
    /// The seed of rings, openings and agents.
    #[serde(default = "patchwork_tournament::default_seed")]
    seed: u64,
    /// A budget other than the agent's, such as `iterations = 300`.
    budget: Option<CommonBudget>,
    /// How games begin.
    #[serde(default)]
    opening: Opening,
}

/// The schema of plans of self-play, for editors.
pub fn selfplay_schema() -> serde_json::Value {
    FileSchema::of::<PlanKeys>(
        "Self-play of Patchwork Arena",
        "A plan of self-play: which agent plays itself, how often, and how the games begin.",
    )
}

impl SelfPlayPlan {
    /// A plan of this many games with the default openings and seed.
    pub fn new(agent: AgentFile, games: u32) -> Self {
        Self {
            agent,
            games,
            seed: patchwork_tournament::default_seed(),
            opening: Opening::default(),
        }
    }

    /// Reads a plan and its agent, which is looked up like the agents of a tournament file.
    pub fn read(path: &Path, agents: Option<&Path>) -> Result<Self, InputError> {
        config::read(path, |table| Self::from_table(path, table, agents))
    }

    fn from_table(
        path: &Path,
        table: toml::Table,
        agents: Option<&Path>,
    ) -> Result<Self, InputError> {
        config::check_kind(path, &table, "self-play")?;
        let keys: PlanKeys = from_table(path, table)?;
        let Opening { plies, share } = keys.opening;
        if plies > MAX_OPENING {
            let what = format!("expected a number from 0 to {MAX_OPENING}, found {plies}");
            return Err(InputError::in_key(path, "opening.plies", what));
        }
        if !(0.0..=1.0).contains(&share) {
            let what = format!("expected a number from 0 to 1, found {share}");
            return Err(InputError::in_key(path, "opening.share", what));
        }
        let budget = keys.budget.map(|CommonBudget(budget)| budget);
        let paths = AgentPaths::of_file(path, agents).with_budget(budget);
        let agent = paths.load_one(path, "agent", &keys.agent)?;
        if !agent.config.is_deterministic() {
            let what = "its games depend on time; expected a budget of iterations";
            return Err(InputError::in_key(path, "agent", what));
        }
        Ok(Self {
            agent,
            games: keys.games.get(),
            seed: keys.seed,
            opening: keys.opening,
        })
    }

    /// The agents in the two seats.
    pub fn agents(&self) -> [Box<dyn Agent>; 2] {
        [self.agent.config.build(), self.agent.config.build()]
    }

    /// A hash of everything that determines the games, except their number.
    pub fn hash(&self) -> u64 {
        let canonical = self.agent.config.canonical();
        let text = canonical.as_bytes().iter().map(|&byte| u64::from(byte));
        let Opening { plies, share } = self.opening;
        let others = [self.seed, plies.into(), share.to_bits()];
        hash_words(&others.into_iter().chain(text).collect::<Vec<u64>>())
    }
}

/// The maximum number of plies that a plan may set for openings.
const MAX_OPENING: u32 = 200;
