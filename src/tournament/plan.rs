//! What a tournament plays and everything that its games depend on.

use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

use super::rings::Rings;
use super::schedule::Schedule;
use super::three_keys::{read_settings, with_three_keys};
use crate::agent::AgentSettings;
use crate::game::{Player, Ring, Setup, Track};
use crate::rating::sprt::Sprt;
use crate::record::GameId;
use crate::util::rng::{Rng, stream};

/// Which agents meet. Agents are named.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Format {
    /// Everyone against everyone.
    #[default]
    RoundRobin,
    /// Some agents against all others; neither they nor the others meet among themselves.
    Gauntlet {
        /// The agents that meet all others.
        challengers: Vec<String>,
    },
    /// Rounds in which agents meet that have done about equally well so far, and have not met.
    Swiss {
        /// Number of rounds.
        rounds: u32,
        /// All agents: the first round pairs the upper half with the lower, and on equal results the
        /// agent named earlier is placed higher.
        seeds: Vec<String>,
    },
    /// Who loses is out.
    KnockOut {
        /// All agents: the first and the second can only meet in the final, and so on; the agent
        /// named earlier wins what nothing else decides.
        seeds: Vec<String>,
    },
}

impl Format {
    /// As it is written in tournament files.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::RoundRobin => "round-robin",
            Self::Gauntlet { .. } => "gauntlet",
            Self::Swiss { .. } => "swiss",
            Self::KnockOut { .. } => "knock-out",
        }
    }

    /// Whether all pairings are known before the first game.
    #[must_use]
    pub const fn is_known(&self) -> bool {
        matches!(self, Self::RoundRobin | Self::Gauntlet { .. })
    }
}

/// An agent of a plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlannedAgent {
    /// Its name.
    pub name: String,
    /// Its settings.
    #[serde(deserialize_with = "read_settings")]
    pub config: AgentSettings,
}

/// A tournament with everything that its games depend on and nothing else.
///
/// Round-robins and gauntlets are known before the first game. Which agents meet in a later round of
/// the other formats follows from the plan and the results of the rounds before, see [`Schedule`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct Plan {
    seed: u64,
    #[serde(with = "track_name")]
    track: Track,
    format: Format,
    pairs: u32,
    agents: Vec<PlannedAgent>,
    #[serde(skip_serializing_if = "Rings::is_own")]
    rings: Rings,
    #[serde(rename = "sprt", skip_serializing_if = "Option::is_none")]
    test: Option<Sprt>,
}

/// A plan as it is read.
#[derive(Deserialize)]
struct Unchecked {
    seed: u64,
    #[serde(with = "track_name")]
    track: Track,
    format: Format,
    pairs: u32,
    agents: Vec<PlannedAgent>,
    #[serde(default)]
    rings: Rings,
    #[serde(default, rename = "sprt")]
    test: Option<Sprt>,
}

impl TryFrom<Unchecked> for Plan {
    type Error = PlanError;

    fn try_from(read: Unchecked) -> Result<Self, PlanError> {
        let plan = Self::new(read.seed, read.track, read.format, read.pairs, read.agents)?;
        let plan = plan.with_rings(read.rings);
        match read.test {
            // Results of an older plan stay readable, whatever its pairs.
            Some(test) => plan.tested(test),
            None => Ok(plan),
        }
    }
}

/// One game of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlannedGame {
    /// Which one.
    pub id: GameId,
    /// The agents in the first and the second seat, as indices of [`Plan::agents`].
    pub seats: [u16; 2],
}

/// Plans have no more games, so that every number of a game fits 32 bits.
pub const MOST_GAMES: u64 = 1 << 31;

/// A swiss tournament has no more rounds.
pub const MOST_ROUNDS: u32 = 10_000;

