//! Reads tournament files: the name and the plan of a tournament.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;

use patchwork_engine::agent::{AgentFile, AgentPaths};
use patchwork_engine::game::Rules;
use patchwork_engine::search::Budget;
use patchwork_engine::util::InputError;
use patchwork_engine::util::config::{self, Count, Mistakes, from_table};
use patchwork_engine::util::schema::{FileSchema, keys_of};
use patchwork_rating::sprt::{Sprt, SprtKeys};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

use super::format::{Entrants, FormatInfo};
use super::formats::Format;
use super::manifest::{Manifest, check_folder_name};
use super::plan::{Plan, most_test_pairs};
use super::planned_agent::PlannedAgent;
use super::rings::{Book, PlannedRings, check_rules};
use super::sweep::{MAX_SWEPT, SweepKeys, SweptValues};
use super::thoughts::TopActions;

/// The keys of a tournament file, except those of its format.
#[derive(Deserialize, JsonSchema)]
struct TournamentKeys {
    /// The name of the results folder.
    name: String,
    /// The seed of all setups and random choices.
    #[serde(default = "default_seed")]
    seed: u64,
    /// The printing of the time board, `original` by default; with a komi as in `original+2`.
    track: Option<Rules>,
    /// Names, paths or globs of agent files, each with changes in braces or without.
    agents: Option<Vec<String>>,
    /// Variants of an agent that take part.
    sweep: Option<SweepKeys>,
    /// Setups for each pairing; each is played twice, with the seats swapped.
    pairs: Option<Count>,
    /// A file of rings to be played, instead of random ones.
    rings: Option<String>,
    /// Whether all pairings play the same random rings.
    common_rings: Option<bool>,
    /// The budget of all agents that have one.
    budget: Option<CommonBudget>,
    /// A sequential test, which ends each pairing as soon as it is decided.
    #[schemars(with = "Option<SprtKeys>")]
    sprt: Option<Sprt>,
    /// The first actions of each decision that are recorded, `top-1` to `top-10`.
    thoughts: Option<TopActions>,
}

/// The budget of all agents that have one.
pub struct CommonBudget(pub toml::Table);

impl JsonSchema for CommonBudget {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Budget".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        Budget::unit_schema(Budget::UNITS)
    }
}

impl<'de> Deserialize<'de> for CommonBudget {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        // Which units an agent supports is checked with the agent.
        let budget = Budget::deserialize_unit(Budget::UNITS, from)?;
        toml::Table::try_from(budget)
            .map(Self)
            .map_err(D::Error::custom)
    }
}

/// The seed of files and commands that state none.
pub const fn default_seed() -> u64 {
    1
}

impl Manifest {
    /// Reads a tournament file and its agent files. If the folder `agents` is given, agents are looked up
    /// there.
    ///
    /// # Errors
    /// When a file cannot be read, a key is missing, unknown or invalid, an agent is not found, or a sweep
    /// has more than [`MAX_SWEPT`] agents.
    pub fn of_file(path: &Path, agents: Option<&Path>) -> Result<Self, InputError> {
        Self::of_file_with(path, agents, MAX_SWEPT)
    }

    /// Reads files like [`Self::of_file`], with another limit on the number of agents in a sweep.
    pub fn of_file_with(
        path: &Path,
        agents: Option<&Path>,
        most_swept: usize,
    ) -> Result<Self, InputError> {
        config::read(path, |table| {
            Self::from_table(path, table, agents, most_swept)
        })
    }

