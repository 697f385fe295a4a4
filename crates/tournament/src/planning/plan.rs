//! The plan of a tournament: its games and everything that they depend on.

use std::collections::{BTreeMap, HashMap};

use patchwork_engine::agent::{AgentFile, canonical_name};
use patchwork_engine::game::Rules;
use patchwork_engine::record::GameId;
use patchwork_engine::util::InputError;
use patchwork_rating::RatedGame;
use patchwork_rating::sprt::Sprt;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::formats::Format;
use super::pairings::Pairings;
use super::planned_agent::PlannedAgent;
use super::planned_game::PlannedGame;
use super::rings::PlannedRings;
use super::thoughts::TopActions;

/// A tournament, with everything that its games depend on, and what is recorded of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct Plan {
    seed: u64,
    /// Named after the track, as in files.
    #[serde(rename = "track")]
    rules: Rules,
    format: Format,
    pairs: u32,
    agents: Vec<PlannedAgent>,
    #[serde(default, skip_serializing_if = "PlannedRings::is_own")]
    rings: PlannedRings,
    #[serde(default, rename = "sprt", skip_serializing_if = "Option::is_none")]
    test: Option<Sprt>,
    /// Which of the agents' thoughts are recorded. This does not change the games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    thoughts: Option<TopActions>,
    #[serde(skip)]
    pairings: Pairings,
}

impl Serialize for Plan {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        // This calls the derived function, which has the same name.
        Self::serialize(self, to)
    }
}

impl<'de> Deserialize<'de> for Plan {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let plan = Self::deserialize(from)?;
        plan.checked().map_err(serde::de::Error::custom)
    }
}

/// The maximum number of games of a plan, so that a game's place fits 32 bits.
pub const MAX_GAMES: u64 = 1 << 31;

impl Plan {
    /// Creates the plan of a tournament; its agents are sorted by name.
    ///
    /// When there are fewer than two agents, two agents have the same name, the format names agents
    /// that are not in the plan, there are no pairs, or there are more than [`MAX_GAMES`] games.
    pub fn new(
        seed: u64,
        rules: impl Into<Rules>,
        format: impl Into<Format>,
        pairs: u32,
        agents: Vec<PlannedAgent>,
    ) -> Result<Self, InputError> {
        let plan = Self {
            seed,
            rules: rules.into(),
            format: format.into(),
            pairs,
            agents,
            rings: PlannedRings::Own,
            test: None,
            thoughts: None,
            pairings: Pairings::default(),
        };
        plan.checked()
    }

    /// Sorts the agents, validates the plan, and determines its pairings.
    fn checked(mut self) -> Result<Self, InputError> {
        self.agents.sort_by(|a, b| a.name.cmp(&b.name));
        let count = self.agents.len();
        if !(2..=usize::from(u16::MAX)).contains(&count) {
            let what = format!("found {count}; expected at least two, at most {}", u16::MAX);
            return Err(InputError::at("agents", what));
        }
        let mut neighbours = self.agents.windows(2);
        if let Some(twice) = neighbours.find(|two| two[0].name == two[1].name) {
            let what = format!("{} is named twice; expected each agent once", twice[0].name);
            return Err(InputError::at("agents", what));
        }
        if self.pairs == 0 {
            return Err(InputError::at("pairs", "0; expected 1 or more"));
        }
        let names: Vec<&str> = self
            .agents
            .iter()
            .map(|agent| agent.name.as_str())
            .collect();
        self.format.check(&names)?;
        if self.test.is_some() {
            self.format.check_testable()?;
        }
        self.pairings = self.format.pairings(&names);
        let games = u128::from(self.pairings.len()) * u128::from(self.pairs) * 2;
        if games > u128::from(MAX_GAMES) {
            let what = format!("{games} games in all; expected at most {MAX_GAMES}");
            return Err(InputError::at("pairs", what));
        }
        Ok(self)
    }