/// Why there is no such plan.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PlanError {
    /// Nobody to play against.
    #[error("agents: {0} of them, expected at least two")]
    TooFewAgents(usize),
    /// Two agents with one name.
    #[error("agents: {0} is named twice, expected each agent once")]
    Repeated(String),
    /// A gauntlet without challengers.
    #[error("challengers: none, expected one or more of the agents")]
    NoChallengers,
    /// A gauntlet without opponents.
    #[error("challengers: all of the agents, expected at least one other")]
    NoOpponents,
    /// A challenger that does not play.
    #[error("challengers: {0} is none of the agents")]
    Challenger(String),
    /// A challenger that comes twice.
    #[error("challengers: {0} is named twice, expected each agent once")]
    RepeatedChallenger(String),
    /// Seeds that are not the agents.
    #[error("seeds: expected each agent once")]
    Seeds,
    /// A number of rounds that is none.
    #[error("rounds: {0}, expected a number from 1 to {MOST_ROUNDS}")]
    Rounds(u32),
    /// A test of what is not tested.
    #[error("sprt: goes with format = \"gauntlet\" only, and this is {0}")]
    Test(&'static str),
    /// A test that would see rings again.
    #[error(
        "pairs: {pairs}, and the book has {rings}; expected at most as many pairs as rings, as a ring \
         that comes again is no new evidence for a test"
    )]
    TestBeyondBook {
        /// What was asked for.
        pairs: u32,
        /// Rings of the book.
        rings: u32,
    },
    /// No pairs.
    #[error("pairs: 0, expected 1 or more")]
    NoPairs,
    /// More agents than can be numbered.
    #[error("agents: {0} of them, expected at most {max}", max = u16::MAX)]
    TooManyAgents(usize),
    /// More games than can be numbered.
    #[error("pairs: {0} games in all, expected at most {MOST_GAMES}")]
    TooManyGames(u128),
}

/// What a stream of random numbers is for; part of what it is derived from.
#[derive(Clone, Copy)]
pub(super) enum Purpose {
    Setup = 1,
    Agent = 2,
    Ring = 3,
    Seeds = 4,
}

impl Plan {
    /// The plan of a tournament; its agents are sorted by name.
    ///
    /// # Errors
    /// With fewer than two agents, two of the same name, names in the format that are not theirs, no
    /// pairs, or far too many.
    pub fn new(
        seed: u64,
        track: Track,
        mut format: Format,
        pairs: u32,
        mut agents: Vec<PlannedAgent>,
    ) -> Result<Self, PlanError> {
        agents.sort_by(|a, b| a.name.cmp(&b.name));
        if agents.len() < 2 {
            return Err(PlanError::TooFewAgents(agents.len()));
        }
        if let Some(twice) = agents.windows(2).find(|two| two[0].name == two[1].name) {
            return Err(PlanError::Repeated(twice[0].name.clone()));
        }
        if pairs == 0 {
            return Err(PlanError::NoPairs);
        }
        if agents.len() > usize::from(u16::MAX) {
            return Err(PlanError::TooManyAgents(agents.len()));
        }
        check_format(&mut format, &agents)?;
        let plan = Self {
            seed,
            track,
            format,
            pairs,
            agents,
            rings: Rings::Own,
            test: None,
        };
        let games = u128::from(plan.pairing_count()) * u128::from(plan.most_pairs()) * 2;
        if games > u128::from(MOST_GAMES) {
            return Err(PlanError::TooManyGames(games));
        }
        Ok(plan)
    }

    /// The same tournament on other rings.
    #[must_use]
    pub fn with_rings(self, rings: Rings) -> Self {
        Self { rings, ..self }
    }

    /// The same gauntlet, in which each pairing ends when the test decides between its agents, the
    /// challenger's Elo minus the opponent's being tested. Rings are given before: a test takes pairs
    /// as independent, so each ring of a book may come once.
    ///
    /// # Errors
    /// When it is no gauntlet, or has more pairs than its book has rings.
    pub fn with_test(self, test: Sprt) -> Result<Self, PlanError> {
        let pairs = self.pairs;
        match self.rings.count() {
            Some(rings) if pairs > rings => Err(PlanError::TestBeyondBook { pairs, rings }),
            _ => self.tested(test),
        }
    }

