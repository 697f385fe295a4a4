//! All games of a tournament, known before the first is played.

use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

use crate::agent::AgentConfig;
use crate::game::{Player, Setup, Track};
use crate::record::GameId;
use crate::rng::{Rng, stream};

/// Which agents meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everyone against everyone.
    #[default]
    RoundRobin,
}

/// An agent of a plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlannedAgent {
    /// Its name.
    pub name: String,
    /// Its settings.
    pub config: AgentConfig,
}

/// A tournament with everything that its games depend on and nothing else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    seed: u64,
    #[serde(with = "track_name")]
    track: Track,
    format: Format,
    pairs: u32,
    agents: Vec<PlannedAgent>,
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

/// Why there is no such plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// Nobody to play against.
    #[error("agents: {0} of them, expected at least two")]
    TooFewAgents(usize),
    /// Two agents with one name.
    #[error("agents: {0} is named twice, expected each agent once")]
    Repeated(String),
    /// No pairs.
    #[error("pairs: 0, expected 1 or more")]
    NoPairs,
    /// More games than can be numbered.
    #[error("pairs: {0} games in all, expected at most {MOST_GAMES}")]
    TooManyGames(u128),
}

/// What a stream of random numbers is for; part of what it is derived from.
#[derive(Clone, Copy)]
enum Purpose {
    Setup = 1,
    Agent = 2,
}

impl Plan {
    /// The plan of a tournament; its agents are sorted by name.
    ///
    /// # Errors
    /// With fewer than two agents, two of the same name, no pairs, or far too many.
    pub fn new(
        seed: u64,
        track: Track,
        format: Format,
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
        let pairings = agents.len() as u128 * (agents.len() as u128 - 1) / 2;
        let games = pairings * u128::from(pairs) * 2;
        if games > u128::from(MOST_GAMES) || agents.len() > usize::from(u16::MAX) {
            return Err(PlanError::TooManyGames(games));
        }
        Ok(Self {
            seed,
            track,
            format,
            pairs,
            agents,
        })
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

    /// Which agents meet, as indices of [`Self::agents`].
    #[must_use]
    pub fn pairings(&self) -> Vec<(u16, u16)> {
        let count = self.agents.len() as u16;
        match self.format {
            Format::RoundRobin => (0..count)
                .flat_map(|a| (a + 1..count).map(move |b| (a, b)))
                .collect(),
        }
    }

    /// A number that differs between plans that differ.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let text = serde_json::to_vec(self).expect("a plan has only plain values");
        XxHash3_64::oneshot(&text)
    }

    /// Number of games, 2 at least.
    #[must_use]
    pub fn game_count(&self) -> usize {
        self.pairings().len() * self.pairs as usize * 2
    }

    /// All games in the order in which they are played: the first pair of every pairing, then the
    /// second, and so on, so that a table means something early.
    pub fn games(&self) -> impl Iterator<Item = PlannedGame> + use<> {
        let pairings = self.pairings();
        (0..self.pairs).flat_map(move |pair| {
            let pairings = pairings.clone();
            (0..pairings.len()).flat_map(move |p| {
                let (a, b) = pairings[p];
                [(0, [a, b]), (1, [b, a])].map(|(leg, seats)| PlannedGame {
                    id: GameId {
                        pairing: p as u32,
                        pair,
                        leg,
                    },
                    seats,
                })
            })
        })
    }

    /// The number of a game: its position when games are sorted by identity.
    #[must_use]
    pub fn number(&self, id: GameId) -> u64 {
        (u64::from(id.pairing) * u64::from(self.pairs) + u64::from(id.pair)) * 2 + u64::from(id.leg)
    }

    /// The agents of a pairing by its index, or `None` past the end.
    fn pairing(&self, index: u64) -> Option<(u16, u16)> {
        match self.format {
            Format::RoundRobin => {
                let count = self.agents.len() as u16;
                let mut before = 0;
                (0..count).find_map(|a| {
                    let opponents = u64::from(count - 1 - a);
                    let b = index.checked_sub(before).filter(|&b| b < opponents);
                    before += opponents;
                    b.map(|b| (a, a + 1 + b as u16))
                })
            }
        }
    }

    /// The game with this number, or `None` past the end.
    #[must_use]
    pub fn game(&self, number: u64) -> Option<PlannedGame> {
        let per_pairing = u64::from(self.pairs) * 2;
        let pairing = number / per_pairing;
        let (a, b) = self.pairing(pairing)?;
        let leg = (number % 2) as u8;
        Some(PlannedGame {
            id: GameId {
                pairing: pairing as u32,
                pair: (number % per_pairing / 2) as u32,
                leg,
            },
            seats: if leg == 0 { [a, b] } else { [b, a] },
        })
    }
}

/// Where the random numbers of a plan's games come from: the seed and the game's identity alone.
#[derive(Clone, Copy, Debug)]
pub struct Streams {
    seed: u64,
    track: Track,
    plan_hash: u64,
}

impl Streams {
    /// The streams of a plan.
    #[must_use]
    pub fn new(plan: &Plan) -> Self {
        Self {
            seed: plan.seed,
            track: plan.track,
            plan_hash: plan.hash(),
        }
    }

    /// The setup of a game; both legs of a pair have the same.
    #[must_use]
    pub fn setup(&self, id: GameId) -> Setup {
        let mut rng = self.stream(Purpose::Setup, &[id.pairing.into(), id.pair.into()]);
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
    use std::collections::HashSet;

    fn plan(names: &[&str], pairs: u32) -> Result<Plan, PlanError> {
        let agents = names.iter().map(|name| PlannedAgent {
            name: (*name).to_owned(),
            config: AgentConfig::Random {},
        });
        Plan::new(
            7,
            Track::Original,
            Format::RoundRobin,
            pairs,
            agents.collect(),
        )
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
}
