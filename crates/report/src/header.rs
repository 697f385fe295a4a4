//! General information about the tournament in a report.

use std::collections::BTreeMap;

use patchwork_engine::game::Rules;
use patchwork_engine::util::JsonInteger;
use patchwork_rating::{MarginGame, Options, RatedGame, rate_by};
use schemars::JsonSchema;
use serde::Serialize;

use super::tested::SprtTests;
use crate::document::{counted, thousands};
use patchwork_tournament::stats::{SweepEffects, ValueText};
use patchwork_tournament::{AgentId, PlannedAgent, Results};

/// The message of a report without finished games.
pub(super) const NO_GAMES: &str = "No game has been finished yet: there is nothing to report.";

/// General information about the tournament in a report.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Header {
    /// The tournament's name.
    pub name: String,
    /// The version of the time board.
    #[serde(rename = "track")]
    pub rules: Rules,
    /// The format, as named in tournament files.
    pub format: String,
    /// The sequential tests, if the plan has them.
    pub sprt: Option<SprtTests>,
    /// The seed of all random choices: a number below 2^53, and text from there on.
    pub seed: JsonInteger,
    /// Number of games in the whole plan.
    pub planned_games: u64,
    /// Whether nothing is left to be played.
    #[serde(skip)]
    pub is_over: bool,
    /// Version of the program that played the games.
    pub version: String,
    /// The agents, in order of their names.
    pub agents: Vec<PlayedAgent>,
    /// The agent whose keys differ in a sweep.
    #[serde(skip)]
    pub base: Option<String>,
    /// The effects of the keys that differ between the agents of a sweep; null without a sweep.
    pub sweep: Option<SweepEffects>,
}

/// The clocks of thinking times.
pub(super) const CLOCKS: [&str; 2] = ["processor time", "wall time"];

/// An agent with its settings.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PlayedAgent {
    /// Its name.
    pub agent: String,
    /// The hash of its effective settings, in hexadecimal digits: agents with the same one play alike.
    pub hash: String,
    /// The clock of its thinking times: `processor time` of a search in one thread, unless its budget is wall time, otherwise
    /// `wall time`.
    pub clock: &'static str,
    /// The description in its file; may be empty.
    pub description: String,
    /// Its settings as in an agent file, including all defaults.
    pub settings: serde_json::Map<String, serde_json::Value>,
}

impl PlayedAgent {
    pub(super) fn new(agent: &PlannedAgent) -> Self {
        let settings = agent.config.clone().effective();
        let kind = ("type".to_owned(), settings.kind().into());
        Self {
            agent: agent.name.clone(),
            hash: format!("{:016x}", AgentId::new(&agent.config, 0).0),
            clock: match agent.config.has_processor_time() {
                true => CLOCKS[0],
                false => CLOCKS[1],
            },
            description: agent.description.clone(),
            settings: [kind].into_iter().chain(settings.keys()).collect(),
        }
    }

    /// The settings, as in `type = "random"`; keys of tables have dots.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut all = Vec::new();
        for (key, value) in &self.settings {
            add_settings(key, value, &mut all);
        }
        all
    }

    /// The budget of a decision or a game, as in `200 iterations`.
    pub(super) fn budget(&self) -> Option<String> {
        let (unit, count) = self.settings.get("budget")?.as_object()?.iter().next()?;
        let unit = match count.as_u64() {
            Some(1) => unit.trim_end_matches('s'),
            _ => unit,
        };
        Some(format!("{count} {}", unit.replace('_', " ")))
    }
}

fn add_settings(key: &str, value: &serde_json::Value, all: &mut Vec<String>) {
    match value.as_object() {
        Some(table) => table
            .iter()
            .for_each(|(inner, value)| add_settings(&format!("{key}.{inner}"), value, all)),
        None => all.push(format!("{key} = {value}")),
    }
}

impl Header {
    /// The header for a report on these results.
    pub fn new(results: &Results) -> Self {
        let manifest = &results.manifest;
        Self {
            name: manifest.name.clone(),
            rules: manifest.plan.rules(),
            format: manifest.plan.format().name().to_owned(),
            sprt: SprtTests::new(&results.schedule),
            seed: JsonInteger(manifest.plan.seed()),
            planned_games: results.schedule.planned_games(),
            is_over: results.is_over(),
            version: manifest.version.clone(),
            agents: manifest
                .plan
                .agents()
                .iter()
                .map(PlayedAgent::new)
                .collect(),
            base: (manifest.plan.agents().iter()).find_map(|agent| agent.base.clone()),
            sweep: sweep_effects(results),
        }
    }

    /// The clock of an agent's thinking times.
    pub(super) fn clock_of(&self, agent: &str) -> &'static str {
        let row = self.agents.iter().find(|row| row.agent == agent);
        row.map_or(CLOCKS[1], |row| row.clock)
    }

    /// A text with the number of finished games out of those planned.
    pub(super) fn games(&self, finished: u64) -> String {
        if self.is_over {
            return counted(finished, "game");
        }
        let planned = counted(self.planned_games, "game");
        format!("{} of {planned} (incomplete)", thousands(finished))
    }
}

/// The effects of the sweep, if there is one.
fn sweep_effects(results: &Results) -> Option<SweepEffects> {
    let plan = &results.manifest.plan;
    let values = plan.agents().iter().map(|agent| {
        let values = agent.swept.iter();
        values
            .map(|(key, value)| (key.clone(), (value.plain(), value.number())))
            .collect()
    });
    let values: Vec<BTreeMap<String, ValueText>> = values.collect();
    let games = (0..)
        .zip(results.games.facts())
        .map(|(i, game)| MarginGame {
            rated: RatedGame {
                cluster: plan.setup_number(game.id()),
                ..results.games.rated(i)
            },
            margin: game.margin(0),
        });
    if values.iter().all(BTreeMap::is_empty) {
        return None;
    }
    let (count, game) = (results.games.len(), |i| results.games.rated(i));
    let setups = plan.shared_setups(count, game);
    let options = Options {
        setups: setups.as_deref(),
        ..Options::default()
    };
    let ratings = rate_by(count, &game, values.len(), options);
    SweepEffects::new(&values, &games.collect::<Vec<_>>(), &ratings)
}