    fn tested(self, test: Sprt) -> Result<Self, PlanError> {
        if !matches!(self.format, Format::Gauntlet { .. }) {
            return Err(PlanError::Test(self.format.name()));
        }
        let test = Some(test);
        Ok(Self { test, ..self })
    }

    /// The seed that all random streams derive from.
    #[must_use]
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// The printing of the time board.
    #[must_use]
    pub const fn track(&self) -> Track {
        self.track
    }

    /// The agents by name.
    #[must_use]
    pub fn agents(&self) -> &[PlannedAgent] {
        &self.agents
    }

    /// The agents' names in order.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.agents.iter().map(|agent| agent.name.clone()).collect()
    }

    /// Which agents meet.
    #[must_use]
    pub const fn format(&self) -> &Format {
        &self.format
    }

    /// Number of setups that two agents play when they meet; with a test, at most.
    #[must_use]
    pub const fn pairs(&self) -> u32 {
        self.pairs
    }

    /// Where the rings come from.
    #[must_use]
    pub const fn rings(&self) -> &Rings {
        &self.rings
    }

    /// What ends a pairing of a gauntlet early.
    #[must_use]
    pub const fn test(&self) -> Option<&Sprt> {
        self.test.as_ref()
    }

    /// Which two agents may meet, as indices of [`Self::agents`].
    ///
    /// In a gauntlet the challenger comes first, and pairings are sorted by challenger. Otherwise all
    /// unordered pairs of agents are pairings, whether they meet or not.
    #[must_use]
    pub fn pairings(&self) -> Vec<(u16, u16)> {
        let count = self.agents.len() as u16;
        let Format::Gauntlet { challengers } = &self.format else {
            return (0..count)
                .flat_map(|a| (a + 1..count).map(move |b| (a, b)))
                .collect();
        };
        let challengers = self.indices(challengers);
        let others = (0..count).filter(|agent| !challengers.contains(agent));
        let others: Vec<u16> = others.collect();
        let pairings = |&a| others.iter().map(move |&b| (a, b));
        challengers.iter().flat_map(pairings).collect()
    }

    /// Number of [`Self::pairings`].
    fn pairing_count(&self) -> u64 {
        let count = self.agents.len() as u64;
        match &self.format {
            Format::Gauntlet { challengers } => {
                challengers.len() as u64 * (count - challengers.len() as u64)
            }
            _ => count * (count - 1) / 2,
        }
    }

    /// Most pairs of one pairing: agents may meet in every round, and equal results be broken by
    /// further pairs.
    pub(super) fn most_pairs(&self) -> u64 {
        let pairs = u64::from(self.pairs);
        match self.format {
            Format::RoundRobin | Format::Gauntlet { .. } => pairs,
            Format::Swiss { rounds, .. } => pairs * u64::from(rounds),
            Format::KnockOut { .. } => 2 * pairs,
        }
    }

    /// The agents of these names, which are names of agents.
    pub(super) fn indices(&self, names: &[String]) -> Vec<u16> {
        let index = |name: &String| self.agents.binary_search_by(|agent| agent.name.cmp(name));
        let indices = names.iter().filter_map(|name| index(name).ok());
        indices.map(|index| index as u16).collect()
    }

    /// The pairing of two agents where all may meet.
    pub(super) fn pairing_of(&self, one: u16, other: u16) -> u32 {
        let (a, b) = (u64::from(one.min(other)), u64::from(one.max(other)));
        let before = a * (2 * self.agents.len() as u64 - a - 1) / 2;
        (before + b - a - 1) as u32
    }

    /// A number that differs between plans that differ.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let text = serde_json::to_string(self).expect("a plan has only plain values");
        XxHash3_64::oneshot(with_three_keys(&text).as_bytes())
    }

    /// The games that are known before the first is played, in the order in which they are played:
    /// the first pair of every pairing, then the second, and so on, so that a table means something
    /// early. In a round-robin or a gauntlet these are all, otherwise those of the first round.
    pub fn games(&self) -> impl Iterator<Item = PlannedGame> + use<> {
        Schedule::new(self).into_games()
    }

    /// The number of a game: its position when all games that may be played are sorted by identity.
    #[must_use]
    pub fn number(&self, id: GameId) -> u64 {
        (u64::from(id.pairing) * self.most_pairs() + u64::from(id.pair)) * 2 + u64::from(id.leg)
    }

    /// Number of games, 2 at least: of a knock-out without further pairs, with a test at most.
    #[must_use]
    pub fn game_count(&self) -> usize {
        let agents = self.agents.len() as u64;
        let encounters = match self.format {
            Format::RoundRobin | Format::Gauntlet { .. } => self.pairing_count(),
            Format::Swiss { rounds, .. } => u64::from(rounds) * (agents / 2),
            Format::KnockOut { .. } => agents - 1,
        };
        (encounters * u64::from(self.pairs) * 2) as usize
    }

    /// What is larger than every [`Self::number`].
    #[must_use]
    pub fn numbers(&self) -> u64 {
        self.pairing_count() * self.most_pairs() * 2
    }

    /// The agents of a pairing by its index, or `None` past the end.
    fn pairing(&self, index: u64) -> Option<(u16, u16)> {
        let count = self.agents.len() as u16;
        if let Format::Gauntlet { challengers } = &self.format {
            let others = u64::from(count) - challengers.len() as u64;
            let challengers = self.indices(challengers);
            let a = challengers.get(usize::try_from(index / others).ok()?)?;
            let mut others_of = (0..count).filter(|agent| !challengers.contains(agent));
            return Some((*a, others_of.nth((index % others) as usize)?));
        }
        let mut before = 0;
        (0..count).find_map(|a| {
            let opponents = u64::from(count - 1 - a);
            let b = index.checked_sub(before).filter(|&b| b < opponents);
            before += opponents;
            b.map(|b| (a, a + 1 + b as u16))
        })
    }

    /// The game with this number, or `None` past the end. Where later rounds depend on results it may
    /// never be played.
    #[must_use]
    pub fn game(&self, number: u64) -> Option<PlannedGame> {
        let per_pairing = self.most_pairs() * 2;
        let pairing = number / per_pairing;
        let (a, b) = self.pairing(pairing)?;
        Some(PlannedGame::new(
            pairing as u32,
            (a, b),
            (number % per_pairing / 2) as u32,
            (number % 2) as u8,
        ))
    }
}