    /// The same tournament with other rings.
    #[must_use]
    pub fn with_rings(self, rings: PlannedRings) -> Self {
        Self { rings, ..self }
    }

    /// The same tournament with another number of pairs.
    ///
    /// # Errors
    /// When there are no pairs, or there are more than [`MAX_GAMES`] games.
    pub fn with_pairs(self, pairs: u32) -> Result<Self, InputError> {
        Self { pairs, ..self }.checked()
    }

    /// The same tournament with other thoughts recorded. The games are the same.
    #[must_use]
    pub fn with_thoughts(self, thoughts: Option<TopActions>) -> Self {
        Self { thoughts, ..self }
    }

    /// The same tournament, in which each pairing ends when the test reaches a decision between
    /// its agents. The test is about the Elo of the first agent of the pairing minus that of the
    /// second. Set the rings first: a test treats pairs as independent, so each ring of a book may
    /// be used only once.
    ///
    /// # Errors
    /// When the format does not support tests, or there are more pairs than rings in the book.
    pub fn with_test(self, test: Sprt) -> Result<Self, InputError> {
        // Not part of `checked`, so that results of older plans stay readable with any number of
        // pairs.
        if let Some(rings) = self.rings.count().filter(|&rings| self.pairs > rings) {
            let what = format!(
                "{}, and the book has {rings}; expected at most as many pairs as rings, because a \
                 repeated ring gives no new evidence for a test",
                self.pairs
            );
            return Err(InputError::at("pairs", what));
        }
        let test = Some(test);
        Self { test, ..self }.checked()
    }

    /// The seed that all random streams derive from.
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// The printing of the time board and the komi.
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// The agents, sorted by name.
    pub fn agents(&self) -> &[PlannedAgent] {
        &self.agents
    }

    /// Sets the descriptions of agents, by name.
    pub(crate) fn describe(&mut self, descriptions: &BTreeMap<String, String>) {
        for agent in &mut self.agents {
            if let Some(text) = descriptions.get(&agent.name) {
                agent.description.clone_from(text);
            }
        }
    }

    /// The agents' names, in order.
    pub fn names(&self) -> Vec<String> {
        self.agents.iter().map(|agent| agent.name.clone()).collect()
    }

    /// The name of the agent with this index into [`Self::agents`].
    pub fn name(&self, agent: u16) -> &str {
        &self.agents[usize::from(agent)].name
    }

    /// The format, which determines which agents meet.
    pub const fn format(&self) -> &Format {
        &self.format
    }

    /// The number of setups of each pairing; the maximum if there is a test.
    pub const fn pairs(&self) -> u32 {
        self.pairs
    }

    /// The source of the rings.
    pub const fn rings(&self) -> &PlannedRings {
        &self.rings
    }

    /// The test that may end pairings early.
    pub const fn test(&self) -> Option<&Sprt> {
        self.test.as_ref()
    }

    /// Which of the agents' thoughts are recorded in addition to those in every record.
    pub const fn thoughts(&self) -> Option<TopActions> {
        self.thoughts
    }

    /// The two agents of each pairing, as indices into [`Self::agents`]; the first has the first
    /// seat in leg 0.
    pub fn pairings(&self) -> Vec<(u16, u16)> {
        self.pairings.iter().collect()
    }

    /// The number of pairings.
    pub(crate) fn pairing_count(&self) -> u64 {
        self.pairings.len()
    }

    /// The two agents of the pairing with this index.
    pub(crate) fn pairing(&self, index: u32) -> Option<(u16, u16)> {
        self.pairings.get(index.into())
    }

    /// The game of two agents, given by seat, with this number of their pair; `None` if they do not meet
    /// or the number is too large.
    pub(crate) fn game_of(&self, seats: [u16; 2], pair: u32) -> Option<PlannedGame> {
        let (pairing, agents) = self.pairings.find(seats[0], seats[1])?;
        let leg = u8::from(seats[0] != agents.0);
        (pair < self.pairs).then(|| PlannedGame::new(pairing as u32, agents, pair, leg))
    }

