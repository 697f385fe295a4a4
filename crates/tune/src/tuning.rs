//! Tuning files: what is tuned, how, against whom, and how it is proven.

use std::collections::BTreeMap;
use std::iter::once;
use std::path::Path;

use patchwork_engine::agent::{AgentFile, AgentPaths};
use patchwork_engine::game::Track;
use patchwork_engine::search::Budget;
use patchwork_engine::util::InputError;
use patchwork_engine::util::config::{self, Count, Mistakes, from_table};
use patchwork_engine::util::rng::hash_words;
use patchwork_engine::util::schema::FileSchema;
use patchwork_rating::sprt::{EloModel, Sprt, SprtKeys};
use schemars::JsonSchema;
use serde::Deserialize;
use twox_hash::XxHash3_64;

use super::candidates::{agent_of, check_corners};
use super::methods::{SearchMethod, TunerSettings};
use super::objective::Objective;
use super::space::{NO_START, Point, Space, SpaceKey, wrong_key};
use super::tuner::Tuner;
use patchwork_tournament::domain::{Domain, KeyValues, SettingValue, check_none, value_of};
use patchwork_tournament::{AgentId, CommonBudget, check_folder_name};

/// A search for a better agent, as described by a tuning file.
#[derive(Clone, Debug)]
pub struct Tuning {
    /// Name of the results folder.
    pub name: String,
    /// The printing of the time board.
    pub(crate) track: Track,
    /// The agent to be improved, with the common budget.
    pub base: AgentFile,
    /// The agents that candidates play, with the common budget.
    pub(crate) opponents: Vec<AgentFile>,
    pub(crate) objective: Objective,
    /// The settings that may change.
    pub space: Space,
    /// How they are searched.
    pub settings: TunerSettings,
    pub(crate) proof: Proof,
    /// The seconds that the search may take, without the proof.
    pub(crate) seconds: Option<u32>,
    /// The budget of the base, if all candidates are to have the processor time that it takes.
    pub equal_to: Option<Budget>,
    /// Whether opponents have the budget of the base.
    pub(super) has_common_budget: bool,
    /// The measured time, as it is kept.
    pub(super) equal_time: Option<Vec<u8>>,
}

/// The keys of a tuning file.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TuningKeys {
    /// The name of the results folder.
    name: String,
    /// The seed of all setups and random choices.
    #[serde(default = "patchwork_tournament::default_seed")]
    seed: u64,
    /// The printing of the time board.
    #[serde(default)]
    track: Track,
    /// The agent to be improved.
    base: String,
    /// The agents that candidates play; the base by default.
    opponents: Option<Vec<String>>,
    /// The search method.
    #[serde(default)]
    method: SearchMethod,
    /// Pairs of games of the whole search; with `seconds`, at most.
    pairs: Option<Count>,
    /// The seconds that the whole search may take, without the proof.
    seconds: Option<Count>,
    /// What all candidates have alike; equal processor time by default if keys of the space change the cost of an
    /// iteration.
    equal: Option<Equal>,
    /// What is maximised.
    #[serde(default)]
    objective: Objective,
    /// The share of the pairs that the finalists play at the end.
    final_share: Option<f64>,
    /// Number of candidates that play at the end.
    finalists: Option<Count>,
    /// With `method = "race"`: the candidates; keys that one does not set have the value of the start.
    #[serde(default)]
    #[schemars(with = "Vec<BTreeMap<String, SettingValue>>")]
    candidates: Vec<toml::Table>,
    /// Where the search starts; keys that are not set have the value of the base.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, SettingValue>")]
    start: toml::Table,
    /// The budget of all agents that have one.
    budget: Option<CommonBudget>,
    /// The keys of the base that may change, in quotes if they are dotted, each with its values.
    #[schemars(with = "BTreeMap<String, KeyValues>")]
    space: toml::Table,
    /// How the winner is proven to be better than the base.
    #[serde(default)]
    proof: ProofKeys,
}

/// The keys of the table `[proof]`.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ProofKeys {
    /// The Elo difference of the first hypothesis; 0 by default.
    elo0: Option<f64>,
    /// The Elo difference of the second hypothesis.
    elo1: Option<f64>,
    /// How often the second is accepted although the first is true; 0.05 by default.
    alpha: Option<f64>,
    /// How often the first is accepted although the second is true; 0.05 by default.
    beta: Option<f64>,
    /// The largest number of pairs of the test.
    pairs: Option<Count>,
    /// Pairs at the slow time control; 0 for none.
    slow_pairs: Option<u32>,
}