    fn from_table(
        path: &Path,
        table: toml::Table,
        agents: Option<&Path>,
        most_swept: usize,
    ) -> Result<Self, InputError> {
        config::check_kind(path, &table, "tournament")?;
        let mut mistakes = Mistakes::default();
        let keys = TournamentKeys::take(path, table, &mut mistakes);
        let Some((format, own, mut keys)) = keys else {
            return mistakes.checked(None);
        };
        let wrong_name = |what| InputError::in_key(path, "name", what);
        mistakes.take(check_folder_name(&keys.name).map_err(wrong_name));
        let budget = keys.budget.take().map(|CommonBudget(budget)| budget);
        let paths = AgentPaths::of_file(path, agents).with_budget(budget);
        let names = keys.agents.as_deref().unwrap_or_default();
        let listed = mistakes.take(paths.load(path, "agents", names));
        let sweep = keys.sweep.take();
        let base = sweep.as_ref().map(|sweep| sweep.base.clone());
        let swept = sweep.map(|sweep| sweep.agents(path, &paths, keys.seed, most_swept));
        let swept = mistakes.take(swept.transpose()).flatten();
        let setups = mistakes.take(keys.setups(path, &paths));
        let (listed, (rules, rings)) = mistakes.checked(listed.zip(setups))?;
        let (variants, values): (Vec<AgentFile>, Vec<SweptValues>) =
            swept.into_iter().flatten().unzip();
        let swept: Vec<String> = variants.iter().map(|agent| agent.name.clone()).collect();
        // From here on, names identify agents.
        let mut entrants = Entrants {
            file: path,
            paths: &paths,
            agents: variants,
            swept: swept.clone(),
        };
        entrants.add("agents", listed)?;
        // The variants come last.
        entrants.agents.rotate_left(swept.len());
        let format = Format::read(format.name, own, &mut entrants)?;
        let mut values: HashMap<String, SweptValues> = swept.into_iter().zip(values).collect();
        let planned = |agent| {
            let mut agent = PlannedAgent::from(agent);
            if let Some(swept) = values.remove(&agent.name) {
                (agent.swept, agent.base) = (swept, base.clone());
            }
            agent
        };
        let agents = entrants.agents.into_iter().map(planned).collect();

        let pairs = match (keys.pairs, keys.sprt) {
            (Some(pairs), _) => pairs.get(),
            (None, Some(_)) => most_test_pairs(&rings),
            (None, None) => return Err(InputError::in_file(path, InputError::missing("pairs"))),
        };
        let wrong = |error: InputError| InputError::in_file(path, error);
        let plan = Plan::new(keys.seed, rules, format, pairs, agents);
        let plan = plan.map_err(wrong)?.with_rings(rings);
        let mut plan = plan.with_thoughts(keys.thoughts);
        if let Some(test) = keys.sprt {
            plan = plan.with_test(test).map_err(wrong)?;
        }
        Ok(Self::new(keys.name, plan))
    }
}

/// The schema of tournament files, for editors: the keys of each format.
pub fn tournament_schema() -> Value {
    let mut file = FileSchema::default();
    for (i, (format, keys)) in Format::schemas(&mut file).into_iter().enumerate() {
        let name = json!({ "const": format.name, "description": "Who meets whom; round-robin by default." });
        let table = file.table::<TournamentKeys>().and(keys);
        // The first format is the default.
        let table = table.with("format", i > 0, name);
        let table = table.with_one_of(&["agents", "sweep"]);
        let table = match format.is_testable {
            true => table,
            false => table.without("sprt"),
        };
        file.add(table.with_one_of(&["pairs", "sprt"]).titled(format.name));
    }
    file.finish(
        "Tournament of Patchwork Arena",
        "A tournament file: the agents, and how often they meet.",
    )
}

/// Removes the keys that no tournament file has; `own` are the keys of its format.
fn take_unknown(path: &Path, table: &mut toml::Table, own: &[&str], mistakes: &mut Mistakes) {
    let keys = keys_of::<TournamentKeys>();
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    let known = [&keys[..], &["format"], own].concat();
    table.retain(|key, _| {
        let is_known = keys.contains(&key);
        if !is_known && !own.contains(&key) {
            mistakes.add(InputError::in_file(path, InputError::unknown(key, &known)));
        }
        is_known
    });
}

impl TournamentKeys {
    /// The format, its own keys, and the other keys. `None` if there is a mistake in one of them.
    fn take(
        path: &Path,
        mut table: toml::Table,
        mistakes: &mut Mistakes,
    ) -> Option<(FormatInfo, toml::Table, Self)> {
        let format = mistakes.take(Format::take_keys(path, &mut table));
        // After a mistake in the format, ignore the keys of all formats.
        let own = match &format {
            Some((format, _)) => format.keys.to_vec(),
            None => Format::keys(),
        };
        take_unknown(path, &mut table, &own, mistakes);
        // A key that seems to be missing may be misspelt.
        let misspelt = !mistakes.is_empty();
        let keys = mistakes.take(from_table::<Self>(path, table));
        let ((format, own), keys) = format.zip(keys)?;
        if !misspelt && keys.agents.is_none() && keys.sweep.is_none() {
            mistakes.add(InputError::in_file(path, InputError::missing("agents")));
        }
        if !misspelt && keys.pairs.is_none() && keys.sprt.is_none() {
            mistakes.add(InputError::in_file(path, InputError::missing("pairs")));
        }
        Some((format, own, keys))
    }

    /// The rules and the rings.
    fn setups(&self, path: &Path, paths: &AgentPaths) -> Result<(Rules, PlannedRings), InputError> {
        let Some(name) = &self.rings else {
            let rings = match self.common_rings {
                Some(true) => PlannedRings::Common,
                _ => PlannedRings::Own,
            };
            return Ok((self.track.unwrap_or_default(), rings));
        };
        if self.common_rings.is_some() {
            let what = "cannot be combined with rings: all pairings share the rings of a book";
            return Err(InputError::in_key(path, "common_rings", what));
        }
        let wrong = |what| InputError::in_key(path, "rings", what);
        let (rules, book) = Book::read(&paths.file(name).map_err(wrong)?)?;
        let rules = check_rules(rules, self.track).map_err(wrong)?;
        Ok((rules, PlannedRings::Book(book)))
    }
}

#[cfg(test)]
mod tests;