    /// The name of a pairing, made from its agents' names, as in `a|b`.
    pub(crate) fn pairing_name(&self, (a, b): (u16, u16)) -> String {
        format!("{}|{}", self.name(a), self.name(b))
    }

    /// The name of the pairing of a game.
    pub fn pairing_of(&self, id: GameId, seats: [u16; 2]) -> String {
        // The pairing's first agent has the first seat in leg 0.
        let [first, second] = seats;
        self.pairing_name(match id.leg {
            0 => (first, second),
            _ => (second, first),
        })
    }

    /// A number that identifies a game's setup: games with the same number have the same setup.
    pub fn setup_number(&self, id: GameId) -> u64 {
        match (self.rings(), self.rings().count()) {
            (PlannedRings::Own, _) => self.index(id) / 2,
            (_, Some(rings)) => u64::from(id.pair % rings),
            (_, None) => id.pair.into(),
        }
    }

    /// The setups of these games of the plan, if several of the pairs share one; see
    /// [`patchwork_rating::Options::setups`].
    pub fn shared_setups(
        &self,
        count: usize,
        game: impl Fn(usize) -> RatedGame,
    ) -> Option<Vec<u64>> {
        if self.rings.is_own() {
            return None;
        }
        let setup = |i: usize| {
            let (pairing, pair) = game(i).pair();
            self.setup_number(GameId {
                pairing,
                pair,
                leg: 0,
            })
        };
        let setups: Vec<u64> = (0..count).map(setup).collect();
        let mut clusters: HashMap<u64, u64> = HashMap::new();
        let is_shared = (0..count).any(|i| {
            let cluster = game(i).cluster;
            *clusters.entry(setups[i]).or_insert(cluster) != cluster
        });
        is_shared.then_some(setups)
    }

    /// The number of games, at least 2; the maximum if there is a test.
    pub fn game_count(&self) -> usize {
        (self.pairings.len() * u64::from(self.pairs) * 2) as usize
    }

    /// The index of a game among all games, sorted by identity.
    pub fn index(&self, id: GameId) -> u64 {
        (u64::from(id.pairing) * u64::from(self.pairs) + u64::from(id.pair)) * 2 + u64::from(id.leg)
    }

    /// The game with this index, or `None` past the end.
    pub fn game(&self, index: u64) -> Option<PlannedGame> {
        let per_pairing = u64::from(self.pairs) * 2;
        let (pairing, rest) = (index / per_pairing, index % per_pairing);
        let agents = self.pairings.get(pairing)?;
        let (pair, leg) = ((rest / 2) as u32, (rest % 2) as u8);
        Some(PlannedGame::new(pairing as u32, agents, pair, leg))
    }

    /// The place of a game in the order of play: the first pair of each pairing comes first, then the second of
    /// each, and so on, so that early standings are meaningful.
    pub fn place(&self, id: GameId) -> u64 {
        let pair = u64::from(id.pair) * self.pairings.len() + u64::from(id.pairing);
        2 * pair + u64::from(id.leg)
    }

    /// The game at this place in the order of play, or `None` past the end.
    pub(crate) fn game_at(&self, place: u64) -> Option<PlannedGame> {
        let per_pair = self.pairings.len() * 2;
        let (pair, rest) = (place / per_pair, place % per_pair);
        let agents = self.pairings.get(rest / 2)?;
        let (pairing, leg) = ((rest / 2) as u32, (rest % 2) as u8);
        (pair < u64::from(self.pairs)).then(|| PlannedGame::new(pairing, agents, pair as u32, leg))
    }

    /// All games in the order of play.
    pub fn games(&self) -> impl Iterator<Item = PlannedGame> {
        (0..self.game_count() as u64).filter_map(|place| self.game_at(place))
    }

    /// Whether the game is one of the plan.
    pub(crate) fn contains(&self, game: PlannedGame) -> bool {
        self.game(self.index(game.id)) == Some(game)
    }