/// How a winner is proven to be better than the base.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Proof {
    pub(crate) test: Sprt,
    /// Maximum number of pairs of the test.
    pub(crate) pairs: u32,
    /// Number of pairs at [`SLOW`](crate::SLOW) times the budget, 0 for none.
    pub(crate) slow_pairs: u32,
    /// The seed of the setups, none of which occurs in the search.
    pub(crate) seed: u64,
}

/// Default maximum number of pairs of a proof.
const PAIRS: u32 = 2000;
/// Default number of pairs of the last match.
const SLOW_PAIRS: u32 = 100;
/// Default for the smallest improvement that a proof tests for, in Elo points.
const ELO1: f64 = 20.0;

impl Proof {
    fn new(keys: &ProofKeys, seed: u64) -> Result<Self, String> {
        let test = SprtKeys {
            elo0: keys.elo0.unwrap_or_default(),
            elo1: keys.elo1.unwrap_or(ELO1),
            alpha: keys.alpha,
            beta: keys.beta,
            model: EloModel::Logistic,
        };
        Ok(Self {
            test: test.try_into()?,
            pairs: keys.pairs.map_or(PAIRS, Count::get),
            slow_pairs: keys.slow_pairs.unwrap_or(SLOW_PAIRS),
            // Shifted so that the number fits into a tournament file.
            seed: hash_words(&[seed, 0x70_726f_6f66]) >> 1,
        })
    }
}

/// The number of pairs of a search that only its time limits.
const MAX_PAIRS: u32 = 1_000_000;

/// The schema of tuning files, for editors.
pub fn tuning_schema() -> serde_json::Value {
    FileSchema::of::<TuningKeys>(
        "Search of Patchwork Arena for a better agent",
        "A tuning file: what may change, how it is searched, and how the winner is proven.",
    )
}

impl Tuning {
    /// Reads a tuning file and its agent files. If the folder `agents` is given, agents are looked up there.
    /// Checks that every corner of the space gives a valid agent.
    pub fn read(path: &Path, agents: Option<&Path>) -> Result<Self, InputError> {
        config::read(path, |table| Self::from_table(path, table, agents))
    }

    fn from_table(
        path: &Path,
        table: toml::Table,
        agents: Option<&Path>,
    ) -> Result<Self, InputError> {
        config::check_kind(path, &table, "tuning")?;
        let mut keys: TuningKeys = from_table(path, table)?;
        let mut mistakes = Mistakes::default();
        let name = check_folder_name(&keys.name);
        mistakes.take(name.map_err(|what| InputError::in_key(path, "name", what)));
        let has_budget = keys.budget.is_some();
        let budget = keys.budget.take().map(|CommonBudget(budget)| budget);
        let paths = AgentPaths::of_file(path, agents).with_budget(budget);
        let base = mistakes.take(paths.load_one(path, "base", &keys.base));
        let in_space = |error: InputError| InputError::in_key(path, "space", error);
        let space = mistakes.take(Space::from_table(&keys.space).map_err(in_space));
        let proof = Proof::new(&keys.proof, keys.seed);
        let proof = mistakes.take(proof.map_err(|what| InputError::in_key(path, "proof", what)));
        let ((base, space), proof) = mistakes.checked(base.zip(space).zip(proof))?;
        let space = space.of(&base);
        // The winner is also played at other budgets.
        if let Some(toml::Value::Table(budget)) = base.config.table().get("budget")
            && proof.slow_pairs > 0
            && let Err(error) = base.with_budget(budget)
        {
            let what = format!("{error}; set it in the table [budget] instead");
            return Err(InputError::in_key(path, "base", what));
        }
        let opponents = keys.opponents(path, &paths, &base)?;
        if let Some(key) = space.keys().iter().find(|key| is_common(&key.name)) {
            let why = match key.name.starts_with(CONFIDENCE) {
                true => "no decision depends on it",
                false => "all candidates have the same value",
            };
            return Err(in_space(wrong_key(
                &key.name,
                format!("cannot be tuned; {why}"),
            )));
        }
        check_corners(&base, &space).map_err(|what| in_space(what.into()))?;
        for SpaceKey { name, domain, .. } in space.keys() {
            check_none(&base, name, domain).map_err(|what| in_space(wrong_key(name, what)))?;
        }
        // A budget of time is equal time already.
        let counted = base.config.budget().filter(|of| of.time().is_none());
        let equal = counted.map(|_| keys.equal.unwrap_or_else(|| Equal::of(&base, &space)));
        if equal == Some(Equal::ProcessorTime) && keys.equal.is_some() {
            let checked = check_timed_corners(&base, &space);
            checked.map_err(|error| InputError::in_key(path, "equal", error))?;
        }
        if keys.pairs.is_none() && keys.seconds.is_none() {
            let what =
                "the key is missing; expected pairs, or the seconds that the search may take";
            return Err(InputError::in_key(path, "pairs", what));
        }
        let start = keys.start_of(&base, &space);
        let start = start.map_err(in_space)?;
        let settings = TunerSettings {
            method: keys.method,
            final_share: keys.final_share,
            finalists: keys.finalists.map(Count::get),
            candidates: keys.candidates(path, &space, start.first())?,
            start,
            ..TunerSettings::new(keys.pairs.map_or(MAX_PAIRS, Count::get), keys.seed)
        };
        let tuning = Self {
            name: keys.name,
            track: keys.track,
            base,
            opponents,
            objective: keys.objective,
            proof,
            space,
            settings,
            seconds: keys.seconds.map(Count::get),
            equal_to: counted.filter(|_| equal == Some(Equal::ProcessorTime)),
            has_common_budget: has_budget || keys.opponents.is_none(),
            equal_time: None,
        };
        let tuner = tuning.tuner();
        tuner.map_err(|error| match error.key.is_empty() {
            true => InputError::in_file(path, error),
            false => in_space(error),
        })?;
        Ok(tuning)
    }