impl PlannedGame {
    /// A game of a pairing: its first agent has the first seat in leg 0.
    pub(super) const fn new(pairing: u32, (a, b): (u16, u16), pair: u32, leg: u8) -> Self {
        Self {
            id: GameId { pairing, pair, leg },
            seats: if leg == 0 { [a, b] } else { [b, a] },
        }
    }
}

/// Checks the names in a format and puts them in order where that means nothing.
fn check_format(format: &mut Format, agents: &[PlannedAgent]) -> Result<(), PlanError> {
    match format {
        Format::RoundRobin => {}
        Format::Gauntlet { challengers } => {
            challengers.sort();
            let known = |name: &String| agents.iter().any(|agent| agent.name == *name);
            if challengers.is_empty() {
                return Err(PlanError::NoChallengers);
            }
            if let Some(unknown) = challengers.iter().find(|name| !known(name)) {
                return Err(PlanError::Challenger(unknown.clone()));
            }
            if let Some(twice) = challengers.windows(2).find(|two| two[0] == two[1]) {
                return Err(PlanError::RepeatedChallenger(twice[0].clone()));
            }
            if challengers.len() == agents.len() {
                return Err(PlanError::NoOpponents);
            }
        }
        Format::Swiss { seeds, .. } | Format::KnockOut { seeds } => {
            let mut sorted: Vec<&String> = seeds.iter().collect();
            sorted.sort();
            if !sorted
                .into_iter()
                .eq(agents.iter().map(|agent| &agent.name))
            {
                return Err(PlanError::Seeds);
            }
        }
    }
    match *format {
        Format::Swiss { rounds, .. } if !(1..=MOST_ROUNDS).contains(&rounds) => {
            Err(PlanError::Rounds(rounds))
        }
        _ => Ok(()),
    }
}