    /// The game with this name: its pairing, pair and leg as in `a|b/0/1`. The settings in an agent's name, as in
    /// `a{search.exploration=1.0}`, may be in any order.
    pub fn find(&self, name: &str) -> Option<PlannedGame> {
        // Settings in names of agents may have slashes.
        let parts: Vec<&str> = name.rsplitn(3, '/').collect();
        let [leg, pair, pairing] = parts[..] else {
            return None;
        };
        let id = GameId {
            pairing: self.find_pairing(pairing)?,
            pair: pair.parse().ok()?,
            leg: leg.parse().ok()?,
        };
        self.game(self.index(id)).filter(|game| game.id == id)
    }

    /// The name of a game, from its pairing, pair and leg; [`Self::find`] accepts it.
    pub fn game_name(&self, GameId { pairing, pair, leg }: GameId) -> String {
        let agents = self.pairings.get(pairing.into());
        let name = agents.map_or_else(|| pairing.to_string(), |agents| self.pairing_name(agents));
        format!("{name}/{pair}/{leg}")
    }

    /// The index of the pairing with this name.
    fn find_pairing(&self, name: &str) -> Option<u32> {
        let agents = |at: usize| {
            let find = |name: &str| self.agents.iter().position(|agent| agent.name == name);
            let agent = |name| find(name).or_else(|| find(&canonical_name(name)));
            Some((agent(&name[..at])? as u16, agent(&name[at + 1..])? as u16))
        };
        let (pairing, _) = name.match_indices('|').find_map(|(at, _)| {
            let (a, b) = agents(at)?;
            let found = self.pairings.find(a, b);
            found.filter(|(_, of)| *of == (a, b))
        })?;
        Some(pairing as u32)
    }
}

/// The default number of pairs of a match without a test.
const MATCH_PAIRS: u32 = 20;

/// The default maximum number of pairs of a test.
pub const MAX_TEST_PAIRS: u32 = 100_000;

/// The default maximum number of pairs of a test with these rings: [`MAX_TEST_PAIRS`], or the number of
/// rings of a book if that is less.
pub(crate) fn most_test_pairs(rings: &PlannedRings) -> u32 {
    let rings = rings.count().unwrap_or(MAX_TEST_PAIRS);
    rings.min(MAX_TEST_PAIRS)
}

/// Agents that play each other, usually two.
#[derive(Clone, Debug)]
pub struct Match {
    /// The seed that all random streams derive from.
    pub seed: u64,
    /// The printing of the time board.
    pub rules: Rules,
    /// The source of the rings.
    pub rings: PlannedRings,
    /// The number of setups; the maximum if there is a test.
    pub pairs: Option<u32>,
    /// A test that ends the match when it decides about the strength of the first agent relative to the
    /// second.
    pub test: Option<Sprt>,
    /// Which of the agents' thoughts are recorded in addition to those in every record.
    pub thoughts: Option<TopActions>,
    /// The agents; a test evaluates the first one.
    pub agents: Vec<AgentFile>,
}

impl Match {
    /// The plan of the match.
    pub fn plan(self) -> Result<Plan, InputError> {
        let (format, pairs) = match self.test {
            Some(_) => {
                let challenger = self.agents.first().map(|agent| agent.name.clone());
                (Format::gauntlet(challenger), most_test_pairs(&self.rings))
            }
            None => (Format::RoundRobin, MATCH_PAIRS),
        };
        let pairs = self.pairs.unwrap_or(pairs);
        let agents = self.agents.into_iter().map(Into::into).collect();
        let plan = Plan::new(self.seed, self.rules, format, pairs, agents)?;
        let plan = plan.with_rings(self.rings).with_thoughts(self.thoughts);
        match self.test {
            Some(test) => plan.with_test(test),
            None => Ok(plan),
        }
    }
}

#[cfg(test)]
mod tests;