    /// A search that has not started.
    pub(crate) fn tuner(&self) -> Result<Tuner, InputError> {
        Tuner::new(self.space.clone(), self.settings.clone())
    }

    /// The agent with the settings of a point.
    pub fn agent(&self, point: &Point) -> Result<AgentFile, InputError> {
        agent_of(&self.base, &self.space, point)
    }

    /// Whether a point has the settings of the base.
    pub(crate) fn is_base(&self, point: &Point) -> bool {
        let canonical = self.base.config.canonical();
        self.agent(point)
            .is_ok_and(|agent| agent.config.canonical() == canonical)
    }

    /// A 64-bit hash of everything that a search by this method depends on.
    pub(crate) fn hash(&self, method: &str) -> u64 {
        let keys = self.space.keys().iter();
        let keys: Vec<_> = keys.map(|key| (&key.name, key.to_json())).collect();
        let opponents = self.opponents.iter();
        let opponents: Vec<_> = opponents.map(|agent| agent.config.canonical()).collect();
        let settings = &self.settings;
        let all = serde_json::json!([
            [settings.seed, self.track.name(), self.objective.name()],
            [self.base.config.canonical(), opponents, keys],
            [method, settings.pairs, settings.batch],
            [settings.final_share, settings.finalists],
            (settings.start.first(), &settings.candidates),
            self.seconds,
        ]);
        XxHash3_64::oneshot(all.to_string().as_bytes())
    }
}

/// The keys that change reported chances and no decision begin like this.
const CONFIDENCE: &str = "search.confidence";

/// Whether a key cannot differ between the agents of a game, the budget and the threads, of which each has one, or changes
/// no result.
fn is_common(key: &str) -> bool {
    let is_budget = key == "budget" || key.starts_with("budget.");
    is_budget || key == "threads" || key.starts_with(CONFIDENCE)
}

impl TuningKeys {
    /// The opponents; the base itself if none are given.
    fn opponents(
        &self,
        path: &Path,
        paths: &AgentPaths,
        base: &AgentFile,
    ) -> Result<Vec<AgentFile>, InputError> {
        let Some(names) = &self.opponents else {
            return Ok(vec![base.clone()]);
        };
        let wrong = |what: String| InputError::in_key(path, "opponents", what);
        if names.is_empty() {
            let what =
                "the list is empty; expected at least one agent, or no key for the base itself";
            return Err(wrong(what.to_owned()));
        }
        let mut opponents: Vec<AgentFile> = Vec::new();
        for agent in paths.load(path, "opponents", names)? {
            let id = AgentId::new(&agent.config, 0);
            let same = |other: &&AgentFile| AgentId::new(&other.config, 0) == id;
            if let Some(other) = opponents.iter().find(same) {
                return Err(wrong(format!(
                    "{} and {} have the same settings; expected each opponent once",
                    other.name, agent.name
                )));
            }
            opponents.push(agent);
        }
        Ok(opponents)
    }