/// Where the random numbers of a plan's games come from: the seed and the game's identity alone.
#[derive(Clone, Debug)]
pub struct Streams {
    seed: u64,
    track: Track,
    plan_hash: u64,
    rings: RingSource,
}

#[derive(Clone, Debug)]
enum RingSource {
    Own,
    Common,
    /// In the order in which pairs use them, 1 at least.
    Listed(Vec<Ring>),
}

impl Streams {
    /// The streams of a plan.
    #[must_use]
    pub fn new(plan: &Plan) -> Self {
        let streams = Self {
            seed: plan.seed,
            track: plan.track,
            plan_hash: plan.hash(),
            rings: RingSource::Own,
        };
        let rings = match &plan.rings {
            Rings::Own => RingSource::Own,
            Rings::Common => RingSource::Common,
            Rings::Book(book) => {
                let order = book.order(&mut streams.stream(Purpose::Ring, &[]));
                RingSource::Listed(order.iter().map(|&i| book.rings()[i as usize]).collect())
            }
        };
        Self { rings, ..streams }
    }

    /// The setup of a game; both legs of a pair have the same.
    #[must_use]
    pub fn setup(&self, id: GameId) -> Setup {
        let mut rng = match &self.rings {
            RingSource::Own => self.stream(Purpose::Setup, &[id.pairing.into(), id.pair.into()]),
            RingSource::Common => self.stream(Purpose::Ring, &[id.pair.into()]),
            RingSource::Listed(rings) => {
                return Setup::new(self.track, rings[id.pair as usize % rings.len()]);
            }
        };
        Setup::random(self.track, &mut rng)
    }

    /// The stream of the agent in a seat.
    #[must_use]
    pub fn agent(&self, id: GameId, seat: Player) -> Rng {
        let game = [id.pairing.into(), id.pair.into(), id.leg.into()];
        let [pairing, pair, leg] = game;
        self.stream(Purpose::Agent, &[pairing, pair, leg, seat.index() as u64])
    }

    fn stream(&self, purpose: Purpose, numbers: &[u64]) -> Rng {
        let mut words = vec![self.seed, self.plan_hash, purpose as u64];
        words.extend_from_slice(numbers);
        stream(&words)
    }
}

/// Tracks are written by name.
mod track_name {
    use super::Track;
    use serde::{Deserialize as _, Deserializer, Serializer};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
    pub(super) fn serialize<S: Serializer>(track: &Track, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(track.name())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Track, D::Error> {
        let name = String::deserialize(from)?;
        name.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::positions::ring;
    use crate::support::tournaments::{self, owned as names};
    use std::collections::HashSet;

    fn plan(names: &[&str], pairs: u32) -> Result<Plan, PlanError> {
        tournaments::plan(names, Format::RoundRobin, pairs)
    }

    #[test]
    fn every_pair_is_played_twice_with_seats_swapped() {
        let plan = plan(&["c", "a", "b"], 4).unwrap();
        assert_eq!(plan.names(), ["a", "b", "c"]);
        assert_eq!(plan.pairings(), [(0, 1), (0, 2), (1, 2)]);
        let games: Vec<PlannedGame> = plan.games().collect();
        assert_eq!(games.len(), plan.game_count());
        assert_eq!(games.len(), 3 * 4 * 2);
        let streams = Streams::new(&plan);
        for two in games.chunks(2) {
            let [one, other] = two else {
                panic!("legs come together")
            };
            assert_eq!([one.seats[1], one.seats[0]], other.seats);
            assert_eq!(streams.setup(one.id), streams.setup(other.id));
        }
        let setups: HashSet<Setup> = games.iter().map(|game| streams.setup(game.id)).collect();
        assert_eq!(setups.len(), 12);
        let numbers: HashSet<u64> = games.iter().map(|game| plan.number(game.id)).collect();
        assert_eq!(numbers, (0..24).collect());
        for game in &games {
            assert_eq!(plan.game(plan.number(game.id)), Some(*game));
        }
        assert_eq!(plan.game(24), None);
        assert_eq!(plan.game(u64::MAX), None);
    }

    #[test]
    fn the_hash_changes_with_the_plan_and_not_with_the_order_of_agents() {
        let hash = plan(&["a", "b"], 4).unwrap().hash();
        assert_eq!(plan(&["b", "a"], 4).unwrap().hash(), hash);
        assert_ne!(plan(&["a", "b"], 5).unwrap().hash(), hash);
        assert_ne!(plan(&["a", "c"], 4).unwrap().hash(), hash);
        // Pinned: results of this version must stay readable by later ones.
        assert_eq!(format!("{hash:016x}"), "bec7ce89093f985b");
    }

    #[test]
    fn plans_that_cannot_be_played_are_refused() {
        assert_eq!(plan(&[], 4), Err(PlanError::TooFewAgents(0)));
        assert_eq!(plan(&["a"], 4), Err(PlanError::TooFewAgents(1)));
        assert_eq!(
            plan(&["a", "b", "a"], 4),
            Err(PlanError::Repeated("a".into()))
        );
        assert_eq!(plan(&["a", "b"], 0), Err(PlanError::NoPairs));
        let many = plan(&["a", "b", "c"], u32::MAX);
        assert!(matches!(many, Err(PlanError::TooManyGames(_))), "{many:?}");
    }

    fn planned(format: Format) -> Result<Plan, PlanError> {
        tournaments::plan(&["b", "a", "c"], format, 2)
    }

    #[test]
    fn plans_of_all_kinds_are_written_and_read() {
        let gauntlet = |of| Format::Gauntlet {
            challengers: names(of),
        };
        let seeds = names(&["c", "a", "b"]);
        let test = Sprt::new(
            0.0,
            5.0,
            0.05,
            0.05,
            crate::rating::sprt::EloModel::Normalized,
        )
        .unwrap();
        let rings = vec![ring(1)];
        let book = super::super::rings::Book::new(rings).unwrap();
        let plans = [
            planned(Format::RoundRobin)
                .unwrap()
                .with_rings(Rings::Common),
            planned(Format::RoundRobin)
                .unwrap()
                .with_rings(Rings::Book(book)),
            planned(gauntlet(&["b", "a"])).unwrap(),
            planned(gauntlet(&["c"])).unwrap().with_test(test).unwrap(),
            planned(Format::Swiss {
                rounds: 2,
                seeds: seeds.clone(),
            })
            .unwrap(),
            planned(Format::KnockOut { seeds }).unwrap(),
        ];
        for plan in &plans {
            let json = serde_json::to_string(plan).unwrap();
            assert_eq!(
                serde_json::from_str::<Plan>(&json).unwrap(),
                *plan,
                "{json}"
            );
        }
        // Pinned: results of this version must stay readable by later ones.
        let hashes = plans.map(|plan| format!("{:016x}", plan.hash()));
        assert_eq!(
            hashes,
            [
                "1c5fe860ecb6da51",
                "938c812991077d72",
                "7682f0b2ae45ab4b",
                "0bfac320ff3ac8b2",
                "4349454730cdf921",
                "c7b56821a73f8502",
            ]
        );
        assert_eq!(
            planned(gauntlet(&["a", "b"])).unwrap().hash(),
            planned(gauntlet(&["b", "a"])).unwrap().hash()
        );
    }

    #[test]
    fn formats_that_do_not_suit_the_agents_are_refused() {
        let gauntlet = |of| {
            planned(Format::Gauntlet {
                challengers: names(of),
            })
            .unwrap_err()
        };
        assert_eq!(gauntlet(&[]), PlanError::NoChallengers);
        assert_eq!(gauntlet(&["a", "b", "c"]), PlanError::NoOpponents);
        assert_eq!(gauntlet(&["x"]), PlanError::Challenger("x".into()));
        assert_eq!(
            gauntlet(&["a", "a"]),
            PlanError::RepeatedChallenger("a".into())
        );
        let seeded = |of| planned(Format::KnockOut { seeds: names(of) }).unwrap_err();
        assert_eq!(seeded(&["a", "b"]), PlanError::Seeds);
        assert_eq!(seeded(&["a", "b", "b"]), PlanError::Seeds);
        let swiss = |rounds| {
            let seeds = names(&["a", "b", "c"]);
            planned(Format::Swiss { rounds, seeds }).unwrap_err()
        };
        assert_eq!(swiss(0), PlanError::Rounds(0));
        assert_eq!(swiss(MOST_ROUNDS + 1), PlanError::Rounds(MOST_ROUNDS + 1));
        let test = Sprt::new(
            0.0,
            5.0,
            0.05,
            0.05,
            crate::rating::sprt::EloModel::Logistic,
        )
        .unwrap();
        let tested = planned(Format::RoundRobin).unwrap().with_test(test);
        assert_eq!(tested, Err(PlanError::Test("round-robin")));
        let ring = ring(1);
        let book = super::super::rings::Book::new(vec![ring]).unwrap();
        let challengers = names(&["a"]);
        let booked = planned(Format::Gauntlet { challengers }).unwrap();
        let booked = booked.with_rings(Rings::Book(book)).with_test(test);
        let beyond = PlanError::TestBeyondBook { pairs: 2, rings: 1 };
        assert_eq!(booked, Err(beyond));
        // The same when a plan is read.
        let good = serde_json::to_string(&planned(Format::RoundRobin).unwrap()).unwrap();
        for (old, new) in [
            (
                "\"round-robin\"",
                "{\"gauntlet\":{\"challengers\":[\"x\"]}}",
            ),
            ("\"pairs\":2", "\"pairs\":0"),
            ("\"name\":\"b\"", "\"name\":\"a\""),
        ] {
            assert!(
                serde_json::from_str::<Plan>(&good.replace(old, new)).is_err(),
                "{new}"
            );
        }
    }

    #[test]
    fn rings_are_own_or_common_or_of_a_book() {
        let id = |pairing, pair| GameId {
            pairing,
            pair,
            leg: 0,
        };
        let setups = |rings: &Rings| {
            let plan = plan(&["a", "b", "c"], 8).unwrap().with_rings(rings.clone());
            let streams = Streams::new(&plan);
            [0, 1, 2].map(|pairing| {
                let setups = (0..8).map(|pair| streams.setup(id(pairing, pair)));
                setups.collect::<Vec<Setup>>()
            })
        };
        let distinct = |of: &[Setup]| of.iter().collect::<HashSet<_>>().len();
        let own = setups(&Rings::Own);
        assert_eq!(distinct(&own.concat()), 24);
        let common = setups(&Rings::Common);
        assert_eq!(distinct(&common.concat()), 8);
        assert_eq!(common[0], common[2]);
        // Each ring of the book before one comes again, and not in the order of the book.
        let rings: Vec<Ring> = own[0][..5].iter().map(|setup| *setup.ring()).collect();
        let book = super::super::rings::Book::new(rings).unwrap();
        let booked = setups(&Rings::Book(book));
        assert_eq!(booked[0], booked[1]);
        assert_eq!(distinct(&booked[0][..5]), 5);
        assert_eq!(booked[0][5..], booked[0][..3]);
        assert_ne!(booked[0][..5], own[0][..5]);
        assert!(booked[0].iter().all(|setup| own[0][..5].contains(setup)));
    }
}