    /// Where the search starts and the point of the base, as far as they are in the space: none if the base has no value for a
    /// key. Values in `start` take precedence.
    fn start_of(&self, base: &AgentFile, space: &Space) -> Result<Vec<Point>, InputError> {
        let settings = base.config.clone().effective().table();
        let starts = |owner: &str, error: InputError| InputError {
            what: format!(
                "the value of {owner}, where the search starts: {}",
                error.what
            ),
            ..error
        };
        let checked = space.check_values(&self.start);
        checked.map_err(|error| starts("[start]", error))?;
        let of_base = |key: &str| match value_of(&settings, key) {
            Some(value) => SettingValue::try_from(&value).ok(),
            None => {
                Some(SettingValue::None).filter(|_| space.domain(key).is_some_and(Domain::has_none))
            }
        };
        let start = space.point_of(NO_START, |key| match self.start.get(key) {
            Some(value) => SettingValue::try_from(value).ok(),
            None => of_base(key),
        });
        match start {
            Ok(start) => {
                let own = space.point_of(NO_START, of_base).ok();
                let own = own.filter(|own| *own != start);
                Ok(once(start).chain(own).collect())
            }
            Err(error) if error.what == NO_START => Ok(Vec::new()),
            Err(error) => Err(starts(&base.name, error)),
        }
    }

    /// The listed candidates; keys that one does not set have the value of the start.
    fn candidates(
        &self,
        path: &Path,
        space: &Space,
        start: Option<&Point>,
    ) -> Result<Vec<Point>, InputError> {
        let wrong = |what: String| InputError::in_key(path, "candidates", what);
        if self.candidates.is_empty() == (self.method == SearchMethod::Race) {
            let what = match self.method {
                SearchMethod::Race => {
                    "none; expected a list such as [{ \"search.exploration\" = 0.5 }]"
                }
                _ => "requires method = \"race\"",
            };
            return Err(wrong(what.to_owned()));
        }
        let point = |given: &toml::Table| {
            let checked = space.check_values(given);
            checked.map_err(|error| wrong(error.to_string()))?;
            let point = space.point_of(NO_START, |key| match given.get(key) {
                Some(value) => SettingValue::try_from(value).ok(),
                None => start.and_then(|start| start.get(key)).cloned(),
            });
            point.map_err(|error| wrong(error.to_string()))
        };
        self.candidates.iter().map(point).collect()
    }
}

/// What all candidates have alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Equal {
    /// The processor time for a decision: that which the base takes for its budget.
    ProcessorTime,
    /// The budget, whatever it costs.
    Budget,
}

/// The keys that change the time of an iteration little or not at all.
const SAME_COST: &[&str] = &[
    "expansion.prior.decay",
    "expansion.prior.temperature",
    "rollout.temperature",
    "search.choice",
    "search.exploration",
    "search.first_play",
    "search.margin_scale",
    "search.value",
    "search.win_weight",
];

impl Equal {
    /// What a space asks for: equal time if it changes the cost of an iteration and all its agents can have budgets of
    /// processor time.
    pub(super) fn of(base: &AgentFile, space: &Space) -> Self {
        let is_in = |name: &str, table: &str| {
            let below = name.strip_prefix(table);
            below.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let is_costly = |name: &str| !SAME_COST.iter().any(|same| is_in(name, same));
        let can_be_equal = || check_timed_corners(base, space).is_ok();
        match space.keys().iter().any(|key| is_costly(&key.name)) && can_be_equal() {
            true => Self::ProcessorTime,
            false => Self::Budget,
        }
    }
}

/// Checks the corners of a space with a budget of processor time.
fn check_timed_corners(base: &AgentFile, space: &Space) -> Result<(), InputError> {
    let timed = base.with_budget(&budget_table("processor_milliseconds", 1))?;
    Ok(check_corners(&timed, space)?)
}

/// A budget with this amount of a unit.
pub(super) fn budget_table(unit: &str, amount: u32) -> toml::Table {
    toml::Table::from_iter([(unit.to_owned(), i64::from(amount).into())])
}

/// Seconds in whole milliseconds, at least one.
pub(super) fn whole_milliseconds(seconds: f64) -> u32 {
    (1000.0 * seconds).ceil().max(1.0) as u32
}
